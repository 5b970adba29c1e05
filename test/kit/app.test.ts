/**
 * The tests of an invented app: a shop that writes its orders as invoices and its takings as payments,
 * and gives up where it must not go on. Nothing in it knows of this service but the address.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Acct } from "../../src/kit/face.ts";
import { startAcct } from "../../src/kit/start.ts";

/** The app: what it is configured with, and its two calls. */
class Shop {
  readonly #url: string;
  readonly #tenant: string;
  readonly #token: () => Promise<string>;

  constructor(url: string, tenant: string, token: () => Promise<string>) {
    this.#url = url;
    this.#tenant = tenant;
    this.#token = token;
  }

  /** Writes an order once, however often it is told, and tries again what failed on the way. */
  async order(number: string, buyer: string, amount: number): Promise<string> {
    const { Contacts } = await this.#ask("POST", "/Contacts", { Name: buyer });
    const { Invoices } = await this.#ask(
      "PUT",
      "/Invoices",
      {
        Type: "ACCREC",
        Status: "AUTHORISED",
        InvoiceNumber: number,
        Contact: { ContactID: Contacts[0].ContactID },
        Date: "2026-03-01",
        DueDate: "2026-03-20",
        LineItems: [{ Description: "Goods", Quantity: 1, UnitAmount: amount, AccountCode: "200" }],
      },
      number,
    );
    return Invoices[0].InvoiceID;
  }

  async paid(InvoiceID: string, Amount: number): Promise<void> {
    const payment = {
      Invoice: { InvoiceID },
      Account: { Code: "090" },
      Date: "2026-03-01",
      Amount,
    };
    await this.#ask("PUT", "/Payments", payment, `paid ${InvoiceID}`);
  }

  /** Numbers of the invoices that are overdue on a day. */
  async overdue(day: string): Promise<string[]> {
    const where = encodeURIComponent(
      `AmountDue>0 AND DueDate<DateTime(${day.replaceAll("-", ",")})`,
    );
    const { Invoices } = await this.#ask("GET", `/Invoices?where=${where}`);
    return Invoices.map(({ InvoiceNumber }: { InvoiceNumber: string }) => InvoiceNumber);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the app reads answers as they come.
  async #ask(method: string, path: string, body?: object, key?: string, tries = 3): Promise<any> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await this.#token()}`,
        "xero-tenant-id": this.#tenant,
        accept: "application/json",
        "content-type": "application/json",
        ...(key === undefined ? {} : { "idempotency-key": key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return response.json();
    await response.text();
    if (response.status >= 500 && tries > 1) return this.#ask(method, path, body, key, tries - 1);
    throw new Error(`${method} ${path}: ${response.status}`);
  }
}

let acct: Acct;
let shop: Shop;

beforeAll(async () => {
  acct = await startAcct({ country: "NZ", clock: "2026-03-01T09:00+13:00", ids: 7 });
  const bank = { Code: "090", Name: "Till", Type: "BANK", BankAccountNumber: "01-0102-0123456-00" };
  await fetch(`${acct.url}/Accounts`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${await acct.token()}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(bank),
  });
  await acct.save("with a till");
  shop = new Shop(acct.url, acct.tenant, () => acct.token());
});
afterAll(() => acct.stop());
beforeEach(async () => void (await acct.restore("with a till")));

it("an order is an invoice that the customer owes", async () => {
  await shop.order("A-1", "Rimu Stores", 100);
  expect(await acct.ledger.balance("610")).toBe("115.00");
});

it("takings pay the invoice, and go into the till", async () => {
  await shop.paid(await shop.order("A-2", "Rimu Stores", 100), 115);
  expect(await acct.ledger.balance("610")).toBe("0.00");
  expect(await acct.ledger.balance("090")).toBe("115.00");
  expect(await acct.ledger.verify()).toEqual([]);
});

it("an order whose answer was lost is written once", async () => {
  const fault = await acct.fail({ method: "PUT", path: "/Invoices", kind: "500-after" });
  await shop.order("A-3", "Rimu Stores", 100);
  expect(await fault.hits()).toBe(1);
  expect(await acct.ledger.journals()).toHaveLength(1);
});

it("the app gives up on a service that stays away, and the books are as before", async () => {
  await acct.fail({ method: "PUT", path: "/Invoices", kind: "503", times: 3 });
  await expect(shop.order("A-4", "Rimu Stores", 100)).rejects.toThrow("503");
  expect(await acct.ledger.journals()).toEqual([]);
});

it("an order under a number that is taken is refused, and the test says why", async () => {
  await shop.order("A-5", "Rimu Stores", 100);
  await acct.clock.advance({ hours: 1 });
  await expect(shop.order("A-5", "Rimu Stores", 120)).rejects.toThrow("400");
  const [refused] = (await acct.requests({ path: "/Invoices" })).slice(-1);
  expect(refused?.why[0]?.message).toMatch(/unique/i);
});

it("what is not paid is overdue three weeks later", async () => {
  await shop.order("A-6", "Rimu Stores", 100);
  expect(await shop.overdue("2026-03-01")).toEqual([]);
  const now = await acct.clock.advance({ days: 21 });
  expect(await shop.overdue(now.slice(0, 10))).toEqual(["A-6"]);
});

it("a person who may only read writes no order", async () => {
  const reading = new Shop(acct.url, acct.tenant, () => acct.token({ role: "read-only" }));
  await expect(reading.order("A-7", "Rimu Stores", 100)).rejects.toThrow("403");
});
