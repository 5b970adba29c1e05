/** Words in cells: of direction, of booked, pending and refused rows, of totals. */
import { plainWords } from "./headings.ts";

/** Pairs of direction words: money out, then money in. */
const directions: readonly (readonly [out: string, into: string])[] = [
  ["debit", "credit"],
  ["d", "c"],
  ["dr", "cr"],
  ["d", "k"],
  ["dbit", "crdt"],
  ["debet", "credit"],
  ["debet", "kredit"],
  ["soll", "haben"],
  ["s", "h"],
  ["af", "bij"],
  ["out", "in"],
  ["outflow", "inflow"],
  ["outgoing", "incoming"],
  ["-", "+"],
  ["money out", "money in"],
  ["paid out", "paid in"],
  ["belastung", "gutschrift"],
  ["lastschrift", "gutschrift"],
  ["abbuchung", "gutschrift"],
  ["spent", "received"],
  ["payment", "receipt"],
  ["payments", "receipts"],
  ["money sent", "money received"],
  ["transfer out", "transfer in"],
  ["withdraw", "deposit"],
  ["ausgaben", "einnahmen"],
  ["outgoings", "income"],
  ["出金", "入金"],
  ["支払い", "入金"],
  ["支出", "收入"],
  ["расход", "приход"],
  ["списание", "зачисление"],
  ["borc", "alacak"],
  ["ausgang", "eingang"],
  ["debit", "kredit"],
  ["debito", "credito"],
  ["cargo", "abono"],
  ["dare", "avere"],
  ["uit", "in"],
  ["ut", "in"],
  ["uttag", "insattning"],
  ["withdrawal", "deposit"],
  ["sent", "received"],
  ["paid", "received"],
  ["debited", "credited"],
  ["expense", "income"],
  ["obciazenie", "uznanie"],
  ["wydatek", "wplyw"],
  ["odchozi", "prichozi"],
  ["vydaj", "prijem"],
  ["kiadas", "bevetel"],
  ["terheles", "jovairas"],
  ["meno", "tulo"],
  ["otto", "pano"],
  ["ud", "ind"],
  ["ut", "inn"],
  ["saida", "entrada"],
  ["uscita", "entrata"],
  ["addebito", "accredito"],
  ["gasto", "ingreso"],
  ["egreso", "ingreso"],
  ["debe", "haber"],
  ["depense", "recette"],
  ["retrait", "versement"],
  ["ausgabe", "einnahme"],
  ["auszahlung", "einzahlung"],
  ["abgang", "zugang"],
  ["uitgaande", "inkomende"],
  ["d", "a"],
  ["d", "h"],
  ["uscite", "entrate"],
  ["debits", "credits"],
  ["zahlungsausgang", "zahlungseingang"],
  ["decaissement", "encaissement"],
  ["utbetaling", "innbetaling"],
  ["utbetalning", "inbetalning"],
  ["udbetaling", "indbetaling"],
  ["utgift", "inntekt"],
  ["utgift", "inkomst"],
  ["menot", "tulot"],
  ["wyplata", "wplata"],
  ["vyber", "vklad"],
  ["despesa", "receita"],
  ["gastos", "ingresos"],
];

/**
 * Signs of the filled cells of a direction column; undefined where it is none.
 *
 * @returns `isLone` for a column of a single letter, which may mean anything
 */
export function directionsOf(
  cells: readonly string[],
): { readonly signs: readonly number[]; readonly isLone: boolean } | undefined {
  const plainCells = cells.map((cell) => {
    const bare = cell.replace(/^[([](.*)[)\]]$/, "$1").trim();
    return bare === "-" || bare === "+" || bare === "\u2212"
      ? bare.replace("\u2212", "-")
      : plainWords(bare);
  });
  const distinct = new Set(plainCells.filter((text) => text !== ""));
  if (distinct.size === 0 || distinct.size > 2) return undefined;
  const pair = directions.find((each) => [...distinct].every((word) => each.includes(word)));
  if (pair === undefined) return undefined;
  const signs = plainCells.map((cell) => (cell === "" ? 0 : cell === pair[0] ? -1 : 1));
  return { signs, isLone: distinct.size === 1 && [...distinct][0]?.length === 1 };
}

const pending =
  /\b(?:pending|scheduled|upcoming|planned|planifie\w*|geplant\w*|gepland\w*|programad[oa]\w*|planlag\w*|kommande|authori[sz]ed|authori[sz]ation|reserved|reserver\w*|on hold|hold|in process|processing|vorgemerkt\w*|offen|ausstehend|en attente|a venir|in behandeling|in afwachting|pendiente|pendientes|pendente|in attesa|oczekujaca|wait|waiting|venter|avventer|vantar|ceka\w*|odottaa|en cours|gereserveerd|in bearbeitung|uncleared|unposted|unsettled|outstanding|in elaborazione|en proceso|processando)\b/;
const booked =
  /\b(?:posted|booked|completed|complete|settled|cleared|executed|gebucht\w*|abgeschlossen|verbucht|comptabilise\w*|termine|effectu\w*|execute|uitgevoerd|geboekt|voltooid|completado|completada|contabilizado|concluido|completato|eseguito|contabilizzato|slutford|bokford|bokfort|gennemfort|fullfort|zrealizowana|zakonczono|ukonczono|paid|active|ok|accepted|accepte|geaccepteerd|aceptad[oa]|accettat[oa]|ausgefuhrt|udfort|utfort|ejecutad[oa]|done|processed|verwerkt|traite|success\w*|finali[sz]ed)\b/;
const refusedWords =
  /\b(?:declined|reverted|reversed|failed|denied|cancelled|canceled|rejected|refused|voided|abgelehnt|storniert|fehlgeschlagen|ruckgangig gemacht|zuruckgesetzt|refuse|annule|echoue|geweigerd|geannuleerd|mislukt|rechazad[oa]|cancelad[oa]|annullato|rifiutato|avvist|nekad)\b/;

const holds =
  /\b(?:hold|einbehaltung|blocage|retencion|trattenuta|retencao|inhouding|blokkering)\b/;

/** Whether the type of a row says that money is held back, or given free again: no line of its own. */
export const isHold = (type: string): boolean => holds.test(plainWords(type));

export type Booking = "pending" | "booked" | "not booked";

/** Booking status of a row by the words of a cell; undefined without such a word. */
export function bookingOf(cell: string): Booking | undefined {
  if (!/\p{L}/u.test(cell)) return undefined;
  const plainCell = plainWords(cell);
  if (/\b(?:no|not|non|nicht|kein\w*|niet|geen|keine)\b/.test(plainCell)) {
    return !pending.test(plainCell) && booked.test(plainCell) ? "pending" : undefined;
  }
  if (refusedWords.test(plainCell)) return "not booked";
  if (pending.test(plainCell)) return "pending";
  return booked.test(plainCell) ? "booked" : undefined;
}

const sectionWords =
  /^(?:(?:pending|scheduled|upcoming|planned|geplante?|geplande?|planifiee?s?|programad[oa]s?|planlagte?|kommande|authori[sz]ed|posted|booked|completed|settled|cleared|vorgemerkte?|gebuchte?|offene?|ausstehende?|en attente|a venir|comptabilisees?|in behandeling|uitgevoerde?|pendientes?|in attesa)(?: (?:transactions?|payments?|items?|umsatze|buchungen|operations?|transacties|boekingen|movimientos|movimenti|operazioni))?|(?:transactions?|operations?|transacties|movimientos|movimenti|operazioni) (?:pending|en attente|a venir|comptabilisees?|in behandeling|uitgevoerd|pendientes?|in attesa))$/;

/** Booking status that a title row sets for the rows below it. */
export function sectionOf(text: string): Booking | undefined {
  return sectionWords.test(plainWords(text))
    ? (bookingOf(text.replace(/e[ns]?\b/g, "e")) ??
        bookingOf(
          plainWords(text).replace(/^(vorgemerkt|gebucht|offen|comptabilise|uitgevoerd)\w*/, "$1"),
        ))
    : undefined;
}

const totals =
  "(?:totals?|sub ?totals?|sum|summe|summa|net movement|gesamt\\w*|endsaldo|totaal|totale|somme|suma|razem|celkem|balances?|saldo|solde|kontostand)";
const total = new RegExp(`\\b${totals}\\b`);

/** Whether the words of a row say that it is a total or balance. */
export const isTotal = (text: string): boolean => total.test(plainWords(text));

const balances =
  /\b(?:balance|\w*saldo|solde|\w*kontostand|\w*bestand|zustatek|egyenleg|saldovortrag|[bc] ?f|[bc] d)\b/;
/** Words beside a balance or total: which one it is, and of which day. */
const wordsBeside =
  /\b(?:[bc] ?f|[bc] d|opening|grand|net|general|overall|all|lines|transactions|for|closing|starting|start|ending|end|beginning|previous|final|old|new|current|available|ledger|booked|brought|carried|forward|down|as|at|of|on|the|account|initial\w*|precedente?|ancien|nouveau|actuel|au|d|de|di|du|do|ouverture|cloture|depart|disponible|anterior|inicial|actual|apertura|cierre|al|iniziale|finale|contabile|attuale|chiusura|abertura|fecho|atual|dia|periodo|poczatkow\w*|koncow\w*|anfangs|alter|neuer|letzter|am|vom|per|zum|oud|nieuw|vorig|inn?gaende|utgaende|tillgangligt|primo|ultimo|pocatecni|konecny|nyito|zaro|\d+(?:er|st|nd|rd|th)?|jan\w*|feb\w*|mar\w*|mae?rz|apr\w*|may|mai|june?|juni|july?|juli|aug\w*|sep\w*|o[ck]t\w*|nov\w*|de[cz]\w*)\b/g;

const isOnly = (words: RegExp, text: string): boolean => {
  const plain = plainWords(text);
  return words.test(plain) && plain.replace(words, "").replace(wordsBeside, "").trim() === "";
};

/** Whether a text consists only of words for a balance, which one, and of which day. */
export const isBalance = (text: string): boolean => isOnly(balances, text);

/** Whether a text consists only of words for a total, and of what. */
export const isTotalAlone = (text: string): boolean => isOnly(total, text);
