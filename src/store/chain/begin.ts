/** The chain of an organisation, or of a server, whose records are older than it. */
import type { OpenTransaction } from "../transactions/transactions.ts";
import { type OrganisationLock, serverKey, type Tx } from "../transactions/tx.ts";
import { kindsOf, type RecordKind } from "./canonical.ts";
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
      if (!(await hasChain(tx))) await linkAll(tx, kindsOf(org));
      await work(tx);
      await writeSet.append(tx);
    },
    lock,
  );
}

const hasChain = async (tx: Tx) => (await headOf(tx)).number !== genesis.number;

/** Links that hold people and apps, which were not in the chain of their server. */
export async function linkDirectory({ use }: OpenTransaction): Promise<void> {
  await use(serverKey, async (tx) => {
    const isBegun = await hasChain(tx);
    const kinds = kindsOf(serverKey).filter(({ isOfServer }) => isOfServer || !isBegun);
    await linkAll(tx, kinds);
  });
}

async function linkAll(tx: Tx, kinds: readonly RecordKind[]): Promise<void> {
  let head = await headOf(tx);
  const link = async (kind: RecordKind, records: readonly LinkedRecord[]) => {
    const next = linkAfter(head, null, encodeRecords(new Map([[kind, records]])));
    await insertLinks(tx, [next]);
    head = next;
  };
  for (const kind of kinds) {
    for (let after: string | undefined; ; ) {
      const { records, isLast } = await pageOf(tx, kind, after);
      if (records.length > 0) await link(kind, records);
      after = records.at(-1)?.key;
      if (isLast) break;
    }
  }
}
