/** Letterhead: the organisation behind a document or page, and its appearance. */
import { regionAt, regionOf } from "../ledger/regions/index.ts";
import type { Organisation } from "../resources/organisation.ts";
import { type Marks, marksOf } from "./figures.ts";

/** Logo as stored: validated when uploaded, and stripped of all but the image data. */
export interface Logo {
  readonly mimeType: "image/png" | "image/jpeg";
  /** Width in pixels; the next is the height. */
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/** Appearance of documents from a branding theme. */
export interface Brand {
  /** Colour of headings, `#1d4f91`; the default ink where undefined. */
  readonly color: string | undefined;
  readonly logo: Logo | undefined;
}

export interface Letterhead {
  /** Name of the organisation; empty for output that belongs to none. */
  readonly name: string;
  /** Imprint in the footer: legal name and registration number. */
  readonly imprint: string;
  readonly brand: Brand;
  /** Language code as in HTML, `en-NZ`. */
  readonly language: string;
  readonly paper: "A4" | "LETTER";
  /** Country code of ISO 3166. */
  readonly country: string;
  /** Time zone of the organisation, in which times are shown; UTC where not given. */
  readonly timezone?: string | undefined;
}

/** Letterhead and time of creation of a document. */
export interface PaperContext {
  readonly letterhead: Letterhead;
  /** Time of creation, in milliseconds since 1970 UTC. */
  readonly at: number;
  /** Local date of creation, `YYYY-MM-DD`. */
  readonly day: string;
}

export type LetterheadSource = Pick<Organisation, "Name" | "CountryCode"> &
  Partial<Pick<Organisation, "LegalName" | "RegistrationNumber" | "Timezone">>;

export function letterheadOf(source: LetterheadSource, brand: Brand): Letterhead {
  return {
    name: source.Name,
    imprint: imprintOf(source),
    brand,
    language: languageOf(source),
    paper: paperSizeOf(source),
    country: source.CountryCode,
    timezone: source.Timezone,
  };
}

/** Decimal mark, separators and time zone for documents of an organisation. */
export const marksOn = ({ country, timezone }: Letterhead): Marks => ({
  ...marksOf(country),
  timezone,
});

/** Letterhead of output that belongs to no organisation, such as a list of profiles. */
export const plainLetterhead: Letterhead = {
  name: "",
  imprint: "",
  brand: { color: undefined, logo: undefined },
  language: "en",
  paper: "A4",
  country: "",
};

/** Imprint of an organisation: legal name and registration number. @param label  of the number */
export function imprintOf(
  { Name, LegalName, RegistrationNumber }: LetterheadSource,
  label = "Company number",
): string {
  const number = RegistrationNumber ? ` \u00b7 ${label} ${RegistrationNumber}` : "";
  return `${LegalName?.trim() || Name}${number}`;
}

export const paperSizeOf = ({
  CountryCode,
}: Pick<Organisation, "CountryCode">): Letterhead["paper"] =>
  regionAt(CountryCode).paper.letter ? "LETTER" : "A4";

/** Language code of printed text, with the spelling of the organisation's country. */
export function languageOf({ CountryCode }: Pick<Organisation, "CountryCode">): string {
  return regionAt(CountryCode) === regionOf("GLOBAL") ? "en" : `en-${CountryCode}`;
}
