/**
 * Builds `dist`: the program, its manual pages, the schemas of its configuration file, of seeds and of control routes, and the licences of the packages that are bundled. With
 * `--if-needed` it ends at once where nothing changed since the last build.
 *
 * A build disturbs no command that runs meanwhile: a chunk has a digest of its content in its name and is
 * never changed, `main.cjs` is put in its place last and whole, and the chunks of earlier builds are
 * removed an hour after they went out of use.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import type { OutputChunk } from "rolldown";
import type { Bundled } from "./licenses.ts";

/** What the last build was made of, by a digest, and the files that it made. */
interface Stamp {
  readonly sources: string;
  readonly files: readonly string[];
  /** The packages in the bundle. */
  readonly bundled: readonly Bundled[];
}

// The configuration of the bundle has paths of the project.
process.chdir(join(import.meta.dirname, ".."));
const dist = resolve("dist");
/** How long the files of earlier builds stay, in milliseconds. */
const formerMs = 3_600_000;

const last = readStamp();
const sources = digestOfSources();
const isBuilt =
  last.sources === sources && last.files.every((file) => existsSync(join(dist, file)));
if (!isBuilt || !process.argv.includes("--if-needed")) await buildAll();

async function buildAll(): Promise<void> {
  const chunks = await bundle();
  const { licensesOf } = await import("./licenses.ts");
  const { bundled, text } = licensesOf(chunks.flatMap((each) => each.moduleIds));
  const files = new Map([["LICENSES.txt", text]]);
  for (const { fileName, code } of chunks) files.set(fileName, code);
  const entry = files.get("main.cjs") as string;
  files.delete("main.cjs");
  for (const [file, text] of files) write(file, text);
  write("main.cjs", entry);
  for (const [name, page] of await manualPages(chunks)) {
    files.set(`man/${name}.1`, page);
    write(`man/${name}.1`, page);
  }
  const schemas = {
    config: built(chunks, "config-schema").configSchema(),
    seed: built(chunks, "seed-schema").seedSchema(),
    control: built(chunks, "controls").controlSchema(),
  };
  for (const [name, schema] of Object.entries(schemas)) {
    const text = `${JSON.stringify(schema)}\n`;
    files.set(`schema/${name}.json`, text);
    write(`schema/${name}.json`, text);
  }
  for (const [name, text] of kitFiles(chunks)) {
    files.set(name, text);
    write(name, text);
  }
  const made = ["main.cjs", ...files.keys()];
  removeFormer(new Set(made));
  write("build.json", JSON.stringify({ sources, files: made, bundled } satisfies Stamp));
}

async function bundle(): Promise<readonly OutputChunk[]> {
  const { build } = await import("rolldown");
  // @ts-expect-error a file of JavaScript without types
  const { default: config } = await import("../rolldown.config.js");
  const { output } = await build({ ...config, write: false });
  return output.filter((each) => each.type === "chunk");
}

/** The file of an entry of the program that was just built. */
function fileOf(chunks: readonly OutputChunk[], entry: string): string {
  const chunk = chunks.find(({ name, isEntry }) => isEntry && name === entry);
  if (chunk === undefined) throw new Error(`the program has no entry ${entry}`);
  return chunk.fileName;
}

/** Loads an entry of the program that was just built. */
function built(chunks: readonly OutputChunk[], entry: string) {
  return createRequire(import.meta.url)(join(dist, fileOf(chunks, entry)));
}

/** The module of tests, which hands on what the program holds, and its types. */
function kitFiles(chunks: readonly OutputChunk[]): readonly (readonly [string, string])[] {
  const face = readFileSync("src/kit/face.ts", "utf8").replaceAll(/^ *\/\/ biome-ignore.*\n/gm, "");
  const start = "/** Starts a server for tests on a free port of this machine. */\n";
  const declared = "export function startAcct(options?: StartOptions): Promise<Acct>;\n";
  const module = `import kit from "./${fileOf(chunks, "kit")}";\n\nexport const { startAcct } = kit;\n`;
  const chunk = fileOf(chunks, "vitest-fixtures");
  const vitest = [
    'import { test } from "vitest";',
    `import kit from "./${chunk}";`,
    "",
    "export const acctTest = (options) => test.extend(kit.acctFixtures(options));",
    "",
  ];
  const vitestTypes = [
    'import type { TestAPI } from "vitest";',
    'import type { Acct, AcctTestOptions } from "./test.js";',
    "",
    "/** A test with the fixture `acct`, a server that begins each test in its first state. */",
    "export function acctTest(options?: AcctTestOptions): TestAPI<{ acct: Acct }>;",
    "",
  ];
  return [
    ["test.js", module],
    ["test.d.ts", `${face}\n${start}${declared}`],
    ["vitest.js", vitest.join("\n")],
    ["vitest.d.ts", vitestTypes.join("\n")],
  ];
}

/** The manual pages, with the day of the last commit. */
function manualPages(chunks: readonly OutputChunk[]): Promise<ReadonlyMap<string, string>> {
  const { stdout } = spawnSync("git", ["log", "-1", "--format=%cs"], {
    encoding: "utf8",
  });
  const day = stdout?.trim() || new Date().toISOString().slice(0, 10);
  return built(chunks, "cli-man").manualPages(day);
}

/** Puts a file in its place, whole; one of the same text is left alone. */
function write(file: string, text: string): void {
  const path = join(dist, file);
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}.part`;
  writeFileSync(part, text);
  renameSync(part, path);
}

/** Removes what no build of the last hour has made, and marks what went out of use with this one. */
function removeFormer(made: ReadonlySet<string>): void {
  const now = new Date();
  for (const file of globSync("{*,*/*}", { cwd: dist })) {
    const path = join(dist, file);
    const status = statSync(path, { throwIfNoEntry: false });
    if (!status?.isFile() || made.has(file) || file === "build.json") continue;
    if (last.files.includes(file)) utimesSync(path, now, now);
    else if (status.mtimeMs < now.getTime() - formerMs) rmSync(path, { force: true });
  }
}

function readStamp(): Stamp {
  try {
    return JSON.parse(readFileSync(join(dist, "build.json"), "utf8")) as Stamp;
  } catch {
    return { sources: "", files: [], bundled: [] }; // Not there, or not readable: everything is built.
  }
}

/** A digest over names, sizes and times of everything that a build reads. */
function digestOfSources(): string {
  const hash = createHash("sha256");
  const patterns = [
    "src/**/*.ts",
    ".ci/{build,licenses}.ts",
    "rolldown.config.js",
    "package*.json",
  ];
  for (const file of globSync(patterns).sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex");
}
