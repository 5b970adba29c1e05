/**
 * Column headings of bank statements in English, German, French, Dutch, Spanish, Italian,
 * Portuguese, the Nordic languages, Polish, Czech and Hungarian, with the roles they indicate.
 */

/** Roles that a user can assign to a column. */
export const roles = [
  "date",
  "valueDate",
  "amount",
  "debit",
  "credit",
  "flag",
  "fee",
  "balance",
  "currency",
  "payee",
  "account",
  "ownAccount",
  "text",
  "reference",
  "id",
  "type",
  "status",
] as const;
export type ColumnRole = (typeof roles)[number];

/** Further roles that a reader finds: columns that confirm others, or are not read. */
export type FoundRole =
  | ColumnRole
  | "payer"
  | "own"
  | "gross"
  | "originalAmount"
  | "originalCurrency"
  | "ignored";

/** Headings by role; an earlier heading is preferred where a file has several. */
const words: Readonly<Record<FoundRole, string>> = {
  date: `date|transaction date|booking date|completed date|posting date|posted date|date posted|date processed|entry date|
    trans date|transaction date time|book date|created|created date|buchungstag|buchungsdatum|buchung|datum|belegdatum|
    umsatzdatum|date comptable|date de comptabilisation|date operation|date d operation|date de l operation|date op|
    date de transaction|boekdatum|boekingsdatum|transactiedatum|datum verrichting|uitvoeringsdatum|fecha|fecha operacion|
    fecha de operacion|fecha contable|f operacion|data|data operazione|data contabile|data registrazione|
    data movimento|data mov|data lancamento|data do lancamento|data da operacao|data operacji|data ksiegowania|
    data transakcji|bokforingsdatum|bokforingsdag|bokfort|transaktionsdatum|datum transaktion|bogforingsdato|bogfort|dato|bokforingsdato|bokfort dato|
    transaksjonsdato|kirjauspaiva|pvm|tapahtumapaiva|datum zauctovani|datum provedeni|konyveles datuma|tranzakcio datuma|date completed`,
  valueDate: `value date|value dt|value dat|valuta|valutadatum|wertstellung|wertstellungsdatum|wertstellung valuta|wertstellungstag|
    date valeur|date de valeur|date val|rentedatum|fecha valor|f valor|data valuta|data valor|data waluty|rantedatum|
    valutadag|rentedato|valuteringsdato|valor|valoridatum|arvopaiva|erteknap|interest date|effective date|date started|
    started date|transaction time`,
  amount: `amount|net|net amount|netto|transaction amount|amount in account currency|betrag|umsatz|buchungsbetrag|
    umsatzbetrag|bedrag|montant|montant net|importe|importo|valor|quantia|kwota|kwota operacji|belopp|transaktionsbelopp|
    belob|beloeb|belop|summa|maara|castka|zauctovana castka|osszeg|tranzakcio osszege|value|sum|transactiebedrag|amount local|objem`,
  gross: "gross|gross amount|brutto|bruttobetrag|bruto|montant brut|lordo|brut",
  debit: `debit|dr|dr amount|debit amt|withdrawal amt|debit amount|amount debit|debits|withdrawal|withdrawals|paid out|money out|out|outflow|withdrawal amount|
    soll|ausgang|belastung|belastungen|belastung in|lastschrift|ausgabe|auszahlung|debet|af|uit|uitgaven|bedrag af|montant debit|
    retrait|cargo|cargos|debe|dare|addebito|addebiti|uscite|saida|debito|debitos|obciazenia|wydatki|uttag|
    ut|ud|ut av konto|ut fra konto|retiros|retiro|egresos|utgift|haevet|panot ulos|kiadas|terheles`,
  credit: `credit|cr|cr amount|credit amt|deposit amt|credit amount|amount credit|credits|deposit|deposits|paid in|money in|in|inflow|deposit amount|haben|
    eingang|gutschrift|gutschriften|gutschrift in|einzahlung|einnahme|bij|bedrag bij|inkomsten|montant credit|versement|abono|
    abonos|haber|avere|accredito|accrediti|entrate|entrada|credito|creditos|uznania|wplywy|insattning|inn|ind|
    inn pa konto|depositos|deposito|ingresos|inntekt|indsat|panot|bevetel|jovairas`,
  flag: `debit credit|credit debit|dr cr|cr dr|d c|c d|debit credit indicator|credit debit indicator|direction|soll haben|s h|segno|signo|sinal|tecken|fortegn|teken|etumerkki|znak|
    haben soll|h s|af bij|bij af|debet credit|sens|signe|sign|richtung|umsatztyp|kierunek|bevetel kiadas|dc|db cr|in out`,
  fee: "fee|fees|fee amount|charges|charge|commission|gebuhr|gebuhren|entgelt|frais|kosten|comision|commissione|avgift|gebyr|poplatek|provision",
  balance: `balance|bal|closing bal|running balance|account balance|closing balance|balance after|ledger balance|balance after transaction|
    saldo|saldo na trn|saldo na mutatie|saldo na boeking|saldo nach buchung|kontostand|kontosaldo|neuer saldo|solde|
    solde apres operation|saldo contable|saldo disponibile|saldo po operacji|saldo posle|bokfort saldo|egyenleg|zustatek|stand|tili saldo|guthaben|resulting balance|remaining balance|balance amount`,
  currency: `currency|currency code|account currency|ccy|wahrung|buchungswahrung|munt|muntsoort|valuta|devise|moneda|divisa|moeda|waluta|valutakod|
    valuttakode|valutta|mena|mena uctu|devizanem|curr`,
  originalAmount: `original amount|foreign currency amount|foreign amount|originalbetrag|local amount|oorspr bedrag|
    betrag fremdwahrung|montant devise|amount foreign|lastschrift ursprungsbetrag|source amount|target amount`,
  originalCurrency: `original currency|foreign currency|originalwahrung|local currency|oorspr munt|fremdwahrung|
    payment currency`,
  payer:
    "payer|payer name|zahlungspflichtige r|zahlungspflichtiger|ordonnateur|from name|sender|sender name|auftraggeber|source name|from|von|de la part de",
  payee: `payee|payee name|other party|other party name|op name|counterparty name|counterparty|partner name|merchant name|
    merchant|beneficiary name|beneficiary|begunstigter zahlungspflichtiger|auftraggeber empfanger|empfanger auftraggeber|
    auftraggeber begunstigter|name zahlungsbeteiligter|zahlungsempfanger in|zahlungsempfanger|empfanger|begunstigter|
    naam tegenpartij|naam omschrijving|tegenpartij|counteraccount name|nazev protiuctu|beneficiaire|nom tiers|tiers|
    nom contrepartie|beneficiario|ordinante beneficiario|controparte|kontrahent|odbiorca nadawca|
    mottagare|motpart|modtager|mottaker|saaja maksaja|partner neve|supplier found|contrepartie|name|naam|nombre|nome|handelaar|
    target name|details payee|to name|recipient|to`,
  account: `counterparty account|counterparty account number|counterparty iban|counterparty account iban|other party account|
    op bank account number|other party account number|partner iban|partner account|kontonummer iban|iban zahlungsbeteiligter|
    gegenkonto|gegenkonto iban|iban gegenkonto|tegenrekening|tegenrekening iban bban|rekeningnummer tegenpartij|
    rekening tegenpartij|compte contrepartie|iban contrepartie|numer rachunku kontrahenta|motkonto|to account|kontonummer gegenpartei|
    to from account number|partner szamlaszama|cislo protiuctu|cuenta destino|payee account|to account number|recipient account`,
  ownAccount: `account number|account no|account|own account|this party account|auftragskonto|auftraggeberkonto|
    iban auftraggeberkonto|eigene iban|eigenes konto|konto|kontonummer|iban|iban bban|rekening|rekeningnummer|eigen rekening|
    compte|numero de compte|account num|cuenta|numero de cuenta|conto|numero conto|conta|numer rachunku|szamlaszam|
    cislo uctu|kontonr|tilinumero|bank account|iban kontoinhaber|sender account|number|kredietkaart`,
  own: `account name|account label|account holder|kontoinhaber|rubrieknaam|kaarthouder|name zahlungspflichtiger|szamla neve|
    nazev uctu|sort code|blz|bankleitzahl|bankleitzahl auftraggeberkonto|bic auftraggeberkonto|product|account type|
    nom du compte|titulaire|card used for transaction|name kontoinhaber|bank name`,
  text: `description|transaction description|details|transaction details|memo|memo description|narrative|narration|
    particulars|text|verwendungszweck|buchungstext verwendungszweck|vwz|buchungsinformation|transaktionsbeschreibung|zweck|
    omschrijving|omschrijving 1|omschrijving 2|omschrijving 3|mededelingen|mededeling|vrije mededeling|bericht|toelichting|libelle|label|
    libelle operation|motif|communication|communications|nature|concepto|descripcion|descrizione|causale|descrizione operazione|
    descricao|historico|opis|opis operacji|opis transakcji|tytul|tytul operacji|beskrivning|text mottagare|text beteckning|tekst|beskrivelse|
    forklaring|viesti|selite|kozlemeny|reszletek|zprava|popis|message|subject|item title|original description|notes|note|
    comment|payment reference|payment details|remittance information|desc|message for payee|reason|purpose|additional description`,
  reference: `reference|ref no|utr|chq ref no|chq ref number|ref no cheque no|cheque ref no|chq no|chqno|ref|references|code|analysis code|tp ref|tp part|tp code|op ref|op part|op code|bank reference|customer reference|end to end|
    end to end id|end to end reference|kundenreferenz|kundenreferenz end to end|referenz|mandatsreferenz|mandate reference|
    glaubiger id|creditor id|kenmerk|betalingskenmerk|transactiereferentie|machtigingskenmerk|gestructureerde mededeling|
    communication structuree|reference operation|referencia|riferimento|sepa reference|client reference|verifikationsnummer|
    kid|viite|viitenumero|variable symbol 1|variable symbol|cheque number|check number|check or slip #|cheque no|
    transaction reference|invoice number|sammlerreferenz|incassant id|payment id`,
  id: `id|fitid|transaction id|unique id|transaktions id|transactie id|transaction number|transactionid|transaktionsnummer|
    volgnr|id transakce|transfer wise id|identificador|transaktions nr|reference id`,
  type: `type|transaction type|tran type|transaction code|subcategory type|buchungstext|umsatzart|vorgang|mutatiesoort|
    transaktionstyp|transaktionsart|type operation|type d operation|tipo|tipo operazione|tipo de movimento|typ|rodzaj operacji|
    typ operacji|rodzaj transakcji|transaktionstype|typ transakce|tranzakcio tipusa|posting text|source code payment type|soort`,
  status: "status|state|info|zustand|statut|etat|estado|stato|tila",
  ignored: `available balance|avail bal|avail balance|available|verfugbar|beschikbaar saldo|solde disponible|saldo disponible|
    kategori|underkategori|kategoria|budgetgrupp|category|subcategory|category parent|kategorie|categorie|categoria|tags|emoji|image|receipt|address|adres tegenpartij|bic tegenpartij|
    bic|bic swift code|swift|serial|card number|card no|cardholder|exchange rate|wechselkurs|koers|rate|time|time zone|
    conversion charge|processed date|row|bank|account currency rate|auslagenersatz rucklastschrift|rubriek|afschriftnummer`,
};

/**
 * Normalises a heading for comparison: without accents, dots, spaces and case, and with `ae oe ue`
 * for umlauts.
 */
export function plainHeading(text: string): string {
  return plainWords(text).replace(/(?<=[aou])e/g, "");
}

/** Normalises text to words without accents, punctuation and case. */
export function plainWords(text: string): string {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("æ", "a")
    .replaceAll("ł", "l")
    .replace(/[^\p{L}\p{N}#]+/gu, " ")
    .trim();
}

const roleOfName = new Map(
  Object.entries(words).flatMap(([role, list]) =>
    list
      .split("|")
      .map((word, rank) => [plainHeading(word), { role: role as FoundRole, rank }] as const),
  ),
);

export interface KnownHeading {
  readonly role: FoundRole;
  /**
   * Preference: lower ranks come first, exact headings before loose ones, and usual words before
   * others.
   */
  readonly rank: number;
  /** Code of a currency in the heading, as in `Amount (NZD)`; the next is a sign, as in `Amount ($)`. */
  readonly currency?: string | undefined;
  readonly sign?: string | undefined;
}

const looseRank = 1000;
/** Currency at the end of a heading: `Betrag in EUR`, `Amount (€)`, `Amount CZK`. */
const suffix = /[\s(]*(?:\b(?:in|en|em) )?[([]?(?:([A-Z]{3})|(\p{Sc})|kr\.?)[)\]]?\s*$/u;
/** Words for amounts in a foreign currency. */
const foreign =
  /\b(?:orig\w*|foreign|fremd\w*|vreemde|instructed|etrangere?|extranjer[ao]|estera)\b/;
/**
 * Words for the holder's account, a balance or another date; headings with them are not matched
 * loosely.
 */
const hidden =
  /\b(?:own|eigen\w*|available|avail\w*|verfugbar\w*|original|foreign|rate|tax|vat|total)\b/;
/** Roles by parts of headings, for headings that are not known as a whole. */
const partWords: readonly (readonly [RegExp, FoundRole])[] = [
  [/\bbalance\b|\bsaldo\b|\bsolde\b|kontostand/, "balance"],
  [/\b(?:fee|gebuhr)\b/, "fee"],
  [/\b(?:valu|valuta|valeur|valor|wertstellung) ?(?:date|datum|tag)\b/, "valueDate"],
  [/\bdate\b|datum$|\bdatum|buchungstag|\bfecha\b|\bdata\b|\bdato\b/, "date"],
  [/\bcredit debit\b|\bdebit credit\b|\bsoll haben\b|\bhaben soll\b/, "amount"],
  [/\b(?:debit|paid out|money out|withdrawals?|belastung\w*|soll)\b/, "debit"],
  [/\b(?:credit|paid in|money in|deposits?|gutschrift\w*|haben)\b/, "credit"],
  [
    /\bamount\b|betrag|\bbedrag\b|\bmontant\b|\bimporte\b|\bimporto\b|\bbelopp\b|\bbelob\b|\bkwota\b|\bmaara\b|\bcastka\b|\bosszeg\b/,
    "amount",
  ],
  [/\b(?:payee|beneficiary|counterparty|empfanger|tegenpartij)\b/, "payee"],
  [/\b(?:description|details|memo|verwendungszweck|vwz\d*|omschrijving|libelle|purpose)\b/, "text"],
  [/\b(?:reference|referenz|kenmerk|referencia)\b/, "reference"],
];

/** Headings that are always of the holder's side, also where each line has another value. */
const ownHeadings =
  /^(?:account (?:number|no|num)|own account|this party account|auftragskonto|(?:iban )?auftraggeberkonto|eigene iban|eigenes konto|eigen rekening|rekening|rekeningnummer|bank account)$/;
/** Whether a heading is never of the other party. */
export const isOwnHeading = (heading: string): boolean => ownHeadings.test(plainHeading(heading));

/** Role that a heading indicates; undefined for unknown words. */
export function headingMeaning(heading: string): KnownHeading | undefined {
  const plainName = plainHeading(heading);
  const cut = suffix.exec(heading);
  const [, currency, sign] = cut ?? [];
  const exact = roleOfName.get(plainName);
  if (exact !== undefined) return sign === undefined ? exact : { ...exact, sign };
  const base = cut === null ? undefined : roleOfName.get(plainHeading(heading.slice(0, cut.index)));
  if (base !== undefined) return { ...base, rank: base.rank + 1, currency, sign };
  if (foreign.test(plainName)) {
    const partRole = partWords.find(([word]) => word.test(plainName))?.[1];
    if (partRole === "amount") return { role: "originalAmount", rank: looseRank * 2 };
    if (/curr|ccy|wahr|munt|devise|moneda|divisa|valut/.test(plainName.replace(foreign, "")))
      return { role: "originalCurrency", rank: looseRank * 2 };
  }
  if (hidden.test(plainName)) return undefined;
  const bare = roleOfName.get(plainHeading(heading.replace(/[([].*$/, "")));
  if (bare !== undefined) return { ...bare, rank: looseRank + bare.rank };
  const partWord = partWords.find(([word]) => word.test(plainName));
  return partWord === undefined ? undefined : { role: partWord[1], rank: looseRank * 2 };
}
