/** The chain of an organisation whose records are older than it. */
import type { OpenTransaction } from "../transactions/transactions.ts";
import type { OrganisationLock, Tx } from "../transactions/tx.ts";
import { type RecordKind, recordKinds } from "./canonical.ts";
import { encodeRecords, genesis, type LinkedRecord, linkAfter } from "./links.ts";
import { headOf, insertLinks, pageOf } from "./stored.ts";
import { TransactionWriteSet } from "./write-set.ts";

/**
 * Does work that writes records of one organisation, and ends it with a link. Where there is no chain,
 * links that hold every record that there is come first.
 */
export async function withLink(
  { use }: OpenTransaction,
  org: number,
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  const writeSet = new TransactionWriteSet();
  const lock: OrganisationLock = {
    versions: undefined,
    sequences: new Map(),
    movedSequences: new Set(),
    answers: new Map(),
    writeSet,
  };
  await use(
    org,
    async (tx) => {
      if ((await headOf(tx)).number === genesis.number) await linkAll(tx);
      await work(tx);
      await writeSet.append(tx);
    },
    lock,
  );
}

async function linkAll(tx: Tx): Promise<void> {
  let head = await headOf(tx);
  const link = async (kind: RecordKind, records: readonly LinkedRecord[]) => {
    const next = linkAfter(head, null, encodeRecords(new Map([[kind, records]])));
    await insertLinks(tx, [next]);
    head = next;
  };
  for (const kind of recordKinds) {
    for (let after: string | undefined; ; ) {
      const { records, isLast } = await pageOf(tx, kind, after);
      if (records.length > 0) await link(kind, records);
      after = records.at(-1)?.key;
      if (isLast) break;
    }
  }
}
