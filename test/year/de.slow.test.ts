/** A year of the company in DE. */
import { countries } from "./country.ts";
import { keepsAYear } from "./play.ts";

keepsAYear(countries.DE);
