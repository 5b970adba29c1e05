/** Every row of the service document's tables of fields. */

import { fields } from "./headings.ts";
import { check } from "./row.ts";

check(fields);
