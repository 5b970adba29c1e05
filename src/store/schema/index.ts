/**
 * Table types for queries, derived from the table definitions.
 *
 * Every table is keyed by organisation first. Tables of described resources hold a column per
 * stored field (`tables.ts`). Amounts are integers of their scale, days `YYYY-MM-DD`, times
 * milliseconds since 1970 UTC, ids lower-case GUIDs. Each index costs an import about a third of
 * what its table does; its purpose is in a comment beside it.
 */

import type { DirectoryRow, Row, TableDefinition } from "./define.ts";
import type { auditTables } from "./definitions/audit-tables.ts";
import type { bankTables } from "./definitions/bank-tables.ts";
import type { chainTables } from "./definitions/chain-tables.ts";
import type { chartTables } from "./definitions/chart-tables.ts";
import type { contactTables } from "./definitions/contact-tables.ts";
import type { directoryTables } from "./definitions/directory-tables.ts";
import type { documentTables } from "./definitions/document-tables.ts";
import type { ledgerTables } from "./definitions/ledger-tables.ts";
import type { operationTables } from "./definitions/operation-tables.ts";
import type { organisationTables } from "./definitions/organisation-tables.ts";
import type { paymentTables } from "./definitions/payment-tables.ts";
import type { planTables } from "./definitions/plan-tables.ts";
import type { webhookTables } from "./definitions/webhook-tables.ts";

/**
 * Stored code of a basis: 0 and 1 take no space in a row of SQLite, and half the rows are postings.
 */
export const basisCode = { accrual: 0, cash: 1 } as const;
export const basisOf = ["accrual", "cash"] as const;

type Definitions = typeof organisationTables &
  typeof chartTables &
  typeof contactTables &
  typeof documentTables &
  typeof paymentTables &
  typeof ledgerTables &
  typeof webhookTables &
  typeof bankTables &
  typeof operationTables &
  typeof chainTables &
  typeof auditTables &
  typeof planTables;

type RowsOf<T extends Readonly<Record<string, TableDefinition>>> = {
  -readonly [N in keyof T]: Row<T[N]>;
};

export type Tables = RowsOf<Definitions>;

type Chained<D extends Readonly<Record<string, { readonly chain: unknown }>>> = {
  [N in keyof D]: D[N]["chain"] extends "derived" | "passing" ? never : N;
}[keyof D];

/** Server tables whose rows are records of the server's hash chain. */
export type ChainedDirectoryTable = Chained<typeof directoryTables>;

/** Tables whose rows are records of a hash chain. */
export type ChainedTable = Chained<Definitions> | ChainedDirectoryTable;

/** The directory tables of a server: people, apps, sign-in, and access to books. */
export type DirectoryTables = {
  -readonly [N in keyof typeof directoryTables]: DirectoryRow<(typeof directoryTables)[N]>;
};
