/** The wizard of `acct init`. */
import { type Country, countries, regionOf } from "../../../ledger/regions/index.ts";
import { basesIn } from "../../connection/make-book.ts";
import type { Answers, Wizard } from "../../context/context.ts";
import { writeYearEnd } from "../../values/year-end.ts";

const usualOf = ({ country }: Answers) => regionOf(country as Country);

/** A tax basis in words, behind its name in the API: `INVOICE: when it is invoiced`. */
const inWords = (basis: string): string => `${basis}: ${whenOwed[basis] ?? "no returns are made"}`;

const whenOwed: Readonly<Record<string, string>> = {
  ...{ INVOICE: "when it is invoiced", PAYMENTS: "when it is paid" },
  ...{ ACCRUAL: "when it is invoiced", ACCRUALS: "when it is invoiced", CASH: "when it is paid" },
  ...{
    FLATRATEACCRUAL: "flat rate, when it is invoiced",
    FLATRATECASH: "flat rate, when it is paid",
  },
};

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
      message: (answers) => `Currency, if another than ${usualOf(answers).baseCurrency}`,
      called: "the currency",
      optional: true,
    },
    {
      to: "financial-year-end",
      message: (answers) => `Year end, if another than ${writeYearEnd(usualOf(answers).yearEnd)}`,
      called: "the financial year",
      optional: true,
    },
    {
      to: "tax-basis",
      message: "On which basis is tax owed?",
      called: "the tax basis",
      choices: async (_, answers) => {
        const { salesTaxBasis } = usualOf(answers);
        const others = basesIn(answers.country as Country).filter((name) => name !== salesTaxBasis);
        return [
          // The empty value is the country's default, and follows a later change of country.
          { name: `${inWords(salesTaxBasis)}, as is usual`, value: "" },
          ...others.map((value) => ({ name: inWords(value), value })),
        ];
      },
    },
  ],
};
