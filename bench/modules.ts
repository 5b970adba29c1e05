/**
 * The modules of the program that a command runs, with the time of the top level of each: those of a
 * program that is built with a mark around each module.
 */
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build, type Plugin } from "rolldown";
// @ts-expect-error a file of JavaScript without types
import config from "../rolldown.config.js";
import { root } from "./measure.ts";

/** What a command loaded and ran, in order. */
export interface Ran {
  /** Files of the program, without the digests of their names. */
  readonly files: readonly string[];
  /** Modules by their paths in the project, with the milliseconds of their top levels. */
  readonly modules: readonly { readonly name: string; readonly ms: number }[];
}

const marked: Plugin = {
  name: "marked",
  transform(code, id) {
    if (id.includes("\0") || !/\.[cm]?[jt]s$/.test(id)) return undefined;
    const name = JSON.stringify(relative(root, id));
    return `globalThis.begun?.(${name}); ${code}\n;globalThis.ended?.();`;
  },
};

/** Written as a file of its own, which Node loads before the program. */
const recorder = `
  const fs = require("node:fs");
  const modules = [], open = [], files = new Set(), { openSync } = fs;
  fs.openSync = (path, ...options) => {
    const [, file] = /[/]dist[/](.+?)(?:-[0-9a-f]{8})?[.]cjs$/.exec(String(path)) ?? [];
    if (file !== undefined) files.add(file);
    return openSync(path, ...options);
  };
  globalThis.begun = (name) => open.push({ name, at: performance.now(), inside: 0 });
  globalThis.ended = () => {
    const { name, at, inside } = open.pop();
    const ms = performance.now() - at;
    if (open.length > 0) open.at(-1).inside += ms;
    modules.push({ name, ms: ms - inside });
  };
  process.on("exit", () => {
    fs.writeFileSync(process.env.ACCT_RECORD, JSON.stringify({ files: [...files], modules }));
  });`;

/**
 * Builds the marked program in a folder; commands that it runs keep all they keep there.
 * @returns a function that runs a command and returns what it ran
 */
export async function markedProgram(folder: string): Promise<(words: readonly string[]) => Ran> {
  for (const part of ["bin", "package.json"]) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  await build({
    ...config,
    cwd: root,
    plugins: [...config.plugins, marked],
    output: { ...config.output, dir: join(folder, "dist") },
  });
  writeFileSync(join(folder, "recorder.cjs"), recorder);
  const record = join(folder, "record.json");
  const env = {
    ...{ HOME: folder, XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder, NO_COLOR: "1" },
    ACCT_RECORD: record,
  };
  const program = ["--require", join(folder, "recorder.cjs"), join(folder, "bin", "acct.js")];
  return (words) => {
    execFileSync(process.execPath, [...program, ...words], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    return JSON.parse(readFileSync(record, "utf8")) as Ran;
  };
}
