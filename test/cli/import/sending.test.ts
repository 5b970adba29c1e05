/** What is sent and how, and what becomes of it when the service or the line fails. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PartlyDoneError } from "../../../src/cli/render/error.ts";
import { UnavailableError } from "../../../src/resources/errors.ts";
import { textOf } from "../../../src/wire/body.ts";
import type { ServiceRequest, Transport } from "../../../src/wire/http.ts";
import { Desk } from "./desk.ts";

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.open();
});
afterEach(() => desk.close());

const head = "ContactName,InvoiceNumber,Date,Description,Quantity,UnitAmount,AccountCode\n";
/** Invoices of two lines each, the second lines after all of the first. */
function rows(count: number): string {
  const line = (text: string) =>
    Array.from(
      { length: count },
      (_, at) => `C${at % 3},N-${at},2026-01-05,${text},1,${at + 1}.25,200\n`,
    );
  return head + [...line("first"), ...line("second")].join("");
}

const options = { createContacts: true, status: "AUTHORISED", onError: "skip" } as const;
const inMemory = { memoryBytes: 1 << 20, batch: 4 };
/** Many parts, and records that wait on disk. */
const onDisk = { memoryBytes: 300, batch: 4 };

interface Invoice {
  readonly InvoiceNumber: string;
  readonly SubTotal: number;
}
const invoices = async () =>
  (await desk.list<Invoice>("invoice", "list", "--order", "InvoiceNumber", "--all")).map(
    ({ InvoiceNumber, SubTotal }) => [InvoiceNumber, SubTotal],
  );

test("an import spooled to disk gives the same result as one in memory", async () => {
  const text = rows(25).replace("C1,N-4,2026-01-05,second,1", "C1,N-4,2026-01-05,second,x");
  const file = desk.file("rows.csv", text);
  const large = await desk.tuned("invoice", file, options, onDisk);
  const made = await invoices();
  const rejected = desk.read("rows.csv.rejected.csv");
  desk.close();
  desk = await Desk.open();
  const again = desk.file("rows.csv", text);
  const small = await desk.tuned("invoice", again, options, inMemory);
  expect(made).toHaveLength(24);
  expect(await invoices()).toEqual(made);
  expect(desk.read("rows.csv.rejected.csv")).toBe(rejected);
  for (const part of ["rows", "invoices", "contacts", "amounts", "refused", "notes"] as const) {
    expect([part, small[part]]).toEqual([part, large[part]]);
  }
  expect(large.refused).toEqual([
    { row: 6, record: "N-4", reason: "Row 31 of the same invoice is refused." },
    { row: 31, record: "N-4", reason: expect.stringMatching(/UnitAmount|Quantity/) },
  ]);
});

test("an import that updates existing invoices may be spooled to disk too", async () => {
  const file = desk.file("rows.csv", rows(6));
  await desk.tuned("invoice", file, options, onDisk);
  const mended = desk.file("rows.csv", rows(6).replace("second,1,1.25", "second,2,1.25"));
  const done = await desk.tuned("invoice", mended, { ...options, onDuplicate: "update" }, onDisk);
  expect(done.invoices).toMatchObject({ updated: 1, existing: 5 });
  expect((await invoices())[0]).toEqual(["N-0", 3.75]);
});

/** Sees every request; may answer for the service. */
function watching(answer: (request: ServiceRequest, seen: ServiceRequest[]) => "fail" | undefined) {
  const seen: ServiceRequest[] = [];
  const around =
    (transport: Transport): Transport =>
    async (request) => {
      seen.push(request);
      if (answer(request, seen) === "fail")
        throw new UnavailableError("Outage", "The service is away.");
      return transport(request);
    };
  return { seen, around };
}

const isWrite = ({ method, path }: ServiceRequest) => method !== "GET" && path === "/Invoices";

describe("requests of an import", () => {
  test("an import sends a bounded number of records per request, each with its own outcome", async () => {
    const { seen, around } = watching(() => undefined);
    const client = await desk.client(around);
    const done = await desk.tuned(
      "invoice",
      desk.file("rows.csv", rows(10)),
      options,
      inMemory,
      client,
    );
    await client.close();
    expect(done.invoices).toMatchObject({ imported: 10 });
    const writes = seen.filter(isWrite);
    expect(writes.map(({ query }) => query)).toEqual(
      Array.from({ length: 3 }, () => [
        ["SummarizeErrors", "false"],
        ["unitdp", "4"],
        ["handles", "true"],
      ]),
    );
    expect(writes.every(({ headers }) => headers["idempotency-key"] === undefined)).toBe(true);
    const body = JSON.parse(await textOf(writes[0]?.body ?? ""));
    expect(body.Invoices).toHaveLength(4);
    expect(Object.keys(body.Invoices[0].Contact)).toEqual(["ContactID"]);
  });

  test("an import over a network sends idempotency keys derived from the content", async () => {
    const keys: (string | undefined)[] = [];
    for (const folder of ["one", "two"]) {
      const { seen, around } = watching(() => undefined);
      const client = await desk.client(around);
      const remote = { kind: "remote", baseUrl: "http://127.0.0.1" } as const;
      await desk.tuned(
        "invoice",
        desk.file(`${folder}.csv`, rows(5)),
        options,
        inMemory,
        client,
        remote,
      );
      await client.close();
      keys.push(...seen.filter(isWrite).map(({ headers }) => headers["idempotency-key"]));
      for (const { query } of seen) {
        expect(
          query.reduce((sum, [, value]) => sum + encodeURIComponent(value).length, 0),
        ).toBeLessThan(2_000);
      }
    }
    expect(keys).toEqual([
      expect.stringMatching(/^import-[0-9a-f]{48}$/),
      expect.stringMatching(/^import-/),
    ]);
    expect(new Set(keys).size).toBe(2);
  });

  test("an import that fails midway leaves the remaining records for the next run", async () => {
    const { around } = watching((request, seen) =>
      isWrite(request) && seen.filter(isWrite).length === 3 ? "fail" : undefined,
    );
    const client = await desk.client(around);
    const file = desk.file("rows.csv", rows(10));
    const failed = await desk.tuned("invoice", file, options, inMemory, client);
    await client.close();
    expect(failed.error).toBeInstanceOf(UnavailableError);
    expect(failed.stderr).toContain(
      "8 of 10 invoices were sent; the same command goes on from there.",
    );
    const done = await desk.tuned("invoice", file, options, inMemory);
    expect(done).toMatchObject({
      error: undefined,
      invoices: { imported: 2, existing: 8 },
      contacts: { imported: 0 },
    });
    expect(await invoices()).toHaveLength(10);
  });
});

describe("records refused by the service", () => {
  // The file cannot tell that a tax rate does not go with an account; the service can.
  const bad = rows(6)
    .replace(/$/m, ",TaxType")
    .replace("C2,N-2,2026-01-05,second,1,3.25,200", "$&,INPUT2");

  test("records refused by the service are reported row by row, and the others are imported", async () => {
    const file = desk.file("rows.csv", bad.replace(/200$/gm, "200,"));
    const done = await desk.tuned("invoice", file, options, inMemory);
    expect(done.error).toBeInstanceOf(PartlyDoneError);
    expect(done.invoices).toMatchObject({ imported: 5, refused: 1, left: 0 });
    expect(done.refused).toEqual([
      { row: 4, record: "N-2", reason: "Row 10 of the same invoice is refused." },
      {
        row: 10,
        record: "N-2",
        reason: expect.stringMatching(/INPUT2.*cannot be used with account code '200'/),
      },
    ]);
    expect(done.amounts.GBP).toMatchObject({ imported: 38.5, refused: 6.5, read: 45 });
  });

  test("with --on-error stop, a record refused by the service stops the import after its batch", async () => {
    const file = desk.file("rows.csv", bad.replace(/200$/gm, "200,"));
    const done = await desk.tuned("invoice", file, { ...options, onError: "stop" }, inMemory);
    expect(done.error).toBeInstanceOf(PartlyDoneError);
    expect(done.invoices).toMatchObject({ imported: 3, refused: 1, left: 2 });
    expect(done.amounts.GBP).toMatchObject({ read: 45 });
  });

  test("a batch that the service refuses as a whole is split until the faulty record is found", async () => {
    let refusals = 0;
    const around =
      (transport: Transport): Transport =>
      async (request) => {
        const text = await textOf(request.body ?? "");
        if (!isWrite(request) || !text.includes("N-2")) return transport(request);
        refusals += 1;
        const body = JSON.stringify({
          ErrorNumber: 10,
          Type: "ValidationException",
          Message: "Unreadable.",
        });
        return { status: 400, headers: { "content-type": "application/json" }, body };
      };
    const client = await desk.client(around);
    const done = await desk.tuned(
      "invoice",
      desk.file("rows.csv", rows(4)),
      options,
      inMemory,
      client,
    );
    await client.close();
    expect(done.invoices).toMatchObject({ imported: 3, refused: 1 });
    expect(done.refused.map(({ record, reason }) => [record, reason])).toEqual([
      ["N-2", "Unreadable."],
      ["N-2", "Unreadable."],
    ]);
    expect(refusals).toBe(3);
  });
});
