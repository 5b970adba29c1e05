/** Every row of the service document on requests, permission, errors, limits and versions. */
import { rules } from "./headings.ts";
import { check } from "./row.ts";

check(rules);
