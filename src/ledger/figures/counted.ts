/** Figures that are not made of the postings of accounts, and the parts of explanations. */
import type { Asset } from "../../resources/asset.ts";
import type { CellAttribute } from "../../wire/report.ts";
import type { DateRange } from "../dates/calendar.ts";
import type { Basis } from "../journal.ts";

/** A line of an explanation. */
export interface SumPart {
  /** Heading of the group of parts; the heading of the figure when not given. */
  readonly group?: string | undefined;
  readonly label: string;
  readonly date?: string | undefined;
  readonly number?: string | undefined;
  /** How its amount came about, with each rounding: `59.97 x 15 % = 8.9955, rounded`. */
  readonly working?: string | undefined;
  /** At the scale of the unit. */
  readonly amount: number;
  /** The records behind it. */
  readonly attributes?: readonly CellAttribute[] | undefined;
}

/** Figures that the postings of accounts do not make: the store lists their parts. */
export type Counted =
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
  /** Parts that are known, or are read when they are told; documents by month where they are many. */
  | {
      readonly of: "parts" | "documents";
      readonly parts: () => readonly SumPart[] | Promise<readonly SumPart[]>;
    };

export type Accounts = readonly { readonly AccountID: string }[];

export const tradedBy = ["item", "contact", "tracking"] as const;
export type TradedBy = (typeof tradedBy)[number];

/** Lines of documents that sold or bought. */
export interface TradedQuery extends DateRange {
  readonly by: TradedBy;
  /** SourceTypes of the journals: ACCREC, CASHREC, …; those whose quantities count backwards last. */
  readonly sources: readonly string[];
  /** Types of the documents that are taken back by, of which quantities count backwards. */
  readonly credits: readonly string[];
  /** Types of the documents of `sources`. */
  readonly types: readonly string[];
  /** AccountIDs on which lines count. */
  readonly accounts: readonly string[];
  /** 1 where debits are above zero. */
  readonly sign: 1 | -1;
  /** Whether the net of lines kept in stock is asked for. */
  readonly hasCosts: boolean;
}

/** The ledger of the tax accounts. */
export interface TaxAccountQuery {
  readonly basis: Basis;
  /** AccountIDs of the tax accounts. */
  readonly accounts: readonly string[];
  /** The last day. */
  readonly to: string;
  /** The OrganisationID, which the journal of opening balances comes from. */
  readonly organisation: string;
}

/** Attributes by which a program finds a record again. */
export const documentAttributes = (id: string, kind: string | null): CellAttribute[] => [
  { Value: id, Id: "documentID" },
  ...(kind === null ? [] : [{ Value: kind, Id: "documentKind" }]),
];
