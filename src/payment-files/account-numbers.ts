/** Parses account numbers of Australia and New Zealand; those of other countries are IBANs. */

/**
 * Normalises an Australian account: `062-000 12345678`, a BSB and up to nine digits of the account.
 */
export function australianAccount(text: string): string | undefined {
  const separated = /^\s*(\d{3})[- ]?(\d{3})[- ,/]+(\d[\d -]*)$/.exec(text);
  // Without a separator, fewer digits may be an account number without its BSB.
  const [, bank = "", branch = "", rest = ""] =
    separated ?? /^\s*(\d{3})-?(\d{3})(\d{5,9})\s*$/.exec(text) ?? [];
  const account = rest.replace(/[ -]/g, "");
  if (!/^\d{1,9}$/.test(account) || /^0+$/.test(account) || Number(bank) === 0) return undefined;
  return `${bank}-${branch} ${account}`;
}

/**
 * Checksum scheme: weights of the 16 digits from bank to suffix, modulus, and whether digits of
 * products are added.
 */
interface Scheme {
  readonly weights: readonly number[];
  readonly modulus: 10 | 11;
  readonly addsDigits?: true;
}

const scheme = (weights: string, modulus: 10 | 11): Scheme => ({
  weights: weights.split(" ").map(Number),
  modulus,
});

/**
 * Checksum schemes of New Zealand account numbers.
 *
 * @source Inland Revenue, Validating bank account numbers (RWT and NRWT certificates)
 */
const schemes = {
  A: scheme("0 0 6 3 7 9 0 10 5 8 4 2 1 0 0 0", 11),
  B: scheme("0 0 0 0 0 0 0 10 5 8 4 2 1 0 0 0", 11),
  D: scheme("0 0 0 0 0 0 7 6 5 4 3 2 1 0 0 0", 11),
  E: { ...scheme("0 0 0 0 0 0 0 0 0 5 4 3 2 0 0 1", 11), addsDigits: true },
  F: scheme("0 0 0 0 0 0 1 7 3 1 7 3 1 0 0 0", 10),
  G: { ...scheme("0 0 0 0 0 0 1 3 7 1 3 7 1 3 7 1", 10), addsDigits: true },
} as const satisfies Record<string, Scheme>;

/**
 * Checksum scheme of banks that do not use the usual A, or B for high base numbers. Numbers of
 * unknown banks are not checked.
 */
const schemeOfBank: Readonly<Record<string, keyof typeof schemes>> = {
  "08": "D",
  "09": "E",
  "25": "F",
  "26": "G",
  "28": "G",
  "29": "G",
  "33": "F",
};
const banksOfSchemeA = /^(?:0[12346]|1\d|2[0-47]|30|35|38)$/;
const lowBases = "0990000";

/**
 * Normalises `02-0100-1234567-000` to 15 or 16 digits; undefined where format or check digits are
 * wrong.
 */
export function newZealandAccount(text: string): string | undefined {
  const parts = text.trim().split(/[\s-]+/);
  const digits =
    parts.length === 4
      ? parts.map((group, at) =>
          group.replace(/^0(?=\d{7}$)/, "").padStart([2, 4, 7, 2][at] ?? 0, "0"),
        )
      : [parts.join("")];
  const number = digits.join("");
  if (parts.length === 4 && digits.some((group, at) => group.length > ([2, 4, 7, 3][at] ?? 0))) {
    return undefined;
  }
  if (!/^\d{15,16}$/.test(number) || /^00|^.{6}0{7}/.test(number)) return undefined;
  return passes(`${number.slice(0, 13)}${number.slice(13).padStart(3, "0")}`) ? number : undefined;
}

function passes(number: string): boolean {
  const bank = number.slice(0, 2);
  const schemeName = number.slice(6, 13) < lowBases ? "A" : "B";
  const name = schemeOfBank[bank] ?? (banksOfSchemeA.test(bank) ? schemeName : undefined);
  if (name === undefined) return true;
  const { weights, modulus, addsDigits }: Scheme = schemes[name];
  const sum = weights.reduce((total, weight, at) => {
    const product = weight * Number(number[at]);
    return total + (addsDigits === true && product > 9 ? ((product - 1) % 9) + 1 : product);
  }, 0);
  return sum % modulus === 0;
}
