/** Versions of reference data, which a dialect reads together with the lock of an organisation. */
import type { Row } from "./connection.ts";

/**
 * Versions of the reference data of an organisation (`transactions/reference-cache.ts`): undefined after a change
 * that is not yet committed.
 */
export interface Versions {
  /** Version of the organisation's settings and its chart of accounts. */
  chart_version: number | undefined;
  contact_version: number | undefined;
}

/** The query of the versions; the organisation's number is appended. */
export const selectVersions = "select chart_version, contact_version from organisation where org =";

/**
 * Reads the versions from a row.
 * @param row  undefined when the organisation does not exist
 */
export function versionsIn(row: Row | undefined): Versions | undefined {
  return row && { chart_version: Number(row[0] ?? 0), contact_version: Number(row[1] ?? 0) };
}

/** A kind of reference data, named by its version column. */
export type ReferenceKind = keyof Versions;
