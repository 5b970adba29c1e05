/** Which columns of a bank's CSV hold what: told by a person, or by the words of the heading. */
import { BankFileError, type ReadOptions } from "../statement.ts";

/** Headings that banks use, in lower case; the first that fits counts. */
const headings = {
  date: /^(?:(?:transaction|booking|posting|posted|entry|completed|trans\.?) )?dates?(?: (?:posted|completed|started))?$|^(?:buchungs(?:tag|datum)|datum|boek(?:ings)?datum|date (?:d['e] ?)?(?:op[ée]ration|comptabilisation|compta)|fecha(?: (?:de )?operaci[oó]n)?|data(?: (?:operacji|contabile|ksi[ęe]gowania))?|bokf[öo]ringsdag|dato)$/,
  valueDate:
    /^(?:value date|valuta(?:datum)?|wertstellung(?:stag)?|date (?:de )?valeur|fecha valor|rentedatum|data valuta)$/,
  flag: /^(?:(?:debit|dr|d)\s*[/ -]\s*(?:credit|cr|c)(?: .*)?|(?:credit|cr|c)\s*[/ -]\s*(?:debit|dr|d)(?: .*)?|s\/h|soll\/haben|af[ /]bij|direction|creditdebitindicator|kierunek)$/,
  debit:
    /^(?:debit|soll|ausgang|belastung|withdrawals?|paid out|money out|out|d[ée]bit|lastschrift|cargo|dare|uit)(?: amount| betrag)?(?:\s*[([].*)?$/,
  credit:
    /^(?:credit|haben|eingang|gutschrift|deposits?|paid in|money in|in|cr[ée]dit|abono|avere)(?: amount| betrag)?(?:\s*[([].*)?$/,
  amount:
    /^(?:(?:transaction )?amount|betrag|umsatz|bedrag|montant|importe|importo|kwota|belopp|bel[øo]b|value)(?:\s*[([].*| (?:in )?[a-z]{3})?$/,
  balance:
    /^(?:(?:running |account )?balance|saldo(?: na .*)?|kontostand|solde|saldo nach buchung)(?:\s*[([].*)?$/,
  currency: /^(?:currency|ccy|w[äa]hrung|munt|devise|moneda|divisa|waluta)$/,
  payee:
    /^(?:payee|name|(?:beneficiary|counterparty|merchant)(?: name)?|other party|beg[üu]nstigter.*|auftraggeber.*|empf[äa]nger.*|name zahlungsbeteiligter|tegenpartij|naam.*|b[ée]n[ée]ficiaire|kontrahent)$/,
  account:
    /^(?:counterparty (?:iban|account(?: number)?)|tegenrekening.*|iban zahlungsbeteiligter|kontonummer(?:\/iban)?|to account)$/,
  id: /^(?:id|fitid|(?:transaction|unique|transaktions|transactie)[ -]?(?:id|number|nr))$/,
  reference:
    /^(?:(?:bank |customer |payment )?reference|ref|(?:kunden)?referenz(?:nummer)?|end[- ]?to[- ]?end(?:[- ]?id)?|kenmerk)$/,
  status: /^(?:status|state)$/,
  type: /^(?:(?:transaction )?type|code|buchungstext|mutatiesoort)$/,
  text: /^(?:description|details|memo|narrative|particulars|verwendungszweck|omschrijving|mededelingen|libell[ée]|concepto|descrizione|opis(?: operacji)?|tytu[łl]|text|notes?)$/,
} as const satisfies Record<string, RegExp>;

export type Role = keyof typeof headings;
export const roles = Object.keys(headings) as Role[];

/** Places of columns, from 0; a text may be in several. */
export type Columns = ReadonlyMap<Role, readonly number[]>;

/**
 * The columns that a row of headings names.
 *
 * @param given  headings, or numbers from 1, by role; several of a text divided by `|`
 * @returns undefined where the row is no heading of lines
 * @throws BankFileError `BadFile` for a role that does not exist
 */
export function columnsOf(
  cells: readonly string[],
  given: ReadOptions["columns"],
): Columns | undefined {
  const names = cells.map((cell) => cell.replace(/\s+/g, " ").trim().toLowerCase());
  const columns = new Map<Role, number[]>();
  for (const [role, written] of Object.entries(given ?? {})) {
    if (!roles.includes(role as Role)) {
      throw new BankFileError("BadFile", `A column is none of ${roles.join(", ")}: "${role}".`);
    }
    const places = written.split("|").map((name) => {
      const place = names.indexOf(name.replace(/\s+/g, " ").trim().toLowerCase());
      return place >= 0 || !/^\d{1,3}$/.test(name) ? place : Number(name) - 1;
    });
    if (places.some((place) => place < 0)) return undefined;
    columns.set(role as Role, places);
  }
  if (given === undefined) {
    const taken = new Set<number>();
    for (const role of roles) {
      const places = names.flatMap((name, place) =>
        !taken.has(place) && headings[role].test(name) ? [place] : [],
      );
      const used = role === "text" ? places : places.slice(0, 1);
      if (used.length > 0) columns.set(role, used);
      for (const place of used) taken.add(place);
    }
  }
  return isComplete(columns) ? columns : undefined;
}

/** Columns that are given by number alone need no heading. */
export function isNumbered(given: ReadOptions["columns"]): boolean {
  const written = Object.values(given ?? {});
  return written.length > 0 && written.every((each) => /^\d{1,3}(?:\|\d{1,3})*$/.test(each));
}

function isComplete(columns: Columns): boolean {
  return (
    columns.has("date") && (columns.has("amount") || columns.has("debit") || columns.has("credit"))
  );
}
