/** The licences of the packages that the build puts into the program. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Licences that may be bundled: they ask for their text beside the copy, and for no more. */
const allowed = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0",
]);

/** A package in the bundle, with the name of its licence. */
export interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/**
 * Returns the packages that modules come from, and their licences as one text.
 *
 * @param modules  paths of files
 * @throws Error where a package has a licence that is not allowed, or no text of it
 */
export function licensesOf(modules: readonly string[]): {
  readonly bundled: readonly Bundled[];
  readonly text: string;
} {
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []);
  const packages = [...new Set(folders)].sort().map(packageIn);
  return {
    bundled: packages.map(({ name, version, license }) => ({ name, version, license })),
    text: packages
      .map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`)
      .join(`\n${"-".repeat(80)}\n\n`),
  };
}

function packageIn(folder: string): Bundled & { readonly text: string } {
  const text = textIn(folder);
  // png-js names its licence in the text alone.
  const unnamed = text.startsWith("MIT License") ? "MIT" : "none";
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const {
    name,
    version,
    license = unnamed,
  } = about as Omit<Bundled, "license"> & {
    readonly license?: string;
  };
  // Of several to choose from the first by name, whose text is the file LICENSE.
  const offered = license
    .replace(/^\((.*)\)$/, "$1")
    .split(" OR ")
    .sort();
  const chosen = offered.find((each) => allowed.has(each));
  if (chosen === undefined) {
    throw new Error(`${name} ${version} is bundled, and its licence is not allowed: ${license}`);
  }
  return { name, version, license: chosen, text };
}

function textIn(folder: string): string {
  const [file] = globSync("{LICEN[CS]E,licen[cs]e,COPYING}*", { cwd: folder }).sort();
  if (file !== undefined) return readFileSync(join(folder, file), "utf8").trim();
  return "(The package has no file with the text of its licence.)";
}
