/**
 * Statements of one account at random, and files cut from them as a person downloads them: days that
 * overlap, a day that is not over, in other formats, columns, words, orders and ids.
 */
import { writeDecimal } from "../../../src/resources/decimal.ts";
import { type Random, randomOf } from "../../bank-files/csv/dialects.ts";

/** A line as it happened; no two words of lines are alike, but for those of lines that repeat. */
export interface Happened {
  readonly date: string;
  readonly cents: number;
  readonly payee: string;
  readonly text: string;
  readonly id: string;
  /** Of the account after it. */
  readonly balance: number;
}

export interface Cut {
  readonly name: string;
  readonly content: string;
  /** Places in the truth. */
  readonly places: readonly number[];
  readonly form: string;
}

const payees = "HARBOUR,TIMBER,NELSON,WANAKA,POTTERY,LANTERN,GRAVEL,OTAGO,SPINDLE,MERINO,KAURI";
const purposes = "COFFEE,ROOF,PAINT,FREIGHT,RENT,WOOL,GLASS,CLAY,PERMIT,FUEL";
const bankWords = ["CARD", "VISA PURCHASE", "TRANSFER", "DIRECT DEBIT", ""];

/** Lines of some days, with true repeats and several a day. */
export function happened(random: Random): { opening: number; lines: Happened[] } {
  const { below, chance, pick } = random;
  const names = random.shuffle(payees.split(","));
  const opening = below(400_000) - 50_000;
  const lines: Happened[] = [];
  let balance = opening;
  const first = 2 + below(10);
  const usual = [450 + below(100), 1250, 20_000 + below(5000)];
  for (let day = first; day < first + 3 + below(8); day += 1) {
    if (chance(0.2)) continue;
    for (let count = 1 + below(4); count > 0; count -= 1) {
      const before = lines.at(-1);
      const isRepeat = before !== undefined && chance(0.15);
      const size = chance(0.35) ? pick(usual) : 100 + below(90_000);
      const said = {
        cents: chance(0.7) ? -size : size,
        payee: pick(names),
        text: [
          pick(bankWords),
          pick(purposes.split(",")),
          chance(0.5) ? `INV-${1000 + below(9000)}` : "",
        ]
          .filter(Boolean)
          .join(" "),
      };
      const { cents, payee, text } = isRepeat ? before : said;
      balance += cents;
      const date = `2026-03-${String(day).padStart(2, "0")}`;
      lines.push({ date, cents, payee, text, id: `B${70_000 + lines.length * 7}`, balance });
    }
  }
  return lines.length === 0 ? happened(random) : { opening, lines };
}

/** How one download is written; a bank keeps to one for most of the time. */
interface Form {
  readonly kind: "csv" | "ofx" | "qif" | "mt940";
  /** Of CSV: the columns in their order. */
  readonly columns: readonly string[];
  readonly delimiter: string;
  readonly isComma: boolean;
  readonly isIso: boolean;
  readonly isNewestFirst: boolean;
  readonly isShuffled: boolean;
  /** Whether ids are those of the bank, or counted anew in each file. */
  readonly isNumberedAnew: boolean;
  readonly isUpper: boolean;
}

function formOf(random: Random, hasBalances: boolean): Form {
  const { chance, pick } = random;
  const kind = pick(["csv", "csv", "csv", "ofx", "qif", "mt940"] as const);
  const amounts = chance(0.7) ? ["Amount"] : ["Paid out", "Paid in"];
  const words = pick([["Payee", "Description"], ["Payee", "Description"], ["Description"]]);
  const more = [
    ...(hasBalances || chance(0.4) ? ["Balance"] : []),
    ...(chance(0.3) ? ["Transaction ID"] : []),
    ...(chance(0.3) ? ["Type"] : []),
    ...(chance(0.2) ? ["Category"] : []),
  ];
  const isSemicolon = chance(0.4);
  const columns = ["Date", ...random.shuffle([...amounts, ...words, ...more])];
  return {
    kind: hasBalances && kind !== "csv" ? "mt940" : kind,
    columns,
    delimiter: isSemicolon ? ";" : ",",
    isComma: isSemicolon && chance(0.7),
    isIso: chance(0.5),
    isNewestFirst: chance(0.4),
    isShuffled: !columns.includes("Balance") && chance(0.3),
    isNumberedAnew: chance(0.3),
    isUpper: chance(0.3),
  };
}

/** Files that a person downloads over time, in the order in which they are imported. */
export function cutsOf(
  seed: number,
  account: string,
): { truth: readonly Happened[]; cuts: readonly Cut[] } {
  const random = randomOf(seed);
  const { below, chance, pick } = random;
  const { opening, lines } = happened(random);
  const hasBalances = chance(0.3);
  const forms = Array.from({ length: 1 + below(3) }, () => formOf(random, hasBalances));
  const starts = lines.flatMap(({ date }, at) => (lines[at - 1]?.date === date ? [] : [at]));
  const cuts = Array.from({ length: 2 + below(4) }, (_, at): Cut => {
    // Half a day goes missing at its end; where all files tell balances at its beginning too.
    const from = hasBalances && chance(0.3) ? below(lines.length) : pick(starts);
    const rest = starts.filter((each) => each > from);
    const to =
      chance(0.3) || rest.length === 0
        ? from + 1 + below(lines.length - from)
        : chance(0.3)
          ? lines.length
          : pick(rest);
    const places = Array.from({ length: to - from }, (_each, place) => from + place);
    const form = pick(forms);
    const before = from === 0 ? opening : (lines[from - 1]?.balance ?? 0);
    const content = written(
      random,
      places.map((place) => lines[place] as Happened),
      { before, account },
      form,
    );
    const shown = form.kind === "csv" ? `csv ${form.columns.join("|")}` : form.kind;
    return { name: `cut-${at}.txt`, content, places, form: shown };
  });
  return { truth: lines, cuts: random.shuffle(cuts) };
}

/** Of the account, and of a file. */
interface Own {
  readonly account: string;
  readonly before: number;
}

const money = (cents: number) => writeDecimal(cents as never, 2);

function written(random: Random, lines: readonly Happened[], own: Own, form: Form): string {
  const ordered = form.isNewestFirst ? lines.toReversed() : lines;
  const shown = form.isShuffled
    ? [...Map.groupBy(ordered, ({ date }) => date).values()].flatMap((day) => random.shuffle(day))
    : ordered;
  const anew = 1 + random.below(90_000);
  const ids = (line: Happened, at: number) => (form.isNumberedAnew ? `N${anew + at}` : line.id);
  if (form.kind === "csv") return csv(shown, form, ids);
  if (form.kind === "ofx") return ofx(shown, own, ids);
  if (form.kind === "qif") return qif(shown);
  return mt940(lines, own);
}

function csv(
  lines: readonly Happened[],
  form: Form,
  id: (line: Happened, at: number) => string,
): string {
  const { columns, delimiter, isComma, isIso, isUpper } = form;
  const amount = (cents: number) => (isComma ? money(cents).replace(".", ",") : money(cents));
  const cell = (line: Happened, name: string, at: number): string => {
    const { date, cents, payee, text } = line;
    switch (name) {
      case "Date":
        return isIso ? date : date.split("-").reverse().join("/");
      case "Amount":
        return amount(cents);
      case "Paid out":
        return cents < 0 ? amount(-cents) : "";
      case "Paid in":
        return cents < 0 ? "" : amount(cents);
      case "Payee":
        return isUpper ? payee : payee.charAt(0) + payee.slice(1).toLowerCase();
      case "Description":
        return columns.includes("Payee") ? text : `${payee} ${text}`;
      case "Balance":
        return amount(line.balance);
      case "Transaction ID":
        return id(line, at);
      case "Type":
        return cents < 0 ? "Payment" : "Deposit";
      default:
        return text.includes("FUEL") ? "Car" : "Other";
    }
  };
  const rows = lines.map((line, at) => columns.map((name) => cell(line, name, at)));
  return [columns, ...rows].map((row) => `${row.join(delimiter)}\n`).join("");
}

function ofx(
  lines: readonly Happened[],
  { account }: Own,
  id: (line: Happened, at: number) => string,
): string {
  const day = (date: string) => date.replaceAll("-", "");
  const dates = lines.map(({ date }) => date).sort();
  return [
    "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\n",
    "COMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><TRNUID>1",
    `<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>NZD<BANKACCTFROM><ACCTID>${account}`,
    `<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>${day(dates[0] ?? "")}<DTEND>${day(dates.at(-1) ?? "")}`,
    ...lines.map(
      (line, at) =>
        `\n<STMTTRN><TRNTYPE>${line.cents < 0 ? "DEBIT" : "CREDIT"}<DTPOSTED>${day(line.date)}<TRNAMT>${money(line.cents)}<FITID>${id(line, at)}<NAME>${line.payee}<MEMO>${line.text}</STMTTRN>`,
    ),
    "\n</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n",
  ].join("");
}

const qif = (lines: readonly Happened[]) =>
  `!Type:Bank\n${lines
    .map(
      ({ date, cents, payee, text }) =>
        `D${date.split("-").reverse().join("/")}\nT${money(cents)}\nP${payee}\nM${text}\n^\n`,
    )
    .join("")}`;

function mt940(lines: readonly Happened[], { before, account }: Own): string {
  const amount = (cents: number) => money(Math.abs(cents)).replace(".", ",");
  const mark = (cents: number) => (cents < 0 ? "D" : "C");
  const day = (date = "") => date.slice(2).replaceAll("-", "");
  const after = lines.at(-1)?.balance ?? before;
  return [
    `:20:STMT\n:25:${account}\n:28C:00000\n`,
    `:60F:${mark(before)}${day(lines[0]?.date)}NZD${amount(before)}\n`,
    ...lines.map(
      ({ date, cents, payee, text }) =>
        `:61:${day(date)}${day(date).slice(2)}${mark(cents)}${amount(cents)}NTRFNONREF\n:86:${payee} ${text}\n`,
    ),
    `:62F:${mark(after)}${day(lines.at(-1)?.date)}NZD${amount(after)}\n`,
  ].join("");
}
