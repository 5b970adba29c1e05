/** What holds for any lines and books: few amounts, numbers and names, so that much collides. */
import { expect, test } from "vitest";
import { matchLines, suggestionsMax } from "../../../src/ledger/bank-matching/match.ts";
import type {
  BankRule,
  BookTransaction,
  MatchRequest,
  OpenDocument,
  StatementLine,
  Suggestion,
} from "../../../src/ledger/bank-matching/matching-types.ts";
import type { Cents } from "../../../src/ledger/money.ts";
import { fc, runs } from "../../support/properties.ts";
import { contacts, isAutomatic, request } from "./request.ts";

const day = fc.integer({ min: 1, max: 28 }).map((n) => `2026-03-${String(n).padStart(2, "0")}`);
const due = fc.constantFrom(100, 200, 300, 500).map((amount) => amount as Cents);
const amount = fc
  .tuple(fc.constantFrom(1, -1), fc.constantFrom(0, 95, 100, 200, 300, 500, 600))
  .map(([sign, value]) => (value === 0 ? 0 : sign * value) as Cents);
const number = fc.constantFrom("INV-0001", "INV-0002", "INV-0003", "R-100200", "CN-0001");
const contactId = fc.constantFrom(...contacts.map(({ id }) => id));
const name = fc.constantFrom(
  "KOWHAI DESIGN",
  "HARBOUR SUPPLIES",
  "HARBOUR SUPPLIES SOUTH",
  "PETROL",
);
const text = fc
  .array(fc.oneof(number, name, fc.constantFrom("\n", "INV", "0002", "12-3456-0789012-25")), {
    maxLength: 4,
  })
  .map((words) => words.join(" "));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const line: fc.Arbitrary<Omit<StatementLine, "id">> = fc.record({
  date: day,
  amount,
  currency: fc.constant("NZD"),
  text,
  payee: maybe(name),
  charges: maybe(fc.constant(5 as Cents)),
  flags: maybe(fc.subarray(["return", "cash"] as const)),
});
const document: fc.Arbitrary<Omit<OpenDocument, "id">> = fc.record({
  type: fc.constantFrom("ACCREC", "ACCPAY", "ACCRECCREDIT"),
  number: maybe(number),
  contactId,
  date: day,
  due,
  currency: fc.constantFrom("NZD", "NZD", "USD"),
});
const transaction: fc.Arbitrary<Omit<BookTransaction, "id">> = fc.record({
  date: day,
  amount,
  contactId: maybe(contactId),
  numbers: maybe(fc.array(number, { maxLength: 2 })),
});
const rule: BankRule = {
  id: "petrol",
  name: "Petrol",
  conditions: [{ field: "payeeOrText", test: "contains", value: "petrol" }],
  outcome: { kind: "transaction", split: [{ accountCode: "449" }] },
};
/** A line that pays a document: by its number, its contact's name, or both. */
interface Payment {
  readonly which: number;
  readonly isNumbered: boolean;
  readonly isFromContact: boolean;
}
const payment: fc.Arbitrary<Payment> = fc.record({
  which: fc.nat(7),
  isNumbered: fc.boolean(),
  isFromContact: fc.boolean(),
});

function lineOf(
  { which, isNumbered, isFromContact }: Payment,
  documents: readonly Omit<OpenDocument, "id">[],
): Omit<StatementLine, "id">[] {
  const each = documents[which % Math.max(1, documents.length)];
  if (each === undefined) return [];
  const sign = each.type === "ACCREC" ? 1 : -1;
  return [
    {
      date: "2026-03-28",
      amount: (sign * each.due) as Cents,
      currency: each.currency,
      text: isNumbered ? (each.number ?? "") : "",
      payee: isFromContact ? contacts.find(({ id }) => id === each.contactId)?.name : undefined,
    },
  ];
}

const withIds = <T>(prefix: string, values: readonly T[]) =>
  values.map((value, place) => ({ ...value, id: `${prefix}${place}` }));
const anyRequest: fc.Arbitrary<MatchRequest> = fc
  .record({
    payments: fc.array(payment, { maxLength: 6 }),
    lines: fc.array(line, { maxLength: 3 }),
    documents: fc.array(document, { maxLength: 8 }),
    transactions: fc.array(transaction, { maxLength: 4 }),
    own: fc.array(line, { maxLength: 3 }),
  })
  .map(({ payments, lines, documents, transactions, own }) =>
    request({
      lines: withIds("line", [...payments.flatMap((each) => lineOf(each, documents)), ...lines]),
      documents: withIds("document", documents),
      transactions: withIds("transaction", transactions),
      rules: [rule],
      ownAccounts: [
        {
          id: "091",
          name: "Savings",
          numbers: ["12-3456-0789012-25"],
          currency: "NZD",
          lines: withIds("own", own),
        },
      ],
    }),
  );

const byLine = (found: ReturnType<typeof matchLines>) =>
  new Map(found.map(({ lineId, suggestions }) => [lineId, suggestions]));

test("the order of lines and records does not influence the matches", () => {
  const shuffled = anyRequest.chain((given) =>
    fc.tuple(
      fc.constant(given),
      fc.record({
        lines: shuffle(given.lines),
        documents: shuffle(given.documents),
        transactions: shuffle(given.transactions),
        contacts: shuffle(given.contacts),
      }),
    ),
  );
  fc.assert(
    fc.property(shuffled, ([given, others]) => {
      expect(byLine(matchLines({ ...given, ...others }))).toEqual(byLine(matchLines(given)));
    }),
    { numRuns: runs(1600) },
  );
});

const shuffle = <T>(values: readonly T[]) =>
  fc.shuffledSubarray([...values], { minLength: values.length });

/** The records that a suggestion settles. */
function recordsOf({ action }: Suggestion): string[] {
  if (action.kind === "pay") return action.documents.map(({ documentId }) => documentId);
  if (action.kind === "reconcile") return [action.transactionId];
  return action.kind === "transfer" && action.lineId !== undefined ? [action.lineId] : [];
}

test("no record is settled by two automatic matches, and a bank line has at most one", () => {
  fc.assert(
    fc.property(anyRequest, (given) => {
      const found = matchLines(given);
      const certain = found.map(({ suggestions }) => suggestions.filter(isAutomatic));
      for (const ofLine of certain) expect(ofLine.length).toBeLessThanOrEqual(1);
      const records = certain.flat().flatMap(recordsOf);
      expect(new Set(records).size).toBe(records.length);
      expect(found.map(({ lineId }) => lineId)).toEqual(given.lines.map(({ id }) => id));
      for (const { suggestions } of found) {
        expect(suggestions.length).toBeLessThanOrEqual(suggestionsMax);
        expect(suggestions.findLastIndex(isAutomatic)).toBeLessThanOrEqual(0);
      }
    }),
    { numRuns: runs(1600) },
  );
});

test("suggested amounts add up to the line, and no document is paid beyond its amount due", () => {
  fc.assert(
    fc.property(anyRequest, (given) => {
      const dueOf = new Map(
        given.documents.map(({ id, due, currency }) => [id, { due, currency }]),
      );
      const amounts = new Map(given.lines.map((each) => [each.id, each.amount]));
      for (const { lineId, suggestions } of matchLines(given)) {
        for (const { action } of suggestions) {
          if (action.kind === "spendOrReceive") {
            expect(sumOf(action.shares)).toBe(amounts.get(lineId));
          }
          if (action.kind !== "pay") continue;
          for (const { documentId, amount } of action.documents) {
            expect(Math.abs(amount)).toBeLessThanOrEqual(dueOf.get(documentId)?.due ?? 0);
          }
          if (action.difference?.kind === "exchange") continue;
          expect(sumOf(action.documents) + (action.difference?.amount ?? 0)).toBe(
            amounts.get(lineId),
          );
        }
      }
    }),
    { numRuns: runs(1600) },
  );
});

const sumOf = (parts: readonly { readonly amount: Cents }[]): number =>
  parts.reduce((sum, each) => sum + each.amount, 0);
