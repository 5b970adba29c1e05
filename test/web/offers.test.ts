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

/** The forms of offers. */
function offersIn(html: string): Form[] {
  const items = [...html.matchAll(/<li>(<form.*?)<\/li>/gs)].map(([, item = ""]) => item);
  return items.flatMap((item) => {
    const [, action = "", form = ""] =
      /<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/s.exec(item) ?? [];
    const hidden = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, unescaped(value)] as const,
    );
    const fields = Object.fromEntries(hidden);
    if (fields.do !== "match") return [];
    // The hidden label of the button is text, with no markup in it.
    expect(item).not.toContain("&lt;");
    return [{ fields, action: unescaped(action), offer: textOf(item) }];
  });
}

/** Address of a tab of the first line, with what an offer there presets. */
function changeIn(html: string): string {
  return (
    unescaped(/<a class="soft" href="([^"]*)">change/.exec(html)?.[1] ?? "").split("#")[0] ?? ""
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

test("a document that a bank line is less than is paid in part, or the difference goes to a chosen account", async () => {
  const Contact = await contact(given, { Name: "Kowhai Ltd" });
  await invoiced({ InvoiceNumber: "INV-0042", Contact, LineItems: lineOf(294.4) });
  await imported({ Amount: 290, Payee: "Kowhai Ltd", Description: "INV-0042" });
  const due = async () => (await given.ok("GET", "/Invoices/INV-0042")).Invoices[0].AmountDue;
  const { html } = await pages.see(address);
  const [partly] = offersIn(html);
  expect(partly?.offer).toContain("pays 290.00, leaves 4.40 due");
  const accepted = await pages.send(sent(partly?.action ?? ""), partly?.fields ?? {});
  expect([accepted.status, await due()]).toEqual([303, 4.4]);
  const { Matches } = (await given.ok("GET", "/Extensions/BankStatementLines"))
    .BankStatementLines[0];
  expect(Matches).toHaveLength(1);
  await pages.send(address, { ...partly?.fields, do: "undo" });
  const change = changeIn(html);
  const tab = textOf((await pages.see(change)).html);
  expect(tab).toContain("chosen 294.40 of 290.00, 4.40 short");
  expect(tab).toContain("INV-0042 is paid 290.00 of 294.40, which leaves 4.40 due");
  const fields = Object.fromEntries(new URLSearchParams(change.split("?")[1]));
  const whole = { token: formToken, ...fields, rest: "account", account: "404" };
  expect((await pages.send(address, whole)).status).toBe(303);
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
    const asking = [...html.matchAll(/<li><a class="act other" href="([^"]*)"/g)];
    for (const [, href = ""] of asking) {
      const [tab = ""] = unescaped(href).split("#");
      expect((await pages.see(tab)).html).toContain('id="tab"');
      count += 1;
    }
    expect(refused).toEqual([]);
    expect(count).toBeGreaterThan(3);
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
    [...html.matchAll(/<h2 id="title-([^"]*)">(.*?)<\/h2>/g)].map(([, id = "", text = ""]) => ({
      id,
      text: textOf(text),
    }));
  const { html } = await pages.see(address);
  expect(textOf(html)).toContain("152 wait \u00b7 0 certain");
  expect(textOf(html)).toContain("1 to 50 of 152");
  const seen: string[] = [];
  for (let page = 1; page <= 4; page++) {
    seen.push(...titles((await pages.see(`${address}?page=${page}`)).html).map(({ text }) => text));
  }
  expect(new Set(seen).size).toBe(152);
  expect(titles((await pages.see(`${address}?page=99`)).html).map(({ text }) => text)).toEqual(
    seen.slice(150),
  );
  for (const filter of ["q=Payee 151", "q=251.00", "from=2026-03-01&to=2026-03-01"]) {
    const found = titles((await pages.see(`${address}?${filter}`)).html);
    expect(found.map(({ text }) => text)).toEqual([seen.at(-1)]);
  }
  const last = titles((await pages.see(`${address}?page=4`)).html);
  const line = last.at(-1)?.id ?? "";
  const alone = await pages.see(`${address}?line=${line}`);
  expect(titles(alone.html).map(({ text }) => text)).toEqual([seen.at(-1)]);
  const done = await pages.send(`${address}?page=4`, { token: formToken, line, do: "ignore" });
  const next = last[0]?.id ?? "";
  expect([done.status, done.headers.location]).toEqual([
    303,
    `${address}?page=4&done=ignore&of=${line}&next=${next}#line-${next}`,
  ]);
  expect(textOf((await pages.see(address)).html)).toContain("151 wait");
  expect(textOf((await pages.see(`${address}?only=in`)).html)).toContain("Money in 0");
});

test("a bank line that is left for later stands behind the others until midnight", async () => {
  await imported({ Amount: -5, Payee: "First" }, { Amount: -6, Payee: "Second" });
  const order = (html: string) =>
    [...html.matchAll(/class="payee"><bdi>(.*?)</g)].map(([, name]) => name);
  const { html } = await pages.see(address);
  expect(order(html)).toEqual(["First", "Second"]);
  const line = /id="line-([^"]*)"/.exec(html)?.[1] ?? "";
  const left = await pages.send(address, { token: formToken, line, do: "later" });
  const cookie = String(left.headers["set-cookie"]).split(";")[0] ?? "";
  const later = new Map([cookie.split("=") as [string, string]]);
  expect(order((await pages.see(address, later)).html)).toEqual(["Second", "First"]);
  given.now += 86_400_000;
  expect(order((await pages.see(address, later)).html)).toEqual(["First", "Second"]);
});

test("lines that are certain are listed before they are booked, and taken back together", async () => {
  const Contact = await contact(given, { Name: "Kowhai Ltd" });
  for (const number of ["INV-0042", "INV-0043"]) {
    await invoiced({ InvoiceNumber: number, Contact, LineItems: lineOf(294.4) });
  }
  await imported(
    { Amount: 294.4, Payee: "Kowhai Ltd", Description: "INV-0042" },
    { Amount: 294.4, Payee: "Kowhai Ltd", Description: "INV-0043" },
  );
  const open = async () =>
    (await given.ok("GET", "/Invoices")).Invoices.map((each: Json) => each.AmountDue);
  const { html } = await pages.see(`${address}?accept=certain`);
  expect(textOf(html)).toContain("INV-0043, Kowhai Ltd pays 294.40");
  const taken = [...html.matchAll(/name="take" value="([^"]*)"/g)].map(([, value = ""]) => value);
  expect(taken).toHaveLength(2);
  const form = new URLSearchParams([
    ["token", formToken],
    ["do", "accept"],
    ...taken.map((value): [string, string] => ["take", value]),
  ]);
  const done = await pages.send(`${address}?accept=certain`, form);
  expect([done.status, await open()]).toEqual([303, [0, 0]]);
  const after = await pages.see(sent(String(done.headers.location)));
  expect(textOf(after.html)).toContain("2 lines are reconciled. Undo all 2");
  const stale = await pages.send(`${address}?accept=certain`, form);
  expect([stale.status, textOf(stale.html)]).toEqual([
    400,
    expect.stringContaining("A line is no longer what was listed"),
  ]);
  const lines = taken.map((value): [string, string] => ["line", value.split(":")[0] ?? ""]);
  const undo = new URLSearchParams([["token", formToken], ["do", "undo"], ...lines]);
  expect((await pages.send(address, undo)).status).toBe(303);
  expect(await open()).toEqual([294.4, 294.4]);
});

test("readers who may not change the books see suggestions without buttons, and every act of theirs is refused", async () => {
  const Contact = await contact(given, { Name: "Kowhai Ltd" });
  await invoiced({ InvoiceNumber: "INV-0042", Contact, LineItems: lineOf(294.4) });
  await imported({ Amount: 294.4, Payee: "Kowhai Ltd", Description: "INV-0042" });
  const line = /id="line-([^"]*)"/.exec((await pages.see(address)).html)?.[1] ?? "";
  const reading = browsing(given, { allows: (method) => method === "GET" });
  const { html } = await reading.see(`${address}?open=${line}&tab=new`);
  expect(textOf(html)).toContain("INV-0042, Kowhai Ltd pays 294.40");
  expect(textOf(html)).toContain("You may look at them, and not change them.");
  expect(html).not.toContain('method="post"');
  expect(html).not.toContain("Leave for later");
  for (const act of ["match", "ignore", "later", "undo", "accept"]) {
    const sent = await reading.send(address, { token: formToken, line, do: act });
    expect([act, sent.status]).toEqual([act, 403]);
  }
});

test("a suggestion that the book has overtaken is refused at its line, with what fits now", async () => {
  const Contact = await contact(given, { Name: "Kowhai Ltd" });
  await invoiced({ InvoiceNumber: "INV-0042", Contact, LineItems: lineOf(294.4) });
  await imported({ Amount: 294.4, Payee: "Kowhai Ltd", Description: "INV-0042" });
  const [offer] = offersIn((await pages.see(address)).html);
  await given.ok("PUT", "/Payments", {
    Invoice: { InvoiceNumber: "INV-0042" },
    Account: { Code: "090" },
    Date: "2026-02-25",
    Amount: 294.4,
  });
  const { status, html } = await pages.send(sent(offer?.action ?? ""), offer?.fields ?? {});
  expect(status).toBe(400);
  const at = /<section class="pair" id="line-(.*?)<\/section>/s.exec(html)?.[1] ?? "";
  expect(textOf(at)).toContain("The book has changed since this page was shown");
  expect(textOf(at)).toContain("The payment that the book has");
  expect((await pages.send(address, offersIn(html)[0]?.fields ?? {})).status).toBe(303);
});
