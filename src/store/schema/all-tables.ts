/** The tables of the latest state. */

import type { AnyTableDefinition, TableDefinition } from "./define.ts";
import { auditTables } from "./definitions/audit.ts";
import { bankTables } from "./definitions/bank.ts";
import { chainTables } from "./definitions/chain.ts";
import { chartTables } from "./definitions/chart.ts";
import { contactTables } from "./definitions/contacts.ts";
import { directoryTables } from "./definitions/directory.ts";
import { documentTables } from "./definitions/documents.ts";
import { ledgerTables } from "./definitions/ledger.ts";
import { operationTables } from "./definitions/operations.ts";
import { organisationTables } from "./definitions/organisation.ts";
import { paymentTables } from "./definitions/payments.ts";
import { webhookTables } from "./definitions/webhooks.ts";

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
