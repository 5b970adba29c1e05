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
];

/**
 * Signs of the filled cells of a direction column; undefined where it is none.
 *
 * @returns `isLone` for a column of a single letter, which may mean anything
 */
export function directionsOf(
  cells: readonly string[],
): { readonly signs: readonly number[]; readonly isLone: boolean } | undefined {
  const plain = cells.map((cell) => {
    const bare = cell.replace(/^[([](.*)[)\]]$/, "$1").trim();
    return bare === "-" || bare === "+" || bare === "\u2212"
      ? bare.replace("\u2212", "-")
      : plainWords(bare);
  });
  const distinct = new Set(plain.filter((each) => each !== ""));
  if (distinct.size === 0 || distinct.size > 2) return undefined;
  const pair = directions.find((each) => [...distinct].every((word) => each.includes(word)));
  if (pair === undefined) return undefined;
  const signs = plain.map((word) => (word === "" ? 0 : word === pair[0] ? -1 : 1));
  return { signs, isLone: distinct.size === 1 && [...distinct][0]?.length === 1 };
}

const pending =
  /\b(?:pending|authori[sz]ed|authori[sz]ation|reserved|reserver\w*|on hold|hold|in process|processing|vorgemerkt\w*|offen|ausstehend|en attente|a venir|in behandeling|in afwachting|pendiente|pendientes|pendente|in attesa|oczekujaca|wait|waiting|venter|avventer|vantar|ceka\w*|odottaa|in bearbeitung|in elaborazione|en proceso|processando)\b/;
const booked =
  /\b(?:posted|booked|completed|complete|settled|cleared|executed|gebucht\w*|abgeschlossen|verbucht|comptabilise\w*|termine|effectu\w*|execute|uitgevoerd|geboekt|voltooid|completado|completada|contabilizado|concluido|completato|eseguito|contabilizzato|slutford|bokford|bokfort|gennemfort|fullfort|zrealizowana|zakonczono|ukonczono|paid|active|ok|accepted|accepte|geaccepteerd|aceptad[oa]|accettat[oa]|ausgefuhrt|udfort|utfort|ejecutad[oa]|done|processed|verwerkt|traite|success\w*|finali[sz]ed)\b/;
const refused =
  /\b(?:declined|reverted|reversed|failed|denied|cancelled|canceled|rejected|refused|voided|abgelehnt|storniert|fehlgeschlagen|ruckgangig gemacht|zuruckgesetzt|refuse|annule|echoue|geweigerd|geannuleerd|mislukt|rechazad[oa]|cancelad[oa]|annullato|rifiutato|avvist|nekad)\b/;

const holds =
  /\b(?:hold|einbehaltung|blocage|retencion|trattenuta|retencao|inhouding|blokkering)\b/;

/** Whether the type of a row says that money is held back, or given free again: no line of its own. */
export const isHold = (type: string): boolean => holds.test(plainWords(type));

export type Booking = "pending" | "booked" | "not booked";

/** Booking status of a row by the words of a cell; undefined without such a word. */
export function bookingOf(cell: string): Booking | undefined {
  if (!/\p{L}/u.test(cell)) return undefined;
  const plain = plainWords(cell);
  if (/\b(?:no|not|non|nicht|kein\w*|niet|geen|keine)\b/.test(plain)) {
    return pending.test(plain)
      ? undefined
      : refused.test(plain) || booked.test(plain)
        ? "not booked"
        : undefined;
  }
  if (refused.test(plain)) return "not booked";
  if (pending.test(plain)) return "pending";
  return booked.test(plain) ? "booked" : undefined;
}

const sectionWords =
  /^(?:(?:pending|authori[sz]ed|posted|booked|completed|settled|cleared|vorgemerkte?|gebuchte?|offene?|en attente|a venir|comptabilisees?|in behandeling|uitgevoerde?|pendientes?|in attesa)(?: (?:transactions?|payments?|items?|umsatze|buchungen|operations?|transacties|boekingen|movimientos|movimenti|operazioni))?|(?:transactions?|operations?|transacties|movimientos|movimenti|operazioni) (?:pending|en attente|a venir|comptabilisees?|in behandeling|uitgevoerd|pendientes?|in attesa))$/;

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
  "(?:totals?|sub ?totals?|sum|summe|summa|gesamt\\w*|endsaldo|totaal|totale|somme|suma|razem|celkem|balances?|saldo|solde|kontostand)";
const total = new RegExp(`\\b${totals}\\b`);
const totalAlone = new RegExp(`^${totals}$`);

/** Whether the words of a row say that it is a total or balance. */
export const isTotal = (text: string): boolean => total.test(plainWords(text));

/** Whether a text consists only of a word for a total. */
export const isTotalAlone = (text: string): boolean => totalAlone.test(plainWords(text));
