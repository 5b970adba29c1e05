/** What the bank's file shows of a payment: whole, damaged, or not at all. */
import type { StatementLine } from "../../../src/ledger/bank-matching/matching-types.ts";
import type { Cents } from "../../../src/ledger/money.ts";
import type { Draws, Party } from "./year-parties.ts";
import { strangers } from "./year-parties.ts";
import type { Known, Payment } from "./year-payments.ts";

/** What a line shows of it. */
export interface Shown {
  readonly line: StatementLine;
  readonly numbers: "whole" | "none" | "damaged" | "old";
  /** `clear`: a name that no other party's resembles, or a known bank account. */
  readonly party: "clear" | "unclear" | "other" | "none";
}

/** Columns at which some files cut their text, in words and numbers alike. */
const columns = 27;

interface LineSource {
  readonly draws: Draws;
  readonly id: string;
  /** Documents that were settled before, whose numbers people use again. */
  readonly settled: readonly Known[];
  readonly open: readonly Known[];
  readonly all: readonly Party[];
  readonly isCut: boolean;
}

export function lineOf(payment: Payment, source: LineSource): Shown {
  const { draws, isCut } = source;
  const { paid, date, amount, charges } = payment;
  const party = (paid[0] as Known).party;
  const numbers = drawnNumbers(source, payment);
  const isPayee = draws.chance(70);
  const payer = drawnParty(source, party, Math.abs(amount), isPayee);
  const words = [
    ...(isPayee ? [] : [payer.text]),
    ...(draws.chance(30)
      ? [draws.one(["Payment", "thanks", "from 05.03.2026", "EUR 99,50", "tfr"])]
      : []),
    numbers.text,
    ...(draws.chance(20) ? [draws.one(["cheers", "2026-02-14", "ref", "per online"])] : []),
  ];
  const text = words.filter((word) => word !== "").join(" ");
  return {
    line: {
      id: source.id,
      date,
      amount: amount as Cents,
      currency: "NZD",
      payee: isPayee ? payer.text : undefined,
      text: isCut ? cut(text) : text,
      otherAccount: payer.account,
      charges: charges > 0 ? (charges as Cents) : undefined,
    },
    numbers: numbers.shown,
    party: payer.shown,
  };
}

const cut = (text: string): string =>
  (text.match(new RegExp(`[^]{1,${columns}}`, "g")) ?? []).join("\n");

interface ShownNumbers {
  readonly text: string;
  readonly shown: Shown["numbers"];
}

function drawnNumbers(
  { draws, settled, open }: LineSource,
  { paid, amount }: Payment,
): ShownNumbers {
  const { below, one } = draws;
  const all = paid.map(({ document }) => document.number ?? "");
  const draw = below(100);
  if (draw < 30) return { text: "", shown: "none" };
  if (draw < 84) {
    const text = all.map((number) => written(draws, number)).join(one([" ", ", ", " + ", " and "]));
    return { text, shown: "whole" };
  }
  const [first = ""] = all;
  if (draw < 94) {
    const text = damaged(draws, first);
    // A slip that happens to be the number of another document of the same amount deceives anybody.
    const isDeceptive = open.some(
      ({ document, due }) => document.number === text && due === Math.abs(amount),
    );
    return isDeceptive ? { text: "", shown: "none" } : { text, shown: "damaged" };
  }
  const old = settled.filter(({ party }) => party === paid[0]?.party).at(-1);
  return old === undefined
    ? { text: "", shown: "none" }
    : { text: old.document.number ?? "", shown: "old" };
}

/** The ways in which people write a whole number. */
function written({ one }: Draws, number: string): string {
  const letters = /^[A-Z]{3,}/.test(number);
  return one([
    number,
    number,
    number.toLowerCase(),
    number.replace(/[-/]/g, " ").toLowerCase(),
    `no ${number}`,
    ...(letters ? [`Rechnung${number}vom`, number.replace(/-/g, "")] : []),
  ]);
}

/** Half of it, a slip of the keys, or letters for digits. */
function damaged({ below, one }: Draws, number: string): string {
  const tail = /\d+$/.exec(number)?.[0] ?? number;
  const at = number.length - 1 - below(Math.min(2, tail.length - 1));
  const swapped = number.slice(0, at - 1) + number[at] + number[at - 1] + number.slice(at + 1);
  const digit = String((Number(number.at(-1)) + 1 + below(8)) % 10);
  return one([
    String(Number(tail)),
    number.slice(0, -2),
    swapped,
    number.slice(0, -1) + digit,
    number.replace(/0/g, "O"),
    number.replace(/1/g, "I"),
  ]);
}

interface ShownParty {
  readonly text: string;
  readonly shown: Shown["party"];
  readonly account: string | undefined;
}

function drawnParty(
  { draws, open, all }: LineSource,
  { contact, isDistinct }: Party,
  amount: number,
  isPayee: boolean,
): ShownParty {
  const { below, chance, one } = draws;
  const account = contact.accounts !== undefined && chance(70) ? contact.accounts[0] : undefined;
  const known = account === undefined ? undefined : "clear";
  const byName = known ?? (isDistinct ? "clear" : "unclear");
  const upper = contact.name.toUpperCase();
  const draw = below(100);
  if (draw < 55) return { text: upper, shown: byName, account };
  // Banks cut a payee at some length, here in the second word.
  if (draw < 60 && isPayee) return { text: upper.slice(0, 18).trim(), shown: byName, account };
  if (draw < 65)
    return { text: upper.replace(/ (LTD|LIMITED|GMBH|PTY LTD|& CO)$/, ""), shown: byName, account };
  if (draw < 78) return { text: misspelt(draws, upper), shown: byName, account };
  if (draw < 94) return { text: one(strangers), shown: known ?? "none", account };
  // Somebody who pays for another just what they owe themselves deceives anybody.
  const owesAsMuch = (party: Party) =>
    open.some((each) => each.party === party && each.due === amount);
  const others = all.filter((party) => party.contact !== contact && party.isDistinct);
  const other = one(others.filter((party) => !owesAsMuch(party)));
  return { text: other.contact.name.toUpperCase(), shown: "other", account: undefined };
}

/** One letter of the first word replaced, left out or doubled, where it has six or more. */
function misspelt({ below, one }: Draws, name: string): string {
  const [first = "", ...rest] = name.split(" ");
  if (first.length < 6) return name;
  const at = 1 + below(first.length - 2);
  const [before, letter = "", after] = [first.slice(0, at), first[at], first.slice(at + 1)];
  const wrong = one([before + after, `${before}${letter}${letter}${after}`, `${before}X${after}`]);
  return [wrong, ...rest].join(" ");
}
