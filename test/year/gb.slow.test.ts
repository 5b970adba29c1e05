/** A year of the company in GB. */
import { countries } from "./country.ts";
import { keepsAYear } from "./play.ts";

keepsAYear(countries.GB);
