/** The text of a remittance advice, as paper and terminal show it. */
import type { Contact } from "../../resources/contact.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { Remittance } from "../../resources/remittance.ts";
import { amount, type Marks } from "../figures.ts";
import { type DocumentText, definedFacts } from "./document-text.ts";
import { contactParty, organisationParty, toLetters } from "./parties.ts";
import { dateFact, factOf } from "./printed-kinds.ts";

/**
 * @param party  the supplier
 * @param numberMarks  of figures; those of documents when not given
 */
export function remittanceText(
  { Handle, Date: date, Reference, PaidTo, Documents, Total, CurrencyCode }: Remittance,
  party: Partial<Contact>,
  organisation: Organisation,
  numberMarks?: Marks,
): DocumentText {
  const shownAmount = (cents = 0) => amount(cents as typeof Total, CurrencyCode, numberMarks);
  const isCredited = Documents.some(({ Credited }) => Credited);
  const figures = (heading: string) => ({ heading, figures: true });
  return {
    title: "Remittance advice",
    number: Handle,
    mark: undefined,
    organisation: organisationParty(organisation),
    parties: [contactParty(party, "Paid to", toLetters)],
    facts: definedFacts([
      factOf("Payment", Handle),
      dateFact("Date", date),
      factOf("Account", PaidTo),
      factOf("Reference", Reference),
    ]),
    intro: [],
    columns: [
      { heading: "Your document", figures: false },
      { heading: "Date", figures: false },
      figures("Total"),
      ...(isCredited ? [figures("Credit taken off")] : []),
      figures(`Paid ${CurrencyCode}`),
    ],
    rows: Documents.map(({ InvoiceNumber = "", Date: day, CreditNotes, ...sums }) => [
      CreditNotes ? `${InvoiceNumber}\nless credit note ${CreditNotes}` : InvoiceNumber,
      dateFact("Date", day)?.value ?? "",
      shownAmount(sums.Total),
      ...(isCredited ? [shownAmount(sums.Credited)] : []),
      shownAmount(sums.Amount),
    ]),
    sums: [{ label: `Paid ${CurrencyCode}`, amount: shownAmount(Total), weight: "total" }],
    remarks: [],
  };
}
