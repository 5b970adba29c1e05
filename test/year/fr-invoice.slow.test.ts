/** A year of the company in FR on invoice. */
import { countries } from "./country.ts";
import { keepsAYear } from "./play.ts";

keepsAYear(countries["FR on invoice"]);
