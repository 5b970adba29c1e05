/** Whose papers and pages these are, and how they look. */
import { regionAt, regionOf } from "../ledger/regions/index.ts";
import type { Organisation } from "../resources/organisation.ts";
import { type Marks, marksOf } from "./figures.ts";

/** A picture as it is kept: checked when it was sent, and without anything but the picture. */
export interface Logo {
  readonly mimeType: "image/png" | "image/jpeg";
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/** What a branding theme says of the looks. */
export interface Brand {
  /** `#1d4f91`; the plain ink of the page where there is none. */
  readonly color: string | undefined;
  readonly logo: Logo | undefined;
}

export interface Letterhead {
  /** Empty where no organisation stands behind what is shown. */
  readonly name: string;
  /** At the foot: name and number by law. */
  readonly imprint: string;
  readonly brand: Brand;
  /** As in HTML, `en-NZ`. */
  readonly language: string;
  readonly paper: "A4" | "LETTER";
  /** ISO 3166. */
  readonly country: string;
  /** As the organisation has it; moments are in UTC where not given. */
  readonly timezone?: string | undefined;
}

/** Of whom and when something is made. */
export interface PaperContext {
  readonly letterhead: Letterhead;
  /** In milliseconds since 1970 UTC. */
  readonly at: number;
  /** The day that it is where it is made, `YYYY-MM-DD`. */
  readonly day: string;
}

export type LetterheadSource = Pick<Organisation, "Name" | "CountryCode"> &
  Partial<Pick<Organisation, "LegalName" | "RegistrationNumber" | "Timezone">>;

export function letterheadOf(own: LetterheadSource, brand: Brand): Letterhead {
  return {
    name: own.Name,
    imprint: imprintOf(own),
    brand,
    language: languageOf(own),
    paper: paperSizeOf(own),
    country: own.CountryCode,
    timezone: own.Timezone,
  };
}

/** How figures and moments are written on papers of an organisation. */
export const marksOn = ({ country, timezone }: Letterhead): Marks => ({
  ...marksOf(country),
  timezone,
});

/** Of what belongs to no organisation, as a list of profiles. */
export const plainLetterhead: Letterhead = {
  name: "",
  imprint: "",
  brand: { color: undefined, logo: undefined },
  language: "en",
  paper: "A4",
  country: "",
};

/** Imprint: name and number by law. */
export function imprintOf({ Name, LegalName, RegistrationNumber }: LetterheadSource): string {
  const number = RegistrationNumber ? ` \u00b7 Company number ${RegistrationNumber}` : "";
  return `${LegalName?.trim() || Name}${number}`;
}

export const paperSizeOf = ({
  CountryCode,
}: Pick<Organisation, "CountryCode">): Letterhead["paper"] =>
  regionAt(CountryCode).paper.letter ? "LETTER" : "A4";

/** The language of the printed words, as it is spelt in the country of the organisation. */
export function languageOf({ CountryCode }: Pick<Organisation, "CountryCode">): string {
  return regionAt(CountryCode) === regionOf("GLOBAL") ? "en" : `en-${CountryCode}`;
}
