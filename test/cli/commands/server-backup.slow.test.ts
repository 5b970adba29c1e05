/** Backups of a folder of books that is served. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { copiedServers } from "../server-copies.ts";

const home = mkdtempSync(join(tmpdir(), "acct-server-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
let count = 0;

copiedServers(
  () => ({
    where: ["--data", join(home, "books")],
    elsewhere: async () => {
      count += 1;
      return ["--data", join(home, `again-${count}`)];
    },
    kills: 8,
  }),
  home,
);
