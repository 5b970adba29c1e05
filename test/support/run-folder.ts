/** The folder for everything that the tests of a run write, which goes with the run. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Makes the folder that `tmpdir()` names from now on, here and in the processes started from here:
 * a worker that is ended leaves its files behind.
 *
 * Made once: each project of a run reads the same configuration again.
 */
export function makeRunFolder(): void {
  if (process.env.ACCT_TEST_FOLDER !== undefined) return;
  const folder = mkdtempSync(join(tmpdir(), "acct-tests-"));
  // As `tmpdir()` itself: a database server that is started by root runs as another user.
  chmodSync(folder, 0o1777);
  Object.assign(process.env, { TMPDIR: folder, ACCT_TEST_FOLDER: folder });
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
}
