/** What the rows of random business are made of: a business, and the lines of its documents. */
import { fc } from "../support/properties.ts";
import type { Answer, Json, World } from "./fixture.ts";

/** A business with customers, goods and documents, as far as it has come. */
export interface Business {
  readonly given: World;
  /** The foreign one, of some documents and of the bank account abroad. */
  readonly currency: string;
  readonly parties: readonly Json[];
  /** Codes of accounts that lines may name, by what they are for. */
  readonly accounts: Readonly<Record<"sales" | "purchases" | "capital" | "banks", string[]>>;
  /** TaxTypes that lines may name. */
  readonly taxes: Readonly<Record<"sales" | "purchases", string[]>>;
  /** InvoiceIDs, PaymentIDs and CreditNoteIDs, of whatever status by now. */
  readonly invoices: string[];
  readonly payments: string[];
  readonly credits: string[];
  /** ManualJournalIDs. */
  readonly manualJournals: string[];
  /** BankTransactionIDs, those of prepayments and overpayments among them; BankTransferIDs. */
  readonly money: string[];
  readonly transfers: string[];
}

export interface Kind<Asked = unknown> {
  readonly name: string;
  readonly weight: number;
  readonly asked: fc.Arbitrary<Asked>;
  /** Does it on a day; undefined when there is nothing to do it with. */
  take(business: Business, asked: Asked, on: string): Promise<Answer | undefined>;
}

export function kind<Asked>(
  name: string,
  weight: number,
  asked: fc.Arbitrary<Asked>,
  take: Kind<Asked>["take"],
): Kind {
  return { name, weight, asked, take } as Kind;
}

export const goods = ["LAMP", "VASE"] as const;
export const regions = ["North", "South"] as const;
export const teams = ["Red", "Blue"] as const;

/** One of a list by any number; undefined only when the list is empty. */
export function one<T>(list: readonly T[], which: number): T | undefined {
  return list[which % Math.max(1, list.length)];
}

// --- lines -----------------------------------------------------------------------------------

export const line = fc.record({
  cents: fc.integer({ min: -20_000, max: 90_000 }),
  quantity: fc.constantFrom(1, 1, 2, 3, 0.5, 7.25),
  account: fc.nat(99),
  /** Mostly the tax of the account. */
  tax: fc.option(fc.nat(99), { freq: 3 }),
  region: fc.constantFrom("", "", ...regions),
  team: fc.constantFrom("", "", ...teams),
  discount: fc.constantFrom(undefined, undefined, undefined, 10, 33.33),
});

export type Line = typeof line extends fc.Arbitrary<infer L> ? L : never;

export const lines = fc.array(line, { minLength: 1, maxLength: 4 });
export const amountTypes = fc.constantFrom("Exclusive", "Exclusive", "Inclusive", "NoTax");
export const firstStatus = fc.constantFrom(
  "DRAFT",
  "SUBMITTED",
  "AUTHORISED",
  "AUTHORISED",
  "AUTHORISED",
);

export function lineOf(
  { accounts, taxes }: Business,
  side: "sales" | "purchases",
  asked: Line,
): Json {
  const { cents, quantity, account, tax, region, team, discount } = asked;
  const capital = account > 89 && side === "purchases";
  const tracking = [
    ...(region === "" ? [] : [{ Name: "Region", Option: region }]),
    ...(team === "" ? [] : [{ Name: "Team", Option: team }]),
  ];
  return {
    Description: "Work; 10:30, [2026-01-01] date:2020-01-01",
    Quantity: quantity,
    UnitAmount: cents / 100,
    AccountCode: one(accounts[capital ? "capital" : side], account),
    ...(tax === null ? {} : { TaxType: one(taxes[side], tax) }),
    ...(discount === undefined || side === "purchases" ? {} : { DiscountRate: discount }),
    ...(tracking.length === 0 ? {} : { Tracking: tracking }),
  };
}

export const stock = fc.record({ which: fc.nat(1), quantity: fc.integer({ min: 1, max: 9 }) });
