/**
 * Puts together in `dist/package` what is published, for `npm pack` and `npm publish`: the built program,
 * its manual pages, completions, fonts and guide for agents, with a `package.json` that is made for it. Only packages that
 * are not in the bundle are dependencies.
 *
 * `npm run pack` refuses while `package.json` does not say where the project lives; with `--trial` the
 * package is made all the same, private, so that npm installs it and does not publish it.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
// @ts-expect-error a file of JavaScript without types
import config from "../rolldown.config.js";

interface About {
  readonly [name: string]: unknown;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, "..");
const folder = join(root, "dist/package");
const isTrial = process.argv.includes("--trial");
const places = ["repository", "homepage", "bugs"];

const about = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as About;
const missing = places.filter((place) => !about[place]);
if (missing.length > 0 && !isTrial) {
  process.stderr.write(
    `package.json has no ${missing.join(", no ")}: the package would not say where it comes from.\n` +
      "Set them, or make a package that cannot be published: npm run pack -- --trial\n",
  );
  process.exitCode = 1;
} else {
  pack();
  process.stdout.write(`${folder}\n`);
}

function pack(): void {
  const { files } = JSON.parse(readFileSync(join(root, "dist/build.json"), "utf8"));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of files as readonly string[]) {
    if (file.startsWith("man/")) compress(`dist/${file}`, `${file}.gz`);
    else copy(`dist/${file}`, `dist/${file}`);
  }
  const texts = ["README.md", "CHANGELOG.md", "LICENSE"];
  for (const file of ["bin", "completions", "fonts", "docs/skills", ...texts]) copy(file, file);
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(published(), null, 2)}\n`);
}

/** Writes a manual page as `man` reads it on most systems, at a fifth of its size. */
function compress(from: string, to: string): void {
  mkdirSync(join(folder, dirname(to)), { recursive: true });
  writeFileSync(join(folder, to), gzipSync(readFileSync(join(root, from)), { level: 9 }));
}

function copy(from: string, to: string): void {
  cpSync(join(root, from), join(folder, to), { recursive: true });
}

/** The `package.json` of the package: without scripts, and without what the bundle has. */
function published(): object {
  const { version, description, keywords, license, author, type, exports, imports } = about;
  const isOutside = ([name]: readonly [string, string]) => config.external.includes(name);
  return {
    name: "acct-books",
    version,
    description,
    keywords,
    license,
    author,
    ...Object.fromEntries(places.map((place) => [place, about[place]])),
    ...(isTrial ? { private: true } : {}),
    type,
    engines: { node: ">=22.16.0" },
    bin: { acct: "bin/acct.js" },
    man: globSync("man/*.1.gz", { cwd: folder }).sort(),
    files: ["bin", "completions", "dist", "fonts", "man", "docs/skills"],
    exports,
    imports,
    dependencies: Object.fromEntries(Object.entries(about.dependencies).filter(isOutside)),
    optionalDependencies: about.optionalDependencies,
  };
}
