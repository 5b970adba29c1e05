/** The text of a remittance advice, as paper and terminal show it. */
import type { Contact } from "../../resources/contact.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { Remittance } from "../../resources/remittance.ts";
import { amount, type Marks } from "../figures.ts";
import { type DocumentText, given } from "./document-text.ts";
import { contactParty, organisationParty, toLetters } from "./parties.ts";
import { dateFact, fact } from "./printed-kinds.ts";

/**
 * @param party  the supplier
 * @param marks  of figures; those of documents when not given
 */
export function remittanceText(
  { Handle, Date: date, Reference, PaidTo, Documents, Total, CurrencyCode }: Remittance,
  party: Partial<Contact>,
  organisation: Organisation,
  marks?: Marks,
): DocumentText {
  const shown = (cents = 0) => amount(cents as typeof Total, CurrencyCode, marks);
  const isCredited = Documents.some(({ Credited }) => Credited);
  const figures = (heading: string) => ({ heading, figures: true });
  return {
    title: "Remittance advice",
    number: Handle,
    mark: undefined,
    organisation: organisationParty(organisation),
    parties: [contactParty(party, "Paid to", toLetters)],
    facts: given([
      fact("Payment", Handle),
      dateFact("Date", date),
      fact("Account", PaidTo),
      fact("Reference", Reference),
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
      shown(sums.Total),
      ...(isCredited ? [shown(sums.Credited)] : []),
      shown(sums.Amount),
    ]),
    sums: [{ label: `Paid ${CurrencyCode}`, amount: shown(Total), weight: "total" }],
    remarks: [],
  };
}
