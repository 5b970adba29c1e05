/**
 * A document as it stands on paper: words and figures as they are read, before anything is placed.
 *
 * Every kind of document becomes one of these, and what lays out pages knows nothing else.
 */

/** What one record is printed as. */
export interface PrintedFile {
  /** Safe in any folder: `INV-0042.pdf`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Party {
  /** What it is in this document: `Bill to`. */
  readonly label: string;
  readonly name: string;
  readonly lines: readonly string[];
}

export interface Fact {
  readonly label: string;
  readonly value: string;
}

export interface Column {
  readonly heading: string;
  /** Texts are on the left and wrap, figures on the right and do not. */
  readonly figures: boolean;
}

/** A line of the sums; `total` and `due` stand out. */
export interface Sum {
  readonly label: string;
  readonly amount: string;
  readonly weight?: "total" | "due" | undefined;
}

export interface Note {
  readonly heading: string | undefined;
  readonly text: string;
}

export interface Printed {
  readonly title: string;
  readonly number: string | undefined;
  /** What no reader may miss, on every page. */
  readonly mark: "DRAFT" | "VOID" | undefined;
  readonly organisation: Party;
  /** Whom it is for, and where things go if that is elsewhere. */
  readonly parties: readonly Party[];
  readonly facts: readonly Fact[];
  /** What it is about, above the lines. */
  readonly intro: readonly Note[];
  readonly columns: readonly Column[];
  /** A cell for each column; one cell alone is a text across the whole line. */
  readonly rows: readonly (readonly string[])[];
  readonly sums: readonly Sum[];
  readonly remarks: readonly string[];
  readonly notes: readonly Note[];
  /** The slip that goes back with the money, and the lines of the address it goes to. */
  readonly advice: readonly Fact[];
  readonly returnTo: readonly string[];
  /** Who it is from by law, at the foot of every page. */
  readonly imprint: string;
  readonly language: string;
  readonly paper: "A4" | "LETTER";
  /** Milliseconds since 1970 UTC: when the document is said to be made. */
  readonly at: number;
}
