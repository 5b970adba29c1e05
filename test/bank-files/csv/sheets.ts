/**
 * Statements at random as sheets of cells: each habit of a bank is a step of its own that writes a cell, a
 * column or a row, so that habits meet in any number.
 */
import { type Random, randomOf, type TrueLine } from "./dialects.ts";

/** A file with its lines, and what is known of its account. */
export interface Sheet {
  readonly bytes: Uint8Array;
  readonly truth: readonly TrueLine[];
  readonly opening: number;
  readonly closing: number;
  readonly country: string;
  readonly currency: string;
}

const places = [
  [
    "GB",
    "GBP",
    "£",
    "Date|Details|Amount|Paid out|Paid in|Balance|Type|debit|credit|Opening balance|Closing balance|Total",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "mon tue wed thu fri sat sun",
  ],
  [
    "US",
    "USD",
    "$",
    "Posting Date|Description|Amount|Debit|Credit|Running Balance|Transaction Type|DR|CR|Beginning balance|Ending balance|Totals",
    "January February March April May June July August September October November December",
    "",
  ],
  [
    "DE",
    "EUR",
    "€",
    "Buchungstag|Verwendungszweck|Betrag|Soll|Haben|Saldo|Soll/Haben|S|H|Anfangssaldo|Endsaldo|Summe",
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "Mo Di Mi Do Fr Sa So",
  ],
  [
    "CH",
    "CHF",
    "CHF",
    "Buchungsdatum|Text|Betrag|Belastung|Gutschrift|Saldo|Art|Belastung|Gutschrift|Anfangssaldo|Endsaldo|Summe",
    "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.",
    "",
  ],
  [
    "FR",
    "EUR",
    "€",
    "Date opération|Libellé|Montant|Débit|Crédit|Solde|Sens|Débit|Crédit|Solde initial|Solde final|Total",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "lun. mar. mer. jeu. ven. sam. dim.",
  ],
  [
    "NL",
    "EUR",
    "€",
    "Boekdatum|Omschrijving|Bedrag|Af|Bij|Saldo|Af Bij|Af|Bij|Beginsaldo|Eindsaldo|Totaal",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "ma di wo do vr za zo",
  ],
  [
    "ES",
    "EUR",
    "€",
    "Fecha|Concepto|Importe|Cargo|Abono|Saldo|Tipo|Cargo|Abono|Saldo inicial|Saldo final|Total",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "",
  ],
  [
    "IT",
    "EUR",
    "€",
    "Data contabile|Descrizione|Importo|Dare|Avere|Saldo|Segno|Dare|Avere|Saldo iniziale|Saldo finale|Totale",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "",
  ],
  [
    "SE",
    "SEK",
    "kr",
    "Bokföringsdag|Beskrivning|Belopp|Uttag|Insättning|Saldo|Riktning|Uttag|Insättning|Saldo|Saldo|Summa",
    "januari februari mars april maj juni juli augusti september oktober november december",
    "",
  ],
  [
    "PL",
    "PLN",
    "PLN",
    "Data operacji|Opis operacji|Kwota|Obciążenia|Uznania|Saldo|Rodzaj|obciążenie|uznanie|Saldo początkowe|Saldo końcowe|Suma",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "",
  ],
] as const;

const shops = [
  "HARBOUR CAFE",
  "Åkermans Trävaru",
  "Müller & Söhne",
  "TIMBER; YARD",
  'Boulangerie "Chez Élise"',
  "Power, Light",
  "Rent 04/26",
  "Fee",
  "CARD 1234 KIOSK",
  "INV-0018 Haven",
];

function linesOf({ below, chance, pick }: Random): TrueLine[] {
  const lines: TrueLine[] = [];
  let day = Date.UTC(2026, below(12), 1 + below(28));
  for (let count = 2 + below(14); count > 0; count -= 1) {
    if (!chance(0.45)) day += (1 + below(6)) * 86_400_000;
    const size = chance(0.2) ? 100_000 + below(900_000_00) : 1 + below(90_000);
    const line = {
      date: new Date(day).toISOString().slice(0, 10),
      amount: chance(0.4) ? size : -size,
      text: `${pick(shops)}${chance(0.3) ? ` ${below(900)}` : ""}`,
    };
    lines.push(line);
    if (chance(0.08)) lines.push(line);
  }
  return lines;
}

/** Writes days, all of one file alike. */
function dayWriter({ pick, chance }: Random, country: string, months: string, weekdays: string) {
  const names = months.split(" ");
  const week = weekdays.split(" ");
  const short = chance(0.3);
  const [mark, hasWeekday] = [pick([".", "/", "-"]), weekdays !== "" && chance(0.3)];
  const style = pick(["figures", "figures", "words", "iso", "compact", "time"]);
  return (date: string) => {
    const [year = "", month = "", day = ""] = date.split("-");
    const years = short && style === "figures" ? year.slice(2) : year;
    const name = hasWeekday ? `${week[(new Date(date).getUTCDay() + 6) % 7]} ` : "";
    if (style === "iso") return date;
    if (style === "compact") return date.replaceAll("-", "");
    if (style === "time") return `${date} 0${Number(day) % 10}:15:00`;
    if (style === "words")
      return country === "US"
        ? `${names[Number(month) - 1]} ${Number(day)}, ${year}`
        : `${name}${Number(day)} ${names[Number(month) - 1]} ${year}`;
    return country === "US" ? [month, day, years].join("/") : name + [day, month, years].join(mark);
  };
}

/** Writes amounts, all of one column alike. */
function moneyWriter({ pick, chance }: Random, isComma: boolean, sign: string) {
  const group = pick(["", "", "'", "’", "\u00a0", "\u202f", " ", isComma ? "." : ","]);
  const minus = pick(["before", "before", "behind", "brackets", "sign", "words", "plus"]);
  const mark = chance(0.3) ? pick([`${sign} `, ` ${sign}`]) : "";
  return (cents: number) => {
    const [whole = "", part = ""] = (Math.abs(cents) / 100).toFixed(2).split(".");
    const figures = `${whole.replace(/(?<=\d)(?=(?:\d{3})+$)/g, group)}${isComma ? "," : "."}${part}`;
    const plain = mark.startsWith(" ") ? figures + mark : mark + figures;
    if (minus === "words") return `${plain} ${cents < 0 ? "DR" : "CR"}`;
    if (cents >= 0) return minus === "plus" ? `+${plain}` : plain;
    if (minus === "behind") return mark.startsWith(" ") ? `-${plain}` : `${plain}-`;
    if (minus === "brackets") return `(${plain})`;
    return `${minus === "sign" ? "\u2212" : "-"}${plain}`;
  };
}

type Row = string[];

export function sheetOf(seed: number): Sheet {
  const random = randomOf(seed);
  const { below, chance, pick, shuffle } = random;
  const [country, currency, sign, headings, months, weekdays] = pick(places);
  const [
    hDay = "",
    hText = "",
    hAmount = "",
    hOut = "",
    hIn = "",
    hBalance = "",
    hFlag = "",
    wOut = "",
    wIn = "",
    wOpen = "",
    wClose = "",
    wTotal = "",
  ] = headings.split("|");
  const truth = linesOf(random);
  const opening = below(500_000) - (chance(0.2) ? 300_000 : 0);
  const closing = truth.reduce((sum, { amount }) => sum + amount, opening);
  const isComma = !/GB|US|CH/.test(country);
  const day = dayWriter(random, country, months, weekdays);
  const [money, rest] = [moneyWriter(random, isComma, sign), moneyWriter(random, isComma, sign)];
  const columns: { heading: string; cell: (line: TrueLine, at: number) => string }[] = [
    { heading: hText, cell: ({ text }) => (chance(0.1) ? text.replace(" ", "\n") : text) },
  ];
  const kind = pick(["signed", "signed", "pair", "flag"]);
  if (kind === "signed") columns.push({ heading: hAmount, cell: ({ amount }) => money(amount) });
  if (kind === "pair") {
    const outMinus = chance(0.5);
    columns.push({
      heading: hOut,
      cell: ({ amount }) =>
        amount < 0
          ? rest(outMinus ? amount : -amount).replace(/ (?:CR|DR)$/, "")
          : pick(["", "", "-"]),
    });
    columns.push({
      heading: hIn,
      cell: ({ amount }) => (amount < 0 ? "" : rest(amount).replace(/ (?:CR|DR)$/, "")),
    });
  }
  if (kind === "flag") {
    columns.push({
      heading: hAmount,
      cell: ({ amount }) => rest(Math.abs(amount)).replace(/ CR$/, ""),
    });
    columns.push({ heading: hFlag, cell: ({ amount }) => (amount < 0 ? wOut : wIn) });
  }
  const balances = truth.map((_, at) =>
    truth.slice(0, at + 1).reduce((sum, { amount }) => sum + amount, opening),
  );
  const told = pick(["none", "each", "each", "daily"]);
  const balance = moneyWriter(random, isComma, sign);
  if (told !== "none")
    columns.push({
      heading: hBalance,
      cell: (_, at) =>
        told === "daily" && truth[at + 1]?.date === truth[at]?.date
          ? ""
          : balance(balances[at] as number),
    });
  if (chance(0.25))
    columns.push({
      heading: "Foreign amount",
      cell: ({ amount }) => (chance(0.5) ? "" : money(Math.round(amount * 1.37))),
    });
  if (chance(0.3)) columns.push({ heading: "", cell: () => "" });
  const placed = [
    { heading: hDay, cell: ({ date }: TrueLine) => day(date) },
    ...(chance(0.5) ? columns : shuffle(columns)),
  ];
  let rows: Row[] = truth.map((line, at) => placed.map(({ cell }) => cell(line, at)));
  const only = (heading: string, text: string, words: string): Row =>
    placed.map((each) => (each.heading === heading ? text : each.heading === hText ? words : ""));
  const amountHeading = kind === "pair" ? hIn : hAmount;
  if (told !== "none" && chance(0.3)) {
    const first = only(hBalance, balance(opening), wOpen);
    first[0] = day(truth[0]?.date ?? "");
    rows = [first, ...rows];
  }
  if (chance(0.35)) rows.reverse();
  if (chance(0.25) && !rows.at(-1)?.includes(wOpen))
    rows.push(
      only(
        amountHeading,
        kind === "signed" ? money(closing - opening) : pick(["", rest(1 + below(9_000_000))]),
        wTotal,
      ),
    );
  const above: Row[] = [];
  if (chance(0.4))
    above.push(
      ["Konto", "1234567890"],
      [wClose === "Saldo" ? "Kontosaldo" : wClose, rest(closing)],
      Array.from({ length: placed.length }, () => ""),
    );
  const all = [...above, placed.map(({ heading }) => heading), ...rows];
  return { bytes: encoded(random, all), truth, opening, closing, country, currency };
}

function encoded({ pick, chance }: Random, rows: readonly Row[]): Uint8Array {
  const delimiter = pick([",", ";", ";", "\t", "|"]);
  const isQuoted = chance(0.3);
  const cell = (text: string) =>
    isQuoted || /["\n]/.test(text) || text.includes(delimiter)
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  const end = chance(0.2) ? delimiter : "";
  const text = rows.map((row) => row.map(cell).join(delimiter) + end).join(pick(["\n", "\r\n"]));
  const isWide = /[^\0-\xff€’]/.test(text);
  const encoding = pick(["utf8", "bom", "utf16", ...(isWide ? [] : ["1252"])]);
  if (encoding === "utf16") return Buffer.from(`\ufeff${text}`, "utf16le");
  if (encoding === "1252")
    return Buffer.from(text.replaceAll("€", "\x80").replaceAll("’", "\x92"), "latin1");
  return Buffer.from(encoding === "bom" ? `\ufeff${text}` : text);
}
