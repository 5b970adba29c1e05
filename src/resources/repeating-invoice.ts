/** A template from which invoices are created repeatedly, on the dates of its schedule. */
import { attachments } from "./attachment.ts";
import { currencyCodes, hasAttachments, lineAmountTypes } from "./common.ts";
import { documentContact, totals } from "./document.ts";
import {
  boolean,
  choice,
  date,
  id,
  integer,
  one,
  resource,
  type Shape,
  shortId,
  text,
  usualAccess,
} from "./field.ts";
import { lineItems } from "./line-item.ts";

export const repeatingInvoiceStatuses = ["DRAFT", "AUTHORISED", "DELETED"] as const;
export type RepeatingInvoiceStatus = (typeof repeatingInvoiceStatuses)[number];

const dueDateTypes = [
  "DAYSAFTERBILLDATE",
  "DAYSAFTERBILLMONTH",
  "DAYSAFTERINVOICEDATE",
  "DAYSAFTERINVOICEMONTH",
  "OFCURRENTMONTH",
  "OFFOLLOWINGMONTH",
] as const;

export const scheduleFields = {
  Period: integer({
    required: true,
    min: 1,
    max: 99,
    help: "weeks or months from one to the next",
  }),
  Unit: choice(["WEEKLY", "MONTHLY"], { required: true }),
  DueDate: integer({ required: true, min: 0, max: 365, help: "days, or a day of the month" }),
  DueDateType: choice(dueDateTypes, { required: true }),
  StartDate: date({ required: true, help: "of the first" }),
  NextScheduledDate: date({ readOnly: true }),
  EndDate: date({ help: "no invoice is made after it; without it they go on" }),
} as const;

export const repeatingInvoice = resource(
  "RepeatingInvoice",
  () => ({
    Type: choice(["ACCREC", "ACCPAY"], { required: true, filter: true, help: "ACCREC when made" }),
    RepeatingInvoiceID: id({ always: true }),
    Handle: shortId("RI"),
    /** Duplicate of the template's id, by the name that other services use. */
    ID: id({ readOnly: true, computed: true }),
    Contact: documentContact,
    Reference: text({
      max: 255,
      key: true,
      filter: true,
      help: "[Week], [Month], [Month-1] and [Year] stand for those of the date",
    }),
    Status: choice(repeatingInvoiceStatuses, {
      default: "DRAFT",
      always: true,
      filter: true,
      help: "AUTHORISED makes approved invoices, DRAFT makes drafts",
    }),
    Schedule: one(scheduleFields, { always: true }),
    LineAmountTypes: choice(lineAmountTypes, { default: "Exclusive", always: true }),
    LineItems: { ...lineItems, emptyInLists: false, always: true },
    ...totals,
    CurrencyCode: choice(currencyCodes, { always: true, filter: true }),
    BrandingThemeID: id(),
    HasAttachments: hasAttachments,
    Attachments: attachments,
    ApprovedForSending: boolean({
      default: false,
      always: true,
      help: "email each invoice when it is made",
    }),
    SendCopy: boolean({ default: false, always: true, help: "send a copy to yourself" }),
    MarkAsSent: boolean({ default: false, always: true, help: "mark each invoice as sent" }),
    IncludePDF: boolean({ default: false, always: true, help: "attach the invoice as PDF" }),
  }),
  {
    plural: "RepeatingInvoices",
    id: "RepeatingInvoiceID",
    ...usualAccess,
    modifiedSince: false,
    attachments: true,
    columns: [
      "Handle",
      "Reference",
      "Contact.Name",
      "Status",
      "Schedule.Period",
      "Schedule.Unit",
      "Schedule.NextScheduledDate",
      "Total",
    ],
    listOrder: "Reference ASC",
    document: {},
    noun: "repeating invoice",
    example: "Rent",
    summary: "invoices that repeat on a schedule",
  },
);

export type RepeatingInvoice = Shape<typeof repeatingInvoice>;

/** Result for one date of a template, in the answer of `POST /RepeatingInvoices/Run`. */
export const repeatingRun = resource(
  "RepeatingInvoiceRun",
  () => ({
    RepeatingInvoiceID: id({ always: true }),
    Date: date({ always: true }),
    /**
     * Id of the invoice; absent where not even a draft could be created, so that the date is tried
     * again.
     */
    InvoiceID: id(),
    InvoiceNumber: text(),
    Status: text(),
    SentToContact: boolean(),
    /** Reason why the invoice is not as the template specifies. */
    Message: text(),
  }),
  {
    plural: "RepeatingInvoiceRuns",
    id: "RepeatingInvoiceID",
    columns: ["Date", "InvoiceNumber", "Status", "SentToContact", "Message"],
    noun: "scheduled invoice",
    summary: "invoices that were made on schedule",
  },
);

export type RepeatingRun = Shape<typeof repeatingRun>;
