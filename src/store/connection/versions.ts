/** Versions of reference data, which a dialect reads together with the lock of an organisation. */
import type { Row } from "./connection.ts";

/**
 * Versions of the reference data of an organisation (`transactions/reference-cache.ts`): undefined after a change
 * that is not yet committed.
 */
export interface Versions {
  /** Of the organisation itself and its chart of accounts. */
  chart_version: number | undefined;
  contact_version: number | undefined;
}

/** The query of the versions, but for the organisation. */
export const selectVersions = "select chart_version, contact_version from organisation where org =";

/** @param row  none where there is no such organisation */
export function versionsIn(row: Row | undefined): Versions | undefined {
  return row && { chart_version: Number(row[0] ?? 0), contact_version: Number(row[1] ?? 0) };
}

/** A kind of reference data, by the column of its version. */
export type ReferenceKind = keyof Versions;
