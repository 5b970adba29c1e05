/** A year of the company in FR. */
import { countries } from "./country.ts";
import { keepsAYear } from "./play.ts";

keepsAYear(countries.FR);
