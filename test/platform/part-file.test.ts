/** What killed processes leave behind, and what is left alone. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { clearLeftovers, partName, removePart } from "../../src/platform/part-file.ts";

test("temporary part files of ended processes are removed, and no other files", () => {
  const folder = mkdtempSync(join(tmpdir(), "acct-part-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const gone = spawnSync(process.execPath, ["--version"]).pid;
  const here = hostname().slice(0, 24);
  const own = partName(join(folder, "own.acct"));
  const removed = [
    `a.acct.${gone}@${here}.acct-part`,
    `a.acct.${gone}@${here}.acct-part-wal`,
    `a.acct.${gone}@${here}.acct-part.newer.${gone}@${here}.acct-part`,
    `of-this-number-before.acct.${process.pid}@${here}.acct-part`,
    `old.acct.1@elsewhere.acct-part`,
  ];
  const kept = [
    "a.acct",
    "film.7.part",
    `a.acct.${process.ppid}@${here}.acct-part`,
    `a.acct.${gone}@elsewhere.acct-part`,
    own.slice(folder.length + 1),
    `${own.slice(folder.length + 1)}-wal`,
  ];
  for (const name of [...removed, ...kept]) writeFileSync(join(folder, name), "");
  const longAgo = Date.now() / 1000 - 25 * 60 * 60;
  utimesSync(join(folder, "old.acct.1@elsewhere.acct-part"), longAgo, longAgo);
  clearLeftovers(join(folder, "a.acct"));
  expect(readdirSync(folder).sort()).toEqual(kept.sort());
  removePart(own);
  clearLeftovers(join(folder, "none", "a.acct"));
  expect(readdirSync(folder).sort()).toEqual(kept.slice(0, 4).sort());
});
