/** Tax returns, drafted and published. The figures of a published return never change. */
import {
  boolean,
  choice,
  date,
  id,
  many,
  resource,
  type Shape,
  shortId,
  text,
  timestamp,
} from "./field.ts";

/**
 * Description of a tax return, from which the routes `/Reports/NAME` and `acct report COMMAND` are
 * derived.
 */
interface ReturnDescription {
  readonly title: string;
  /** CountryCode of the organisations that file the return. */
  readonly country: string;
  readonly countryName: string;
  readonly command: string;
  readonly summary: string;
  /** Box of the amount payable or refundable. */
  readonly due: string;
  /**
   * Box that the user fills in, since the books have no figure for it; in the form of a flag value.
   */
  readonly entry: string;
  /** Short form of the return, in words for the help; undefined where there is none. */
  readonly simpler?: string;
  /** How the tax account is cleared by a published return. Undefined where by hand. */
  readonly cleared?: Cleared;
}

/** Accounts by their codes. */
export interface Cleared {
  readonly tax: string;
  /** The box of what is paid, and its account. */
  readonly paid: readonly [box: string, account: string];
  /** The boxes of what is carried over to the next return, and from the last; and their account. */
  readonly carried: readonly [to: string, from: string, account: string];
  /** Of rounding that costs, and of rounding that gains. */
  readonly rounding: readonly [loss: string, gain: string];
}

/** Tax returns by ReportType. */
export const taxReturns = {
  GSTReturn: {
    title: "GST Return",
    country: "NZ",
    countryName: "New Zealand",
    command: "gst",
    summary: "the goods and services tax return of New Zealand",
    due: "15",
    entry: "13=25.00",
  },
  SalesTaxReturn: {
    title: "Activity Statement",
    country: "AU",
    countryName: "Australia",
    command: "bas",
    summary: "the activity statement of Australia",
    due: "9",
    entry: "W1=5000",
    simpler: "Simpler BAS: G1, 1A and 1B alone of the tax on sales",
  },
  VATReturn: {
    title: "VAT Return",
    country: "GB",
    countryName: "the United Kingdom",
    command: "vat",
    summary: "the VAT return of the United Kingdom",
    due: "5",
    entry: "4=120.00",
  },
  GSTHSTReturn: {
    title: "GST/HST Return",
    country: "CA",
    countryName: "Canada",
    command: "gst-hst",
    summary: "the GST/HST return of Canada",
    due: "113C",
    entry: "107=40.00",
  },
  GSTF5: {
    title: "GST F5 Return",
    country: "SG",
    countryName: "Singapore",
    command: "gst-f5",
    summary: "the goods and services tax return of Singapore, form F5",
    due: "8",
    entry: "7=90.00",
  },
  VAT201: {
    title: "VAT201 Return",
    country: "ZA",
    countryName: "South Africa",
    command: "vat201",
    summary: "the VAT return of South Africa",
    due: "20",
    entry: "18=15.00",
  },
  UStVA: {
    title: "Umsatzsteuer-Voranmeldung",
    country: "DE",
    countryName: "Germany",
    command: "ust-va",
    summary: "the advance VAT return of Germany",
    due: "83",
    entry: "39=1150.00",
  },
  CA3: {
    title: "Déclaration de TVA CA3",
    country: "FR",
    countryName: "France",
    command: "ca3",
    summary: "the VAT return of France, form CA3",
    due: "32",
    entry: "22=350",
    cleared: {
      tax: "445000",
      paid: ["32", "445510"],
      carried: ["27", "22", "445670"],
      rounding: ["658000", "758000"],
    },
  },
} as const satisfies Readonly<Record<string, ReturnDescription>>;

export type ReturnType = keyof typeof taxReturns;
export const returnTypes = Object.keys(taxReturns) as ReturnType[];

export const taxReport = resource(
  "Report",
  () => ({
    ReportID: id({ readOnly: true }),
    Handle: shortId("R"),
    ReportName: text({ readOnly: true }),
    ReportType: choice(returnTypes, {
      required: true,
      help: returnTypes.map((type) => `${type} in ${taxReturns[type].countryName}`).join(", "),
    }),
    FromDate: date({ required: true, help: "the first day it covers" }),
    ToDate: date({ required: true, help: "the last day it covers" }),
    OnlyPeriod: boolean({ help: "refuse days that are no period of the organisation's returns" }),
    Withdraw: text({
      max: 255,
      oneLine: true,
      help: "takes the last return back, which is of these days; the reason, which is kept",
    }),
    Sent: date({ help: "marks the published return of these days as sent to the tax office then" }),
    Simpler: boolean({ help: "Simpler BAS in Australia: G1, 1A and 1B of the tax on sales alone" }),
    ReportDate: text({ readOnly: true }),
    UpdatedDateUTC: timestamp({ readOnly: true }),
    Fields: many(
      "ReportField",
      {
        FieldID: text({ required: true, max: 10, help: "a box that the books do not fill" }),
        // A return also has fields with dates and names.
        Value: text({ required: true, max: 40, help: "an amount" }),
      },
      { max: 20 },
    ),
  }),
  {
    plural: "Reports",
    id: "ReportID",
    collection: ["GET", "PUT"],
    record: ["GET"],
    columns: ["Handle", "ReportName", "ReportDate", "UpdatedDateUTC", "ReportID"],
    noun: "report",
    summary: "published tax returns",
  },
);

export type TaxReport = Shape<typeof taxReport>;
