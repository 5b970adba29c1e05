/** What the reconciling page offers, the service takes: every offer of random books is accepted. */
import { beforeEach, expect, test } from "vitest";
import { contact, type Json, type World, world } from "../service/fixture.ts";
import { firstOf } from "../support/properties.ts";
import { type Browsing, browsing, formToken, textOf, unescaped } from "./browsing.ts";

const address = "/bank/090/reconcile";
let given: World;
let pages: Browsing;
beforeEach(async () => {
  given = await world();
  pages = browsing(given);
});

/** Whole numbers from 0 to below a bound, by a seed. */
function dice(seed: number) {
  let state = seed;
  return (bound: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % bound;
  };
}

interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly action: string;
  /** What the offer beside it says. */
  readonly offer: string;
}

/** The forms of offers, filled in where they ask. */
function offersIn(html: string): Form[] {
  const lists = [...html.matchAll(/<ul class="offers">.*?<\/ul>/gs)].map(([list]) => list);
  return lists.flatMap((list) =>
    [...list.matchAll(/<li>(.*?)<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].flatMap(
      ([, offer = "", action = "", form = ""]) => {
        const hidden = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
          ([, name = "", value = ""]) => [name, unescaped(value)] as const,
        );
        const fields: Record<string, string> = Object.fromEntries(hidden);
        if (fields.do !== "match") return [];
        if (form.includes('name="account"')) fields.account = "404";
        if (form.includes('name="contact"')) fields.contact = "Somebody";
        if (form.includes('name="amount"')) {
          const { Amount } = JSON.parse(fields.match ?? "");
          fields.amount = String(Amount ?? "6.00");
        }
        return [{ fields, action: unescaped(action), offer: textOf(offer) }];
      },
    ),
  );
}

const sent = (action: string) => action.split("#")[0] ?? "";

async function invoiced(own: object): Promise<Json> {
  const { Invoices } = await given.ok("PUT", "/Invoices", {
    Type: "ACCREC",
    Date: "2026-02-01",
    DueDate: "2026-02-20",
    Status: "AUTHORISED",
    LineAmountTypes: "NoTax",
    ...own,
  });
  return Invoices[0];
}

const lineOf = (UnitAmount: number) => [
  { Description: "Work", Quantity: 1, UnitAmount, AccountCode: "200" },
];

async function imported(...lines: readonly object[]): Promise<void> {
  await given.ok("PUT", "/Extensions/BankStatements", {
    BankAccount: { Code: "090" },
    StatementLines: lines.map((line, at) => ({ Key: String(at), Date: "2026-02-25", ...line })),
  });
}

test("a difference between bank line and document is left due, or posted to a chosen account", async () => {
  const Contact = await contact(given, { Name: "Kowhai Ltd" });
  await invoiced({ InvoiceNumber: "INV-0042", Contact, LineItems: lineOf(294.4) });
  await imported({ Amount: 290, Payee: "Kowhai Ltd", Description: "INV-0042" });
  const due = async () => (await given.ok("GET", "/Invoices/INV-0042")).Invoices[0].AmountDue;
  const [partly, whole] = offersIn((await pages.see(address)).html);
  expect(partly?.offer).toContain("pays 290.00, leaves 4.40 due");
  expect(whole?.offer).toContain("pays 294.40 + 4.40 to an account");
  const accepted = await pages.send(sent(partly?.action ?? ""), partly?.fields ?? {});
  expect([accepted.status, await due()]).toEqual([303, 4.4]);
  const { Matches } = (await given.ok("GET", "/Extensions/BankStatementLines"))
    .BankStatementLines[0];
  expect(Matches).toHaveLength(1);
  await pages.send(address, { ...partly?.fields, do: "undo" });
  expect((await pages.send(sent(whole?.action ?? ""), whole?.fields ?? {})).status).toBe(303);
  expect(await due()).toBe(0);
});

async function randomBook(roll: (bound: number) => number): Promise<void> {
  await given.ok("PUT", "/Currencies", { Code: "USD" });
  await given.ok("PUT", "/Currencies/USD/Rates", { Date: "2026-02-01", Rate: 0.6 });
  for (const [Code, CurrencyCode] of [
    ["092", "NZD"],
    ["093", "USD"],
  ]) {
    const number = `12-3456-789012${Code}-00`;
    const own = { Code, Name: `Bank ${Code}`, Type: "BANK", BankAccountNumber: number };
    await given.ok("PUT", "/Accounts", { ...own, CurrencyCode });
  }
  const names = ["Kowhai Ltd", "Rimu Timber", "Totara Tools"];
  const contacts: Json[] = [];
  for (const Name of names) contacts.push(await contact(given, { Name }));
  const lines: object[] = [];
  for (let count = 0; count < 10; count++) {
    const Contact = contacts[roll(contacts.length)];
    const isSale = roll(2) === 0;
    const cents = 1_000 + roll(40_000);
    const number = `${isSale ? "INV" : "BILL"}-7${100 + count}`;
    const isForeign = roll(5) === 0;
    await invoiced({
      Type: isSale ? "ACCREC" : "ACCPAY",
      InvoiceNumber: number,
      Contact,
      LineItems: lineOf(cents / 100),
      ...(isForeign ? { CurrencyCode: "USD" } : {}),
    });
    const off = [0, 0, 440, -300, 5_000, -900][roll(6)] ?? 0;
    const paid = Math.max(1, (isForeign ? Math.round(cents / 0.6) : cents) + off);
    lines.push({
      Amount: (isSale ? paid : -paid) / 100,
      ...(roll(4) === 0 ? {} : { Payee: names[roll(names.length)] }),
      ...(roll(3) === 0 ? {} : { Description: number }),
      ...(roll(6) === 0 ? { Charges: 4.4 } : {}),
      Date: roll(5) === 0 ? "2026-01-15" : "2026-02-25",
    });
  }
  await given.ok("PUT", "/Extensions/BankRules", {
    Name: "Fees",
    Conditions: [{ Field: "payeeOrText", Value: "fee" }],
    Lines: [{ AccountCode: "404" }],
  });
  for (const other of ["092", "093"]) {
    lines.push({ Amount: -10, OtherAccount: `12-3456-789012${other}-00`, Description: "Own" });
  }
  lines.push({ Amount: -5, Description: "Monthly fee" });
  await imported(...lines);
  if (roll(2) === 0) {
    const archived = { ContactID: contacts[0].ContactID, ContactStatus: "ARCHIVED" };
    await given.ok("POST", "/Contacts", archived);
  }
  if (roll(2) === 0)
    await given.ok("POST", "/Organisation/Settings", { PeriodLockDate: "2026-01-31" });
}

test.each(
  firstOf(
    [
      3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181, 6765, 10946, 17711,
      28657,
    ],
    2,
  ),
)(
  "every match offered on the reconciliation page of a random book is accepted, seed %i",
  async (seed) => {
    await randomBook(dice(seed));
    const refused: string[] = [];
    let count = 0;
    const { html } = await pages.see(address);
    for (const { offer, action, fields } of offersIn(html)) {
      const { status, html: answered } = await pages.send(sent(action), fields);
      count += 1;
      if (status === 303) await pages.send(address, { ...fields, do: "undo" });
      else refused.push(`${offer}: ${/role="alert">(.*?)<\/div>/s.exec(answered)?.[1]}`);
    }
    expect(refused).toEqual([]);
    expect(count).toBeGreaterThan(5);
  },
);

test("each of many bank lines is found by paging, by filter and by its own address", async () => {
  await imported(
    ...Array.from({ length: 152 }, (_, at) => ({
      Amount: -(100 + at),
      Payee: `Payee ${at}`,
      Date: new Date(Date.UTC(2025, 9, 1 + at)).toISOString().slice(0, 10),
    })),
  );
  const titles = (html: string) =>
    [...html.matchAll(/<h2><a href="([^"]*)">(.*?)<\/a><\/h2>/g)].map(
      ([, href = "", text = ""]) => ({
        href: unescaped(href),
        text: textOf(text),
      }),
    );
  const { html } = await pages.see(address);
  expect(textOf(html)).toContain("152 lines wait to be explained, the oldest first.");
  const seen: string[] = [];
  for (let page = 1; page <= 11; page++) {
    seen.push(...titles((await pages.see(`${address}?page=${page}`)).html).map(({ text }) => text));
  }
  expect(new Set(seen).size).toBe(152);
  expect(titles((await pages.see(`${address}?page=99`)).html).map(({ text }) => text)).toEqual(
    seen.slice(150),
  );
  for (const filter of ["q=Payee 151", "amount=251.00", "from=2026-03-01&to=2026-03-01"]) {
    const found = titles((await pages.see(`${address}?${filter}`)).html);
    expect(found.map(({ text }) => text)).toEqual([seen.at(-1)]);
  }
  const [last] = titles((await pages.see(`${address}?page=11`)).html).slice(-1);
  const alone = await pages.see(last?.href ?? "");
  expect(titles(alone.html).map(({ text }) => text)).toEqual([seen.at(-1)]);
  const line = new URLSearchParams(last?.href.split("?")[1]).get("line") ?? "";
  const token = formToken;
  const form = { token, line, do: "ignore", at: "0" };
  const done = await pages.send(`${address}?page=11`, form);
  expect([done.status, done.headers.location]).toEqual([
    303,
    `${address}?page=11&done=ignore&at=0#said`,
  ]);
  expect(textOf((await pages.see(address)).html)).toContain("151 lines wait");
  const first = titles(html)[0]?.href ?? "";
  const next = /rel="next" href="([^"]*)">Skip/.exec((await pages.see(first)).html)?.[1] ?? "";
  expect(titles((await pages.see(unescaped(next))).html)[0]?.text).toBe(seen[1]);
});
