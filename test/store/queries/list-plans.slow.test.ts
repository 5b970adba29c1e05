/**
 * Every list that can be asked of the API, and how SQLite would go about it in a large book.
 *
 * Each resource is asked in every way: plain and paged, since a moment, by every parameter, every
 * field that where and order may name. What the document calls optimised goes by an index of that
 * field; of the rest, those that read a large table from end to end are listed in a golden file, so
 * that none joins them unseen.
 */

import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fields, fieldAt, type Resource } from "../../../src/resources/field.ts";
import { resourceAt, resources } from "../../../src/resources/index.ts";
import { allRoutes } from "../../../src/service/api/routing.ts";
import { createService, type Service } from "../../../src/service/api/service.ts";
import { planKeyInMemory } from "../../../src/service/plans/plan-key.ts";
import { filterFields } from "../../../src/store/mapping/records.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import type { FilterField } from "../../../src/wire/query/tree.ts";
import { type Faults, faultyDialect } from "../../simulation/store-faults.ts";
import { serverOf } from "../../support/audit.ts";
import { enter } from "../books.ts";
import { guid, newId } from "../samples.ts";
import { storeIn, worlds } from "../worlds.ts";

/** Tables that grow with what an organisation does; reading one from end to end takes seconds. */
const large = new Set([
  "document",
  "document_line",
  "payment",
  "journal",
  "posting",
  "history",
  "allocation",
  "inventory_move",
  "contact",
  "attachment",
]);

let store: Store;
let service: Service;
const faults: Faults = { left: -1, error: () => new Error() };
const [sqlite] = worlds;
const world = sqlite?.();

beforeAll(async () => {
  if (world === undefined) throw new Error("There is no SQLite to ask.");
  const database = await world.empty();
  await (await storeIn(database)).close();
  store = await openStore(faultyDialect(database.dialect(), faults));
  await store.write(1, (tx) => enter(tx, newId));
  service = createService({
    store,
    clock: () => 0,
    newId: () => guid(7),
    responseId: () => guid(7),
    mailer: async () => undefined,
    baseUrl: "http://x",
    publicUrl: "http://x",
    planKey: planKeyInMemory(),
    server: serverOf(store),
    authenticate: () => ({
      org: 1,
      app: "a",
      appName: "a",
      user: "u",
      email: "e",
      reports: true,
      role: "STANDARD",
      scopes: "all",
    }),
  });
});
afterAll(async () => {
  await store.close();
  await world?.close();
});

type Query = Readonly<Record<string, string>>;

/**
 * The statements that a request reads with, each with the table called `t` in it. With the first
 * page the second is asked for too: no record is on it, so that the list is counted.
 */
async function statementsOf(path: string, query: Query, since?: string) {
  const seen: { text: string; parameters: readonly unknown[] }[] = [];
  faults.seen = (text, parameters) => {
    if (/^\s*(select|with)\b/.test(text)) seen.push({ text, parameters });
  };
  const headers: Record<string, string> = { accept: "application/json" };
  if (since !== undefined) headers["if-modified-since"] = since;
  for (const own of query.page === "1" ? [query, { ...query, page: "2" }] : [query]) {
    const request = { method: "GET", path, query: Object.entries(own), headers };
    const { status, body } = await service.transport(request);
    expect(status, `${path} ${JSON.stringify(own)}: ${String(body).slice(0, 300)}`).toBe(200);
  }
  delete faults.seen;
  return seen;
}

async function planOf({ text, parameters }: { text: string; parameters: readonly unknown[] }) {
  const marks = text.split("?");
  const explained = parameters.reduce<ReturnType<typeof sql>>(
    (before, value, i) => sql`${before}${sql.lit(value)}${sql.raw(marks[i + 1] ?? "")}`,
    sql.raw(`explain query plan ${marks[0]}`),
  );
  const { rows } = await store.read(1, ({ db }) => explained.execute(db));
  return rows.map((row) => String(Object.values(row as object).at(-1)));
}

/** The tables by the names that a statement gives them. */
function tablesIn(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, table = "", alias] of text.matchAll(
    /(?:from|join)\s+"?(\w+)"?(?:\s+as\s+"?([\w.]+)"?)?/gi,
  )) {
    found.set(alias ?? table, table);
  }
  return found;
}

/** Large tables that a request reads from end to end, its statements taken together. */
async function scannedBy(path: string, query: Query, since?: string): Promise<string[]> {
  const scanned = new Set<string>();
  for (const statement of await statementsOf(path, query, since)) {
    const tables = tablesIn(statement.text);
    for (const step of await planOf(statement)) {
      const alias = /^SCAN (\S+)/.exec(step)?.[1];
      const table = alias === undefined ? undefined : tables.get(alias);
      if (table !== undefined && large.has(table)) scanned.add(table);
    }
  }
  return [...scanned];
}

const values: Readonly<Record<string, string>> = {
  id: `Guid("${guid(1)}")`,
  text: '"x"',
  boolean: "true",
  date: "DateTime(2026,1,1)",
  timestamp: "DateTime(2026,1,1)",
};

function literalOf({ kind, choices }: FilterField): string {
  const [choice] = choices ?? [];
  return choice === undefined ? (values[kind] ?? "1") : `"${choice}"`;
}

/** Every field that where and order may name, through at most two references. */
function fieldsOf(resource: Resource): FilterField[] {
  const find = filterFields(resource);
  const walk = (fields: Fields, before: readonly string[]): FilterField[] =>
    Object.entries(fields).flatMap(([name, field]) => {
      const path = [...before, name];
      if (field.kind === "ref" || field.kind === "one") {
        return path.length > 2 ? [] : walk(field.fields, path);
      }
      return find(path) ?? [];
    });
  return walk(resource.fields, []);
}

const listed = resources.filter(({ plural }) =>
  allRoutes().some(({ method, path }) => method === "GET" && path === `/${plural}`),
);

/** Every way of asking for a list that a description knows. */
function waysOf(resource: Resource): [name: string, query: Query, since?: string][] {
  const { paged, parameters = [], search, modifiedSince } = resource;
  const pages: Query[] = paged === undefined ? [{}] : [{}, { page: "1" }, { page: "3" }];
  const first: Query = paged === undefined ? {} : { page: "1" };
  const ways: [string, Query, string?][] = pages.map((page) => [JSON.stringify(page), page]);
  if (modifiedSince) ways.push(["since a moment", first, "2026-01-01T00:00:00"]);
  if (search) ways.push(["searchTerm", { ...first, searchTerm: "x" }]);
  for (const { name, field, test = "in" } of parameters) {
    const known = fieldAt(resource.fields, field.split("."))?.field;
    const one = known?.kind === "choice" ? (known.values[0] ?? "") : guid(1);
    ways.push([name, { ...first, [name]: test === "in" ? one : "2026-01-01" }]);
  }
  ways.push(["createdByMyApp", { ...first, createdByMyApp: "true" }]);
  if (resource.where !== true && resource.order !== true) return ways;
  for (const field of fieldsOf(resource)) {
    if (resource.where) {
      const where = `${field.path}==${literalOf(field)}`;
      ways.push([`where ${field.path}`, { ...first, where }]);
    }
    if (resource.order) {
      ways.push([`order ${field.path}`, { ...first, order: `${field.path} DESC` }]);
    }
  }
  return ways;
}

describe("queries of every list", () => {
  test("list queries scan no large table, except for filters that no index supports", async () => {
    const lines: string[] = [];
    let asked = 0;
    for (const resource of listed) {
      for (const [name, query, since] of waysOf(resource)) {
        asked += 1;
        const tables = await scannedBy(`/${resource.plural}`, query, since);
        if (tables.length === 0) continue;
        // An order, a page, a moment or a parameter of ids, numbers and days never does.
        expect(name, resource.plural).toMatch(/^(where .*|searchTerm|createdByMyApp)$/);
        lines.push(`${resource.plural} ${name}: ${tables.join(", ")}`);
      }
    }
    expect(asked).toBeGreaterThan(listed.length * 5);
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("../../golden/scans.txt");
  });
});

/** The index by which the document's optimised conditions and orders go, paged, with its count. */
const optimised: readonly [plural: string, query: Query, index: string][] = [
  ["Invoices", { where: 'Status=="DRAFT"' }, "document_by_status (org=? AND kind=? AND status=?"],
  ["Invoices", { where: `InvoiceID==Guid("${guid(1)}")` }, "document_1 (org=? AND id=?"],
  ["Invoices", { where: 'InvoiceNumber=="x"' }, "document_by_number (org=? AND number_key=?"],
  [
    "Invoices",
    { where: "Date==DateTime(2026,1,1)" },
    "document_by_date (org=? AND kind=? AND date=?",
  ],
  [
    "Invoices",
    { where: "Date>=DateTime(2026,1,1)" },
    "document_by_date (org=? AND kind=? AND date>?",
  ],
  ["Invoices", { where: 'Reference=="x"' }, "document_by_reference (org=? AND reference_key=?"],
  [
    "Invoices",
    { where: `Contact.ContactID==Guid("${guid(1)}")` },
    "document_by_contact (org=? AND contact_id=?",
  ],
  ["Invoices", { where: 'Contact.Name=="x"' }, "contact_by_name (org=? AND name_key=?"],
  [
    "Invoices",
    { where: 'Contact.ContactNumber=="x"' },
    "contact_number (org=? AND contact_number_key=?",
  ],
  // Half of all invoices are of one type: what is counted is counted in an index.
  ["Invoices", { where: 'Type=="ACCREC"' }, "COVERING INDEX document_by_status (org=? AND kind=?"],
  ["Payments", { where: 'PaymentType=="ACCRECPAYMENT"' }, "COVERING INDEX payment_by_status"],
  [
    "Payments",
    { where: 'Status=="AUTHORISED"' },
    "COVERING INDEX payment_by_status (org=? AND status=?",
  ],
  ["Payments", { where: "Date>DateTime(2026,1,1,10,0,0)" }, "payment_by_date (org=? AND date>?"],
  [
    "Payments",
    { where: `Invoice.InvoiceID==Guid("${guid(1)}")` },
    "payment_by_invoice (org=? AND invoice_id=?",
  ],
  ["Payments", { where: 'Reference=="x"' }, "payment_by_reference (org=? AND reference_key=?"],
  [
    "Payments",
    { where: 'Status=="AUTHORISED" AND PaymentType=="ACCRECPAYMENT"' },
    "payment_by_status (org=? AND status=? AND payment_type=?",
  ],
  [
    "Payments",
    { where: `PaymentID==Guid("${guid(1)}") OR PaymentID==Guid("${guid(2)}")` },
    "payment_1 (org=? AND id=?",
  ],
  ["Payments", { order: "UpdatedDateUTC DESC" }, "payment_by_update (org=?"],
  ["Payments", { order: "Date" }, "payment_by_date (org=?"],
  ["Payments", { order: "PaymentId" }, "payment_1 (org=?"],
];

describe("query plans of the filters documented as optimised", () => {
  test.each(optimised)(
    "the list of %s filtered by %o uses the index %s",
    async (plural, query, index) => {
      const paged = { page: "1", ...query };
      const steps: string[] = [];
      for (const statement of await statementsOf(`/${plural}`, paged)) {
        steps.push(...(await planOf(statement)));
      }
      expect(steps.join("\n")).toContain(index);
      expect(await scannedBy(`/${plural}`, paged)).toEqual([]);
      expect(resourceAt(plural)?.paged).toBe("asked");
    },
  );
});
