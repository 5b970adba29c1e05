/** The wizard of `acct opening set`. */
import type { Question, Wizard } from "../../context/context.ts";
import { checkReadable } from "./lookups.ts";

const hasFiles: Question["when"] = ({ FILE, documents, stock }) =>
  FILE !== undefined || documents !== undefined || stock !== undefined;

export const openingWizard: Wizard = {
  deed: "Set the opening balances",
  questions: [
    {
      to: "date",
      message: "Last day before the book begins, such as 2026-03-31",
      called: "the day",
    },
    {
      to: "FILE",
      message: "File with the trial balance of that day (CSV), if it is not set already",
      called: "the trial balance",
      optional: true,
      check: checkReadable,
    },
    {
      to: "documents",
      message: "File with open invoices, bills and credit notes, if there are any",
      called: "the open documents",
      optional: true,
      check: checkReadable,
    },
    {
      to: "stock",
      message: "File with the stock on hand, if there is any",
      called: "the stock",
      optional: true,
      check: checkReadable,
    },
    {
      to: "date-format",
      message: "How the files write dates, such as DD/MM/YYYY, if not plainly",
      called: "the form of dates",
      optional: true,
      when: hasFiles,
    },
    {
      to: "decimal",
      message: "Amounts are written with a decimal",
      called: "the decimal sign",
      when: hasFiles,
      choices: async () => [
        { name: "sign that is found out", value: "" },
        { name: "point, 1,234.56", short: "point", value: "point" },
        { name: "comma, 1.234,56", short: "comma", value: "comma" },
      ],
    },
  ],
};
