/** Begins the hash chain of an organisation or a server whose records are older than the chain. */

import { kindsOf, type RecordKind } from "../chain/canonical.ts";
import {
  encodeRecords,
  genesis,
  type Head,
  type Link,
  type LinkedRecord,
  linkAfter,
  recordsMax,
} from "../chain/links.ts";
import { headOf, insertLinks, pageOf } from "../chain/stored.ts";
import { TransactionWriteSet } from "../chain/write-set.ts";
import type { OpenTransaction } from "../transactions/transactions.ts";
import { type OrganisationLock, serverKey, type Tx } from "../tx/tx.ts";

/** The version whose migration wrote handles into the records of these tables, and their counters. */
const handled = 28;
const isHandled = ({ table, columns }: RecordKind) =>
  table === "sequence" || columns.includes("handle");

/**
 * Does work that writes records of one organisation, and appends a link. When there is no chain
 * yet, its links cover every existing record; else those that the migrations have changed.
 * @param from  version of the tables before the migrations
 */
export async function withLink(
  { use }: OpenTransaction,
  org: number,
  { at, from }: { readonly at: number; readonly from: number },
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  const writeSet = new TransactionWriteSet();
  writeSet.happened(at);
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
      const isBegun = await hasChain(tx);
      await work(tx);
      const kinds = kindsOf(org).filter((kind) => !isBegun || (from < handled && isHandled(kind)));
      // One series of links, so that its cause, an entry of the audit log, is in it.
      const writtenByKind = new Map(
        [...(await writeSet.records(tx))].filter(([kind]) => !kinds.includes(kind)),
      );
      await linkAll(tx, kinds, { at, cause: writeSet.cause() }, writtenByKind);
    },
    lock,
  );
}

const hasChain = async (tx: Tx) => (await headOf(tx)).number !== genesis.number;

/** Appends links for people and apps, which the chain of their server did not cover before. */
export async function linkDirectory({ use }: OpenTransaction): Promise<void> {
  await use(serverKey, async (tx) => {
    const isBegun = await hasChain(tx);
    const kinds = kindsOf(serverKey).filter(({ isOfServer }) => isOfServer || !isBegun);
    await linkAll(tx, kinds, { at: null, cause: null });
  });
}

async function linkAll(
  tx: Tx,
  kinds: readonly RecordKind[],
  made: Pick<Link, "at" | "cause">,
  firstByKind: ReadonlyMap<RecordKind, readonly LinkedRecord[]> = new Map(),
): Promise<void> {
  let chainHead: Head = await headOf(tx);
  let recordsByKind = new Map([...firstByKind].map(([kind, own]) => [kind, [...own]]));
  let count = [...firstByKind.values()].reduce((sum, own) => sum + own.length, 0);
  const end = async () => {
    const link = linkAfter(chainHead, { ...made, records: encodeRecords(recordsByKind) });
    await insertLinks(tx, [link]);
    chainHead = link;
    recordsByKind = new Map();
    count = 0;
  };
  for (const kind of kinds) {
    for (let after: string | undefined; ; ) {
      const page = await pageOf(tx, kind, after);
      for (const record of page.records) {
        const ownRecords = recordsByKind.get(kind);
        if (ownRecords === undefined) recordsByKind.set(kind, [record]);
        else ownRecords.push(record);
        count += 1;
        if (count === recordsMax) await end();
      }
      after = page.records.at(-1)?.key;
      if (page.isLast) break;
    }
  }
  if (count > 0) await end();
}
