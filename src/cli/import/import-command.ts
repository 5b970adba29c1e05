/**
 * Declares `acct import NOUN FILE` and `acct NOUN import FILE`.
 *
 * The modules that read files and use the book are loaded when the command runs, to keep help and
 * completion fast.
 */

import { UsageError } from "../../resources/errors.ts";
import type { Child, Command, Context, Flag } from "../context/context.ts";
import { command, ownFlag } from "../framework/command.ts";
import { findNearest } from "../values/suggest.ts";
import {
  type ImportNoun,
  type ImportOptions,
  importNouns,
  isDocument,
  pluralOf,
} from "./options.ts";

/** Builds a flag that takes one of a few words, in any letter case. */
function choiceFlag(name: string, values: readonly string[], help: string): Flag {
  return ownFlag(name, help, {
    placeholder: values.join("|"),
    values,
    read: (text) => {
      const value = values.find((name) => name.toLowerCase() === text.trim().toLowerCase());
      if (value !== undefined) return value;
      const suggestion = findNearest(text, values);
      throw new UsageError(
        "BadValue",
        `--${name} takes ${values.join(", ")}, not "${text}".${suggestion === undefined ? "" : ` Did you mean ${suggestion}?`}`,
      );
    },
  });
}

const formFlags: readonly Flag[] = [
  ownFlag("map", "where a field comes from: a column, or a text with columns in it", {
    placeholder: "FIELD=COLUMN",
    repeat: true,
  }),
  ownFlag("set", "the same value for every row", { placeholder: "FIELD=VALUE", repeat: true }),
  ownFlag("mapping", "take --map, --set and the forms below from this file", {
    placeholder: "FILE",
    live: "file",
  }),
  ownFlag("save-mapping", "keep them in this file", { placeholder: "FILE", live: "file" }),
  ownFlag("date-format", "how dates are written, DD/MM/YYYY; YYYY-MM-DD when not given", {
    placeholder: "FORMAT",
  }),
  choiceFlag(
    "decimal",
    ["comma", "point"],
    "the decimal mark; without it 1,234 is refused, not guessed",
  ),
  ownFlag("delimiter", "between cells: comma, semicolon, tab, pipe; found out when not given", {
    placeholder: "CHARACTER",
  }),
  ownFlag("encoding", "of the text, windows-1252 say; UTF-8 when not given", {
    placeholder: "NAME",
  }),
];

const related: readonly Flag[] = [
  ownFlag("create-contacts", "make the contacts that are new"),
  ownFlag(
    "similar-contacts",
    "also those whose names are near others; each is asked about when not given",
  ),
  ownFlag("create-items", "make the items that are new"),
  choiceFlag(
    "status",
    ["DRAFT", "SUBMITTED", "AUTHORISED"],
    "what becomes of each; DRAFT when not given",
  ),
];

const wholeness: readonly Flag[] = [
  ownFlag("partial", "leave bad rows out of a document, and take the rest"),
  ownFlag("allow-zero", "take documents that charge nothing"),
];

/** Records without number or name, which therefore cannot be updated by an import. */
const knownByContent: readonly ImportNoun[] = [
  ...(["payment", "credit-note", "bank-transaction", "bank-transfer"] as const),
  ...(["manual-journal", "bank-statement"] as const),
];

const recreate: Flag = ownFlag(
  "recreate",
  "make again what the book has as voided, deleted or reversed",
);

function flagsFor(noun: ImportNoun): readonly Flag[] {
  const duplicates = knownByContent.includes(noun)
    ? ["skip", "error"]
    : ["skip", "update", "error"];
  return [
    choiceFlag("on-duplicate", duplicates, "what to do with those that exist; skip when not given"),
    choiceFlag(
      "on-error",
      ["stop", "skip"],
      "with a bad row: change nothing (stop, the default), or leave it out",
    ),
    ...(isDocument(noun) ? wholeness : []),
    ...(isDocument(noun) || noun === "payment" ? [recreate] : []),
    ownFlag(
      "rejected",
      "where refused rows go; FILE.rejected.csv in the current folder when not given",
      { placeholder: "FILE", live: "file" },
    ),
  ];
}

const examples: Readonly<Record<ImportNoun, readonly string[]>> = {
  invoice: [
    "acct import invoices sales.csv --dry-run",
    "acct import invoices shop.csv --map InvoiceNumber=Order --map 'Contact.Name=Customer {No:integer}' --set AccountCode=200 --date-format DD/MM/YYYY --create-contacts --save-mapping shop.json --yes",
    "acct import invoices shop.csv --mapping shop.json --status AUTHORISED --on-error skip --yes",
  ],
  bill: [
    "acct import bills bills.csv --create-contacts --decimal comma --date-format DD.MM.YYYY --yes",
  ],
  contact: ["acct import contacts customers.csv --on-duplicate update --yes"],
  item: ["acct import items price-list.csv --map 'Name={Title|Code}' --yes"],
  payment: ["acct import payments receipts.csv --set Account.Code=090 --yes"],
  asset: [
    "acct import assets register.csv --set AssetAccount.Code=710 --date-format DD/MM/YYYY --yes",
  ],
  account: ["acct import accounts chart.csv --dry-run"],
  "tax-rate": ["acct import tax-rates taxes.csv --on-duplicate update --yes"],
  tracking: ["acct import tracking tracking.csv --yes"],
  currency: ["acct import currencies currencies.csv --yes"],
  "credit-note": ["acct import credit-notes credits.csv --yes"],
  quote: ["acct import quotes quotes.csv --yes"],
  "purchase-order": ["acct import purchase-orders orders.csv --yes"],
  "bank-transaction": ["acct import bank-transactions bank.csv --yes"],
  "bank-transfer": ["acct import bank-transfers transfers.csv --yes"],
  "manual-journal": ["acct import manual-journals journals.csv --yes"],
  "bank-rule": ["acct import bank-rules rules.csv --yes"],
  budget: ["acct import budgets budgets.csv --on-duplicate update --yes"],
  "bank-statement": ["acct import bank-statements statements.csv --yes"],
};

const groupNote = (by: string) =>
  `Rows that share a ${by} are one record; in another book it gets an id of its own.`;
const allocationsNote =
  "Allocations are applied once the record is made, so that their invoices and bills are imported before.";

const notes: Readonly<Record<ImportNoun, readonly string[]>> = {
  invoice: [
    "Rows that share an invoice number are one invoice, wherever in the file they stand. If one of them is bad, all are refused, unless --partial is given.",
  ],
  bill: [
    "Rows that share a supplier and a number are one bill, wherever in the file they stand. If one of them is bad, all are refused, unless --partial is given.",
  ],
  contact: ["A contact that exists is known by its ContactNumber, otherwise by its Name."],
  item: ["An item that exists is known by its Code."],
  payment: [
    "A payment that exists is known by its invoice, date, amount and reference; of two that are equal in all of these, both are kept.",
    "PaymentType and Contact.Name tell documents of one number apart; a refund names its credit note, or by Credit.Date and Credit.Total its prepayment or overpayment.",
  ],
  asset: [
    "An asset that exists is known by its AssetNumber. What it had depreciated by before these books is OpeningAccumulated, with OpeningDate.",
  ],
  account: [
    "An account that exists is known by its Code, otherwise by its Name. Import currencies and tax rates before.",
  ],
  "tax-rate": [
    "A rate that exists is known by its Name; TaxComponents is a list as JSON. New rates get a TaxType of the service's own.",
  ],
  tracking: [
    "A category that exists is known by its Name, and gets the options that it lacks; Options is a list as JSON.",
  ],
  currency: ["A row for each day of which a rate is known; a rate of the same day is replaced."],
  "credit-note": [
    `${groupNote("CreditNoteID")} Without one, rows that share a number are, of a supplier's credit notes a supplier and a number. ${allocationsNote}`,
  ],
  quote: ["Rows that share a QuoteNumber are one quote, wherever in the file they stand."],
  "purchase-order": [
    "Rows that share a PurchaseOrderNumber are one order, wherever in the file they stand.",
  ],
  "bank-transaction": [
    `${groupNote("BankTransactionID")} Prepayments and overpayments are among them. ${allocationsNote}`,
  ],
  "bank-transfer": ["A transfer that exists is known by its accounts, day, amount and reference."],
  "manual-journal": [groupNote("ManualJournalID")],
  "bank-rule": [
    "A rule that exists is known by its Name; Conditions and Lines are lists as JSON. An extension.",
  ],
  budget: [
    "A row for each account and month. A budget that exists is known by its Type and Description. An extension.",
  ],
  "bank-statement": [
    "Statements as acct export writes them; acct bank import takes the files of banks. A line is known by its Key. An extension.",
  ],
};

const mappingNote =
  "Columns that bear the name of a field, or stand in the common import templates, are recognised. For others: --map Field=Column; --map 'Contact.Name=Customer {No}' puts columns into a text; {A|B} is the first of two columns that is not empty; a text after | stands in when a column is empty; {No:integer} reads 12923.0 as 12923 ({…:upper} and {…:lower} are the others); --map Field= forgets a column.";

/**
 * Declares the import of one kind of record.
 *
 * @param name  name of the command: `import` below a noun, `invoices` below `import`
 */
export function importCommand(noun: ImportNoun, name = "import"): Command {
  const pluralText = noun === "tracking" ? "tracking categories" : pluralOf(noun).replace("-", " ");
  const builder = command(name, `import ${pluralText} from a CSV file`)
    .writes()
    .answers("value")
    .argument("FILE", "CSV file with a row of headings, - for standard input", { live: "file" })
    .flags<ImportOptions>([...formFlags, ...(isDocument(noun) ? related : []), ...flagsFor(noun)])
    .note(
      "Every row is checked and the plan is shown before anything is changed. Running the same file again changes nothing; after an interruption it goes on where it stopped.",
    );
  for (const note of [...notes[noun], mappingNote]) builder.note(note);
  for (const example of examples[noun]) builder.example(example);
  return builder.action(async (ctx: Context, file: string, options: ImportOptions) => {
    const { importFile } = await import("./import-file.ts");
    await importFile(ctx, noun, file, options);
  });
}

const folderCommand: Command = command(
  "folder",
  "import all files of a folder, as acct export folder writes them",
)
  .writes()
  .argument("DIR", "folder with bills.csv, invoices.csv, …, opening.json", { live: "file" })
  .note(
    "Documents go in by the order in which they were posted, which the column Posted says; without it by date, purchases first within a day. Payments and allocations follow in the same way. acct import DIR is the same.",
  )
  .note(
    "Running the same folder again changes nothing; after an interruption it goes on where it stopped.",
  )
  .example("acct import folder books-2026 --yes")
  .example("acct import books-2026 --book copy.acct --yes")
  .answers("value")
  .action(async (ctx, folder: string) => {
    const { importFolder } = await import("./import-folder.ts");
    await importFolder(ctx, folder);
  });

/** Verbs of `acct import`, one for each kind of record. */
export const importVerbs: readonly Child[] = [
  folderCommand,
  ...importNouns.map((noun) => importCommand(noun, pluralOf(noun))),
];
