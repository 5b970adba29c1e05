/**
 * Makes a release: `npm run release -- minor|patch|VERSION [--dry-run]`, on a clean `main`.
 *
 * Everything is made and tested in a clone elsewhere. Only when all is there do its files come to
 * `dist/release`, and, without `--dry-run`, its commit and tag to this repository; whatever fails before
 * leaves nothing behind. Publishing is asked for, and never done without a terminal.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline/promises";

const usage = "npm run release -- minor|patch|VERSION [--dry-run]";
const root = join(import.meta.dirname, "..");
const scratch = mkdtempSync(join(tmpdir(), "acct-release-"));
const clone = join(scratch, "acct");
/** The files of the release, until all are there. */
const made = join(scratch, "made");

interface Plan {
  readonly version: string;
  readonly isDry: boolean;
  /** Whether `package.json` lacks the addresses without which nothing is published. */
  readonly isTrial: boolean;
}

try {
  const plan = planned(process.argv.slice(2));
  prepare(plan);
  const tarball = build(plan);
  writeBill(plan);
  writeSums();
  const folder = join(root, "dist/release", plan.version);
  rmSync(folder, { recursive: true, force: true });
  cpSync(made, folder, { recursive: true });
  say(`The files of ${plan.version} are in ${folder}: ${readdirSync(folder).join(", ")}.`);
  if (plan.isDry) say("No commit and no tag were made, because of --dry-run.");
  else await publish(plan, join(folder, tarball));
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`No release was made, and nothing was changed: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs a program in the clone, unless said otherwise, and returns what it prints. */
function run(words: readonly string[], cwd = clone): string {
  const [program = "", ...others] = words;
  return execFileSync(program, others, { cwd, encoding: "utf8", maxBuffer: 2 ** 28 }).trim();
}

/** Runs a program in the clone whose output is for whoever watches. */
function show(...words: readonly string[]): void {
  say(`==> ${words.join(" ")}`);
  const [program = "", ...others] = words;
  execFileSync(program, others, { cwd: clone, stdio: ["ignore", "inherit", "inherit"] });
}

/** @throws Error where nothing may be released from here */
function planned(words: readonly string[]): Plan {
  const isDry = words.includes("--dry-run");
  const [wanted = "", ...others] = words.filter((word) => word !== "--dry-run");
  const about = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const version = nextVersion(about.version, wanted);
  if (version === undefined || others.length > 0) {
    throw new Error(`${usage}, and the version is higher than ${about.version}.`);
  }
  const isTrial = ["repository", "homepage", "bugs"].some((place) => !about[place]);
  if (isTrial) {
    const message =
      "package.json does not say where the project lives (repository, homepage, bugs), so nothing can be published.";
    if (!isDry) throw new Error(message);
    say(message);
  }
  const branch = run(["git", "branch", "--show-current"], root);
  if (branch !== "main") throw new Error(`releases are made on main, and this is ${branch}.`);
  const changes = run(["git", "status", "--porcelain"], root);
  if (changes !== "") throw new Error(`there are changes that are not committed:\n${changes}`);
  if (run(["git", "tag", "--list", `v${version}`], root) !== "") {
    throw new Error(`there is a tag v${version} already.`);
  }
  return { version, isDry, isTrial };
}

/** Returns the version that is asked for; undefined where it is none, or not above the last. */
function nextVersion(last: string, wanted: string): string | undefined {
  const parts = /^(\d+)\.(\d+)\.(\d+)$/;
  const [major = 0, minor = 0, patch = 0] = parts.exec(last)?.slice(1).map(Number) ?? [];
  if (wanted === "minor") return `${major}.${minor + 1}.0`;
  if (wanted === "patch") return `${major}.${minor}.${patch + 1}`;
  if (!parts.test(wanted)) return undefined;
  return wanted.localeCompare(last, "en", { numeric: true }) > 0 ? wanted : undefined;
}

/** Clones the repository, raises the version, dates the changes, and commits. */
function prepare({ version }: Plan): void {
  run(["git", "clone", "--quiet", root, clone], root);
  const path = join(clone, "CHANGELOG.md");
  const text = readFileSync(path, "utf8");
  const [, changes = ""] = /^## Unreleased\n(.*?)(?=^## |$(?![\s\S]))/ms.exec(text) ?? [];
  if (changes.trim() === "") throw new Error('CHANGELOG.md has nothing under "Unreleased".');
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(path, text.replace("## Unreleased\n", `## Unreleased\n\n## ${version} (${day})\n`));
  run(["npm", "version", version, "--no-git-tag-version", "--ignore-scripts"]);
  const person = ["name", "email"].flatMap((each) => [
    "-c",
    `user.${each}=${run(["git", "config", `user.${each}`], root)}`,
  ]);
  run(["git", ...person, "commit", "--quiet", "--all", "--message", `release: acct ${version}`]);
}

/** Tests the clone and makes the package and the executable. @returns the name of the package's file */
function build({ isTrial }: Plan): string {
  show("npm", "ci", "--prefer-offline", "--no-audit", "--no-fund");
  show("npm", "run", "check");
  show("npm", "run", "test:all");
  mkdirSync(made);
  const [first, second] = [pack(isTrial), pack(isTrial)];
  if (!first.bytes.equals(second.bytes)) throw new Error("two builds made different packages.");
  writeFileSync(join(made, first.name), first.bytes);
  if (`${process.platform} ${process.arch}` === "linux x64") {
    show("node", ".ci/executable.ts", made);
  } else say("Left out: the executable, which is made on Linux on x64 alone.");
  return first.name;
}

/** Builds from nothing, and packs. */
function pack(isTrial: boolean): { readonly name: string; readonly bytes: Buffer } {
  rmSync(join(clone, "dist"), { recursive: true, force: true });
  show("npm", "run", "pack", "--", ...(isTrial ? ["--trial"] : []));
  const name = run(["npm", "pack", "--silent", "--pack-destination", scratch, "./dist/package"]);
  return { name, bytes: readFileSync(join(scratch, name)) };
}

/** Writes the bill of materials: the packages that come with it, and those that are in its bundle. */
function writeBill({ version }: Plan): void {
  const folder = join(scratch, "acct-books");
  mkdirSync(folder);
  cpSync(join(clone, "dist/package/package.json"), join(folder, "package.json"));
  run(["npm", "install", "--package-lock-only", "--no-audit", "--no-fund"], folder);
  const bill = JSON.parse(
    run(["npm", "sbom", "--package-lock-only", "--sbom-format", "cyclonedx"], folder),
  );
  const { bundled } = JSON.parse(readFileSync(join(clone, "dist/build.json"), "utf8"));
  for (const { name, version, license } of bundled) {
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    const licenses = [{ license: { id: license } }];
    bill.components.push({ "bom-ref": purl, type: "library", name, version, purl, licenses });
    bill.dependencies[0].dependsOn.push(purl);
  }
  writeFileSync(join(made, `acct-${version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
}

/** Writes what `sha256sum --check` reads. */
function writeSums(): void {
  const lines = globSync(join(made, "*"))
    .sort()
    .map((file) => {
      const sum = createHash("sha256").update(readFileSync(file)).digest("hex");
      return `${sum}  ${basename(file)}\n`;
    });
  writeFileSync(join(made, "SHA256SUMS"), lines.join(""));
}

/** Takes the commit over, tags it, and says how it is published; does that where somebody says yes. */
async function publish({ version }: Plan, tarball: string): Promise<void> {
  run(["git", "pull", "--quiet", "--ff-only", clone, "HEAD"], root);
  const isSigned =
    execFileSync("git", ["config", "--default", "", "user.signingkey"], {
      cwd: root,
    }).length > 1;
  const kind = isSigned ? "--sign" : "--annotate";
  run(["git", "tag", kind, `v${version}`, "--message", `acct ${version}`], root);
  if (!isSigned) say("The tag is not signed: git has no user.signingkey.");
  const commands = [
    ["git", "push", "origin", "main", `v${version}`],
    ["npm", "publish", tarball],
  ];
  say("Published is it by:");
  for (const words of commands) say(`  ${words.join(" ")}`);
  if (!process.stdin.isTTY) return;
  const asked = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await asked.question("Publish it now? [y/N] ");
  asked.close();
  if (!/^y(es)?$/i.test(answer)) return;
  for (const [program = "", ...words] of commands) {
    execFileSync(program, words, { cwd: root, stdio: "inherit" });
  }
}
