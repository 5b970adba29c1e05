/** Every row of the service document's tables of transitions. */
import { states } from "./headings.ts";
import { check } from "./row.ts";

check(states);
