/** The unit that `acct serve --print systemd` prints, by the programs of systemd. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { builtDesk } from "../cli/built.ts";

const { home, ok, acct } = builtDesk();
const analyze = (...words: string[]) =>
  spawnSync("systemd-analyze", words, { encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });
const isInstalled = analyze("--version").status === 0;
if (!isInstalled) console.log("left out, because systemd is not installed: the unit of a server");

const print = ["serve", "--print", "systemd"];
const key = ["--tls-cert", "/etc/acct/tls.pem", "--tls-key", "/etc/acct/tls.key"];

describe.skipIf(!isInstalled)("the systemd unit of a server", () => {
  test.each([
    ["with no flag", "2", []],
    [
      "with a configuration file and an address",
      "2",
      ["--config", "/etc/acct/server.yaml", "--public-url", "https://books.example"],
    ],
    [
      "with the port of https and books elsewhere",
      "3.5",
      ["--port", "443", "--data", "/srv/50% of books", ...key],
    ],
  ])("is valid %s, and exposes the machine by at most %s of 10", (_what, max, flags) => {
    const path = join(home, "acct-server.service");
    writeFileSync(path, ok([...print, ...flags]));
    const verified = analyze("verify", path);
    expect([verified.status, verified.stdout, verified.stderr]).toEqual([0, "", ""]);
    const judged = analyze("security", "--offline=true", `--threshold=${Number(max) * 10}`, path);
    expect([judged.status, judged.stdout]).toEqual([0, expect.stringContaining("exposure level")]);
  });
});

test("a unit has the command line with whole paths, and its secrets as credentials", () => {
  mkdirSync(join(home, "books"));
  writeFileSync(join(home, "secret"), "smtp://u:p@mail");
  const config = join(home, "server.yaml");
  writeFileSync(config, "data: books\nsmtpFile: secret\nport: 443\n");
  const unit = ok([...print, "--config", config, "--pages", "--drain=5", ...key]).split("\n");
  expect(unit).toEqual(
    expect.arrayContaining([
      `ExecStart=/usr/bin/env acct serve --config ${config} --pages --drain 5`,
      "LoadCredential=database:acct.database",
      `LoadCredential=smtp:${home}/secret`,
      "LoadCredential=tls-key:/etc/acct/tls.key",
      `ReadWritePaths=${home}/books`,
      "AmbientCapabilities=CAP_NET_BIND_SERVICE",
    ]),
  );
  expect(ok(print)).toContain("acct serve --data /var/lib/acct\n");
  const refused = acct([...print, "--database", "postgres://u:p@db/acct"]);
  expect([refused.status, refused.stderr]).toEqual([2, expect.not.stringContaining("u:p")]);
});
