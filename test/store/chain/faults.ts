import type { Head } from "../../../src/store/chain/links.ts";
import { checkChain } from "../../../src/store/maintenance/chain-checks.ts";
import { Findings } from "../../../src/store/maintenance/findings.ts";
import type { Tx } from "../../../src/store/tx/tx.ts";

/** What the chain of a book shows to be wrong. @param since  a link that was sealed */
export async function faultsOfChain(tx: Tx, since?: Head): Promise<readonly string[]> {
  const findings = new Findings(tx, since);
  await checkChain(findings);
  return findings.faults;
}
