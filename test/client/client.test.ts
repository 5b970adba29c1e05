import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { keysFrom } from "../../src/client/idempotency-keys.ts";
import type { Cents, UnitAmount } from "../../src/resources/decimal.ts";
import { NotFoundError, RefusedError, UnavailableError } from "../../src/resources/errors.ts";
import {
  account,
  asset,
  contact,
  invoice,
  item,
  payment,
  taxRate,
} from "../../src/resources/index.ts";
import { fakeService, records } from "./service.ts";

const id = "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11";
const lamp = { ItemID: id, Code: "LAMP-2", IsTrackedAsInventory: false };

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of list) found.push(each);
  return found;
}

describe("the client finds one record", () => {
  test("a record key that the service accepts in a path is requested by that path, percent-encoded", async () => {
    const service = fakeService({ "GET /Items/A%2FB%20%C3%A9": records("Items", [lamp]) });
    const found = await createClient(service.transport).find(item, "A/B é");
    expect(found.Code).toBe("LAMP-2");
    expect(service.asked[0]?.headers.accept).toBe("application/json");
  });

  test("a record name that the service takes in no path is searched for, and the record then requested by its id", async () => {
    const service = fakeService({
      "GET /Contacts": records("Contacts", [
        { ContactID: id, Name: "Acme", ContactStatus: "ACTIVE" },
      ]),
      [`GET /Contacts/${id}`]: records("Contacts", [{ ContactID: id, Name: "Acme" }]),
    });
    const found = await createClient(service.transport).find(contact, 'Ac"me');
    expect(found.ContactID).toBe(id);
    expect(service.lines()[0]).toBe(
      'GET /Contacts?includeArchived=true&where=(ContactNumber=="Ac\\"me" OR Name=="Ac\\"me")&page=1',
    );
    expect(service.lines()[1]).toBe(`GET /Contacts/${id}`);
  });

  test("of two records with the same name, the active one is found", async () => {
    const service = fakeService({
      "GET /Accounts": records("Accounts", [
        { AccountID: "00000000-0000-0000-0000-00000000000a", Code: "200", Status: "ARCHIVED" },
        { AccountID: id, Code: "200", Status: "ACTIVE" },
      ]),
      [`GET /Accounts/${id}`]: records("Accounts", [{ AccountID: id, Code: "200" }]),
    });
    expect((await createClient(service.transport).find(account, "200")).AccountID).toBe(id);
  });

  test("two active records with the same name are refused as ambiguous, and the error names both ids", async () => {
    const other = "2f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11";
    const service = fakeService({
      "GET /Accounts": records("Accounts", [{ AccountID: id }, { AccountID: other }]),
    });
    const found = createClient(service.transport).find(account, "200");
    await expect(found).rejects.toThrow(RefusedError);
    await expect(found).rejects.toThrow(new RegExp(`${id}, ${other}`));
  });

  test.each([
    [item, "NONE", "There is no item NONE."],
    [contact, "Nobody", "There is no contact Nobody."],
    [payment, id, `There is no payment ${id}.`],
    [taxRate, "TAX009", "There is no tax rate TAX009."],
  ])("a missing record is reported by its noun and key", async (resource, key, message) => {
    const service = fakeService({ "GET /Contacts": records("Contacts", []) });
    const found = createClient(service.transport).find(resource, key);
    await expect(found).rejects.toThrow(NotFoundError);
    await expect(found).rejects.toThrow(message);
  });

  test("unit amounts are requested with four decimals if the client is set to four", async () => {
    const service = fakeService({ "GET /Items/LAMP-2": records("Items", [lamp]) });
    await createClient(service.transport, { unitDecimals: 4 }).find(item, "LAMP-2");
    expect(service.lines()).toEqual(["GET /Items/LAMP-2?unitdp=4"]);
  });
});

describe("the client reads lists", () => {
  const page = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      InvoiceID: `00000000-0000-0000-0000-${String(from + at).padStart(12, "0")}`,
      InvoiceNumber: `INV-${from + at}`,
    }));

  /** A service of 250 invoices. */
  const invoices = (withPagination: boolean) =>
    fakeService({
      "GET /Invoices": ({ query }) => {
        const asked = Object.fromEntries(query);
        const number = Number(asked.page);
        const pageSize = Number(asked.pageSize ?? 100);
        const count = Math.max(0, Math.min(pageSize, 250 - (number - 1) * pageSize));
        const pageCount = Math.ceil(250 / pageSize);
        const pagination = { page: number, pageSize, pageCount, itemCount: 250 };
        const list = page((number - 1) * pageSize, count);
        return records("Invoices", list, withPagination ? pagination : undefined);
      },
    });

  test.each([true, false])(
    "all pages of a list are read (pagination in the answer: %s)",
    async (said) => {
      const service = invoices(said);
      const list = createClient(service.transport).list(invoice);
      const found = await all(list);
      expect(found).toHaveLength(250);
      expect(found.at(-1)?.InvoiceNumber).toBe("INV-249");
      expect(service.lines()).toEqual([1, 2, 3].map((n) => `GET /Invoices?handles=true&page=${n}`));
      expect(list.itemCount).toBe(said ? 250 : undefined);
      expect(list.more).toBe(false);
    },
  );

  test("the next page of a list is requested only when its records are consumed", async () => {
    const service = invoices(true);
    const walk = createClient(service.transport).list(invoice)[Symbol.asyncIterator]();
    expect(service.asked).toHaveLength(0);
    for (let n = 0; n < 100; n++) await walk.next();
    expect(service.asked).toHaveLength(1);
    await walk.next();
    expect(service.asked).toHaveLength(2);
  });

  test.each([
    [10, 1, true],
    [100, 1, true],
    [101, 2, true],
    [250, 3, false],
    [1000, 3, false],
  ])(
    "a list with a limit of %i records takes %i requests; more records are left: %s",
    async (limit, requests, more) => {
      const service = invoices(true);
      const list = createClient(service.transport).list(invoice, { limit });
      expect(await all(list)).toHaveLength(Math.min(limit, 250));
      expect(service.asked).toHaveLength(requests);
      expect(list.more).toBe(more);
    },
  );

  test("lists of a few fields are requested in pages of a thousand from a service that supports it", async () => {
    const fields = ["InvoiceID", "InvoiceNumber"];
    const lines = async (query: { fields?: string[]; limit?: number; page?: number }) => {
      const service = invoices(true);
      await all(createClient(service.transport, { rollsBack: true }).list(invoice, query));
      return service.asked.map(({ query: asked }) =>
        asked.flatMap(([name, value]) => (name.startsWith("page") ? [`${name}=${value}`] : [])),
      );
    };
    expect(await lines({ fields })).toEqual([["page=1", "pageSize=1000"]]);
    expect(await lines({ fields, limit: 150 })).toEqual([["page=1", "pageSize=150"]]);
    expect(await lines({ fields, page: 2 })).toEqual([["page=2"]]);
    expect(await lines({})).toHaveLength(3);
  });

  test("a list limited to three records requests a page of three, and surplus records are dropped", async () => {
    const service = fakeService({ "GET /Invoices": records("Invoices", page(0, 100)) });
    expect(await all(createClient(service.transport).list(invoice, { limit: 3 }))).toHaveLength(3);
    expect(service.lines()).toEqual(["GET /Invoices?handles=true&page=1&pageSize=3"]);
  });

  test("a list of one given page is read by one request", async () => {
    const service = invoices(true);
    const list = createClient(service.transport).list(invoice, { page: 3 });
    expect((await all(list)).map((each) => each.InvoiceNumber)[0]).toBe("INV-200");
    expect(service.lines()).toEqual(["GET /Invoices?handles=true&page=3"]);
  });

  test("a list of a resource without pages is read by one request, and cut to the limit", async () => {
    const service = fakeService({ "GET /Items": records("Items", [lamp, lamp, lamp]) });
    const list = createClient(service.transport).list(item, { limit: 2, order: "Code ASC" });
    expect(await all(list)).toHaveLength(2);
    expect(list.more).toBe(true);
    expect(list.itemCount).toBe(3);
    expect(service.lines()).toEqual(["GET /Items?order=Code ASC"]);
  });

  test("every filter of a list is sent in the query", async () => {
    const service = invoices(true);
    const query = {
      parameters: { Statuses: "PAID" },
      where: "Total>1",
      order: "Date",
      searchTerm: "kiln",
      modifiedSince: Date.parse("2026-03-01T10:20:30.5Z"),
      limit: 1,
    };
    await all(createClient(service.transport).list(invoice, query));
    expect(service.lines()).toEqual([
      "GET /Invoices?Statuses=PAID&where=Total>1&order=Date&searchTerm=kiln&handles=true&page=1&pageSize=1",
    ]);
    expect(service.asked[0]?.headers["if-modified-since"]).toBe("2026-03-01T10:20:30");
  });

  test("an interrupted list ends between two pages", async () => {
    const service = invoices(true);
    const interruption = new AbortController();
    const client = createClient(service.transport, { signal: interruption.signal });
    const walk = all(client.list(invoice));
    interruption.abort(new Error("stopped"));
    await expect(walk).rejects.toThrow("stopped");
    expect(service.asked.length).toBeLessThan(3);
  });
});

describe("the client writes records", () => {
  const made = records("Items", [lamp]);

  test("creating a record sends a PUT with exact numbers and a new idempotency key", async () => {
    const service = fakeService({ "PUT /Items": made });
    const client = createClient(service.transport, { newKey: () => "key-1", unitDecimals: 4 });
    const price = { UnitPrice: 123_456 as UnitAmount };
    await client.create(item, { Code: "LAMP-2", SalesDetails: price });
    const [asked] = service.asked;
    expect(service.lines()).toEqual(["PUT /Items?unitdp=4"]);
    expect(asked?.headers).toEqual({
      accept: "application/json",
      "content-type": "application/json",
      "idempotency-key": "key-1",
    });
    expect(asked?.body).toBe('{"Items":[{"Code":"LAMP-2","SalesDetails":{"UnitPrice":12.3456}}]}');
  });

  test("idempotency keys derived from one key are numbered, and never too long", async () => {
    const service = fakeService({ "PUT /Items": made });
    const long = "x".repeat(127);
    for (const key of ["a", long]) {
      const client = createClient(service.transport, { newKey: keysFrom(key), rollsBack: true });
      await client.create(item, { Code: "A" }, { dryRun: true });
      await client.create(item, { Code: "A" });
      await client.create(item, { Code: "B" });
      await client.create(item, { Code: "C" });
    }
    const hash = createHash("sha256").update(long).digest("hex");
    expect(service.asked.map(({ headers }) => headers["idempotency-key"])).toEqual([
      ...["a", "a", "a-1", "a-2"],
      ...[long, long, `${hash}-1`, `${hash}-2`],
    ]);
  });

  test("a client declared as read-only refuses to write, and sends no request", async () => {
    const service = fakeService({ "GET /Items/A": made });
    const client = createClient(service.transport, { mayWrite: false });
    await client.find(item, "A");
    await expect(client.create(item, { Code: "A" })).rejects.toThrow("not declared to write");
    const request = { method: "DELETE", path: "/Items/A", query: [], headers: {} };
    await expect(client.send(request)).rejects.toThrow("not declared to write");
    expect(service.lines()).toEqual(["GET /Items/A"]);
  });

  test.each([
    [409, "Conflict."],
    [400, "The IdempotencyKey was used with a different request."],
  ])(
    "status %i for a given idempotency key is reported with the next step to take",
    async (status, Message) => {
      const refusal = {
        status,
        body: JSON.stringify({ Type: "ValidationException", Message }),
        headers: { "content-type": "application/json" },
      };
      const service = fakeService({ "PUT /Items": refusal });
      const client = createClient(service.transport, { newKey: keysFrom("k"), keyGiven: true });
      await expect(client.create(item, { Code: "A" })).rejects.toThrow(
        `${Message} Run the line as it was first run, or give another --idempotency-key.`,
      );
    },
  );

  test("a given idempotency key is sent, and without one and without a generator no key is sent", async () => {
    const service = fakeService({ "PUT /Items": made });
    const client = createClient(service.transport);
    await client.create(item, { Code: "A" }, { idempotencyKey: "mine" });
    await client.create(item, { Code: "A" });
    expect(service.asked.map(({ headers }) => headers["idempotency-key"])).toEqual([
      "mine",
      undefined,
    ]);
  });

  test("an update sends a POST to the record, or to the collection where single records cannot be posted to", async () => {
    const service = fakeService({
      "POST /Items/LAMP-2": made,
      "POST /TaxRates": records("TaxRates", [{ TaxType: "TAX001", Name: "Levy" }]),
    });
    const client = createClient(service.transport);
    await client.update(item, "LAMP-2", { Name: "Lamp" });
    await client.update(taxRate, "TAX001", { Name: "Levy" });
    expect(service.asked[1]?.body).toBe('{"TaxRates":[{"Name":"Levy","TaxType":"TAX001"}]}');
  });

  test("each record of a batch has its own outcome", async () => {
    const service = fakeService({
      "POST /Payments": records("Payments", [
        { PaymentID: id, StatusAttributeString: "OK" },
        { Amount: 5, StatusAttributeString: "ERROR", ValidationErrors: [{ Message: "Too much." }] },
      ]),
    });
    const inputs = [{ Amount: 100 as Cents }, { Amount: 500 as Cents }];
    const results = await createClient(service.transport).writeMany("POST", payment, inputs);
    expect(service.lines()).toEqual(["POST /Payments?SummarizeErrors=false&handles=true"]);
    expect(results.map(({ errors }) => errors)).toEqual([[], [{ message: "Too much." }]]);
  });

  test("a refused write throws the error of the service, with every fault", async () => {
    const service = fakeService({
      "PUT /Items": {
        status: 400,
        body: JSON.stringify({
          ErrorNumber: 10,
          Type: "ValidationException",
          Message: "A validation exception occurred",
          Elements: [{ Code: "A", ValidationErrors: [{ Message: "One." }, { Message: "Two." }] }],
        }),
      },
    });
    const error = await createClient(service.transport)
      .create(item, { Code: "A" })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RefusedError);
    expect((error as RefusedError).details.map(({ message }) => message)).toEqual(["One.", "Two."]);
  });

  test("an outage of the service throws an UnavailableError", async () => {
    const service = fakeService({
      "GET /Items/A": { status: 503, body: "The Organisation is offline" },
    });
    await expect(createClient(service.transport).find(item, "A")).rejects.toThrow(UnavailableError);
  });

  test("the answer to a removal may be the removed record, or empty", async () => {
    const service = fakeService({
      "DELETE /Items/LAMP-2": { status: 204 },
      [`DELETE /Accounts/${id}`]: records("Accounts", [{ AccountID: id, Status: "DELETED" }]),
    });
    const client = createClient(service.transport, { newKey: () => "key" });
    expect(await client.remove(item, "LAMP-2")).toBeUndefined();
    expect((await client.remove(account, id))?.Status).toBe("DELETED");
    expect(service.asked[0]?.headers).toEqual({
      accept: "application/json",
      "idempotency-key": "key",
    });
  });

  test("the client reads and adds notes and history, sends emails, and reads online addresses", async () => {
    const service = fakeService({
      "GET /Invoices/INV-1/History": records("HistoryRecords", [{ Details: "Rang", User: "Jo" }]),
      "PUT /Invoices/INV-1/History": records("HistoryRecords", [{ Details: "Rang" }]),
      "POST /Invoices/INV-1/Email": { status: 204 },
      "GET /Invoices/INV-1/OnlineInvoice": records("OnlineInvoices", [
        { OnlineInvoiceUrl: "https://books.example/k3Qp7" },
      ]),
    });
    const client = createClient(service.transport);
    expect((await client.history(invoice, "INV-1"))[0]?.User).toBe("Jo");
    await client.note(invoice, "INV-1", 'Rang "them"');
    await client.email(invoice, "INV-1");
    expect(await client.onlineUrl(invoice, "INV-1")).toBe("https://books.example/k3Qp7");
    expect(service.asked[1]?.body).toBe('{"HistoryRecords":[{"Details":"Rang \\"them\\""}]}');
  });
});

describe("a dry run of the client", () => {
  test("a dry run is sent to a service that can roll it back", async () => {
    const service = fakeService({ "PUT /Items": records("Items", [lamp]) });
    const client = createClient(service.transport, { dryRun: true, rollsBack: true });
    await client.create(item, { Code: "LAMP-2" });
    expect(service.asked[0]?.headers["x-dry-run"]).toBe("true");
  });

  test("a dry run is sent over HTTP to a service whose description has plans, and its refusal is told", async () => {
    const service = fakeService({
      "GET /openapi.json": {
        body: JSON.stringify({ paths: { "/Extensions/Plans": { post: {} } } }),
      },
      "PUT /Items": records("Items", [lamp]),
    });
    const warnings: string[] = [];
    const client = createClient(service.transport, {
      dryRun: true,
      warn: (it) => warnings.push(it),
    });
    expect(await client.create(item, { Code: "LAMP-2" })).toMatchObject(lamp);
    expect(service.lines()).toEqual(["GET /openapi.json", "PUT /Items"]);
    expect(service.asked[1]?.headers["x-dry-run"]).toBe("true");
    expect(warnings).toEqual([]);
  });

  test("a dry run of a record that only acct's own service knows is refused by another", async () => {
    const client = createClient(fakeService({}).transport, { dryRun: true });
    await expect(client.create(asset, { Name: "Van" })).rejects.toThrow(
      "This service cannot say beforehand what would be made.",
    );
  });

  test("a dry run sends nothing to a service that cannot roll it back, and says what it leaves unchecked", async () => {
    const service = fakeService({ "GET /Items/LAMP-2": records("Items", [lamp]) });
    const warnings: string[] = [];
    const client = createClient(service.transport, {
      dryRun: true,
      warn: (it) => warnings.push(it),
    });
    expect(await client.create(item, { Code: "NEW" })).toEqual({ Code: "NEW" });
    expect(await client.update(item, "LAMP-2", { Name: "Lamp" })).toMatchObject({
      Code: "LAMP-2",
      Name: "Lamp",
    });
    expect(await client.remove(item, "LAMP-2")).toBeUndefined();
    await client.note(item, "LAMP-2", "x");
    await client.email(invoice, "INV-1");
    await client.writeMany("PUT", item, [{ Code: "A" }]);
    expect(service.lines()).toEqual(["GET /openapi.json", "GET /Items/LAMP-2"]);
    expect(warnings).toEqual(["Not checked by the service: only what the command line can see."]);
  });

  test("a dry run checks the fields of records in the client, and refuses records with faults", async () => {
    const client = createClient(fakeService({}).transport, { dryRun: true });
    const refused = client.create(item, { Name: "x".repeat(51) });
    await expect(refused).rejects.toThrow(RefusedError);
    const error = (await refused.catch((thrown: unknown) => thrown)) as RefusedError;
    expect(error.details).toHaveLength(2); // too long a name, and no code
    const [result] = await client.writeMany("PUT", item, [{ Name: "Lamp" }]);
    expect(result?.errors).toHaveLength(1);
  });

  test("a dry run never sends an email", async () => {
    const service = fakeService({});
    const client = createClient(service.transport, { dryRun: true, rollsBack: true });
    await client.email(invoice, "INV-1");
    expect(service.asked).toHaveLength(0);
  });
});

describe("a service without an extension", () => {
  const service = fakeService({});
  const client = createClient(service.transport);
  const said = "This service has no assets: they are an extension of acct's own service.";

  test("a request to a collection or action of an extension that the service lacks is refused as unsupported", async () => {
    await expect(all(client.list(asset))).rejects.toThrow(said);
    await expect(client.act(asset, "/Extensions/Assets/Depreciate")).rejects.toThrow(said);
  });

  test("a request to one record of an extension that the service lacks is refused as unsupported", async () => {
    await expect(client.update(asset, id, { Name: "Van" })).rejects.toThrow(said);
  });

  test("a missing record of an extension that the service has is reported as not found", async () => {
    const own = createClient(
      fakeService({ "GET /Extensions/Assets": records("Assets", []) }).transport,
    );
    await expect(own.update(asset, id, { Name: "Van" })).rejects.toBeInstanceOf(NotFoundError);
  });
});
