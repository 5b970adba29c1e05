/**
 * Names of records of the chain for messages: the kind with the number or name that people know.
 */
import { sql } from "kysely";
import { amountText } from "../../resources/common.ts";
import type { Row, Value } from "../connection/connection.ts";
import { isExact } from "../schema/define.ts";
import { basisOf, type ChainedTable } from "../schema/index.ts";
import { targetOf } from "../schema/tables.ts";
import type { Tx } from "../tx/tx.ts";
import { type RecordKind, recordKindOf } from "./canonical.ts";
import { ownOf } from "./stored.ts";

type NameColumns = Readonly<Record<string, Value>>;

/** How records of a kind are named. */
interface NamingRule {
  /** The noun, with its article unless a name follows it. */
  readonly noun: string | ((row: NameColumns) => string);
  /** Computes the name or number of a record from its row, and the currency of the books. */
  readonly label?: (row: NameColumns, currency: string | undefined) => string | undefined;
  /** The parent record: the key column that refers to it, and the tables that may hold it. */
  readonly of?: { readonly column: string; readonly tables: readonly ChainedTable[] };
}

const column = (name: string) => (row: NameColumns) => textOf(row[name]);
/** A value as text on one line, for use in a sentence. */
const textOf = (value: Value | undefined) =>
  String(value ?? "")
    .replace(/\s+/g, " ")
    .trim() || undefined;
const labelDated = ({ amount, date }: NameColumns, currency?: string) =>
  `of ${amountText(Number(amount ?? 0), currency)} on ${date}`;
const nounOf = (resource: Value) => targetOf(String(resource))?.resource.noun ?? "document";
const journalName = ({ basis, number }: NameColumns) => `${number} (${basisOf[Number(basis)]})`;

const withLines = ["document", "manual_journal", "repeating_invoice"] as const;

const namings = {
  account: { noun: "account", label: column("name") },
  allocation: { noun: "allocation", label: labelDated },
  app: { noun: "app", label: column("name") },
  applied_plan: { noun: "applied plan" },
  asset: { noun: "asset", label: column("asset_number") },
  attachment: { noun: "file", label: column("name") },
  audit_entry: { noun: "entry of the audit log", label: ({ number }) => String(number) },
  bank_match: {
    noun: "a match of the",
    of: { column: "line_id", tables: ["bank_statement_line"] },
  },
  bank_rule: { noun: "bank rule", label: column("name") },
  bank_statement: {
    noun: "bank statement",
    label: ({ number, from_date, to_date }) =>
      textOf(number) ?? [from_date, to_date].filter(Boolean).join(" to "),
  },
  bank_statement_line: { noun: "bank statement line", label: labelDated },
  bank_transfer: { noun: "bank transfer", label: labelDated },
  batch_payment: {
    noun: "batch payment",
    label: ({ total_amount = null, date = null }, currency) =>
      labelDated({ amount: total_amount, date }, currency),
  },
  box_1099: { noun: "the 1099 box of the", of: { column: "account_id", tables: ["account"] } },
  branding_logo: {
    noun: "the logo of the",
    of: { column: "branding_theme_id", tables: ["branding_theme"] },
  },
  branding_theme: { noun: "branding theme", label: column("name") },
  branding_theme_payment_service: {
    noun: "a payment service of the",
    of: { column: "branding_theme_id", tables: ["branding_theme"] },
  },
  budget: { noun: "budget", label: column("description") },
  budget_balance: {
    noun: ({ month }) => `the budget of ${month} for the`,
    of: { column: "account_id", tables: ["account"] },
  },
  connection: { noun: "connection of an app" },
  consent: { noun: "consent to an app" },
  contact: { noun: "contact", label: column("name") },
  contact_group: { noun: "contact group", label: column("name") },
  contact_group_member: {
    noun: "a group of the",
    of: { column: "contact_id", tables: ["contact"] },
  },
  currency: { noun: "currency" },
  depreciation: { noun: "depreciation of the", of: { column: "asset_id", tables: ["asset"] } },
  directory_key: { noun: "key of the server", label: column("use") },
  document: { noun: ({ kind }) => nounOf(kind ?? null), label: column("number") },
  document_line: { noun: "the lines of the", of: { column: "document_id", tables: withLines } },
  employee: {
    noun: "employee",
    label: ({ first_name, last_name }) => `${first_name} ${last_name}`,
  },
  exchange_rate: {
    noun: "exchange rate",
    label: ({ currency, date }) => `of ${currency} on ${date}`,
  },
  history: {
    noun: "an entry in the history of the",
    of: {
      column: "record_id",
      tables: [
        ...withLines,
        "contact",
        "payment",
        "account",
        "item",
        "bank_transfer",
        "batch_payment",
        "organisation",
        "asset",
      ],
    },
  },
  inventory_move: {
    noun: "move of stock",
    label: ({ quantity }) => `of ${Number(quantity) / 1e4}`,
  },
  item: { noun: "item", label: column("code") },
  journal: { noun: "journal", label: journalName },
  kept_plan: { noun: "plan", label: ({ number }) => String(number) },
  linked_transaction: { noun: "billable expense" },
  membership: { noun: "the membership of the", of: { column: "person_id", tables: ["person"] } },
  manual_journal: {
    noun: "manual journal",
    label: ({ narration, date }) => `${narration} of ${date}`,
  },
  online_document: {
    noun: "the online page of the",
    of: { column: "record_id", tables: ["document"] },
  },
  operation: { noun: "operation", label: column("number") },
  opening_balance: { noun: "the opening balances", label: column("date") },
  organisation: { noun: "the settings of the organisation", label: column("name") },
  payment: { noun: "payment", label: labelDated },
  payment_service: { noun: "payment service", label: column("payment_service_name") },
  person: { noun: "person", label: column("email") },
  plan_approval: { noun: "approval of a plan by", label: column("user") },
  policy: { noun: "policy of", label: column("name") },
  posting: { noun: "the postings of journal", label: journalName },
  published_report: {
    noun: "published report",
    label: ({ name, dates }) => `${name}, ${dates}`,
  },
  repeating_invoice: { noun: "repeating invoice", label: column("reference") },
  repeating_invoice_date: {
    noun: ({ date }) => `the date ${date} of the`,
    of: { column: "repeating_invoice_id", tables: ["repeating_invoice"] },
  },
  secret: { noun: "secret", label: column("name") },
  sequence: { noun: "counter", label: column("name") },
  tax_rate: { noun: "tax rate", label: column("name") },
  tracking_category: { noun: "tracking category", label: column("name") },
  tracking_option: { noun: "tracking option", label: column("name") },
  user_account: { noun: "user", label: column("email_address") },
  webhook: { noun: "webhook", label: column("name") },
} as const satisfies Readonly<Record<ChainedTable, NamingRule>>;

/** The name of a record for the beginning of a sentence: `Invoice INV-0042 (0197…)`. */
export async function nameOf(tx: Tx, kind: RecordKind, key: Row): Promise<string> {
  const name = (await nameWith(tx, kind.table, kind.key, key)).replace(/\s+/g, " ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

async function nameWith(
  tx: Tx,
  table: ChainedTable,
  columns: readonly string[],
  key: Row,
): Promise<string> {
  const { noun, label, of }: NamingRule = namings[table];
  const ofKey: NameColumns = Object.fromEntries(columns.map((name, at) => [name, key[at] ?? null]));
  const row = await rowOf(tx, table, ofKey);
  const kind = typeof noun === "string" ? noun : noun(row ?? ofKey);
  if (of !== undefined) {
    const owner = await ownerOf(tx, of.tables, ofKey[of.column]);
    return `${kind} ${owner.replace(/^the /, "")}`;
  }
  const id = key.length === 1 ? String(key[0]) : undefined;
  const name = textOf(label?.(row ?? ofKey, label.length > 1 ? await baseCurrency(tx) : undefined));
  if (row === undefined) return `${kind} ${id ?? name ?? key.join(", ")}`;
  if (name === undefined || name === id) return id === undefined ? kind : `${kind} ${id}`;
  return `${kind} ${name}${id === undefined ? "" : ` (${id})`}`;
}

async function ownerOf(
  tx: Tx,
  tables: readonly ChainedTable[],
  id: Value | undefined,
): Promise<string> {
  for (const table of tables) {
    if ((await rowOf(tx, table, { id: id ?? null })) === undefined) continue;
    return nameWith(tx, table, ["id"], [id ?? null]);
  }
  return `record ${id}`;
}

async function baseCurrency(tx: Tx): Promise<string | undefined> {
  const { rows } = await sql<{ code: string | null }>`
    select base_currency as code from organisation where org = ${tx.org}`.execute(tx.db);
  return rows[0]?.code ?? undefined;
}

/** The first row of a record; undefined when it has no rows. */
async function rowOf(tx: Tx, table: string, key: NameColumns): Promise<NameColumns | undefined> {
  const conditions = Object.entries(key).map(([name, value]) => sql`${sql.id(name)} = ${value}`);
  const kind = recordKindOf(table);
  const columns = kind?.columns.filter((name) => !isExact(table, name)) ?? [];
  const { rows } = await sql<NameColumns>`select ${sql.join(columns.map((name) => sql.id(name)))}
    from ${sql.id(table)}
    where ${sql.join([ownOf(tx, kind ?? { isOfServer: false }), ...conditions], sql` and `)} limit 1`.execute(
    tx.db,
  );
  return rows[0];
}

/** The last entry of the history of a removed record; undefined when it has none. */
export async function lastHistory(tx: Tx, key: Row): Promise<string | undefined> {
  const { rows } = await sql<{ details: string }>`select details from history
    where org = ${tx.org} and record_id = ${String(key[0])} order by id desc limit 1`.execute(
    tx.db,
  );
  return textOf(rows[0]?.details);
}
