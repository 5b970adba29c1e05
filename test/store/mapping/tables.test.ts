import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { invoice, item, organisation, payment, taxRate } from "../../../src/resources/index.ts";
import { directoryTables } from "../../../src/store/schema/definitions/directory-tables.ts";
import {
  columnNames,
  filterFields,
  snakeCase,
  storedResources,
  tableOf,
} from "../../../src/store/schema/tables.ts";
import { tablesIn } from "../books.ts";
import { storeIn, worlds } from "../worlds.ts";

test.each([
  ["DueDate", "due_date"],
  ["UpdatedDateUTC", "updated_date_utc"],
  ["APIKey", "api_key"],
  ["CISDeduction", "cis_deduction"],
  ["IsTrackedAsInventory", "is_tracked_as_inventory"],
])("the field %s is stored in the column %s", (field, column) =>
  expect(snakeCase(field)).toBe(column),
);

const directoryNames = Object.keys(directoryTables);

describe("fields of where and order", () => {
  test("fields for where and order are found in any letter case, and named as in the schema", () => {
    expect(filterFields(invoice)(["contact", "NAME"])).toEqual({
      path: "Contact.Name",
      kind: "text",
    });
    expect(filterFields(invoice)(["total"])).toEqual({ path: "Total", kind: "decimal", scale: 2 });
    expect(filterFields(invoice)(["Status"])).toMatchObject({ kind: "choice" });
    expect(filterFields(payment)(["Invoice", "Contact", "Name"])).toMatchObject({
      path: "Invoice.Contact.Name",
    });
    expect(filterFields(taxRate)(["EffectiveRate"])).toMatchObject({ scale: 4 });
  });

  test.each([
    [invoice, "LineItems"],
    [invoice, "Contact"],
    [invoice, "IsDiscounted"],
    [invoice, "BaseDue"],
    [invoice, "Contact.Balances.AccountsReceivable.Outstanding"],
    [payment, "Prepayment.InvoiceNumber"],
    [item, "SalesDetails.UnitPrice"],
    [item, "Nothing"],
  ])(
    "fields stored without a single value cannot be used in where and order: %#",
    (resource, path) => expect(filterFields(resource)(path.split("."))).toBeUndefined(),
  );
});

describe.each(worlds.map((make) => make()))("$name", (world) => {
  afterAll(() => world.close());

  test("every table has exactly the columns of its record kind", async () => {
    const store = await storeIn(await world.empty());
    const actual = await store.read(1, ({ db }) => tablesIn(db));
    await store.close();
    const columnsOf = (name: string) =>
      actual.find((table) => table.name === name)?.columns.map((column) => column.name);
    const wanted = new Map<string, Set<string>>();
    for (const resource of storedResources) {
      const table = tableOf(resource);
      const columns = wanted.get(table.name) ?? new Set(["org"]);
      if (table.kind !== undefined) columns.add("kind");
      if (resource === organisation) columns.add("chart_version").add("contact_version");
      for (const column of columnNames(table)) columns.add(column);
      wanted.set(table.name, columns);
    }
    for (const [table, columns] of wanted) {
      expect(columnsOf(table)?.sort(), table).toEqual([...columns].sort());
    }
  });

  test("every primary key and index begins with the column of the organisation", async () => {
    const store = await storeIn(await world.empty());
    const texts = await store.read(1, async ({ db }) => {
      const { rows } =
        world.name === "SQLite"
          ? await sql<{ text: string }>`select sql as text from sqlite_schema
              where type in ('table', 'index') and sql is not null and name not like 'sqlite_%'`.execute(
              db,
            )
          : await sql<{ text: string }>`select indexdef as text from pg_indexes
              where schemaname = 'public'`.execute(db);
      return rows.map((row) => row.text);
    });
    await store.close();
    expect(texts.length).toBeGreaterThan(30);
    // The directory belongs to the server; its tables name organisations by their GUIDs.
    const beside = new RegExp(
      `^CREATE (TABLE|.* ON) ("|public\\.)?(${directoryNames.join("|")})\\b`,
      "i",
    );
    const theirs = texts.filter((text) => !beside.test(text));
    expect(texts.length - theirs.length).toBeGreaterThanOrEqual(directoryNames.length);
    for (const text of theirs) expect(text).toMatch(/(primary key|on [^(]*) ?\("?org"?[,)]/i);
  });
});
