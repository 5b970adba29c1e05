/** Figures not derived from account postings, and the parts of explanations. */
import type { Asset } from "../../resources/asset.ts";
import type { CellAttribute } from "../../wire/report.ts";
import type { DateRange } from "../dates/calendar.ts";
import type { Basis } from "../journal.ts";

/** A part of a figure: one line of its explanation. */
export interface SumPart {
  /** Heading of the group of parts; by default the heading of the figure. */
  readonly group?: string | undefined;
  readonly label: string;
  readonly date?: string | undefined;
  readonly number?: string | undefined;
  /** The calculation of the amount, with each rounding: `59.97 x 15 % = 8.9955, rounded`. */
  readonly working?: string | undefined;
  /** Amount at the scale of the unit. */
  readonly amount: number;
  /** Attributes that identify the records behind the part. */
  readonly attributes?: readonly CellAttribute[] | undefined;
}

/** Figures that are not sums of account postings: the store lists their parts. */
export type CountedSource =
  | { readonly of: "invoices" | "invoice income" | "opening balances"; readonly days: DateRange }
  | { readonly of: "cash flow"; readonly account: string; readonly days: DateRange }
  | { readonly of: "budget" | "gains"; readonly accounts: Accounts; readonly days: DateRange }
  | {
      readonly of: "traded";
      readonly what: "net" | "tax" | "stocked" | "quantity" | "cost";
      readonly key: string;
      readonly query: TradedQuery;
    }
  /** Payments and credits of a document up to the last day. */
  | {
      readonly of: "payment" | "allocation";
      readonly document: string;
      readonly days: DateRange;
    }
  | { readonly of: "depreciation"; readonly asset: Asset; readonly days: DateRange }
  | { readonly of: "bank balance"; readonly account: string; readonly days: DateRange }
  | {
      readonly of: "tax account";
      readonly what: "opening" | "settled" | "coded" | "tax";
      readonly query: TaxAccountQuery;
    }
  /** Parts known in advance or read when explained; many documents are summed by month. */
  | {
      readonly of: "parts" | "documents";
      readonly parts: () => readonly SumPart[] | Promise<readonly SumPart[]>;
    };

export type Accounts = readonly { readonly AccountID: string }[];

export const tradedBy = ["item", "contact", "tracking"] as const;
export type TradedBy = (typeof tradedBy)[number];

/** Selects the document lines of sales or purchases. */
export interface TradedQuery extends DateRange {
  readonly by: TradedBy;
  /**
   * SourceTypes of the journals: ACCREC, CASHREC, …; those whose quantities count negatively come
   * last.
   */
  readonly sources: readonly string[];
  /** Types of credit documents, whose quantities count negatively. */
  readonly credits: readonly string[];
  /** Types of the documents in `sources`. */
  readonly types: readonly string[];
  /** AccountIDs of the lines that count. */
  readonly accounts: readonly string[];
  /** Sign of debits: 1 when debits are positive. */
  readonly sign: 1 | -1;
  /** Whether the net amount of stock lines is also needed. */
  readonly hasCosts: boolean;
}

/** Selects the postings of the tax accounts. */
export interface TaxAccountQuery {
  readonly basis: Basis;
  /** AccountIDs of the tax accounts. */
  readonly accounts: readonly string[];
  /** The last day whose postings count. */
  readonly to: string;
  /** The OrganisationID, the source of the journal of opening balances. */
  readonly organisation: string;
}

/** Cell attributes that identify a document for programs. */
export const documentAttributes = (id: string, kind: string | null): CellAttribute[] => [
  { Value: id, Id: "documentID" },
  ...(kind === null ? [] : [{ Value: kind, Id: "documentKind" }]),
];
