/** The log of operations: who did what, which records it wrote, and what these were before. */
import { describe, expect, test } from "vitest";
import {
  type AskOptions,
  contact,
  faultsIn,
  type Json,
  sale,
  type World,
  world,
} from "../fixture.ts";

const path = "/Extensions/Operations";

/** The operations of a book, the latest first. */
async function log(given: World, query: Readonly<Record<string, string>> = {}): Promise<Json[]> {
  return (await given.ok("GET", path, undefined, { query })).Operations;
}

const one = async (given: World, key: string | number): Promise<Json> =>
  (await given.ok("GET", `${path}/${key}`)).Operations[0];

const partOf = (id: string, command = ""): AskOptions => ({
  headers: {
    "x-operation-id": id,
    ...(command === "" ? {} : { "x-operation-command": encodeURIComponent(command) }),
  },
});

const id = "5f1f5f60-8c63-4f1b-9a3e-5f2f6f0e7d11";

describe("the log of operations", () => {
  test("the log of operations lists each request that changed records, and no refused request", async () => {
    const given = await world();
    const before = (await log(given)).length;
    const party = await contact(given);
    await given.ok("PUT", "/Invoices", sale(party, { Status: "AUTHORISED" }));
    await given.refused("PUT", "/Invoices", sale(party, { Status: "PAID" }));
    await given.ok("PUT", "/Contacts", { Name: "Tried" }, { headers: { "x-dry-run": "true" } });
    const found = (await log(given)).slice(0, -before || undefined);
    expect(found.map(({ Method, Path, Summary }) => [Method, Path, Summary])).toEqual([
      ["PUT", "/Invoices", "created invoice INV-0001"],
      ["PUT", "/Contacts", `created contact ${party.Name}`],
    ]);
    expect(found[0]).toMatchObject({ User: "Tess Tester", Requests: 1, Action: "PUT /Invoices" });
  });

  test("requests with the same operation id are one entry in the log of operations, with its command line", async () => {
    const given = await world();
    const whole = partOf(id, "acct import contacts 'a b.csv'");
    await given.ok("PUT", "/Contacts", { Name: "Heron" }, whole);
    await given.ok("PUT", "/Contacts", { Name: "Other" });
    await given.ok("PUT", "/Contacts", { Name: "Ibis" }, whole);
    const [other, imported] = await log(given);
    expect(other).toMatchObject({ Requests: 1, Action: "PUT /Contacts" });
    expect(imported).toMatchObject({
      OperationID: id,
      Requests: 2,
      Command: "acct import contacts 'a b.csv'",
      Summary: "created contact Heron, contact Ibis",
    });
    expect((await one(given, imported.Number)).Records).toMatchObject([
      { Resource: "Contact", Name: "Heron", Change: "CREATED" },
      { Resource: "Contact", Name: "Ibis", Change: "CREATED" },
    ]);
  });

  test("a request with an operation id that is not a GUID is refused", async () => {
    const given = await world();
    expect(await given.refused("PUT", "/Contacts", { Name: "Heron" }, partOf("17"))).toEqual([
      "The header x-operation-id is a GUID.",
    ]);
  });

  test("the log of operations stores only the changed fields of a record, as they were before", async () => {
    const given = await world();
    const party = await contact(given);
    const change = { FirstName: "Ana", EmailAddress: "ana@heron.example" };
    await given.ok("POST", `/Contacts/${party.ContactID}`, change);
    await given.ok("POST", `/Contacts/${party.ContactID}`, { FirstName: "Jo" });
    const [last, first] = await log(given);
    expect(JSON.parse((await one(given, last.OperationID)).Records[0].Before)).toEqual({
      FirstName: "Ana",
    });
    expect(JSON.parse((await one(given, first.OperationID)).Records[0].Before)).toEqual({
      FirstName: "",
      EmailAddress: "",
    });
  });

  test("the log of operations distinguishes records that were voided, changed or only had a note added", async () => {
    const given = await world();
    const party = await contact(given);
    const made = await given.ok("PUT", "/Invoices", sale(party, { Status: "AUTHORISED" }));
    const invoice = made.Invoices[0].InvoiceID;
    await given.ok("PUT", `/Invoices/${invoice}/History`, {
      HistoryRecords: [{ Details: "Rang" }],
    });
    await given.ok("POST", `/Invoices/${invoice}`, { Reference: "PO 7" });
    await given.ok("POST", `/Invoices/${invoice}`, { Status: "VOIDED" });
    const summaries = (await log(given, { record: invoice })).map(({ Summary }) => Summary);
    expect(summaries).toEqual([
      "voided invoice INV-0001",
      "changed invoice INV-0001",
      "noted on invoice INV-0001",
      "created invoice INV-0001",
    ]);
  });

  test("the log of operations can be paged and filtered like other lists", async () => {
    const given = await world();
    for (const Name of ["Ibis", "Kea", "Tui"]) await given.ok("PUT", "/Contacts", { Name });
    const [last] = await log(given);
    const page = await log(given, { page: "2", pageSize: "1" });
    expect(page.map(({ Number: number }) => number)).toEqual([last.Number - 1]);
    const where = `Number==${last.Number - 2}`;
    expect(await log(given, { where })).toMatchObject([{ Summary: "created contact Ibis" }]);
  });

  test("the log of operations is part of the hash chain, and verification finds no error in it", async () => {
    const given = await world();
    await contact(given);
    expect(await faultsIn(given)).toEqual([]);
  });
});
