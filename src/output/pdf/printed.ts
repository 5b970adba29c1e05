/**
 * A document as its reader sees it: text and figures in order, without layout.
 *
 * Each kind of document is converted to this form (`toPrint` in print.ts), and renderers for PDF
 * and web pages use nothing else.
 */
import type { Brand } from "../letterhead.ts";
import type { PaperLanguage } from "../words/words.ts";
import type { PaperColumn } from "./paper-table.ts";

/** A record printed as PDF. */
export interface PrintedFile {
  /** File name, safe on all systems: `INV-0042.pdf`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Characters that no available font has. */
  readonly missing: string;
}

export interface Party {
  /** Role of the party in this document: `Bill to`. */
  readonly label: string;
  readonly name: string;
  readonly lines: readonly string[];
}

export interface Fact {
  readonly label: string;
  readonly value: string;
  /** Whether it is the day when the document is due. */
  readonly isDue?: true;
}

/** A line of the totals; `total` and `due` are emphasised. */
export interface TotalLine {
  readonly label: string;
  readonly amount: string;
  readonly weight?: "total" | "due" | undefined;
}

export interface Note {
  readonly heading: string | undefined;
  readonly text: string;
}

/** Instructions for paying the amount due. */
export interface HowToPay {
  /** Bank account of the organisation, by line. */
  readonly bankDetails: readonly string[];
  /** Payment reference: the document number. */
  readonly reference: string | undefined;
  /** Payment advice of the organisation, by line. */
  readonly advice: readonly string[];
  /** Text of the QR code that banking apps read; undefined where there is none. */
  readonly code?: string | undefined;
  /** Links to the payment services that the branding theme offers. */
  readonly links: readonly { readonly text: string; readonly url: string }[];
}

export interface PrintedDocument {
  readonly title: string;
  readonly number: string | undefined;
  /** Currency of a statement, whose parts are in several. */
  readonly currency?: string | undefined;
  /** Watermark on every page. */
  readonly mark: "DRAFT" | "PAID" | "VOID" | undefined;
  readonly brand: Brand;
  readonly organisation: Party;
  /** Recipient of the document, and the delivery address if it differs. */
  readonly parties: readonly Party[];
  readonly facts: readonly Fact[];
  /** Introductory notes above the document lines. */
  readonly intro: readonly Note[];
  readonly columns: readonly PaperColumn[];
  /** A cell for each column; a row of a single cell is a text over the whole width. */
  readonly rows: readonly (readonly string[])[];
  readonly sums: readonly TotalLine[];
  readonly remarks: readonly string[];
  readonly notes: readonly Note[];
  /** Payment instructions; undefined where nothing is due, or there are none. */
  readonly pay: HowToPay | undefined;
  /** Facts on the payment slip; the next is the address to return it to, by line. */
  readonly advice: readonly Fact[];
  readonly returnTo: readonly string[];
  /** Imprint in the footer of every page. */
  readonly imprint: string;
  readonly language: string;
  /** What the layout says in that language; English where not given. */
  readonly words?: PaperLanguage | undefined;
  readonly paper: "A4" | "LETTER";
  /** Time of creation in milliseconds since 1970 UTC. */
  readonly at: number;
}
