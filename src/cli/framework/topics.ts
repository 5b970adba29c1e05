import { periodForms } from "../values/period-words.ts";

/**
 * Topics of `acct help TOPIC` that concern no single command. No topic is named like a noun. Texts
 * are wrapped to the width of help; lines that begin with two blanks are not.
 */
export interface Topic {
  readonly summary: string;
  /** Paragraphs, and blocks of example lines. */
  readonly text: readonly string[];
  readonly examples: readonly string[];
}

export const topics: Readonly<Record<string, Topic>> = {
  start: {
    summary: "the first hour with a book of your own",
    text: [
      "acct init makes a book, a file of your own; it asks for what it needs. A book that goes on with what was kept elsewhere begins with acct opening set. Then come a bank account, a contact, an invoice; acct alone shows how the company stands.",
    ],
    examples: [
      "acct init",
      "acct account create --code 092 --name Cheque --type BANK --bank-account-number 12-3456-7890123-00",
      "acct contact create --name 'Quay Books'",
      "acct invoice create",
      "acct payment apply INV-0204 --account 090",
    ],
  },
  month: {
    summary: "what a month asks for, from statements to the lock",
    text: [
      "Take in the statements of the bank and reconcile their lines; approve what waits, remind who is late; let repeating invoices and depreciation be made; look at the tax account and publish its return; then close the month, which checks all of it and locks.",
    ],
    examples: [
      "acct bank import march.ofx",
      "acct bank reconcile 090",
      "acct repeating-invoice run",
      "acct asset depreciate --to 2026-03",
      "acct report tax-reconciliation",
      "acct close 2026-03 --yes",
    ],
  },
  records: {
    summary: "how records, dates, periods and amounts are named",
    text: [
      "A record is named by its number, code, whole name or id; on a terminal, commands that only read take the beginning of a name too, and tell which record it was. Dates are 2026-03-31, today, eom, -30d or +2w, periods 2026-Q1, last-month or FY2026: acct help dates has all of them. Amounts have a decimal point and no sign of thousands.",
      "Lists take --where in the words of the service, and a flag for each field that can be asked for.",
    ],
    examples: [
      "acct invoice list --contact 'Cuba Street Gifts' --due-date ..-30d",
      "acct invoice list --where 'Total>=100 AND Contact.Name.Contains(\"cafe\")'",
      "acct report pl --period last-quarter --periods 3 --timeframe QUARTER",
    ],
  },
  dates: {
    summary: "how days and periods are said",
    text: [
      'Days are 2026-03-01, 20260301, "1 March 2026", today, yesterday, tomorrow, eom (the end of this month), monday (the next one, today counted), "next friday" (the first after today), "last friday" (the last before today), and distances such as -30d, +2w, +1m, -1y; the due date of a document counts them from its date. 1/3/2026 is taken in the order of the country of the organisation, and refused where the country has none or the day does not exist in it. A year always has four digits.',
      `Periods are ${periodForms}. Blanks may stand for hyphens, "last 3 months"; other numbers of weeks, months, quarters and years are taken too, all of them whole and ended. Weeks are those of ISO 8601, from Monday. ytd and fytd begin with the year and the financial year, and end today. FY2026 is the financial year that ends in 2026, FY2025-26 the same where it begins in 2025. A report of one day takes the end of its period.`,
      "What others may understand otherwise is said with its days on standard error.",
    ],
    examples: [
      'acct report pl --period "last 3 months"',
      "acct report pl --period FY2026",
      'acct invoice list --to "31 March 2026"',
      "acct report balance-sheet --date eom",
    ],
  },
  output: {
    summary: "tables, JSON, CSV, spreadsheets, and jq",
    text: [
      "Data goes to standard output, everything that is said to standard error. -o takes table, json, ndjson, xml, csv and id, and the formats of paper that acct --help lists; --columns picks fields, --jq puts the JSON through a program of jq. An empty list is an empty list. In a pipe nothing is cut to the width of a terminal, and nothing asks.",
    ],
    examples: [
      "acct invoice list --all -o csv > invoices.csv",
      "acct invoice list -o ndjson --jq '[.InvoiceNumber, .AmountDue] | @tsv'",
      "acct schema invoice",
    ],
  },
  scripts: {
    summary: "exit codes, dry runs, guards and keys for programs",
    text: [
      "0 done; 1 unexpected; 2 usage; 3 no such record; 4 not signed in or not permitted; 5 refused; 6 unavailable; 7 partly done; 130 interrupted. With -o json an error is JSON on standard error.",
      "--dry-run checks and changes nothing. --read-only refuses whatever would change anything, also by ACCT_READ_ONLY=1 and by a profile. --yes answers confirmations, --no-input never asks. --idempotency-key makes the same line run twice one deed. Everything on a command line is checked before anything is sent.",
    ],
    examples: [
      "acct bank reconcile 090 --auto --dry-run",
      "acct invoice create --file invoice.json --idempotency-key order-1017",
      "acct --read-only report balance-sheet -o json",
    ],
  },
  places: {
    summary: "books, folders, databases and services to work on",
    text: [
      "A book is one file, and --book, ACCT_BOOK or a file .acct.json in the directory or above it says which. --data takes a folder of books, --database PostgreSQL, --base-url any service of this API; a profile keeps one of these under a name. Flags go before the environment, that before .acct.json, that before the profile in use. acct doctor says where commands work, and why.",
    ],
    examples: [
      "acct profile add shop --book shop.acct",
      "acct auth login --base-url https://books.example.com",
      "acct doctor",
    ],
  },
};
