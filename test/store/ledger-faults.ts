/** What is wrong with a ledger, of tests whose journals are of no documents and no accounts. */

import { verify } from "../../src/store/maintenance/verify.ts";
import type { Tx } from "../../src/store/tx/tx.ts";

export async function faultsOfLedger(tx: Tx): Promise<readonly string[]> {
  const { faults } = await verify(tx);
  return faults.filter((fault) => !fault.endsWith(", which does not exist."));
}
