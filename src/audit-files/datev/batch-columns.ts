/**
 * Columns of DATEV's posting batch (format 21, version 13), with the names in the second line of
 * the file.
 *
 * @source DATEV developer portal, Buchungsstapel
 */

const numberedNames = (count: number, ...names: readonly string[]) =>
  Array.from({ length: count }, (_, at) => names.map((name) => `${name} ${at + 1}`)).flat();

/** Columns that this export fills, by the names that DATEV gives them. */
export const filledColumns = {
  amount: "Umsatz (ohne Soll/Haben-Kz)",
  side: "Soll/Haben-Kennzeichen",
  currency: "WKZ Umsatz",
  account: "Konto",
  contra: "Gegenkonto (ohne BU-Schlüssel)",
  taxKey: "BU-Schlüssel",
  date: "Belegdatum",
  document: "Belegfeld 1",
  text: "Buchungstext",
  costCentre1: "KOST1 - Kostenstelle",
  costCentre2: "KOST2 - Kostenstelle",
  euNumber: "EU-Land u. UStID (Bestimmung)",
  infoKind: "Zusatzinformation - Art 1",
  info: "Zusatzinformation- Inhalt 1",
  isFinal: "Festschreibung",
  supplied: "Leistungsdatum",
  taxDay: "Datum Zuord. Steuerperiode",
} as const;

export type FilledColumn = keyof typeof filledColumns;

/** Names of all 125 columns, in the order of the format. */
export const columnNames: readonly string[] = [
  "Umsatz (ohne Soll/Haben-Kz)",
  "Soll/Haben-Kennzeichen",
  "WKZ Umsatz",
  "Kurs",
  "Basis-Umsatz",
  "WKZ Basis-Umsatz",
  "Konto",
  "Gegenkonto (ohne BU-Schlüssel)",
  "BU-Schlüssel",
  "Belegdatum",
  "Belegfeld 1",
  "Belegfeld 2",
  "Skonto",
  "Buchungstext",
  "Postensperre",
  "Diverse Adressnummer",
  "Geschäftspartnerbank",
  "Sachverhalt",
  "Zinssperre",
  "Beleglink",
  ...numberedNames(8, "Beleginfo - Art", "Beleginfo - Inhalt"),
  "KOST1 - Kostenstelle",
  "KOST2 - Kostenstelle",
  "Kost-Menge",
  "EU-Land u. UStID (Bestimmung)",
  "EU-Steuersatz (Bestimmung)",
  "Abw. Versteuerungsart",
  "Sachverhalt L+L",
  "Funktionsergänzung L+L",
  "BU 49 Hauptfunktionstyp",
  "BU 49 Hauptfunktionsnummer",
  "BU 49 Funktionsergänzung",
  ...numberedNames(20, "Zusatzinformation - Art", "Zusatzinformation- Inhalt"),
  "Stück",
  "Gewicht",
  "Zahlweise",
  "Forderungsart",
  "Veranlagungsjahr",
  "Zugeordnete Fälligkeit",
  "Skontotyp",
  "Auftragsnummer",
  "Buchungstyp",
  "USt-Schlüssel (Anzahlungen)",
  "EU-Land (Anzahlungen)",
  "Sachverhalt L+L (Anzahlungen)",
  "EU-Steuersatz (Anzahlungen)",
  "Erlöskonto (Anzahlungen)",
  "Herkunft-Kz",
  "Buchungs GUID",
  "KOST-Datum",
  "SEPA-Mandatsreferenz",
  "Skontosperre",
  "Gesellschaftername",
  "Beteiligtennummer",
  "Identifikationsnummer",
  "Zeichnernummer",
  "Postensperre bis",
  "Bezeichnung SoBil-Sachverhalt",
  "Kennzeichen SoBil-Buchung",
  "Festschreibung",
  "Leistungsdatum",
  "Datum Zuord. Steuerperiode",
  "Fälligkeit",
  "Generalumkehr (GU)",
  "Steuersatz",
  "Land",
  "Abrechnungsreferenz",
  "BVV-Position",
  "EU-Land u. UStID (Ursprung)",
  "EU-Steuersatz (Ursprung)",
  "Abw. Skontokonto",
];

/** Positions, from 1, of the columns of numbers, dates and accounts; all other columns are text. */
const plainColumns = new Set([
  ...[
    1, 4, 5, 7, 8, 10, 13, 15, 17, 18, 19, 39, 41, 43, 44, 45, 46, 47, 88, 89, 90, 92, 93, 94, 97,
  ],
  ...[99, 100, 101, 104, 106, 108, 111, 113, 114, 115, 116, 117, 119, 122, 124, 125],
]);

/** Whether a column is text, by its index; text is always quoted, even when empty. */
export const isText: readonly boolean[] = columnNames.map((_, at) => !plainColumns.has(at + 1));
