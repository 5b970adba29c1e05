/** The wizard of `acct init`. */
import { type Country, countries, regionOf } from "../../../ledger/regions/index.ts";
import { basesIn, periodsIn } from "../../connection/make-book.ts";
import type { Answers, Wizard } from "../../context/context.ts";
import { writeYearEnd } from "../../values/year-end.ts";

const usualOf = ({ country }: Answers) => regionOf(country as Country);

/** A tax basis or period in words, behind its name in the API: `INVOICE: when it is invoiced`. */
const inWords = (name: string): string =>
  `${name}: ${whenOwed[name] ?? howOften[name] ?? "no returns are made"}`;

const whenOwed: Readonly<Record<string, string>> = {
  ...{ INVOICE: "when it is invoiced", PAYMENTS: "when it is paid" },
  ...{ ACCRUAL: "when it is invoiced", ACCRUALS: "when it is invoiced", CASH: "when it is paid" },
  ...{
    FLATRATEACCRUAL: "flat rate, when it is invoiced",
    FLATRATECASH: "flat rate, when it is paid",
  },
};

const howOften: Readonly<Record<string, string>> = {
  ...{ MONTHLY: "every month", ONEMONTHS: "every month", "1MONTHLY": "every month" },
  ...{ TWOMONTHS: "every two months", "2MONTHLY": "every two months" },
  ...{ QUARTERLY: "every quarter", "3MONTHLY": "every quarter" },
  QUARTERLY1: "every quarter, worked out and paid",
  QUARTERLY2: "every quarter, and details once a year",
  QUARTERLY3: "an instalment every quarter",
  ...{ SIXMONTHS: "every six months", "6MONTHLY": "every six months" },
  ...{ YEARLY: "every year", ANNUALLY: "every year" },
};

/** Choices with the usual one of the country first, which has no flag and follows the country. */
const withUsual = (usual: string, names: readonly string[]) => [
  { name: `${inWords(usual)}, as is usual`, value: "" },
  ...names.filter((name) => name !== usual).map((value) => ({ name: inWords(value), value })),
];

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
      choices: async (_, answers) =>
        withUsual(usualOf(answers).salesTaxBasis, basesIn(answers.country as Country)),
    },
    {
      to: "tax-period",
      message: "How often is a tax return made?",
      called: "the period of returns",
      when: (answers) => answers["tax-basis"] !== "NONE",
      choices: async (_, answers) =>
        withUsual(usualOf(answers).salesTaxPeriod, periodsIn(answers.country as Country)),
    },
    { to: "tax-number", message: "Tax number", called: "the tax number", optional: true },
    {
      to: "address",
      message: "Address, as street=4 Heron Lane,city=Wellington,postcode=6011",
      called: "the address",
      optional: true,
    },
    {
      to: "bank-account",
      message: "Number of the bank account",
      called: "the bank account",
      optional: true,
    },
  ],
};
