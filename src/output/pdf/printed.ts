/**
 * A document as it is read: words and figures in their order, before anything is placed.
 *
 * Every kind of document becomes one of these (`toPrint` in print.ts), and whatever shows documents,
 * on paper or on a page, knows nothing else.
 */
import type { Brand } from "../letterhead.ts";
import type { PaperColumn } from "./paper-table.ts";

/** A printed record. */
export interface PrintedFile {
  /** Safe in any folder: `INV-0042.pdf`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Characters that no font here has. */
  readonly missing: string;
}

export interface Party {
  /** Its part in this document: `Bill to`. */
  readonly label: string;
  readonly name: string;
  readonly lines: readonly string[];
}

export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** A line of the sums; `total` and `due` stand out. */
export interface TotalLine {
  readonly label: string;
  readonly amount: string;
  readonly weight?: "total" | "due" | undefined;
}

export interface Note {
  readonly heading: string | undefined;
  readonly text: string;
}

/** How what is due may be paid. */
export interface HowToPay {
  /** Bank account of the organisation, line by line. */
  readonly bankDetails: readonly string[];
  /** Reference of a payment: the number of the document. */
  readonly reference: string | undefined;
  /** Payment advice of the organisation, line by line. */
  readonly advice: readonly string[];
  /** Payment services that the theme offers. */
  readonly links: readonly { readonly text: string; readonly url: string }[];
}

export interface Printed {
  readonly title: string;
  readonly number: string | undefined;
  /** Mark on every page. */
  readonly mark: "DRAFT" | "VOID" | undefined;
  readonly brand: Brand;
  readonly organisation: Party;
  /** Whom it is for, and where things go if that is elsewhere. */
  readonly parties: readonly Party[];
  readonly facts: readonly Fact[];
  /** Introduction above the lines. */
  readonly intro: readonly Note[];
  readonly columns: readonly PaperColumn[];
  /** A cell for each column; one cell alone is a text across the whole line. */
  readonly rows: readonly (readonly string[])[];
  readonly sums: readonly TotalLine[];
  readonly remarks: readonly string[];
  readonly notes: readonly Note[];
  /** Undefined where nothing is to be paid, or nothing is said of how. */
  readonly pay: HowToPay | undefined;
  /** The slip that goes back with the money, and the lines of the address it goes to. */
  readonly advice: readonly Fact[];
  readonly returnTo: readonly string[];
  /** Imprint at the foot of every page. */
  readonly imprint: string;
  readonly language: string;
  readonly paper: "A4" | "LETTER";
  /** Milliseconds since 1970 UTC: when the document is said to be made. */
  readonly at: number;
}
