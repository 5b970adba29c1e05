/** Currencies and their rates, contact groups, branding themes, payment services, budgets, people. */
import { sql } from "kysely";
import {
  createIndex,
  createTable,
  type IndexDefinition,
  type Migration,
  type TableDefinition,
} from "./tools.ts";

const tables: readonly TableDefinition[] = [
  {
    name: "currency",
    key: ["org", "id"],
    rows: [10, 10, 1],
    columns: { id: "text", description: "text?" }, // the code
  },
  {
    name: "exchange_rate",
    key: ["org", "currency", "date"],
    clustered: true,
    rows: [20_000, 20_000, 2000, 1],
    columns: { currency: "text", date: "text", rate: "integer" },
  },
  {
    name: "contact_group",
    key: ["org", "id"],
    rows: [20, 20, 1],
    columns: { id: "text", name: "text", status: "text", name_key: "text" },
  },
  {
    name: "contact_group_member",
    key: ["org", "group_id", "contact_id"],
    clustered: true,
    rows: [5000, 5000, 250, 1],
    columns: { group_id: "text", contact_id: "text" },
  },
  {
    name: "branding_theme",
    key: ["org", "id"],
    rows: [3, 3, 1],
    columns: {
      id: "text",
      name: "text",
      logo_url: "text?",
      type: "text",
      sort_order: "integer",
      created_date_utc: "integer",
    },
  },
  {
    name: "payment_service",
    key: ["org", "id"],
    rows: [3, 3, 1],
    columns: {
      id: "text",
      payment_service_name: "text",
      payment_service_url: "text",
      pay_now_text: "text",
      payment_service_type: "text",
      payment_service_name_key: "text",
    },
  },
  {
    name: "branding_theme_payment_service",
    key: ["org", "branding_theme_id", "payment_service_id"],
    clustered: true,
    rows: [3, 3, 1, 1],
    columns: { branding_theme_id: "text", payment_service_id: "text" },
  },
  {
    name: "budget",
    key: ["org", "id"],
    rows: [5, 5, 1],
    columns: {
      id: "text",
      type: "text",
      description: "text?",
      updated_date_utc: "integer",
      tracking: "text?",
    },
  },
  {
    name: "budget_balance",
    key: ["org", "budget_id", "month", "account_id"],
    clustered: true,
    rows: [5000, 5000, 1000, 50, 1],
    columns: {
      budget_id: "text",
      month: "text",
      account_id: "text",
      amount: "integer",
      notes: "text?",
    },
  },
  {
    name: "user_account",
    key: ["org", "id"],
    rows: [10, 10, 1],
    columns: {
      id: "text",
      email_address: "text",
      first_name: "text?",
      last_name: "text?",
      updated_date_utc: "integer",
      is_subscriber: "integer",
      organisation_role: "text",
      email_address_key: "text",
    },
  },
];

const indexes: readonly IndexDefinition[] = [
  {
    name: "contact_group_name",
    on: "contact_group",
    columns: ["org", "name_key"],
    unique: true,
    where: "status = 'ACTIVE'",
    rows: [20, 20, 1],
  },
  // The groups of a page of contacts.
  {
    name: "contact_group_member_by_contact",
    on: "contact_group_member",
    columns: ["org", "contact_id"],
    rows: [5000, 5000, 2],
  },
  {
    name: "payment_service_name",
    on: "payment_service",
    columns: ["org", "payment_service_name_key"],
    unique: true,
    rows: [3, 3, 1],
  },
  {
    name: "user_account_email",
    on: "user_account",
    columns: ["org", "email_address_key"],
    unique: true,
    where: "organisation_role <> 'REMOVED'",
    rows: [10, 10, 1],
  },
  // One overall budget, which reports go by.
  {
    name: "budget_overall",
    on: "budget",
    columns: ["org"],
    unique: true,
    where: "type = 'OVERALL'",
    rows: [1, 1],
  },
];

const columns = [
  ["contact", "branding_theme_id", "text"],
  ["contact", "batch_payments", "text"],
  ["contact", "xero_network_key", "text"],
  ["contact", "merged_to_contact_id", "text"],
  ["contact", "cis_enabled", "integer"],
  ["contact", "cis_rate", "integer"],
  ["organisation", "cis_contractor_enabled", "integer"],
  ["organisation", "cis_sub_contractor_enabled", "integer"],
  ["organisation", "cis_rate", "integer"],
] as const;

export const masters: Migration = async (db, dialect) => {
  for (const table of tables) await createTable(db, dialect, table);
  for (const index of indexes) await createIndex(db, dialect, index);
  for (const [table, name, type] of columns) {
    const kind = sql.raw(dialect.columnTypes[type]);
    await sql`alter table ${sql.ref(table)} add column ${sql.ref(name)} ${kind}`.execute(db);
  }
  // What every book starts with, for the books that are there: ids that are as good as chance.
  const { rows } = await sql<{ org: number; currency: string; made: number }>`
    select org, base_currency as currency, created_date_utc as made from organisation
    where base_currency is not null`.execute(db);
  for (const { org, currency, made } of rows) {
    await sql`insert into currency (org, id, description) values (${org}, ${currency}, ${nameOf(currency)})`.execute(
      db,
    );
    await sql`insert into branding_theme (org, id, name, type, sort_order, created_date_utc)
      values (${org}, ${newId()}, 'Standard', 'INVOICE', 0, ${made ?? 0})`.execute(db);
    await sql`insert into user_account (org, id, email_address, first_name, updated_date_utc,
        is_subscriber, organisation_role, email_address_key)
      values (${org}, ${newId()}, 'bookkeeper@localhost', 'Bookkeeper', ${made ?? 0}, 1,
        'FINANCIALADVISER', 'bookkeeper@localhost')`.execute(db);
  }
};

const newId = () => process.getBuiltinModule("node:crypto").randomUUID();

function nameOf(code: string): string {
  return new Intl.DisplayNames("en", { type: "currency" }).of(code) ?? code;
}
