/** The text of a remittance advice, as paper and terminal show it. */
import type { Contact } from "../../resources/contact.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { Remittance } from "../../resources/remittance.ts";
import { amount, type Marks } from "../figures.ts";
import { english } from "../words/words.ts";
import { type DocumentText, definedFacts } from "./document-text.ts";
import { contactParty, organisationParty, toLetters } from "./parties.ts";
import { dateFact, factOf } from "./printed-kinds.ts";

/**
 * @param party  the supplier
 * @param words        of the language; the next is marks of figures, its own when not given
 */
export function remittanceText(
  { Handle, Date: date, Reference, PaidTo, Documents, Total, CurrencyCode }: Remittance,
  party: Partial<Contact>,
  organisation: Organisation,
  words = english,
  numberMarks: Marks | undefined = words.marks,
): DocumentText {
  const { say, day } = words;
  const shownAmount = (cents = 0) => amount(cents as typeof Total, CurrencyCode, numberMarks);
  const isCredited = Documents.some(({ Credited }) => Credited);
  const figures = (heading: string) => ({ heading, figures: true });
  return {
    title: say("Remittance advice"),
    number: Handle,
    mark: undefined,
    organisation: organisationParty(organisation, words),
    parties: [contactParty(party, say("Paid to"), toLetters, words)],
    facts: definedFacts(
      [
        factOf("Payment", Handle),
        dateFact("Date", date),
        factOf("Account", PaidTo),
        factOf("Reference", Reference),
      ],
      words,
    ),
    intro: [],
    columns: [
      { heading: say("Your document"), figures: false },
      { heading: say("Date"), figures: false },
      figures(say("Total")),
      ...(isCredited ? [figures(say("Credit taken off"))] : []),
      figures(say("Paid %", CurrencyCode)),
    ],
    rows: Documents.map(({ InvoiceNumber = "", Date: date, CreditNotes, ...sums }) => [
      CreditNotes ? `${InvoiceNumber}\n${say("less credit note %", CreditNotes)}` : InvoiceNumber,
      date === undefined ? "" : day(date),
      shownAmount(sums.Total),
      ...(isCredited ? [shownAmount(sums.Credited)] : []),
      shownAmount(sums.Amount),
    ]),
    sums: [{ label: say("Paid %", CurrencyCode), amount: shownAmount(Total), weight: "total" }],
    remarks: [],
  };
}
