/** A manual journal: debits and credits that a user posts without a document. */

import { attachments } from "./attachment.ts";
import { hasAttachments, lineAmountTypes, lineTracking } from "./common.ts";
import { exampleHandles } from "./examples.ts";
import {
  boolean,
  choice,
  date,
  type Input,
  id,
  many,
  money,
  resource,
  type Shape,
  type ShapeOf,
  shortId,
  text,
  timestamp,
  usualAccess,
} from "./field.ts";
import { lineAmountMaxCents } from "./line-item.ts";

export const manualJournalStatuses = ["DRAFT", "POSTED", "DELETED", "VOIDED", "ARCHIVED"] as const;
export type ManualJournalStatus = (typeof manualJournalStatuses)[number];

export const journalLineFields = {
  LineAmount: money({ max: lineAmountMaxCents, help: "debit above zero, credit below" }),
  AccountCode: text({ max: 10 }),
  AccountID: id(),
  Description: text({ max: 4000, verbatim: true }),
  TaxType: text({ max: 50 }),
  TaxAmount: money({ help: "worked out when not given; of the sign of LineAmount" }),
  Tracking: lineTracking,
  IsBlank: boolean({ help: "a line without amount and account" }),
} as const;

export const manualJournal = resource(
  "ManualJournal",
  () => ({
    ManualJournalID: id({ always: true }),
    Handle: shortId("MJ"),
    Narration: text({ max: 4000, required: true, filter: true, help: "what it is for" }),
    Date: date({ always: true, filter: true, help: "today when not given" }),
    Status: choice(manualJournalStatuses, { default: "DRAFT", always: true, filter: true }),
    LineAmountTypes: choice(lineAmountTypes, { default: "NoTax", always: true }),
    JournalLines: many("JournalLine", journalLineFields, {
      always: true,
      emptyInLists: true,
      computed: true,
    }),
    Url: text({ max: 2048 }),
    ShowOnCashBasisReports: boolean({
      default: true,
      always: true,
      help: "whether reports on cash basis count it",
    }),
    HasAttachments: hasAttachments,
    Attachments: attachments,
    UpdatedDateUTC: timestamp({ readOnly: true, always: true, twin: "UpdatedDateUTCString" }),
  }),
  {
    plural: "ManualJournals",
    id: "ManualJournalID",
    ...usualAccess,
    paged: "asked",
    attachments: true,
    columns: ["Handle", "ManualJournalID", "Date", "Narration", "Status"],
    listOrder: "Date DESC, UpdatedDateUTC DESC",
    alike: { fields: ["Narration", "Date", "JournalLines"] },
    noun: "manual journal",
    example: exampleHandles.manualJournal,
    exampleDraft: exampleHandles.manualJournalDraft,
    summary: "journals posted by hand",
  },
);

export type ManualJournal = Shape<typeof manualJournal>;
export type ManualJournalInput = Input<typeof manualJournal>;
export type ManualJournalLine = ShapeOf<typeof journalLineFields>;
