/** Credit notes, given and received. */
import type { Cents } from "../../resources/decimal.ts";
import { amount } from "./figures.ts";
import { dateFact, fact, type Printable, type PrintedKind, withheld } from "./kinds.ts";
import type { Sum } from "./printed.ts";

/** What a credit note has of its own. */
export interface PrintableCredit extends Printable {
  readonly Type: "ACCRECCREDIT" | "ACCPAYCREDIT";
  readonly CreditNoteID: string;
  readonly CreditNoteNumber?: string | undefined;
  readonly Reference?: string | undefined;
  readonly RemainingCredit?: Cents | undefined;
  readonly CISDeduction?: Cents | undefined;
}

/** What of it was used, in all: where it went is not the business of every reader. */
function used(document: PrintableCredit): Sum[] {
  const { Total, CISDeduction = 0, CurrencyCode } = document;
  const whole = (Total - CISDeduction) as Cents;
  const { RemainingCredit = whole } = document;
  const taken = (RemainingCredit - whole) as Cents;
  const left = `Credit remaining ${CurrencyCode}`;
  return [
    ...withheld(document),
    ...(taken === 0 ? [] : [{ label: "Credit used", amount: amount(taken, CurrencyCode) }]),
    { label: left, amount: amount(RemainingCredit, CurrencyCode), weight: "due" },
  ];
}

const given: PrintedKind<PrintableCredit> = {
  title: () => "Credit note",
  number: ({ CreditNoteNumber }) => CreditNoteNumber,
  id: ({ CreditNoteID }) => CreditNoteID,
  contact: "Credit to",
  facts: ({ CreditNoteNumber, Date: date, Reference }) => [
    fact("Credit note number", CreditNoteNumber),
    dateFact("Date", date),
    fact("Reference", Reference),
  ],
  settled: used,
};

const received: PrintedKind<PrintableCredit> = {
  ...given,
  title: () => "Supplier credit note",
  contact: "Supplier",
  itemCodes: true,
};

export const creditNoteKind = ({ Type }: PrintableCredit): PrintedKind<PrintableCredit> =>
  Type === "ACCRECCREDIT" ? given : received;
