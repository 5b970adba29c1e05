/** Whom the company deals with, and where it buys by card. */
import type { MatchContact } from "../../../src/ledger/bank-matching/matching-types.ts";

/** Draws of a seed: `chance` of a percentage, `below` a number, one of a list. */
export function drawsOf(seed: number) {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1;
  const below = (count: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % count;
  };
  return {
    below,
    chance: (percent: number): boolean => below(100) < percent,
    one: <T>(values: readonly T[]): T => values[below(values.length)] as T,
  };
}

export type Draws = ReturnType<typeof drawsOf>;

export interface Party {
  readonly contact: MatchContact;
  readonly isCustomer: boolean;
  /** No other name is like it. */
  readonly isDistinct: boolean;
  /** Invoiced every month, in cents. */
  readonly subscription: number | undefined;
  /** A supplier's own numbers, and the last of them. */
  readonly numberOf: (count: number) => string;
  nextNumber: number;
}

/** First words of names, none like another. */
const firsts =
  "Kowhai Rangitoto Pohutukawa Tekapo Wanganella Matakana Fiordland Brightwater Coromandel " +
  "Hollyford Marlborough Tongariro Waikanae Glenorchy Akaroa Hokitika Pukekohe Taranaki Whakatane " +
  "Kaikoura Dunstan Bluecliff Silverstream Oakhampton Cromwell Featherston Ngauruhoe Opotiki " +
  "Riverhead Skyhawk Thornbury Umbrella Vantage Windermere Yellowtail Zephyr Bergstrøm Lefèvre " +
  "Jägermann Quintessa Ashburn Blenheim Carterton Dargaville Edgecumbe Foxglove Greymouth Huntly";
const trades = [
  ..."Design Plumbing Electrical Joinery Motors Catering Logistics Roofing Printing Nurseries".split(
    " ",
  ),
];
const forms = ["Ltd", "Limited", "", "GmbH", "Pty Ltd", "& Co"];

/** Names that resemble others: two branches, two spellings, a name inside another, twice the same. */
const alike = [
  ["Harbour Supplies North Ltd", "Harbour Supplies South Ltd"],
  ["Miller Joinery", "Millar Joinery"],
  ["Müller Roofing", "Mueller Roofing GmbH"],
  ["Peninsula", "Peninsula Motors Ltd"],
  ["City Council", "City Council"],
];

/** Payees of card purchases, each with a rule. */
export const shops = ["Z ENERGY", "COUNTDOWN", "BUNNINGS", "AIR NZ", "SPARK"];
/** Payees that nobody knows. */
export const strangers = ["J TE AO", "EFTPOS 77", "P BORG", "UNKNOWN PAYER", "D XU"];

const numberStyles: readonly ((count: number) => string)[] = [
  (count) => `F-${1000 + count}`,
  (count) => `BILL${String(count).padStart(6, "0")}`,
  (count) => String(104_000 + count),
  (count) => `2026/${String(count).padStart(5, "0")}`,
  // too short to mean anything by itself
  (count) => String(count),
];

export function parties({ chance, below, one }: Draws): Party[] {
  const party = (name: string, isCustomer: boolean, isDistinct: boolean, place: number): Party => ({
    contact: {
      id: `c${place}`,
      name,
      accounts: chance(25) ? [`02-0${100 + place}-00${10_000 + place * 7}-00`] : undefined,
    },
    isCustomer,
    isDistinct,
    subscription: isCustomer && chance(15) ? 1150 * (10 + below(60)) + 50 : undefined,
    numberOf: one(numberStyles),
    nextNumber: 10 + below(800),
  });
  const distinct = firsts.split(" ").map((first) => `${first} ${one(trades)} ${one(forms)}`.trim());
  return [
    ...distinct.map((name) => [name, true] as const),
    ...alike.flat().map((name) => [name, false] as const),
  ].map(([name, isDistinct], place) => party(name, place % 3 !== 0, isDistinct, place));
}
