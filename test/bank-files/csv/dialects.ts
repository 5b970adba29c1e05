/**
 * Statements of banks at random, in random dialects: which columns in which order, headings of which
 * language, which marks, signs, days, encodings, what stands above, below and between the lines.
 */
import { writeDecimal } from "../../../src/resources/decimal.ts";

/** Whole numbers from a seed (mulberry32). */
export function randomOf(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    below,
    chance: (share: number) => next() < share,
    pick: <T>(values: readonly T[]): T => values[below(values.length)] as T,
    shuffle: <T>(values: readonly T[]): T[] => {
      const left = [...values];
      for (let at = left.length - 1; at > 0; at -= 1) {
        const other = below(at + 1);
        [left[at], left[other]] = [left[other] as T, left[at] as T];
      }
      return left;
    },
  };
}

export type Random = ReturnType<typeof randomOf>;

export interface TrueLine {
  readonly date: string;
  /** Cents, with the sign of the statement. */
  readonly amount: number;
  readonly text: string;
}

export interface Written {
  readonly bytes: Uint8Array;
  readonly truth: readonly TrueLine[];
  readonly pending: number;
  /** Nothing in a file tells that its signs are turned where the account is no card. */
  readonly isCard: boolean;
  /** What a person who knows the file would say, by flag. */
  readonly answers: Readonly<Record<string, string>>;
  /** Places of columns by role, from 1. */
  readonly places: Readonly<Record<string, number>>;
}

const languages = [
  {
    date: "Date",
    value: "Value date",
    text: "Description",
    amount: "Amount",
    out: "Paid out",
    into: "Paid in",
    balance: "Balance",
    flag: "Debit/Credit",
    fee: "Fee",
    status: "Status",
    words: ["debit", "credit"],
    pending: "Pending",
    booked: "Posted",
    total: "Total",
  },
  {
    date: "Transaction Date",
    value: "Value Date",
    text: "Details",
    amount: "Transaction Amount",
    out: "Debit Amount",
    into: "Credit Amount",
    balance: "Running Balance",
    flag: "Direction",
    fee: "Fees",
    status: "State",
    words: ["DR", "CR"],
    pending: "PENDING",
    booked: "COMPLETED",
    total: "Total",
  },
  {
    date: "Date",
    value: "Effective date",
    text: "Narrative",
    amount: "Value",
    out: "Withdrawals",
    into: "Deposits",
    balance: "Account balance",
    flag: "Type",
    fee: "Charges",
    status: "Status",
    words: ["OUT", "IN"],
    pending: "Authorised",
    booked: "Settled",
    total: "Total",
  },
  {
    date: "Buchungstag",
    value: "Wertstellung",
    text: "Verwendungszweck",
    amount: "Betrag",
    out: "Soll",
    into: "Haben",
    balance: "Saldo",
    flag: "Soll/Haben",
    fee: "Gebühr",
    status: "Status",
    words: ["S", "H"],
    pending: "Vorgemerkt",
    booked: "Gebucht",
    total: "Summe",
  },
  {
    date: "Buchungsdatum",
    value: "Valutadatum",
    text: "Buchungstext",
    amount: "Umsatz in EUR",
    out: "Belastung",
    into: "Gutschrift",
    balance: "Kontostand",
    flag: "Richtung",
    fee: "Entgelt",
    status: "Info",
    words: ["Soll", "Haben"],
    pending: "Umsatz vorgemerkt",
    booked: "Umsatz gebucht",
    total: "Gesamt",
  },
  {
    date: "Date opération",
    value: "Date de valeur",
    text: "Libellé",
    amount: "Montant",
    out: "Débit",
    into: "Crédit",
    balance: "Solde",
    flag: "Sens",
    fee: "Frais",
    status: "Statut",
    words: ["débit", "crédit"],
    pending: "En attente",
    booked: "Comptabilisé",
    total: "Total",
  },
  {
    date: "Datum",
    value: "Rentedatum",
    text: "Omschrijving",
    amount: "Bedrag",
    out: "Af",
    into: "Bij",
    balance: "Saldo",
    flag: "Af Bij",
    fee: "Kosten",
    status: "Status",
    words: ["Af", "Bij"],
    pending: "In behandeling",
    booked: "Uitgevoerd",
    total: "Totaal",
  },
  {
    date: "Fecha operación",
    value: "Fecha valor",
    text: "Concepto",
    amount: "Importe",
    out: "Cargo",
    into: "Abono",
    balance: "Saldo",
    flag: "Tipo",
    fee: "Comisión",
    status: "Estado",
    words: ["cargo", "abono"],
    pending: "Pendiente",
    booked: "Completado",
    total: "Total",
  },
  {
    date: "Data operazione",
    value: "Data valuta",
    text: "Descrizione",
    amount: "Importo",
    out: "Dare",
    into: "Avere",
    balance: "Saldo",
    flag: "Segno",
    fee: "Commissione",
    status: "Stato",
    words: ["dare", "avere"],
    pending: "In attesa",
    booked: "Completato",
    total: "Totale",
  },
  {
    date: "Bokföringsdatum",
    value: "Valutadatum",
    text: "Text",
    amount: "Belopp",
    out: "Uttag",
    into: "Insättning",
    balance: "Saldo",
    flag: "Typ",
    fee: "Avgift",
    status: "Status",
    words: ["D", "K"],
    pending: "Reserverat",
    booked: "Bokförd",
    total: "Summa",
  },
  {
    date: "xyz",
    value: "Tag 2",
    text: "Wer",
    amount: "abc",
    out: "raus",
    into: "rein",
    balance: "danach",
    flag: "Art",
    fee: "davon",
    status: "Stand",
    words: ["-", "+"],
    pending: "pending",
    booked: "booked",
    total: "Total",
  },
] as const;

const names = [
  "CAFE HARBOUR",
  "Timber Yard Ltd",
  "Power Co",
  "Müller & Söhne",
  "Café Zoë",
  "Rent office",
  "pending order 12",
  "TOTAL fuel",
  "Debit card payment",
  "Credit note 4",
  "Balance bikes",
  "Books, maps",
  "Opening hours Ltd",
  "Market 16.03.",
  "Shop 2026-03-01",
  "INV-0018",
  "Ärzte AG 1.234,00",
  "declined offer",
];
const monthsIn = [
  "Jan",
  "Feb",
  "Mar",
  "Apr",
  "May",
  "Jun",
  "Jul",
  "Aug",
  "Sep",
  "Oct",
  "Nov",
  "Dec",
];

const dayForms = [
  { order: "ymd", write: (y: string, m: string, d: string) => `${y}-${m}-${d}` },
  { order: "ymd", write: (y: string, m: string, d: string) => `${y}${m}${d}` },
  { order: "ymd", write: (y: string, m: string, d: string) => `${y}/${m}/${d}` },
  { order: "ymd", write: (y: string, m: string, d: string) => `${y}-${m}-${d} 10:15:00` },
  { order: "dmy", write: (y: string, m: string, d: string) => `${d}/${m}/${y}` },
  { order: "dmy", write: (y: string, m: string, d: string) => `${d}.${m}.${y}` },
  { order: "dmy", write: (y: string, m: string, d: string) => `${d}.${m}.${y.slice(2)}` },
  { order: "dmy", write: (y: string, m: string, d: string) => `${d}-${m}-${y}` },
  { order: "dmy", write: (y: string, m: string, d: string) => `${Number(d)}/${Number(m)}/${y}` },
  { order: "mdy", write: (y: string, m: string, d: string) => `${m}/${d}/${y}` },
  {
    order: "mdy",
    write: (y: string, m: string, d: string) => `${Number(m)}/${Number(d)}/${y.slice(2)}`,
  },
  { order: "mdy", write: (y: string, m: string, d: string) => `${m}-${d}-${y}` },
  {
    order: "dmy",
    write: (y: string, m: string, d: string) => `${d} ${monthsIn[Number(m) - 1]} ${y}`,
  },
  {
    order: "dmy",
    write: (y: string, m: string, d: string) => `${monthsIn[Number(m) - 1]} ${Number(d)}, ${y}`,
  },
] as const;

type Signs =
  | "signed"
  | "flag"
  | "pair"
  | "pairSigned"
  | "brackets"
  | "behind"
  | "crdr"
  | "reversed";

/** A statement with its truth, and as a bank would write it. */
export function statementOf(seed: number): Written {
  const random = randomOf(seed);
  const truth = linesOf(random);
  return write(random, truth);
}

function linesOf(random: Random): TrueLine[] {
  const count = 2 + random.below(random.chance(0.2) ? 58 : 10);
  const start = Date.UTC(2026, random.below(12), 1 + random.below(28));
  let day = 0;
  const lines: TrueLine[] = [];
  const kind = random.below(10);
  for (let at = 0; at < count; at += 1) {
    if (random.chance(0.6)) day += 1 + random.below(random.chance(0.2) ? 30 : 3);
    const size = random.pick([
      100,
      475_00,
      57_50,
      1 + random.below(99_999),
      1000 * (1 + random.below(2000)),
      100_000 * (1 + random.below(12)),
    ]);
    const sign = kind === 0 ? 1 : kind === 1 ? -1 : random.chance(0.5) ? 1 : -1;
    const last = lines.at(-1);
    const repeats = last !== undefined && random.chance(0.08);
    lines.push(
      repeats
        ? last
        : {
            date: new Date(start + day * 86_400_000).toISOString().slice(0, 10),
            amount: sign * size,
            text: `${random.pick(names)} ${random.below(900)}`,
          },
    );
  }
  return lines;
}

interface Dialect {
  readonly language: (typeof languages)[number];
  readonly signs: Signs;
  readonly mark: "point" | "comma";
  readonly grouped: boolean;
  readonly decimals: boolean;
  readonly day: (typeof dayForms)[number];
}

function amountText(cents: number, { mark, grouped, decimals }: Dialect): string {
  const [decimal, group] = mark === "comma" ? [",", "."] : [".", ","];
  const [whole = "", fraction = ""] = writeDecimal(Math.abs(cents), 2).split(".");
  const parted = grouped ? whole.replace(/\B(?=(\d{3})+$)/g, group) : whole;
  const short = decimals ? fraction : fraction.replace(/0+$/, "");
  return `${parted}${short === "" ? "" : `${decimal}${short}`}`;
}

function signedText(cents: number, dialect: Dialect): string {
  const text = amountText(cents, dialect);
  if (dialect.signs === "crdr") return `${text} ${cents < 0 ? "DR" : "CR"}`;
  if (cents >= 0) return text;
  if (dialect.signs === "brackets") return `(${text})`;
  return dialect.signs === "behind" ? `${text}-` : `-${text}`;
}

function write(random: Random, truth: readonly TrueLine[]): Written {
  const language = random.pick(languages);
  const dialect: Dialect = {
    language,
    signs: random.pick([
      "signed",
      "signed",
      "flag",
      "pair",
      "pairSigned",
      "brackets",
      "behind",
      "crdr",
      "reversed",
    ]),
    mark: random.pick(["point", "comma"]),
    grouped: random.chance(0.4),
    decimals: random.chance(0.8),
    day: random.pick(dayForms),
  };
  const delimiter = random.pick(
    dialect.mark === "comma" ? [";", ";", "\t", "|", ","] : [",", ",", ";", "\t", "|"],
  );
  const hasHeading = random.chance(0.92);
  const balances = random.pick(["each", "each", "daily", "none", "none", "same"]);
  const isNamed = hasHeading && language.date !== "xyz";
  const hasFee = random.chance(0.1) && dialect.signs === "signed" && isNamed;
  const hasStatus = random.chance(0.25);
  const isNewestFirst = random.chance(0.4);
  let balance = random.below(500_000);
  const first = balance;
  const rows: Record<string, string>[] = truth.map((line, at) => {
    const fee = hasFee && random.chance(0.3) ? 1 + random.below(300) : 0;
    balance += line.amount;
    const isLast = truth[at + 1]?.date !== line.date;
    const [year = "", month = "", day = ""] = line.date.split("-");
    const written = dialect.signs === "reversed" ? -line.amount : line.amount;
    return {
      date: dialect.day.write(year, month, day),
      text: line.text,
      amount: signedText(dialect.signs === "flag" ? Math.abs(line.amount) : written + fee, dialect),
      out:
        line.amount < 0
          ? signedText(dialect.signs === "pairSigned" ? line.amount : -line.amount, {
              ...dialect,
              signs: "signed",
            })
          : "",
      into: line.amount > 0 ? amountText(line.amount, dialect) : "",
      flag: line.amount < 0 ? language.words[0] : language.words[1],
      fee: amountText(fee, dialect),
      balance:
        balances === "each" || (balances === "daily" && isLast)
          ? signedText(
              balance,
              dialect.signs === "crdr" ? dialect : { ...dialect, signs: "signed" },
            )
          : "",
      status: language.booked,
      serial: String(1000 + at),
      currency: "EUR",
    };
  });
  if (balances === "same") for (const row of rows) row.balance = amountText(balance, dialect);
  const pending = hasStatus ? random.below(3) : 0;
  for (let at = 0; at < pending; at += 1) {
    const line = random.pick(rows);
    rows.push({ ...line, text: `${line.text} P`, balance: "", status: language.pending });
  }
  if (isNewestFirst) rows.reverse();
  const isPair = dialect.signs === "pair" || dialect.signs === "pairSigned";
  const columns = random.shuffle([
    "date",
    "text",
    ...(isPair ? ["out", "into"] : ["amount"]),
    ...(dialect.signs === "flag" ? ["flag"] : []),
    ...(balances === "none" ? [] : ["balance"]),
    ...(hasFee ? ["fee"] : []),
    ...(hasStatus ? ["status"] : []),
    ...(random.chance(0.2) ? ["serial"] : []),
    ...(random.chance(0.3) ? ["currency"] : []),
  ]);
  const headingOf = (name: string) =>
    name === "serial"
      ? "Serial"
      : name === "currency"
        ? "Currency"
        : (language[name as "date"] as string);
  const quoted = random.chance(0.3);
  const cell = (text: string) =>
    quoted || text.includes(delimiter) || text.includes('"')
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  const trailing = random.chance(0.15) ? delimiter : "";
  const line = (cells: readonly string[]) => cells.map(cell).join(delimiter) + trailing;
  const above: string[] = [];
  if (hasHeading && random.chance(0.35)) {
    above.push(
      cell("Account statement"),
      [cell("IBAN"), cell("DE89370400440532013000")].join(delimiter),
    );
    if (random.chance(0.5))
      above.push([cell("Opening balance"), cell(amountText(first, dialect))].join(delimiter));
    above.push("");
  }
  const below: string[] = [];
  if (!isPair && random.chance(0.15)) {
    const sum = truth.reduce(
      (total, { amount }) =>
        total +
        (dialect.signs === "flag"
          ? Math.abs(amount)
          : dialect.signs === "reversed"
            ? -amount
            : amount),
      0,
    );
    below.push(
      line(
        columns.map((name) =>
          name === "text" ? language.total : name === "amount" ? signedText(sum, dialect) : "",
        ),
      ),
    );
  }
  const body = rows.map((row) => line(columns.map((name) => row[name] ?? "")));
  const text = [
    ...above,
    ...(hasHeading ? [line(columns.map(headingOf))] : []),
    ...body,
    ...below,
  ].join(random.pick(["\n", "\r\n"]));
  const place = (name: string) => columns.indexOf(name) + 1;
  return {
    bytes: encode(random, text),
    truth: isNewestFirst ? [...truth].reverse() : truth,
    pending,
    isCard: dialect.signs === "reversed",
    answers: {
      "--date-order": dialect.day.order,
      "--decimal": dialect.mark,
      "--delimiter": { ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe" }[
        delimiter
      ] as string,
      "--reversed":
        dialect.signs === "reversed" || (isPair && truth.every(({ amount }) => amount < 0))
          ? "--reversed"
          : "--no-reversed",
    },
    places: Object.fromEntries(columns.map((name) => [name, place(name)])),
  };
}

function encode(random: Random, text: string): Uint8Array {
  const kind = random.below(4);
  if (kind === 0) return Buffer.from(`\ufeff${text}`);
  if (kind === 1) return Buffer.from(text, "latin1");
  return kind === 2
    ? Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")])
    : Buffer.from(text);
}
