/**
 * Bank statement lines against as many open documents: 10,000 of each against Node doing nothing, and
 * against a tenth of both, since the time is to grow with the lines and not with their square.
 *
 * Three books: `everyday` has 1,500 contacts, whose lines name a number, a name, or nothing; in `sums`
 * 24 documents are open of each contact, and of no line more is known than the contact, so that all
 * sums of them are searched; in `price` as many contacts owe one and the same amount.
 *
 *   node bench/bank-matching.ts                  all books, as whole processes
 *   node bench/bank-matching.ts --only everyday --count 10000
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { matchLines } from "../src/ledger/bank-matching/match.ts";
import type {
  MatchContact,
  MatchRequest,
  OpenDocument,
  StatementLine,
} from "../src/ledger/bank-matching/matching-types.ts";
import { addDays } from "../src/ledger/dates/calendar.ts";
import type { Cents } from "../src/ledger/money.ts";
import { claim, compare, print } from "./measure.ts";

/** Contacts of each document. */
const books = { everyday: 0.15, sums: 1 / 24, price: 1 } as const;
type Book = keyof typeof books;

const trades = "Design Plumbing Electrical Joinery Motors Catering Logistics Roofing".split(" ");

/** A word of its own for each number, of nine letters, hardly ever like another. */
function word(count: number): string {
  let state = Math.imul(count + 1, 0x9e3779b1) | 1;
  return Array.from({ length: 9 }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return String.fromCharCode(97 + ((state >>> 0) % 26));
  }).join("");
}

function requestOf(book: Book, count: number): MatchRequest {
  const parties = Math.ceil(count * books[book]);
  const contacts = Array.from({ length: parties }, (_, place): MatchContact => {
    const name = `${word(place)} ${trades[place % trades.length]} Ltd`;
    return { id: `c${place}`, name };
  });
  const date = (place: number) => addDays("2026-01-01", (place * 7) % 300);
  const documents = Array.from({ length: count }, (_, place): OpenDocument => {
    const dues = {
      everyday: 1000 + ((place * 7919) % 60_000),
      sums: 100_003 + place * 7919,
      price: 4900,
    };
    const due = dues[book] as Cents;
    return {
      id: `d${place}`,
      type: place % 3 === 0 ? "ACCPAY" : "ACCREC",
      number: `INV-${String(place).padStart(5, "0")}`,
      contactId: `c${place % parties}`,
      date: date(place),
      dueDate: addDays(date(place), 20),
      due,
      currency: "NZD",
    };
  });
  const lines = documents.map((document, place): StatementLine => {
    const name = contacts[place % parties]?.name.toUpperCase() ?? "";
    const sign = document.type === "ACCREC" ? 1 : -1;
    const paid = book === "sums" ? document.due * 3 + 1 : document.due;
    const isNumbered = book === "everyday" && place % 2 === 0;
    return {
      id: `l${place}`,
      date: addDays(document.date, place % 40),
      amount: (sign * paid) as Cents,
      currency: "NZD",
      payee: place % 5 === 0 && book === "everyday" ? `Payer ${place}` : name,
      text: isNumbered ? `Payment of ${document.number} on 05.03.2026, thank you` : "transfer",
    };
  });
  return {
    account: { id: "090", numbers: ["12-3456-0789012-00"], currency: "NZD" },
    ...{ lines, documents, contacts, transactions: [], rules: [], ownAccounts: [], learnt: [] },
    days: 30,
  };
}

const bookOf = (name: string | undefined): Book =>
  name === "sums" || name === "price" ? name : "everyday";

const { values } = parseArgs({ options: { only: { type: "string" }, count: { type: "string" } } });

if (values.count !== undefined) {
  const request = requestOf(bookOf(values.only), Number(values.count));
  const started = process.hrtime.bigint();
  const found = matchLines(request);
  const elapsedMs = Number(process.hrtime.bigint() - started) / 1e6;
  const decided = found.filter(({ suggestions: [first] }) => first?.obstacles.length === 0).length;
  print(`${found.length} lines, ${decided} decided, ${elapsedMs.toFixed(0)} ms`);
} else {
  print(`Node ${process.version}`);
  for (const book of Object.keys(books)) {
    const [bare, small, large] = compare(
      [
        { name: "node -e 0", args: ["-e", "0"] },
        ...[1_000, 10_000].map((count) => ({
          name: `${count.toLocaleString("en")} lines, ${book}`,
          args: [fileURLToPath(import.meta.url), "--only", book, "--count", String(count)],
        })),
      ],
      7,
    );
    if (bare === undefined || small === undefined || large === undefined) continue;
    // Five seconds where Node takes 40 ms.
    claim(large, bare, 125);
    claim(large, small, 10);
  }
}
