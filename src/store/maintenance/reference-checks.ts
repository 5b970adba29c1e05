/** Verification of references: whether the records that other records refer to exist. */
import { sql } from "kysely";
import type { Resource } from "../../resources/field.ts";
import { storedResources, type Table, tableOf, targetOf } from "../schema/tables.ts";
import { isTransferSide } from "./attachment-checks.ts";
import type { Findings } from "./findings.ts";

/** References beyond those of described fields: table, column, and the referenced table. */
const namedColumns: readonly (readonly [table: string, column: string, target: string])[] = [
  ["journal", "document_id", "source"],
  ["journal", "source_id", "maker"],
  ["posting", "account_id", "account"],
  ["posting", "tax_type", "tax_rate"],
  ["posting", "option1", "tracking_option"],
  ["posting", "option2", "tracking_option"],
  ["document_line", "account_id", "account"],
  ["document_line", "tax_type", "tax_rate"],
  ["document_line", "option1", "tracking_option"],
  ["document_line", "option2", "tracking_option"],
  ["allocation", "credit_id", "document"],
  ["allocation", "invoice_id", "document"],
  ["inventory_move", "document_id", "document"],
  ["inventory_move", "item_id", "item"],
  ["contact_group_member", "group_id", "contact_group"],
  ["contact_group_member", "contact_id", "contact"],
  ["branding_logo", "branding_theme_id", "branding_theme"],
  ["branding_theme_payment_service", "branding_theme_id", "branding_theme"],
  ["branding_theme_payment_service", "payment_service_id", "payment_service"],
  ["budget_balance", "budget_id", "budget"],
  ["budget_balance", "account_id", "account"],
  ["box_1099", "account_id", "account"],
  ["repeating_invoice_date", "repeating_invoice_id", "repeating_invoice"],
  ["repeating_invoice_date", "invoice_id", "document"],
  ["asset", "invoice_id", "document"],
  ["asset", "disposal_journal_id", "manual_journal"],
  ["depreciation", "asset_id", "asset"],
  ["depreciation", "manual_journal_id", "manual_journal"],
  ["linked_transaction", "source_transaction_id", "document"],
  ["online_document", "record_id", "document"],
  ["event", "webhook_id", "webhook"],
  ["delivery", "webhook_id", "webhook"],
];

/**
 * Tables of records that are sources of journals; journals of a conversion belong to the
 * organisation.
 */
const sources = ["document", "bank_transfer", "manual_journal", "organisation"];
const targetsOf: Readonly<Record<string, readonly string[]>> = {
  source: sources,
  maker: [...sources, "payment", "allocation"],
  // Who spends: a user, or an employee who does not sign in.
  user_account: ["user_account", "employee"],
};

/** Kinds of records that are deleted for good, but keep their history. */
const removedResources: ReadonlySet<string> = new Set([
  ...["Item", "LinkedTransaction", "BankStatementLine", "Budget", "Currency"],
]);

/** Finds references to records that do not exist. */
export async function checkReferences(findings: Findings): Promise<void> {
  let count = await checkHistories(findings);
  for (const resource of storedResources) count += await checkDescribed(findings, resource);
  for (const [table, column, target] of namedColumns) {
    count += 1;
    await countMissing(findings, { table, column, target });
  }
  findings.checks.push({ name: "kinds of references", count });
}

/** Checks the history of each kind of record, whose entries refer to records by kind and id. */
async function checkHistories(findings: Findings): Promise<number> {
  const { org } = findings.tx;
  const kinds = await findings.rows(
    sql<{ resource: string }>`select distinct resource from history where org = ${org}`,
  );
  for (const { resource } of kinds) {
    if (removedResources.has(resource)) continue;
    const targetTable = resource === "Report" ? "published_report" : targetOf(resource)?.name;
    if (targetTable === undefined) {
      findings.faults.push(`There is a history of ${resource}, which this book does not keep.`);
      continue;
    }
    await findings.each(
      sql<{ id: string }>`select distinct h.record_id as id from history as h
        left join ${sql.table(targetTable)} as r on r.org = h.org and r.id = h.record_id
        where h.org = ${org} and h.resource = ${resource} and r.id is null
        and not (h.resource = 'BankTransaction' and ${isTransferSide("h")})`,
      ({ id }) => `There is a history of the ${nounOf(resource)} ${id}, which does not exist.`,
    );
  }
  return kinds.length;
}

const nounOf = (resource: string): string => targetOf(resource)?.resource.noun ?? resource;

async function checkDescribed(findings: Findings, resource: Resource): Promise<number> {
  const table = tableOf(resource);
  if (table.types !== undefined) return 0;
  let count = 0;
  for (const { name, description } of table.columns) {
    if (description.kind !== "ref") continue;
    const targetTable: Table | undefined = targetOf(description.to);
    if (targetTable === undefined) continue;
    count += 1;
    await countMissing(findings, {
      table: table.name,
      kind: table.kind,
      column: name,
      target: targetTable.name,
    });
  }
  return count;
}

interface ColumnReference {
  readonly table: string;
  readonly kind?: string | undefined;
  readonly column: string;
  readonly target: string;
}

async function countMissing(
  findings: Findings,
  { table, kind, column, target }: ColumnReference,
): Promise<void> {
  const { org } = findings.tx;
  const isThere = (targetsOf[target] ?? [target]).map(
    (text) =>
      sql`not exists (select 1 from ${sql.table(text)} as o where o.org = ${org} and o.id = named)`,
  );
  const ofKind = kind === undefined ? sql`1 = 1` : sql`kind = ${kind}`;
  // Distinct references first: many records refer to a few others.
  await findings.each(
    sql<{ named: string }>`select named from (
        select distinct ${sql.ref(column)} as named from ${sql.table(table)}
        where org = ${org} and ${ofKind} and ${sql.ref(column)} <> ''
      ) as those where ${sql.join(isThere, sql` and `)}`,
    (row) =>
      `The ${column} of ${/^[aeiou]/.test(table) ? "an" : "a"} ${table.replaceAll("_", " ")} names ${row.named}, which does not exist.`,
  );
}
