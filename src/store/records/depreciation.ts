/** Depreciation of fixed assets posted by manual journals. */
import { sql } from "kysely";
import type { Cents } from "../../resources/decimal.ts";
import { deleteRows, insertNew, keyLists, ownRows, rowsFor } from "../operations/bulk.ts";
import type { Tx } from "../tx/tx.ts";

export interface Depreciation {
  readonly assetId: string;
  readonly journalId: string;
  readonly date: string;
  /** Depreciation amount; negative when taken back. */
  readonly amount: Cents;
}

/** Total posted depreciation of an asset. */
export interface DepreciationSum {
  readonly amount: Cents;
  /** The last day with depreciation posted. */
  readonly last: string;
}

export async function addDepreciation(tx: Tx, rows: readonly Depreciation[]): Promise<void> {
  const values = rows.map(({ assetId, journalId, date, amount }) => {
    return { asset_id: assetId, manual_journal_id: journalId, date, amount };
  });
  await insertNew(tx, "depreciation", values);
}

/** Total depreciation by asset; assets without any are left out of the map. */
export async function depreciationByAsset(
  tx: Tx,
  bounds: { readonly from?: string; readonly to?: string } = {},
): Promise<ReadonlyMap<string, DepreciationSum>> {
  let query = ownRows(tx, "depreciation").select(({ fn }) => [
    "asset_id",
    fn.sum<number | string>("amount").as("amount"),
    fn.max("date").as("last"),
  ]);
  if (bounds.from !== undefined) query = query.where("date", ">=", bounds.from);
  if (bounds.to !== undefined) query = query.where("date", "<=", bounds.to);
  const rows = await query.groupBy("asset_id").execute();
  return new Map(
    rows.map(({ asset_id, amount, last }) => [asset_id, { amount: Number(amount) as Cents, last }]),
  );
}

/** Ids of the depreciation journals dated after a day, each once. */
export async function depreciationAfter(tx: Tx, date: string): Promise<string[]> {
  const rows = await ownRows(tx, "depreciation")
    .select("manual_journal_id")
    .distinct()
    .where("date", ">", date)
    .orderBy("manual_journal_id")
    .execute();
  return rows.map(({ manual_journal_id }) => manual_journal_id);
}

/**
 * Depreciation of the same assets by other journals later than the given ones; the last of each
 * asset.
 */
export async function depreciationOver(
  tx: Tx,
  journalIds: readonly string[],
): Promise<{ readonly assetId: string; readonly date: string }[]> {
  const { rows } = await sql<{ assetId: string; date: string }>`
    select d.asset_id as "assetId", max(d.date) as date from depreciation d
    where d.org = ${tx.org} and d.manual_journal_id not in (${sql.join(journalIds)})
      and exists (select 1 from depreciation own where own.org = d.org
        and own.asset_id = d.asset_id and own.date < d.date
        and own.manual_journal_id in (${sql.join(journalIds)}))
    group by d.asset_id order by d.asset_id`.execute(tx.db);
  return rows;
}

/** Which of the given manual journals post depreciation. */
export async function depreciationJournals(
  tx: Tx,
  journalIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await rowsFor(journalIds, (ids) =>
    ownRows(tx, "depreciation", { manual_journal_id: ids })
      .select("manual_journal_id")
      .distinct()
      .execute(),
  );
  return new Set(rows.map((row) => row.manual_journal_id));
}

/** Deletes the depreciation records of journals that are about to be voided. */
export async function removeDepreciation(tx: Tx, journalIds: readonly string[]): Promise<void> {
  for (const ids of keyLists(journalIds)) {
    await deleteRows(tx, "depreciation", sql`manual_journal_id in (${sql.join(ids)})`);
  }
}
