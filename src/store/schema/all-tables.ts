/** The tables of the latest state. */
import { auditTables } from "./audit.ts";
import { bankTables } from "./bank.ts";
import { chainTables } from "./chain.ts";
import { chartTables } from "./chart.ts";
import { contactTables } from "./contacts.ts";
import type { AnyTableDefinition, TableDefinition } from "./define.ts";
import { directoryTables } from "./directory.ts";
import { documentTables } from "./documents.ts";
import { ledgerTables } from "./ledger.ts";
import { operationTables } from "./operations.ts";
import { organisationTables } from "./organisation.ts";
import { paymentTables } from "./payments.ts";
import { webhookTables } from "./webhooks.ts";

/** Those of organisations, by name. */
export const tables: Readonly<Record<string, TableDefinition>> = {
  ...organisationTables,
  ...chartTables,
  ...contactTables,
  ...documentTables,
  ...paymentTables,
  ...ledgerTables,
  ...webhookTables,
  ...bankTables,
  ...operationTables,
  ...chainTables,
  ...auditTables,
};

/** Every table by its name, those of organisations with `org`. */
export function allTables(): Readonly<Record<string, AnyTableDefinition>> {
  const ofOrganisations = Object.entries(tables).map(
    ([name, table]) => [name, { ...table, columns: { org: "integer", ...table.columns } }] as const,
  );
  return { ...Object.fromEntries(ofOrganisations), ...directoryTables };
}
