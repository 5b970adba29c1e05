/**
 * The package as it is published: installed from its file into an empty folder, on every Node that it
 * claims, and used there by nobody but an ordinary user.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import about from "../../package.json" with { type: "json" };
import { useProgram } from "./in-use.ts";

const root = join(import.meta.dirname, "../..");
const { vitest: vitestVersion } = about.devDependencies;
const place = mkdtempSync(join(tmpdir(), "acct-package-"));
chmodSync(place, 0o755);
afterAll(() => rmSync(place, { recursive: true, force: true }));

const npm = (words: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) =>
  execFileSync("npm", [...words, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd,
    env: { ...process.env, HOME: join(place, "npm"), ...env },
    encoding: "utf8",
  });

const hasRegistry = spawnSync("npm", ["ping", "--fetch-retries=0"], { cwd: place }).status === 0;
if (!hasRegistry)
  console.log("left out, because no npm registry can be reached: the package installed");

/** An ordinary user, where the tests have rights to become one. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;

let archive: string;
beforeAll(() => {
  if (!hasRegistry) return;
  execFileSync("npm", ["run", "-s", "pack", "--", "--trial"], { cwd: root });
  const printed = npm(["pack", "--pack-destination", place], join(root, "dist/package"));
  archive = join(place, printed.trim().split("\n").at(-1) ?? "");
});

/** A folder with one release of Node, from its package. */
function nodeOf(version: string): string {
  const folder = join(place, `node-${version}`);
  if (!existsSync(folder)) {
    mkdirSync(folder);
    npm(["install", "--prefix", folder, `node@${version}`], folder);
  }
  return join(folder, "node_modules/.bin");
}

/** A home that the ordinary user has for himself. */
function emptyHome(name: string): string {
  const home = join(place, name);
  mkdirSync(home);
  if (nobody !== undefined) chownSync(home, nobody.uid, nobody.gid);
  return home;
}

describe.skipIf(!hasRegistry)("the package installed in an empty folder", () => {
  test.each(["22.16.0", "22", "24", "26"])(
    "makes a book, an invoice, a PDF, a spreadsheet, and serves an app on Node %s, as an ordinary user",
    async (version) => {
      const node = nodeOf(version);
      const home = emptyHome(`home-${version}`);
      const folder = emptyHome(`project-${version}`);
      const PATH = `${node}:${process.env.PATH}`;
      npm(["install", archive], folder, { PATH });
      const program = join(folder, "node_modules/.bin/acct");
      const env = { PATH, HOME: home, NO_COLOR: "1", LC_ALL: "C.UTF-8" };
      const as = { cwd: home, env, encoding: "utf8", ...nobody } as const;
      await useProgram(program, as);
    },
  );

  test.each(["22", "24", "26"])(
    "runs the seven tests of an app that has the public library of Node, with strict types, on Node %s",
    (version) => {
      const PATH = `${nodeOf(version)}:${process.env.PATH}`;
      const folder = join(place, `shop-${version}`);
      cpSync(join(root, "test/clients/shop"), folder, { recursive: true });
      npm(["install", archive, "xero-node@20.0.0", `vitest@${vitestVersion}`], folder, { PATH });
      const run = (program: string, ...words: string[]) => {
        const env = { ...process.env, PATH };
        const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, env });
        expect([status, status === 0 ? "" : `${stdout}${stderr}`]).toEqual([0, ""]);
        return String(stdout);
      };
      expect(run("node_modules/.bin/vitest", "run", "--root", ".")).toMatch(/Tests +7 passed/);
      const compiler = join(root, "node_modules/typescript-7/bin/tsc");
      const strict = ["--noEmit", "--strict", "--checkJs", "--skipLibCheck", "--target", "es2022"];
      for (const [module, resolution] of [
        ["nodenext", "nodenext"],
        ["preserve", "bundler"],
      ] as const) {
        const by = ["--module", module, "--moduleResolution", resolution];
        run(process.execPath, compiler, ...strict, ...by, "shop.test.mjs");
      }
    },
  );

  test("has at most 25 packages and 40 MB, no script, the guide for agents, and the licences of what is bundled", () => {
    const folder = join(place, "project-24");
    const lock = JSON.parse(readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8"));
    expect(Object.keys(lock.packages).length).toBeLessThanOrEqual(25);
    const [kilobytes = ""] = execFileSync("du", ["-sk", "node_modules"], {
      cwd: folder,
      encoding: "utf8",
    }).split("\t");
    expect(Number(kilobytes)).toBeLessThanOrEqual(40_960);
    const installed = join(folder, "node_modules/acct-books");
    expect(
      JSON.parse(readFileSync(join(installed, "package.json"), "utf8")).scripts,
    ).toBeUndefined();
    expect(existsSync(join(installed, "docs/skills/acct/SKILL.md"))).toBe(true);
    const licenses = readFileSync(join(installed, "dist/LICENSES.txt"), "utf8");
    for (const name of ["commander", "kysely", "undici", "oidc-provider"]) {
      expect(licenses).toMatch(new RegExp(`^${name} \\d`, "m"));
    }
  });

  test("is found by its own name with npx", () => {
    const folder = join(place, "project-24");
    const PATH = `${nodeOf("24")}:${process.env.PATH}`;
    expect(npm(["exec", "acct-books", "--", "--version"], folder, { PATH })).toMatch(/^\d+\.\d+/);
  });

  test("installed for all projects has a manual page for each noun", () => {
    const prefix = join(place, "global");
    mkdirSync(prefix);
    const PATH = `${nodeOf("24")}:${process.env.PATH}`;
    npm(["install", "--global", "--prefix", prefix, archive], place, { PATH });
    const env = { PATH, HOME: emptyHome("home-global") };
    const program = join(prefix, "bin/acct");
    expect(execFileSync(program, ["--version"], { env, encoding: "utf8" })).toMatch(/^\d+\.\d+/);
    const pages = globSync("man1/acct*.1.gz", { cwd: join(prefix, "share/man") });
    expect(pages).toContain("man1/acct.1.gz");
    expect(pages).toContain("man1/acct-invoice.1.gz");
  });

  test("refuses a Node below the one that it claims with a sentence", () => {
    const node = join(nodeOf("20"), "node");
    const program = join(place, "project-24/node_modules/acct-books/bin/acct.js");
    const { status, stdout, stderr } = spawnSync(node, [program, "--demo", "status"], {
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^acct needs Node\.js 22\.16 or newer, and this is v20\.\d+\.\d+\.\n$/);
  });
});
