/** From a document to what its paper says. */

import type { PaymentService } from "../../resources/branding-theme.ts";
import { scaleOf, writeDecimal } from "../../resources/decimal.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { TaxRate } from "../../resources/tax-rate.ts";
import { customsOf, languageOf } from "./country-rules.ts";
import { markOf, type Printable, type PrintedKind } from "./kinds.ts";
import { exchangeRemarks, type Reading, sumsOf, tableOf, typesOf } from "./lines.ts";
import {
  addressFor,
  addressLines,
  contactParty,
  imprintOf,
  organisationParty,
  present,
  toLetters,
} from "./parties.ts";
import type { Brand, Fact, HowToPay, Note, Party, Printed } from "./printed.ts";

/** What a document is printed with. */
export interface Printing {
  readonly organisation: Organisation;
  /** By the TaxType that lines name them by. */
  readonly rates: ReadonlyMap<string, TaxRate>;
  readonly theme: Theme;
}

/** What the branding theme of a document says. */
export interface Theme extends Brand {
  readonly bankDetails: string | undefined;
  readonly paymentAdvice: string | undefined;
  readonly terms: string | undefined;
  readonly services: readonly PaymentService[];
}

/** @param document  with its lines and its whole contact */
export function composed<D extends Printable>(
  kind: PrintedKind<D>,
  document: D,
  { organisation, rates, theme }: Printing,
): Printed {
  const reading: Reading = { document, organisation, rates };
  const inclusive = typesOf(document) === "Inclusive" && document.TotalTax !== 0;
  return {
    title: kind.title(document, organisation),
    number: kind.number(document),
    mark: markOf(document),
    brand: { color: theme.color, logo: theme.logo },
    organisation: organisationParty(organisation),
    parties: partiesOf(kind, document),
    facts: given(kind.facts(document)),
    intro: kind.intro?.(document) ?? [],
    ...tableOf(reading, kind.itemCodes === true),
    sums: [...sumsOf(reading), ...(kind.settled?.(document) ?? [])],
    remarks: [...(inclusive ? ["Amounts include tax."] : []), ...exchangeRemarks(reading)],
    notes: notesOf(kind, document, theme),
    pay: kind.asksToPay?.(document) ? howToPay(kind, document, organisation, theme) : undefined,
    advice: given(kind.advice?.(document)),
    returnTo: addressLines(addressFor(organisation.Addresses, toLetters)),
    imprint: imprintOf(organisation),
    language: languageOf(organisation),
    paper: customsOf(organisation).paper ?? "A4",
    at: document.UpdatedDateUTC,
  };
}

/** What the document says itself; the terms of the theme where it has none of its own. */
function notesOf<D extends Printable>(kind: PrintedKind<D>, document: D, { terms }: Theme): Note[] {
  const own = kind.notes?.(document) ?? [];
  if (own.length > 0 || kind.toCustomers !== true || !terms?.trim()) return [...own];
  return [{ heading: "Terms", text: terms }];
}

function howToPay<D extends Printable>(
  kind: PrintedKind<D>,
  document: D,
  { ShortCode }: Organisation,
  theme: Theme,
): HowToPay {
  const reference = kind.number(document);
  const named: Readonly<Record<string, string>> = {
    INVOICENUMBER: reference ?? "",
    CURRENCY: document.CurrencyCode,
    AMOUNTDUE: writeDecimal(document.AmountDue ?? document.Total, scaleOf.money),
    SHORTCODE: ShortCode,
  };
  const links = theme.services.map(({ PayNowText, PaymentServiceUrl }) => ({
    text: PayNowText,
    url: PaymentServiceUrl.replace(/\[([A-Z]+)\]/g, (whole, name: string) =>
      named[name] === undefined ? whole : encodeURIComponent(named[name]),
    ),
  }));
  return {
    bankDetails: linesOf(theme.bankDetails),
    reference,
    advice: linesOf(theme.paymentAdvice),
    links,
  };
}

function linesOf(text = ""): string[] {
  return present(text.split(/\r?\n/));
}

function partiesOf<D extends Printable>(kind: PrintedKind<D>, document: D): Party[] {
  const party = contactParty(document.Contact, kind.contact, toLetters);
  const delivery = kind.delivery?.(document);
  return delivery === undefined ? [party] : [party, delivery];
}

function given(facts: readonly (Fact | undefined)[] = []): Fact[] {
  return facts.filter((each) => each !== undefined);
}
