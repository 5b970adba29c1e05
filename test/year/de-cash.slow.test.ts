/** A year of the company in DE on payment. */
import { countries } from "./country.ts";
import { keepsAYear } from "./play.ts";

keepsAYear(countries["DE on payment"]);
