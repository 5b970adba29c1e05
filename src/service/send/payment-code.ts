/**
 * Payment codes: what a banking app reads of a document in euro, for a credit transfer in SEPA.
 *
 * @source European Payments Council, EPC069-12, version 3.1
 */
import { creditorReferences } from "../../ledger/bank-matching/creditor-references.ts";
import { amountText, isIban } from "../../resources/common.ts";
import type { Cents } from "../../resources/decimal.ts";

/** Countries of SEPA, with the length of their IBANs. @source ISO 13616, registry */
const lengthByCountry: ReadonlyMap<string, number> = new Map(
  (
    "AD24 AL28 AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GI23 GR27 HR21 HU28 IE22 IS26 " +
    "IT27 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MT31 NL18 NO15 PL28 PT25 RO24 RS22 SE24 SI19 SK24 SM27 VA22"
  )
    .split(" ")
    .map((text) => [text.slice(0, 2), Number(text.slice(2))]),
);

/** Maximum amount of a code, in cents. */
const amountMax = 99_999_999_999;

interface Transfer {
  readonly name: string;
  /** Bank details as they are printed, by line. */
  readonly bankDetails: readonly string[];
  /** What is due, in euro. */
  readonly amount: Cents;
  readonly reference: string | undefined;
}

/** Returns the text of a payment code; undefined where the bank details name no IBAN in SEPA. */
export function paymentCode(transfer: Transfer): string | undefined {
  const { name, bankDetails, amount, reference = "" } = transfer;
  const iban = bankDetails.map(ibanIn).find((ibanFound) => ibanFound !== undefined);
  if (iban === undefined || amount < 1 || amount > amountMax) return undefined;
  const bic = /\b(?:BIC|SWIFT)\b\W*([A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?)\b/.exec(
    bankDetails.join("\n"),
  );
  const structured = creditorReferences(reference).find(({ kind }) => kind === "RF")?.reference;
  return [
    ...["BCD", "002", "1", "SCT", bic?.[1] ?? "", name.slice(0, 70), iban],
    ...[`EUR${amountText(amount, "EUR")}`, "", structured ?? ""],
    structured === undefined ? reference.slice(0, 140) : "",
  ]
    .join("\n")
    .trimEnd();
}

/** Returns the IBAN of a country in SEPA that a line has, without blanks. */
function ibanIn(line: string): string | undefined {
  for (const [found] of line.matchAll(/\b[A-Z]{2}\d{2}(?: ?[A-Z\d]){10,}/g)) {
    const iban = found.replaceAll(" ", "").slice(0, lengthByCountry.get(found.slice(0, 2)) ?? 0);
    if (isIban(iban)) return iban;
  }
  return undefined;
}
