/** Random business at the bank: money received, spent, moved, and what came in advance used up. */
import { fc } from "../support/properties.ts";
import {
  amountTypes,
  type Business,
  goods,
  type Kind,
  kind,
  lineOf,
  lines,
  one,
  stock,
} from "./business-parts.ts";
import type { Json } from "./fixture.ts";

const bankTypes = [
  ...["RECEIVE", "RECEIVE", "RECEIVE", "RECEIVE-PREPAYMENT", "RECEIVE-OVERPAYMENT"],
  ...["SPEND", "SPEND", "SPEND", "SPEND-PREPAYMENT", "SPEND-OVERPAYMENT"],
] as const;

const sideOf = (type: string) => (type.startsWith("RECEIVE") ? "sales" : "purchases");

/** The credit that a bank transaction has left; undefined where it left none. */
async function creditOf({ given, money }: Business, which: number) {
  const id = one(money, which);
  if (id === undefined) return undefined;
  for (const name of ["Prepayment", "Overpayment"] as const) {
    const { status, json } = await given.ask("GET", `/${name}s/${id}`);
    if (status === 200) return { name, id, credit: json[`${name}s`][0] as Json };
  }
  return undefined;
}

export const bankKinds: readonly Kind[] = [
  kind(
    "receive or spend",
    5,
    fc.record({
      type: fc.constantFrom(...bankTypes),
      party: fc.nat(9),
      bank: fc.nat(1),
      types: amountTypes,
      lines,
      stock: fc.option(stock, { freq: 2 }),
    }),
    async (business, { type, party, bank, types, lines: asked, stock: named }, on) => {
      const { given, parties, accounts, money } = business;
      const made = asked.map((each) =>
        lineOf(business, sideOf(type), { ...each, discount: undefined }),
      );
      const goodsLine = { ItemCode: one(goods, named?.which ?? 0), Quantity: named?.quantity };
      const answer = await given.ask("PUT", "/BankTransactions", {
        Type: type,
        Contact: { ContactID: one(parties, party).ContactID },
        BankAccount: { Code: one(accounts.banks, bank) },
        Date: on,
        LineAmountTypes: types,
        LineItems: type.endsWith("OVERPAYMENT")
          ? made.slice(0, 1)
          : [...made, ...(named === null ? [] : [goodsLine])],
      });
      if (answer.status === 200) money.push(answer.json.BankTransactions[0].BankTransactionID);
      return answer;
    },
  ),
  kind(
    "change what was received or spent",
    2,
    fc.record({ which: fc.nat(999), bank: fc.nat(1), types: amountTypes, lines }),
    async (business, { which, bank, types, lines: asked }, on) => {
      const { given, accounts, money } = business;
      const id = one(money, which);
      if (id === undefined) return undefined;
      const path = `/BankTransactions/${id}`;
      const { Type } = (await given.ok("GET", path)).BankTransactions[0];
      return given.ask("POST", path, {
        Date: on,
        BankAccount: { Code: one(accounts.banks, bank) },
        LineAmountTypes: types,
        LineItems: asked.map((each) =>
          lineOf(business, sideOf(Type), { ...each, discount: undefined }),
        ),
      });
    },
  ),
  kind("take back what was received or spent", 1, fc.nat(999), async ({ given, money }, which) => {
    const id = one(money, which);
    return id === undefined
      ? undefined
      : given.ask("POST", `/BankTransactions/${id}`, { Status: "DELETED" });
  }),
  kind(
    "pay back what came in advance",
    2,
    fc.record({ which: fc.nat(999), part: fc.constantFrom(100, 50, 33, 120), bank: fc.nat(1) }),
    async (business, { which, part, bank }, on) => {
      const found = await creditOf(business, which);
      if (found === undefined) return undefined;
      const { given, payments, accounts } = business;
      const answer = await given.ask("PUT", "/Payments", {
        [found.name]: { [`${found.name}ID`]: found.id },
        Account: { Code: one(accounts.banks, bank) },
        Date: on,
        Amount: Math.round(found.credit.RemainingCredit * part) / 100,
      });
      if (answer.status === 200) payments.push(answer.json.Payments[0].PaymentID);
      return answer;
    },
  ),
  kind(
    "apply what came in advance",
    3,
    fc.record({ which: fc.nat(999), to: fc.nat(999), part: fc.constantFrom(100, 50, 33, 120) }),
    async (business, { which, to, part }) => {
      const found = await creditOf(business, which);
      if (found === undefined || found.credit.RemainingCredit === 0) return undefined;
      const { given } = business;
      const { Type, Contact, RemainingCredit } = found.credit;
      const type = sideOf(Type) === "sales" ? "ACCREC" : "ACCPAY";
      const query = {
        where: `Status=="AUTHORISED" AND Type=="${type}"`,
        ContactIDs: Contact.ContactID,
        page: "1",
      };
      const { Invoices } = await given.ok("GET", "/Invoices", undefined, { query });
      const open = one<Json>(Invoices, to);
      if (open === undefined) return undefined;
      const most = Math.min(RemainingCredit, open.AmountDue);
      return given.ask("PUT", `/${found.name}s/${found.id}/Allocations`, {
        Allocations: [
          { Invoice: { InvoiceID: open.InvoiceID }, AppliedAmount: Math.round(most * part) / 100 },
        ],
      });
    },
  ),
  kind(
    "transfer",
    1,
    fc.record({ from: fc.nat(1), to: fc.nat(1), cents: fc.integer({ min: 0, max: 90_000 }) }),
    async ({ given, accounts, transfers }, { from, to, cents }, on) => {
      const answer = await given.ask("PUT", "/BankTransfers", {
        FromBankAccount: { Code: one(accounts.banks, from) },
        ToBankAccount: { Code: one(accounts.banks, to) },
        Amount: cents / 100,
        Date: on,
      });
      if (answer.status === 200) transfers.push(answer.json.BankTransfers[0].BankTransferID);
      return answer;
    },
  ),
  kind("take a transfer back", 1, fc.nat(999), async ({ given, transfers }, which) => {
    const id = one(transfers, which);
    return id === undefined
      ? undefined
      : given.ask("POST", `/BankTransfers/${id}`, { Status: "DELETED" });
  }),
];
