/** What `acct init` asks. */
import { type Country, countries, regionOf } from "../../../ledger/regions/index.ts";
import type { Wizard } from "../../context/context.ts";

export const initWizard: Wizard = {
  deed: "Make the book",
  questions: [
    { to: "name", message: "Whose books are these?", called: "the name" },
    {
      to: "country",
      message: "In which country?",
      called: "the country",
      choices: async () =>
        countries.map((value) => ({ value, name: regionOf(value as Country).name })),
    },
    {
      to: "currency",
      message: "Currency, if another than that of the country",
      called: "the currency",
      optional: true,
    },
    {
      to: "financial-year-end",
      message: "Year end such as 31 March, if another than that of the country",
      called: "the financial year",
      optional: true,
    },
  ],
};
