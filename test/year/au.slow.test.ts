/** A year of the company in AU. */
import { countries } from "./country.ts";
import { keepsAYear } from "./play.ts";

keepsAYear(countries.AU);
