/** Exported records, imported into another book, are the same records. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { open } from "../../../src/cli/connection/open.ts";
import { run } from "../../../src/cli/main.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { openAbroad, opened, simulate } from "../../service/business.ts";
import {
  contact,
  faultsIn,
  invoiced,
  type Json,
  type World,
  world,
} from "../../service/fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "acct-export-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

async function acct({ book, now }: World, ...words: string[]) {
  const stdout = memorySink();
  const stderr = memorySink();
  const code = await run(["--book", book.path, ...words], {
    env: { HOME: folder },
    stdout,
    stderr,
    clock: () => now,
    open,
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** Every record of a kind, page by page. */
async function all(given: World, plural: string, query: Record<string, string> = {}) {
  const found: Json[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await given.ok("GET", `/${plural}`, undefined, {
      query: {
        ...query,
        page: String(page),
        pageSize: "1000",
        unitdp: "4",
        includeArchived: "true",
      },
    });
    found.push(...answer[plural]);
    if ((answer.pagination?.pageCount ?? 1) <= page) return found;
  }
}

/**
 * What a record says, without what only its own book knows of it: ids, moments, and the day on which
 * it was fully paid, which goes by the order in which payments were made and not by their dates.
 */
function said(value: Json): Json {
  if (Array.isArray(value)) return value.map(said);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !/(ID|UTC|UTCString)$|^FullyPaid/.test(name) && name !== "Payments")
      .map(([name, held]) => [name, said(held)]),
  );
}

const sorted = (records: readonly Json[]) =>
  records.map((each) => JSON.stringify(said(each))).sort();
const isLive = ({ Status, Total = 0 }: Json) =>
  Status !== "VOIDED" && Status !== "DELETED" && Total >= 0;

async function carried(from: World, to: World, noun: string, flags: string[] = []): Promise<void> {
  const file = join(folder, `${noun}.csv`);
  const exported = await acct(from, "export", noun, "--output-file", file);
  expect([exported.code, exported.stderr]).toEqual([0, expect.stringContaining("Wrote ")]);
  const imported = await acct(to, "import", noun, file, "--yes", ...flags);
  expect([imported.code, imported.stderr]).toEqual([0, expect.any(String)]);
}

test("exported contacts, items, bills, invoices and payments are imported unchanged", {
  timeout: 600_000,
}, async () => {
  const given = await world();
  const business = await opened(given);
  await contact(given, {
    Name: '=Kiln, "Bits" & Bob\'s',
    ContactNumber: "007",
    FirstName: "-Ada",
    EmailAddress: "ada@kiln.example",
    BankAccountDetails: "01-0123-0123456-00",
    Addresses: [
      { AddressType: "POBOX", AddressLine1: "Box 1", City: "Ōtaki", PostalCode: "0123" },
      { AddressType: "STREET", AddressLine1: "1 High St\nFloor 2" },
    ],
    Phones: [{ PhoneType: "MOBILE", PhoneNumber: "021 1234" }],
    ContactPersons: [{ FirstName: "Bo", EmailAddress: "bo@kiln.example", IncludeInEmails: true }],
    PaymentTerms: { Sales: { Day: 20, Type: "OFFOLLOWINGMONTH" } },
    SalesTrackingCategories: [{ TrackingCategoryName: "Region", TrackingOptionName: "North" }],
  });
  await given.ok(
    "PUT",
    "/Items",
    {
      Code: "+PLUS",
      Name: "Item, with a comma",
      SalesDetails: { UnitPrice: 1.2345, AccountCode: "200", TaxType: "OUTPUT2" },
      IsPurchased: false,
    },
    { query: { unitdp: "4" } },
  );
  await invoiced(given, {
    InvoiceNumber: "MANY-1",
    LineItems: [
      { Description: "Words alone" },
      {
        Description: "Fine",
        Quantity: 1.5,
        UnitAmount: 1.2345,
        AccountCode: "200",
        DiscountRate: 5,
      },
      {
        Description: "Tax of its own",
        Quantity: 1,
        UnitAmount: 10,
        AccountCode: "200",
        TaxAmount: 1.4,
      },
    ],
  });
  given.now = Date.parse("2026-03-01");
  await simulate(business, {
    from: "2026-03-01",
    to: "2026-06-30",
    count: 240,
    seed: 11,
    // There is no import of credit notes, batches, manual journals and what moves in the bank.
    without: [
      "pay several at once",
      "give credit",
      "journalise",
      "change a manual journal",
      "receive or spend",
      "transfer",
    ],
  });

  const other = await world();
  for (const category of (await given.ok("GET", "/TrackingCategories")).TrackingCategories) {
    await other.ok("PUT", "/TrackingCategories", { Name: category.Name });
    for (const { Name } of category.Options) {
      await other.ok("PUT", `/TrackingCategories/${category.Name}/Options`, { Name });
    }
  }
  await openAbroad(other);
  other.now = given.now;
  for (const noun of ["contacts", "items", "bills", "invoices", "payments"]) {
    await carried(given, other, noun, /bills|invoices/.test(noun) ? ["--allow-zero"] : []);
  }

  expect(await faultsIn(other)).toEqual([]);
  expect(sorted(await all(other, "Contacts"))).toEqual(sorted(await all(given, "Contacts")));
  expect(sorted((await all(other, "Items")).map(known))).toEqual(
    sorted((await all(given, "Items")).map(known)),
  );
  for (const where of ['Type=="ACCPAY"', 'Type=="ACCREC"']) {
    const before = (await all(given, "Invoices", { where })).filter(isLive);
    expect(before.length).toBeGreaterThan(20);
    expect(sorted(await all(other, "Invoices", { where }))).toEqual(sorted(before));
  }
  const payments = (await all(given, "Payments")).filter(isLive);
  expect(payments.length).toBeGreaterThan(10);
  expect(sorted(await all(other, "Payments"))).toEqual(sorted(payments));
});

/** What an item cost depends on the order in which it was bought and sold. */
function known({ TotalCostPool, ...item }: Json): Json {
  return item;
}

test("records that cannot be imported are left out of a CSV export with a note, and kept in JSON", async () => {
  const given = await world();
  await invoiced(given, { Status: "AUTHORISED" });
  const gone = await invoiced(given, { Status: "AUTHORISED" });
  await given.ok("POST", `/Invoices/${gone.InvoiceID}`, { Status: "VOIDED" });
  const csv = await acct(
    given,
    "export",
    "invoices",
    "--columns",
    "InvoiceNumber,LineItems.TaxType",
  );
  expect([csv.code, csv.stdout]).toEqual([
    0,
    "InvoiceNumber,LineItems.TaxType\nINV-0001,OUTPUT2\n",
  ]);
  expect(csv.stderr).toContain("1 invoice left out");
  const json = await acct(given, "export", "invoices", "-o", "json");
  expect(JSON.parse(json.stdout).map((each: Json) => [each.Status, each.LineItems.length])).toEqual(
    [
      ["AUTHORISED", 1],
      ["VOIDED", 1],
    ],
  );
  const lines = await acct(given, "export", "invoices", "-o", "ndjson");
  const each = lines.stdout.split("\n").slice(0, -1);
  expect(each.map((line) => JSON.parse(line) as Json)).toEqual(JSON.parse(json.stdout));
  const bad = await acct(given, "export", "invoices", "--columns", "InvoiceNumbr");
  expect([bad.code, bad.stderr]).toEqual([
    2,
    expect.stringContaining("Did you mean InvoiceNumber?"),
  ]);
});

test("the chart, tax rates and tracking are exported with all fields", async () => {
  const given = await world();
  await given.ok("PUT", "/TrackingCategories", { Name: "Region" });
  await given.ok("PUT", "/TrackingCategories/Region/Options", { Name: "North" });
  const accounts = await acct(given, "export", "accounts", "--columns", "Code,Name,Type");
  expect(accounts.stdout).toContain("\n200,Sales,REVENUE\n");
  const rates = await acct(given, "export", "tax-rates", "--columns", "TaxType,TaxComponents");
  expect(rates.stdout).toMatch(/^OUTPUT2,"\[\{""Name"":""GST"",""Rate"":15/m);
  const tracking = await acct(given, "export", "tracking");
  expect(tracking.stdout).toContain("North");
});

test("a failed export leaves an existing output file unchanged", async () => {
  const given = await world();
  await invoiced(given, { Status: "AUTHORISED" });
  const file = join(folder, "whole.csv");
  expect((await acct(given, "export", "contacts", "--output-file", file)).code).toBe(0);
  const before = readFileSync(file, "utf8");
  const refused = await acct(given, "export", "contacts", "--columns", "x", "--output-file", file);
  expect(refused.code).toBe(2);
  expect(readFileSync(file, "utf8")).toBe(before);
  for (const path of [folder, join(folder, "none", "x.csv")]) {
    const { code, stderr } = await acct(given, "export", "items", "--output-file", path);
    expect([code, stderr]).toEqual([2, expect.stringContaining(path)]);
  }
  expect(readdirSync(folder).filter((name) => /\.\d+$/.test(name))).toEqual([]);
});
