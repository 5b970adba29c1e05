/** A copy of the tree, to which patches are applied: what the compiler and the check say of it, and how it runs. */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const node = join(root, "node_modules/node/bin/node");

/** What becomes of a file: its text where it is new, or what stands before, after or instead of a part. */
export type Edit = string | readonly Insertion[];
export type Insertion = readonly [part: string, becomes: string];

/** A change, by file: an edit, or a folder that is copied under another name. */
export type Patch = Readonly<Record<string, Edit>>;

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class Tree {
  readonly folder = mkdtempSync(join(tmpdir(), "acct-probe-"));

  constructor() {
    for (const name of ["src", "fonts", ".ci", "package.json", "tsconfig.json"]) {
      cpSync(join(root, name), join(this.folder, name), { recursive: true });
    }
    // Tests and benches use what is exported.
    for (const name of ["test", "bench"]) {
      const filter = (path: string) => !/\.\w+$/.test(path) || path.endsWith(".ts");
      cpSync(join(root, name), join(this.folder, name), { recursive: true, filter });
    }
    symlinkSync(join(root, "node_modules"), join(this.folder, "node_modules"));
    const compilerOptions = { incremental: true, tsBuildInfoFile: "built.json" };
    const config = { extends: "./tsconfig.json", include: ["src"], compilerOptions };
    writeFileSync(join(this.folder, "probe.json"), JSON.stringify(config));
  }

  /** Applies the edits of a patch, or takes those back that are left out. @throws Error for a part that is not there */
  write(file: string, edit: Edit | undefined): void {
    const path = join(this.folder, file);
    const original = join(root, file);
    if (typeof edit === "string") {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, edit);
      return;
    }
    let text = readFileSync(original, "utf8");
    for (const [part, becomes] of edit ?? []) {
      const pieces = text.split(part);
      if (pieces.length !== 2) throw new Error(`${file} has ${pieces.length - 1} times: ${part}`);
      text = pieces.join(becomes);
    }
    writeFileSync(path, text);
  }

  apply(patch: Patch): void {
    for (const [file, edit] of Object.entries(patch)) this.write(file, edit);
  }

  /** The tree without one file of a patch: a new file is gone, another is as it was. */
  leaveOut(patch: Patch, file: string): void {
    if (typeof patch[file] === "string") rmSync(join(this.folder, file));
    else this.write(file, undefined);
  }

  /** What the compiler says, and where it says nothing, what the check of unused exports does. */
  faults(): string {
    const compiled = this.#node("node_modules/typescript-7/bin/tsc", "-p", "probe.json");
    const said = compiled.stdout + compiled.stderr;
    return said === "" ? this.#node(".ci/unused.ts").stderr : said;
  }

  /** Runs a command line, whose words with spaces stand in single quotes. */
  acct(line: string): Ran {
    const words = (line.match(/(?:[^\s']|'[^']*')+/g) ?? []).map((word) =>
      word.replaceAll("'", ""),
    );
    return this.evaluate(
      "const { main } = await import('./src/cli/main.ts');" +
        `process.exitCode = await main(${JSON.stringify(words)});`,
    );
  }

  evaluate(module: string): Ran {
    return this.#node("--input-type=module", "--eval", module);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  #node(...words: readonly string[]): Ran {
    const env = { PATH: process.env.PATH, HOME: this.folder, TZ: "UTC", NODE_NO_WARNINGS: "1" };
    const { status, stdout, stderr, error } = spawnSync(node, words, {
      cwd: this.folder,
      encoding: "utf8",
      env,
    });
    if (error !== undefined) throw error;
    return { code: status, stdout, stderr };
  }
}
