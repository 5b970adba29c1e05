/** Every row of the service document's tables of endpoints. */
import { endpoints } from "./headings.ts";
import { check } from "./row.ts";

check(endpoints);
