/** Books of earlier versions, in a database. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { latestVersion } from "../../src/store/upgrade/state.ts";
import { acctIn, keptBooks, keptSql, worksOn } from "../books/kept.ts";
import { databaseOn, onServer } from "./setup.ts";

const { server } = inject("postgres");

describe.each(keptBooks)("a kept database of version %s", (book) => {
  test("a database of an earlier version is migrated only on demand, and then verifies and accepts writes", async () => {
    const name = `acct_kept_${book.replaceAll(/\W/g, "_")}_${process.pid}`;
    const home = mkdtempSync(join(tmpdir(), "acct-kept-"));
    onTestFinished(async () => {
      await onServer(server, `drop database ${name} with (force)`);
      rmSync(home, { recursive: true });
    });
    await onServer(server, `create database ${name} encoding 'UTF8' template template0`);
    const address = databaseOn(server, name);
    await onServer(address, keptSql(book));
    const acct = acctIn({ HOME: home, ACCT_DATABASE: address });
    if (!book.endsWith(`v${latestVersion}`)) {
      expect(await acct("contact", "list")).toMatchObject({
        code: 5,
        stderr: expect.stringContaining("acct book upgrade --database"),
      });
      const { code, stdout } = await acct("book", "upgrade");
      expect([code, stdout]).toEqual([0, expect.stringContaining(` to ${latestVersion}.`)]);
    }
    await worksOn(book, acct);
    const again = await acct("book", "upgrade");
    expect(again.stdout).toContain("there is nothing to do");
  });
});
