/**
 * Known CSV forms of banks, as data. A form matches if all its headings without `?` are present; of
 * several that match, the one with more headings is used.
 */
import type { DateOrder } from "../../bank-statement.ts";
import type { DecimalMark } from "../../bank-values.ts";
import { type FoundRole, plainHeading } from "./headings.ts";

interface FormRow {
  readonly name: string;
  /** Country of the bank, ISO 3166; undefined for a bank of several countries. */
  readonly country?: string;
  /** Date order of numeric dates; undefined where the language of the file decides. */
  readonly order?: DateOrder;
  readonly decimal?: DecimalMark;
  /** Whether a fee is included in the amount or comes in addition. */
  readonly fee?: "in" | "beside";
  /** Separator inside the text cell, and what precedes it; after a text follows a reference. */
  readonly parted?: { readonly by: RegExp; readonly first: "payee" | "text" };
  /**
   * Columns as `ROLE=Heading,Heading;…`, in the order in which they are joined; `?` marks an
   * optional heading.
   */
  readonly columns: string;
}

/** How dates and amounts are written by the banks of a country. */
const newZealand = { country: "NZ", order: "dmy", decimal: "point" } as const;
const australia = { country: "AU", order: "dmy", decimal: "point" } as const;
const britain = { country: "GB", order: "dmy", decimal: "point" } as const;
const germany = { country: "DE", order: "dmy", decimal: "comma" } as const;
const unitedStates = { country: "US", order: "mdy", decimal: "point" } as const;

const rows: readonly FormRow[] = [
  {
    name: "ANZ",
    ...newZealand,
    columns:
      "date=Date;amount=Amount;payee=Details;reference=Particulars,Code,Reference;type=Type;originalAmount=ForeignCurrencyAmount;ignored=ConversionCharge",
  },
  {
    name: "ANZ",
    ...newZealand,
    columns:
      "date=Transaction Date;amount=Amount;payee=Payee;reference=Particulars,Code,Reference;id=Unique Id;type=Tran Type?;ignored=Date Processed",
  },
  {
    name: "ASB",
    country: "NZ",
    decimal: "point",
    columns:
      "date=Date;id=Unique Id;type=Tran Type;reference=Cheque Number;payee=Payee;text=Memo;amount=Amount",
  },
  {
    name: "BNZ",
    ...newZealand,
    columns:
      "date=Date;amount=Amount;payee=Payee;reference=Particulars,Code,Reference;type=Tran Type;ownAccount=This Party Account;account=Other Party Account;ignored=Processed Date?,Serial?,Transaction Code?,Batch Number?,Originating Bank/Branch?",
  },
  {
    name: "Kiwibank",
    ...newZealand,
    parted: { by: / ;/, first: "text" },
    columns:
      "ownAccount=Account number;date=Date;text=Memo/Description;type=Source Code (payment type)?;reference=TP ref,TP part,TP code,OP ref,OP part,OP code;payee=OP name;account=OP Bank Account Number;credit=Amount (credit);debit=Amount (debit);amount=Amount;balance=Balance",
  },
  {
    name: "Westpac",
    ...newZealand,
    columns:
      "date=Date;amount=Amount;payee=Other Party;text=Description;reference=Reference,Particulars,Analysis Code",
  },
  {
    name: "NAB",
    ...australia,
    columns:
      "date=Date;amount=Amount;ownAccount=Account Number?;type=Transaction Type;text=Transaction Details;balance=Balance;ignored=Category?;payee=Merchant Name",
  },
  {
    name: "Lloyds",
    ...britain,
    columns:
      "date=Transaction Date;type=Transaction Type;own=Sort Code;ownAccount=Account Number;text=Transaction Description;debit=Debit Amount;credit=Credit Amount;balance=Balance",
  },
  {
    name: "NatWest",
    ...britain,
    columns:
      "date=Date;type=Type;text=Description;amount=Value;balance=Balance;own=Account Name;ownAccount=Account Number",
  },
  {
    name: "Barclays",
    ...britain,
    parted: { by: /\s{2,}/, first: "payee" },
    columns: "ignored=Number;date=Date;ownAccount=Account;amount=Amount;type=Subcategory;text=Memo",
  },
  {
    name: "Revolut",
    order: "ymd",
    decimal: "point",
    columns:
      "type=Type;own=Product;ignored=Started Date;date=Completed Date;text=Description;amount=Amount;fee=Fee;currency=Currency;status=State;balance=Balance",
  },
  {
    name: "Wise",
    order: "dmy",
    decimal: "point",
    fee: "in",
    columns:
      "id=TransferWise ID;date=Date;amount=Amount;currency=Currency;text=Description;reference=Payment Reference;balance=Running Balance;originalCurrency=Exchange From?;ignored=Exchange To?,Exchange Rate?,Card Last Four Digits?,Card Holder Full Name?,Attachment?,Note?,Date Time?;payer=Payer Name;payee=Payee Name,Merchant;account=Payee Account Number?;fee=Total fees",
  },
  {
    name: "Chase",
    ...unitedStates,
    columns:
      "type=Details,Type;date=Posting Date;text=Description;amount=Amount;balance=Balance;reference=Check or Slip #",
  },
  {
    name: "Capital One 360",
    ...unitedStates,
    columns:
      "ownAccount=Account Number;text=Transaction Description;date=Transaction Date;flag=Transaction Type;amount=Transaction Amount;balance=Balance",
  },
  {
    name: "Mint",
    ...unitedStates,
    columns:
      "date=Date;payee=Description;text=Original Description;amount=Amount;flag=Transaction Type;ignored=Category;ownAccount=Account Name;ignored=Labels?,Notes?",
  },
  {
    name: "Sparkasse CSV-CAMT",
    ...germany,
    columns:
      "ownAccount=Auftragskonto;date=Buchungstag;valueDate=Valutadatum;type=Buchungstext;text=Verwendungszweck;reference=Kundenreferenz (End-to-End),Mandatsreferenz,Glaeubiger ID;payee=Beguenstigter/Zahlungspflichtiger;account=Kontonummer/IBAN;amount=Betrag;currency=Waehrung;status=Info;ignored=BIC (SWIFT-Code)?,Sammlerreferenz?,Auslagenersatz Ruecklastschrift?;originalAmount=Lastschrift Ursprungsbetrag?",
  },
  {
    name: "Sparkasse",
    ...germany,
    columns:
      "ownAccount=Auftragskonto;date=Buchungstag;valueDate=Valutadatum;type=Buchungstext;text=Verwendungszweck;payee=Beguenstigter/Zahlungspflichtiger;account=Kontonummer;ignored=BLZ;amount=Betrag;currency=Waehrung;status=Info?",
  },
  {
    name: "Commerzbank",
    ...germany,
    columns:
      "date=Buchungstag;valueDate=Wertstellung;type=Umsatzart;text=Buchungstext;amount=Betrag;currency=Währung;own=Auftraggeberkonto?,Bankleitzahl Auftraggeberkonto?;ownAccount=IBAN Auftraggeberkonto;ignored=Kategorie?",
  },
  {
    name: "ING",
    ...germany,
    columns:
      "date=Buchung;valueDate=Wertstellungsdatum?,Valuta?;payee=Auftraggeber/Empfänger;type=Buchungstext;text=Verwendungszweck;balance=Saldo;amount=Betrag;currency=Währung",
  },
  {
    name: "DKB",
    ...germany,
    columns:
      "date=Buchungsdatum;valueDate=Wertstellung;status=Status;payer=Zahlungspflichtige*r;payee=Zahlungsempfänger*in;text=Verwendungszweck;type=Umsatztyp;account=IBAN;amount=Betrag (€);reference=Gläubiger-ID?,Mandatsreferenz?,Kundenreferenz?",
  },
  {
    name: "comdirect",
    ...germany,
    columns:
      "date=Buchungstag;valueDate=Wertstellung (Valuta)?;type=Vorgang;text=Buchungstext;amount=Umsatz in EUR;reference=Referenz?;ignored=Umsatztag?",
  },
  {
    name: "N26",
    country: "DE",
    order: "ymd",
    decimal: "point",
    columns:
      "date=Booking Date;valueDate=Value Date;payee=Partner Name;account=Partner Iban;type=Type;text=Payment Reference;own=Account Name;amount=Amount (EUR);originalAmount=Original Amount;originalCurrency=Original Currency;ignored=Exchange Rate",
  },
  {
    name: "N26",
    country: "DE",
    order: "ymd",
    decimal: "point",
    columns:
      "date=Date;payee=Payee;account=Account number;type=Transaction type;text=Payment reference;amount=Amount (EUR);ignored=Category?,Exchange Rate?;originalAmount=Amount (Foreign Currency)?;originalCurrency=Type Foreign Currency?",
  },
  {
    name: "Rabobank",
    country: "NL",
    order: "ymd",
    decimal: "comma",
    columns:
      "ownAccount=IBAN/BBAN;currency=Munt;id=Volgnr;date=Datum;valueDate=Rentedatum;amount=Bedrag;balance=Saldo na trn;account=Tegenrekening IBAN/BBAN;payee=Naam tegenpartij;text=Omschrijving-1,Omschrijving-2?,Omschrijving-3?;reference=Betalingskenmerk?,Transactiereferentie?,Machtigingskenmerk?;type=Code?;originalAmount=Oorspr bedrag?;originalCurrency=Oorspr munt?;ignored=BIC?,BIC tegenpartij?,Koers?,Batch ID?,Incassant ID?",
  },
  {
    name: "ING",
    country: "NL",
    order: "ymd",
    decimal: "comma",
    columns:
      "date=Datum;payee=Naam / Omschrijving;ownAccount=Rekening;account=Tegenrekening;type=Code,Mutatiesoort?;flag=Af Bij;amount=Bedrag (EUR);text=Mededelingen;balance=Saldo na mutatie?;ignored=Tag?",
  },
  {
    name: "KBC",
    country: "BE",
    order: "dmy",
    decimal: "comma",
    columns:
      "ownAccount=Rekeningnummer;own=Naam,Rubrieknaam?;currency=Munt;date=Datum;text=Omschrijving,Vrije mededeling;valueDate=Valuta;amount=Bedrag;balance=Saldo;credit=credit;debit=debet;account=rekeningnummer tegenpartij;payee=Naam tegenpartij;reference=gestructureerde mededeling;ignored=Afschriftnummer?,BIC tegenpartij?,Adres tegenpartij?",
  },
  {
    name: "BoursoBank",
    country: "FR",
    decimal: "comma",
    columns:
      "date=dateOp;valueDate=dateVal;text=label;ignored=category,categoryParent?;payee=supplierFound?;amount=amount;ownAccount=accountNum;own=accountLabel;balance=accountbalance",
  },
  {
    name: "SEB",
    country: "SE",
    order: "ymd",
    decimal: "point",
    columns:
      "date=Bokföringsdatum;valueDate=Valutadatum;reference=Verifikationsnummer;text=Text/mottagare?,Text/Beteckning?,Text?;amount=Belopp;balance=Saldo",
  },
  {
    name: "Starling",
    ...britain,
    columns:
      "date=Date;payee=Counter Party;text=Reference;type=Type;amount=Amount (GBP);balance=Balance (GBP);ignored=Spending Category?,Notes?",
  },
  {
    name: "Monzo",
    ...britain,
    columns:
      "id=Transaction ID;date=Date;type=Type;payee=Name;ignored=Emoji,Category;amount=Amount;currency=Currency;originalAmount=Local amount;originalCurrency=Local currency;text=Description;debit=Money Out?;credit=Money In?;ignored=Time,Notes and #tags?,Address?,Receipt?,Category split?",
  },
  {
    name: "Westpac",
    ...australia,
    columns:
      "ownAccount=Bank Account;date=Date;text=Narrative;debit=Debit Amount;credit=Credit Amount;balance=Balance?;ignored=Categories,Serial",
  },
  {
    name: "Volksbank",
    ...germany,
    columns:
      "own=Bezeichnung Auftragskonto,BIC Auftragskonto,Bankname Auftragskonto;ownAccount=IBAN Auftragskonto;date=Buchungstag;valueDate=Valutadatum;payee=Name Zahlungsbeteiligter;account=IBAN Zahlungsbeteiligter;type=Buchungstext;text=Verwendungszweck;amount=Betrag;currency=Waehrung;balance=Saldo nach Buchung;reference=Glaeubiger ID?,Mandatsreferenz?;ignored=BIC (SWIFT-Code) Zahlungsbeteiligter?,Bemerkung?,Kategorie?,Steuerrelevant?",
  },
  {
    name: "Deutsche Bank",
    ...germany,
    columns:
      "date=Buchungstag;valueDate=Wert;type=Umsatzart;payee=Begünstigter / Auftraggeber;text=Verwendungszweck;account=IBAN / Kontonummer;reference=Kundenreferenz?,Mandatsreferenz?,Gläubiger ID?;amount=Betrag?;debit=Soll;credit=Haben;currency=Währung;ignored=BIC?,Fremde Gebühren?,Abweichender Empfänger?,Anzahl der Aufträge?,Anzahl der Schecks?",
  },
  {
    name: "Postbank",
    ...germany,
    columns:
      "date=Buchungstag;valueDate=Wertstellung;type=Umsatzart;text=Buchungsdetails;payer=Auftraggeber;payee=Empfänger;amount=Betrag (€);balance=Saldo (€)",
  },
  {
    name: "Consorsbank",
    ...germany,
    columns:
      "date=Buchung;valueDate=Valuta;payee=Sender / Empfänger;account=IBAN;type=Buchungstext;text=Verwendungszweck;amount=Betrag in EUR;balance=Saldo in EUR?;ignored=BIC,Kategorie?,Stichwörter?,Umsatz geteilt?",
  },
  {
    name: "bunq",
    country: "NL",
    order: "ymd",
    columns:
      "date=Date;valueDate=Interest Date?;amount=Amount;ownAccount=Account;account=Counterparty;payee=Name;text=Description",
  },
  {
    name: "Knab",
    country: "NL",
    order: "dmy",
    decimal: "comma",
    columns:
      "ownAccount=Rekeningnummer;date=Transactiedatum;currency=Valutacode;flag=CreditDebet;amount=Bedrag;account=Tegenrekeningnummer;payee=Tegenrekeninghouder;valueDate=Valutadatum;type=Betaalwijze;text=Omschrijving;reference=Machtigingsnummer?,Referentie?;ignored=Type betaling?,Incassant ID?,Adres?,Boekdatum?",
  },
  {
    name: "Belfius",
    country: "BE",
    order: "dmy",
    decimal: "comma",
    columns:
      "ownAccount=Rekening;date=Boekingsdatum;account=Rekening tegenpartij;payee=Naam tegenpartij bevat;text=Transactie,Mededelingen;valueDate=Valutadatum;amount=Bedrag;currency=Devies;ignored=Afschriftnummer,Transactienummer,Straat en nummer?,Postcode en plaats?,BIC?,Landcode?",
  },
  {
    name: "BNP Paribas Fortis",
    country: "BE",
    order: "dmy",
    decimal: "comma",
    columns:
      "id=Nr.?,Volgnummer?;date=Uitvoeringsdatum;valueDate=Valutadatum;amount=Bedrag;currency=Valuta rekening;ownAccount=Rekeningnummer;type=Type verrichting;account=Tegenpartij;payee=Naam van de tegenpartij;text=Mededeling,Details;status=Status?;ignored=Reden van weigering?",
  },
  {
    name: "UBS",
    country: "CH",
    order: "ymd",
    decimal: "point",
    columns:
      "date=Buchungsdatum;valueDate=Valutadatum;currency=Währung;debit=Belastung;credit=Gutschrift;balance=Saldo;reference=Transaktions-Nr.;payee=Beschreibung1;text=Beschreibung2,Beschreibung3;ignored=Abschlussdatum,Abschlusszeit,Einzelbetrag,Fussnoten?",
  },
  {
    name: "PostFinance",
    country: "CH",
    order: "dmy",
    decimal: "point",
    columns:
      "date=Datum;type=Bewegungstyp;text=Avisierungstext;credit=Gutschrift in CHF;debit=Lastschrift in CHF;ignored=Label,Kategorie",
  },
  {
    name: "Swedbank",
    country: "SE",
    order: "ymd",
    decimal: "point",
    columns:
      "ignored=Radnummer,Clearingnummer,Transaktionsdag;ownAccount=Kontonummer;own=Produkt;currency=Valuta;date=Bokföringsdag;valueDate=Valutadag;reference=Referens;text=Beskrivning;amount=Belopp;balance=Bokfört saldo",
  },
  {
    name: "Danske Bank",
    country: "DK",
    order: "dmy",
    decimal: "comma",
    columns:
      "date=Dato;ignored=Kategori,Underkategori;text=Tekst;amount=Beløb;balance=Saldo;status=Status;ignored=Afstemt",
  },
  {
    name: "mBank",
    country: "PL",
    order: "ymd",
    decimal: "comma",
    columns:
      "ignored=#Data operacji;date=#Data księgowania;type=#Opis operacji;text=#Tytuł;payee=#Nadawca/Odbiorca;account=#Numer konta;amount=#Kwota;balance=#Saldo po operacji",
  },
  {
    name: "RBC",
    country: "CA",
    order: "mdy",
    decimal: "point",
    columns:
      "own=Account Type;ownAccount=Account Number;date=Transaction Date;reference=Cheque Number;payee=Description 1;text=Description 2;amount=CAD$;originalAmount=USD$",
  },
  {
    name: "PayPal",
    fee: "in",
    columns:
      "date=Date;payee=Name;type=Type;status=Status;currency=Currency;gross=Gross;fee=Fee;amount=Net;id=Transaction ID;balance=Balance?;text=Subject?,Item Title?,Note?;reference=Invoice Number?;ignored=Time?,TimeZone?,Time Zone?,From Email Address?,To Email Address?,Balance Impact?,Shipping Address?,Address Status?,Item ID?,Reference Txn ID?,Custom Number?,Receipt ID?,Address Line 1?,Address Line 2/District/Neighborhood?,Town/City?",
  },
  {
    name: "PayPal",
    order: "dmy",
    decimal: "comma",
    fee: "in",
    columns:
      "date=Datum;payee=Name;type=Typ;status=Status;currency=Währung;gross=Brutto;fee=Gebühr;amount=Netto;id=Transaktionscode;balance=Guthaben?;text=Betreff?,Artikelbezeichnung?,Hinweis?;reference=Rechnungsnummer?;ignored=Uhrzeit?,Zeitzone?,Absender E-Mail-Adresse?,Empfänger E-Mail-Adresse?,Auswirkung auf Guthaben?,Lieferadresse?,Adress-Status?,Artikelnummer?,Zugehöriger Transaktionscode?,Zollnummer?,Empfangsnummer?,Adresszeile 1?,Adresszusatz?,Ort?",
  },
];

export interface FormColumn {
  readonly role: FoundRole;
  readonly heading: string;
  readonly isNeeded: boolean;
}

export interface Form extends Omit<FormRow, "columns"> {
  readonly columns: readonly FormColumn[];
}

export const forms: readonly Form[] = rows.map(({ columns, ...form }) => ({
  ...form,
  columns: columns.split(";").flatMap((columnText) => {
    const at = columnText.indexOf("=");
    return columnText
      .slice(at + 1)
      .split(",")
      .map((name) => ({
        role: columnText.slice(0, at) as FoundRole,
        heading: plainHeading(name),
        isNeeded: !name.endsWith("?"),
      }));
  }),
}));

/** Form that matches the headings; of several, the one with more headings. */
export function formOf(headings: readonly string[]): Form | undefined {
  const plainHeadings = new Set(headings.map(plainHeading));
  const needed = ({ columns }: Form) => columns.filter(({ isNeeded }) => isNeeded).length;
  return forms
    .filter(({ columns }) =>
      columns.every(({ heading, isNeeded }) => !isNeeded || plainHeadings.has(heading)),
    )
    .sort((a, b) => needed(b) - needed(a))[0];
}
