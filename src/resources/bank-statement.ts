/**
 * Bank statements and their lines, as imported from the bank. A line is reconciled with records of
 * the book: payments, bank transactions and transfers.
 */

import { account } from "./account.ts";
import { currencyCodes } from "./common.ts";
import { exampleHandles } from "./examples.ts";
import {
  boolean,
  choice,
  date,
  type Input,
  id,
  integer,
  many,
  money,
  readOnly,
  ref,
  resource,
  type Shape,
  shortId,
  text,
  texts,
  timestamp,
  usualAccess,
} from "./field.ts";

const bankAccount = ref("Account", ["AccountID", "Code"], account.fields, {
  required: true,
  filter: true,
  help: "the bank account",
});

/** Maximum length of the original text of a line in characters; a longer text is not stored. */
export const sourceTextMax = 10_000;

/** The currency of all amounts of a statement or line but `OriginalAmount`. */
const CurrencyCode = choice(currencyCodes, {
  ...readOnly,
  computed: true,
  help: "of the bank account",
});

/** Fields of a line that come from the bank's file. */
const lineFacts = {
  Date: date({ required: true, filter: true, help: "the booking day" }),
  Amount: money({ required: true, filter: true, help: "positive where money came in" }),
  Payee: text({ max: 255, filter: true, help: "the other party, as the bank names it" }),
  Description: text({ max: 4000, filter: true, help: "the text that came with the money" }),
  OtherAccount: text({ max: 64, filter: true, help: "IBAN or number of the other party" }),
  References: texts("Reference", { help: "creditor references, end-to-end ids" }),
  BankReference: text({ max: 255, help: "the bank's own id of the line" }),
  Charges: money({ help: "taken off by the bank, and in the amount" }),
  OriginalAmount: money({ currency: "other", help: "what was paid in another currency" }),
  OriginalCurrency: choice(currencyCodes),
  Parts: many(
    "Part",
    {
      Amount: money({ required: true }),
      Payee: text({ max: 255 }),
      Description: text({ max: 4000 }),
    },
    { help: "the payments of a batch that the bank booked as one amount" },
  ),
  Flags: texts("Flag", { help: "return, reversal, cash" }),
  SourceText: text({
    max: sourceTextMax,
    help: "the line as it stands in the file; of a batch with its first line alone",
  }),
  Cells: texts("Cell", { help: "the cells of its row, as they stand in a CSV file" }),
  Balance: money({ help: "of the account after the line, as the file tells it" }),
} as const;

export const balanceSources = ["FILE", "TYPED", "COUNTED"] as const;

export const matchKinds = ["Payment", "BankTransaction", "BankTransfer", "BatchPayment"] as const;
export type MatchKind = (typeof matchKinds)[number];

export const bankStatementLine = resource(
  "BankStatementLine",
  () => ({
    BankStatementLineID: id({ always: true }),
    Handle: shortId("L"),
    BankStatementID: id({ ...readOnly, always: true }),
    BankAccount: bankAccount,
    Status: choice(["UNRECONCILED", "RECONCILED", "IGNORED"], {
      ...readOnly,
      always: true,
      filter: true,
    }),
    ...lineFacts,
    LineKey: text({
      ...readOnly,
      always: true,
      help: "by what the line is known when a file comes again",
    }),
    Matches: many(
      "Match",
      {
        Kind: choice(matchKinds),
        RecordID: id(),
        Amount: money({ help: "its share of the line" }),
        Number: text({ help: "of the document, where there is one" }),
        Made: boolean({ help: "made to reconcile the line, and taken back with that" }),
      },
      { ...readOnly, computed: true, help: "what the line is reconciled with" },
    ),
    CurrencyCode,
    UpdatedDateUTC: timestamp({ ...readOnly, always: true }),
  }),
  {
    plural: "BankStatementLines",
    extension: true,
    id: "BankStatementLineID",
    ...usualAccess,
    summarizeErrors: false,
    collection: ["GET"],
    record: ["GET"],
    paged: "asked",
    search: ["Payee", "Description"],
    columns: ["Handle", "BankStatementLineID", "Date", "Amount", "Payee", "Description", "Status"],
    listOrder: "Date DESC",
    noun: "bank statement line",
    summary: "lines of bank statements, and what they are reconciled with",
  },
);

export const bankStatement = resource(
  "BankStatement",
  () => ({
    BankStatementID: id({ always: true }),
    Handle: shortId("BS"),
    BankAccount: bankAccount,
    Source: text({ max: 255, filter: true, help: "the file that it came from" }),
    Format: text({ max: 20, help: "of the file: OFX, CAMT.053" }),
    Number: text({ max: 64, help: "as the bank counts its statements" }),
    FromDate: date({ filter: true, help: "first day" }),
    ToDate: date({ filter: true, help: "last day" }),
    OpeningBalance: money({ help: "of the account before the first line" }),
    ClosingBalance: money({ help: "of the account after the last line" }),
    BalanceSource: choice(balanceSources, {
      filter: true,
      help: "whether the file tells the balances or a person typed them; counted on from others where neither did",
    }),
    CountedOpening: money({
      ...readOnly,
      computed: true,
      help: "before the first line, counted on from the last balance that is told or from what the books began with; of one statement whose balances are COUNTED",
    }),
    CountedClosing: money({ ...readOnly, computed: true, help: "the same after the last line" }),
    Gap: money({ help: "by how much the balances are more than the lines" }),
    AllowGap: boolean({ computed: true, help: "take a typed balance that the lines do not make" }),
    OnDuplicate: choice(["skip", "add"], {
      computed: true,
      help: "what is done with lines in doubt; they are answered and neither kept nor dropped when not given",
    }),
    Columns: many(
      "Column",
      {
        Heading: text({ max: 500 }),
        Role: text({ max: 20, help: "what the column was read as; none where it was not read" }),
        Because: text({ max: 80, help: "what says so" }),
      },
      { max: 500, help: "columns of a CSV file, in their order" },
    ),
    HeadingKey: text({ max: 64, help: "the same for files with the same headings" }),
    Settled: text({
      max: 10_000,
      help: "how the next file with these headings is read, where that is to be kept",
    }),
    StatementLines: many(
      "StatementLine",
      { Key: text({ max: 128, required: true }), ...lineFacts },
      { computed: true, max: 5000, help: "lines; those that are known by their Key add nothing" },
    ),
    LinesAdded: integer({ ...readOnly, always: true, help: "how many lines were new" }),
    LinesKnown: integer({ ...readOnly, always: true, help: "how many lines were there already" }),
    LinesBettered: integer({
      ...readOnly,
      computed: true,
      help: "how many of those that were there have more text now",
    }),
    Doubts: many(
      "Doubt",
      {
        Key: text({ max: 128 }),
        BankStatementLineID: id(),
        Payee: text({ max: 255 }),
        Description: text({ max: 4000 }),
      },
      {
        ...readOnly,
        computed: true,
        help: "lines that may be one of the book, by their Key, with that one: neither added nor dropped",
      },
    ),
    Notices: texts("Notice", { ...readOnly, computed: true, help: "what was said of the file" }),
    CurrencyCode,
    CreatedDateUTC: timestamp({ ...readOnly, always: true }),
  }),
  {
    plural: "BankStatements",
    extension: true,
    id: "BankStatementID",
    collection: ["GET", "PUT", "POST"],
    record: ["GET", "POST", "DELETE"],
    paged: "asked",
    where: true,
    order: true,
    changedAt: "CreatedDateUTC",
    columns: [
      "Handle",
      "BankStatementID",
      "BankAccount.Code",
      "FromDate",
      "ToDate",
      "OpeningBalance",
      "ClosingBalance",
      "BalanceSource",
      "LinesAdded",
      "LinesKnown",
      "Source",
    ],
    listOrder: "CreatedDateUTC DESC",
    noun: "bank statement",
    example: exampleHandles.bankStatement,
    summary: "statements of bank accounts, as they were imported",
  },
);

export type BankStatement = Shape<typeof bankStatement>;
export type BankStatementInput = Input<typeof bankStatement>;
export type BankStatementLine = Shape<typeof bankStatementLine>;
