/**
 * Country-specific facts of e-invoices: codes, names, tax identifiers, registers.
 *
 * @source ISO 3166; European Commission, structure of VAT numbers (VIES); ATO and NZBN, check
 * digits
 */
import { isAbn, isGln, isSiren } from "./identifiers.ts";
import type { Identifier } from "./model.ts";

/** Country codes of ISO 3166-1, and those that EN 16931 adds. */
const codes =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XI XK YE YT ZA ZM ZW".split(
    " ",
  );

/** Languages in which country names in addresses are recognised. */
const languages = ["en", "de", "fr", "es", "it", "nl", "pt", "da", "sv", "nb", "fi", "pl", "cs"];
const otherNames: Readonly<Record<string, string>> = {
  uk: "GB",
  england: "GB",
  scotland: "GB",
  wales: "GB",
  "great britain": "GB",
  "northern ireland": "GB",
  usa: "US",
  "united states of america": "US",
  aotearoa: "NZ",
  holland: "NL",
  "czech republic": "CZ",
};

const plainName = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, " ")
    .trim();

let byName: Map<string, string> | undefined;

/** Code of a country, given by code or by name in one of several languages. */
export function countryCode(text: string | undefined): string | undefined {
  const name = plainName(text ?? "");
  if (name === "") return undefined;
  const code = name.toUpperCase();
  if (codes.includes(code)) return code;
  byName ??= namesOfCountries();
  return byName.get(name);
}

function namesOfCountries(): Map<string, string> {
  const names = new Map(Object.entries(otherNames));
  for (const language of languages) {
    const display = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    for (const code of codes) {
      const name = display.of(code);
      if (name !== undefined && !names.has(plainName(name))) names.set(plainName(name), code);
    }
  }
  return names;
}

/** Form of the VAT numbers of a country, after their prefix. */
interface VatNumbers {
  /** Prefix, where it is not the ISO 3166 country code. */
  readonly prefix?: string;
  readonly form: RegExp;
  /** Whether the check digits are right. */
  readonly check?: (number: string) => boolean;
}

/** VAT number formats of countries with a prefix, which EN 16931 requires (BR-CO-09). */
const vatNumbers: Readonly<Record<string, VatNumbers>> = {
  AT: { form: /^U\d{8}$/ },
  BE: { form: /^[01]\d{9}$/ },
  BG: { form: /^\d{9,10}$/ },
  CH: { form: /^E?\d{9}(?:MWST|TVA|IVA)?$/ },
  CY: { form: /^\d{8}[A-Z]$/ },
  CZ: { form: /^\d{8,10}$/ },
  DE: { form: /^\d{9}$/ },
  DK: { form: /^\d{8}$/ },
  EE: { form: /^\d{9}$/ },
  ES: { form: /^[A-Z\d]\d{7}[A-Z\d]$/ },
  FI: { form: /^\d{8}$/ },
  FR: { form: /^[A-Z\d]{2}\d{9}$/, check: hasFrenchKey },
  GB: { form: /^(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/ },
  GR: { prefix: "EL", form: /^\d{9}$/ },
  HR: { form: /^\d{11}$/ },
  HU: { form: /^\d{8}$/ },
  IE: { form: /^(?:\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/ },
  IT: { form: /^\d{11}$/ },
  LT: { form: /^(?:\d{9}|\d{12})$/ },
  LU: { form: /^\d{8}$/ },
  LV: { form: /^\d{11}$/ },
  MT: { form: /^\d{8}$/ },
  NL: { form: /^\d{9}B\d{2}$/ },
  NO: { form: /^\d{9}(?:MVA)?$/ },
  PL: { form: /^\d{10}$/ },
  PT: { form: /^\d{9}$/ },
  RO: { form: /^\d{2,10}$/ },
  SE: { form: /^\d{12}$/ },
  SI: { form: /^\d{8}$/ },
  SK: { form: /^\d{10}$/ },
  XI: { form: /^(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/ },
};

/** Whether the two digits before a SIREN follow from it; keys with letters have another rule. */
function hasFrenchKey(number: string): boolean {
  const key = (12 + 3 * (Number(number.slice(2)) % 97)) % 97;
  return !/^\d\d/.test(number) || Number(number.slice(0, 2)) === key;
}

const passesForm = ({ form, check }: VatNumbers, number: string): boolean =>
  form.test(number) && (check?.(number) ?? true);

const notMembers: ReadonlySet<string> = new Set(["CH", "GB", "NO"]);

/** Whether a country is in the VAT area of the European Union. */
export function isInUnion(country: string | undefined): boolean {
  return country !== undefined && country in vatNumbers && !notMembers.has(country);
}

/** Normalises a tax number for comparison: `DE 123.456.789` to `DE123456789`. */
export function plainTaxNumber(text: string | undefined): string {
  return (text ?? "").toUpperCase().replace(/[^A-Z\d+*]/g, "");
}

/**
 * VAT identifier of a tax number, with its prefix; undefined for other numbers, such as those of a
 * local tax office.
 */
export function vatId(number: string | undefined, country: string | undefined): string | undefined {
  const bare = plainTaxNumber(number);
  if (vatCountry(number) !== undefined) return bare;
  const vatRule = vatNumbers[country ?? ""];
  if (vatRule === undefined || /[^\dA-Z ]/i.test((number ?? "").trim())) return undefined;
  return passesForm(vatRule, bare) ? `${vatRule.prefix ?? country}${bare}` : undefined;
}

/** Country that the prefix of a VAT number denotes. */
export function vatCountry(number: string | undefined): string | undefined {
  const bare = plainTaxNumber(number);
  const entry = Object.entries(vatNumbers).find(
    ([code, numbers]) =>
      bare.startsWith(numbers.prefix ?? code) && passesForm(numbers, bare.slice(2)),
  );
  return entry?.[0];
}

/** VAT number of a business in another country of the Union, with its prefix; undefined otherwise. */
export function vatNumberAbroad(number: string | undefined, country: string): string | undefined {
  const member = vatCountry(number);
  return isInUnion(member) && member !== country ? plainTaxNumber(number) : undefined;
}

/** A public business register, with a test for its numbers. */
interface Register {
  readonly scheme: string;
  readonly is: (digits: string) => boolean;
  /** Count of digits that name the business; further ones name its place. */
  readonly digits?: number;
  /** Name of the number in the register. */
  readonly called: string;
}

/** Registers that identify parties, by country. @source PINT A-NZ; Insee, SIREN and SIRET */
const registers: Readonly<Record<string, Register>> = {
  AU: { scheme: "0151", is: isAbn, called: "ABN" },
  FR: {
    scheme: "0002",
    is: (digits) => /^\d{9}(\d{5})?$/.test(digits) && isSiren(digits.slice(0, 9)),
    digits: 9,
    called: "SIREN",
  },
  NZ: {
    scheme: "0088",
    is: (digits) => digits.startsWith("94") && isGln(digits),
    called: "NZBN",
  },
};

export function registerOf(country: string | undefined): Register | undefined {
  return registers[country ?? ""];
}

/**
 * Registration number among the numbers of a party, with its scheme where the country has a
 * register.
 */
export function registrationOf(
  country: string | undefined,
  company: string | undefined,
  tax: string | undefined,
): Identifier | undefined {
  const register = registerOf(country);
  for (const number of register === undefined ? [] : [company, tax]) {
    const digits = (number ?? "").replace(/\D/g, "");
    if (register?.is(digits)) {
      return { id: digits.slice(0, register.digits), scheme: register.scheme };
    }
  }
  return company === undefined || company === "" ? undefined : { id: company };
}
