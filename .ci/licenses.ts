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

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/**
 * Returns the licences of the packages that modules come from, as one text.
 *
 * @param modules  paths of files
 * @throws Error where a package has a licence that is not allowed, or no text of it
 */
export function licensesOf(modules: readonly string[]): string {
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []);
  return [...new Set(folders)]
    .sort()
    .map(licenseOf)
    .join(`\n${"-".repeat(80)}\n\n`);
}

function licenseOf(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Package;
  const { name, version, license = "none" } = about;
  if (!allowed.has(license)) {
    throw new Error(`${name} ${version} is bundled, and its licence is not allowed: ${license}`);
  }
  return `${name} ${version} (${license})\n\n${textIn(folder)}\n`;
}

function textIn(folder: string): string {
  const [file] = globSync("{LICEN[CS]E,licen[cs]e,COPYING}*", { cwd: folder }).sort();
  if (file !== undefined) return readFileSync(join(folder, file), "utf8").trim();
  return "(The package has no file with the text of its licence.)";
}
