/** From a document to what its paper says. */
import type { Organisation } from "../../resources/organisation.ts";
import type { TaxRate } from "../../resources/tax-rate.ts";
import { customsOf, languageOf } from "./customs.ts";
import { markOf, type Printable, type PrintedKind } from "./kinds.ts";
import { exchangeRemarks, type Reading, sumsOf, tableOf, typesOf } from "./lines.ts";
import {
  addressFor,
  addressLines,
  contactParty,
  imprintOf,
  organisationParty,
  toLetters,
} from "./parties.ts";
import type { Fact, Party, Printed } from "./printed.ts";

/**
 * @param document  with its lines and its whole contact
 * @param rates     by the TaxType that lines name them by
 */
export function composed<D extends Printable>(
  kind: PrintedKind<D>,
  document: D,
  organisation: Organisation,
  rates: ReadonlyMap<string, TaxRate>,
): Printed {
  const reading: Reading = { document, organisation, rates };
  const inclusive = typesOf(document) === "Inclusive" && document.TotalTax !== 0;
  return {
    title: kind.title(document, organisation),
    number: kind.number(document),
    mark: markOf(document),
    organisation: organisationParty(organisation),
    parties: partiesOf(kind, document),
    facts: present(kind.facts(document)),
    intro: kind.intro?.(document) ?? [],
    ...tableOf(reading, kind.itemCodes === true),
    sums: [...sumsOf(reading), ...(kind.settled?.(document) ?? [])],
    remarks: [...(inclusive ? ["Amounts include tax."] : []), ...exchangeRemarks(reading)],
    notes: kind.notes?.(document) ?? [],
    advice: present(kind.advice?.(document)),
    returnTo: addressLines(addressFor(organisation.Addresses, toLetters)),
    imprint: imprintOf(organisation),
    language: languageOf(organisation),
    paper: customsOf(organisation).paper ?? "A4",
    at: document.UpdatedDateUTC,
  };
}

function partiesOf<D extends Printable>(kind: PrintedKind<D>, document: D): Party[] {
  const party = contactParty(document.Contact, kind.contact, toLetters);
  const delivery = kind.delivery?.(document);
  return delivery === undefined ? [party] : [party, delivery];
}

function present(facts: readonly (Fact | undefined)[] = []): Fact[] {
  return facts.filter((each) => each !== undefined);
}
