import { chain } from "../../../src/store/maintenance/chain-checks.ts";
import { Findings } from "../../../src/store/maintenance/findings.ts";
import type { Tx } from "../../../src/store/transactions/tx.ts";

/** What the chain of a book shows to be wrong. */
export async function faultsOfChain(tx: Tx): Promise<readonly string[]> {
  const findings = new Findings(tx);
  await chain(findings);
  return findings.faults;
}
