/** A year of the company in NZ. */
import { countries } from "./country.ts";
import { keepsAYear } from "./play.ts";

keepsAYear(countries.NZ);
