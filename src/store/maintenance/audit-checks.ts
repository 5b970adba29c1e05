/** Verification of the audit log: that no entry is missing, and that each is as it was written. */
import { sql } from "kysely";
import type { Tx } from "../tx/tx.ts";
import { chain } from "./chain-checks.ts";
import { Findings } from "./findings.ts";

/** Numbers follow each other without gaps, since entries are only added. */
export async function auditEntries(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  const [found] = await findings.rows(
    sql<{ count: number; last: number | null }>`
      select count(*) as count, max(number) as last from audit_entry where org = ${org}`,
  );
  const [count, last] = [Number(found?.count ?? 0), Number(found?.last ?? 0)];
  if (count !== last) {
    findings.faults.push(`The audit log has ${count} entries, and the last of them is ${last}.`);
  }
  findings.checks.push({ name: "entries of the audit log", count });
}

/** The log of a server, in the store of its directory, and the chain that holds it with people and apps. */
export async function verifyServerLog(tx: Tx): Promise<Pick<Findings, "checks" | "faults">> {
  const findings = new Findings(tx);
  await auditEntries(findings);
  const checks = findings.checks.map(({ name, count }) => ({
    name: `${name} of the server`,
    count,
  }));
  await chain(findings);
  return { checks, faults: findings.faults.map((fault) => `Of the server: ${fault}`) };
}
