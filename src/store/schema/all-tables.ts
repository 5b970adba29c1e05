/** All tables of the latest schema version. */

import type { AnyTableDefinition, TableDefinition } from "./define.ts";
import { auditTables } from "./definitions/audit-tables.ts";
import { bankTables } from "./definitions/bank-tables.ts";
import { chainTables } from "./definitions/chain-tables.ts";
import { chartTables } from "./definitions/chart-tables.ts";
import { contactTables } from "./definitions/contact-tables.ts";
import { directoryTables } from "./definitions/directory-tables.ts";
import { documentTables } from "./definitions/document-tables.ts";
import { ledgerTables } from "./definitions/ledger-tables.ts";
import { operationTables } from "./definitions/operation-tables.ts";
import { organisationTables } from "./definitions/organisation-tables.ts";
import { paymentTables } from "./definitions/payment-tables.ts";
import { planTables } from "./definitions/plan-tables.ts";
import { webhookTables } from "./definitions/webhook-tables.ts";

/** The tables of organisations, by name. */
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
  ...planTables,
};

/** Every table by name; those of organisations include the column `org`. */
export function allTables(): Readonly<Record<string, AnyTableDefinition>> {
  const ofOrganisations = Object.entries(tables).map(
    ([name, table]) => [name, { ...table, columns: { org: "integer", ...table.columns } }] as const,
  );
  return { ...Object.fromEntries(ofOrganisations), ...directoryTables };
}
