/**
 * Checks that everything exported below `src` is used, and every file there imported: a list that lacks
 * a new thing is found so, and code that nothing needs any more.
 *
 * A use is the name of the export in a file that imports from its file, in whatever way, or once more in
 * the file itself, as that of a type in a signature. Files of tests, benches and checks count.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Used from outside: by the door, by V8 in a process or thread of its own, or by the compiler. */
const entries = new Set([
  "src/cli/main.ts",
  "src/kit/face.ts",
  "src/kit/vitest-fixtures.ts",
  "src/store/mapping/column-check.ts",
]);

const exported =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
const listed = /^export (?:type )?\{([^}]*)\}/gm;
/** The module itself is handed on, or all of its exports. */
const whole =
  /(?:typeof import\(|=>\s*import\(|export \* (?:as \w+ )?from )\s*"(\.{1,2}\/[^"]+\.ts)"/g;
const specifiers = /(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+\.ts)"/g;

interface Source {
  /** How often each word stands there, comments aside. */
  readonly words: ReadonlyMap<string, number>;
  readonly exports: readonly string[];
}

const sources = new Map<string, Source>();
/** Files that others take whole. */
const wholes = new Set<string>();
/** Files by what they import from. */
const importers = new Map<string, Set<string>>();
for (const file of globSync(["src/**/*.ts", "test/**/*.ts", "bench/**/*.ts", ".ci/*.ts"])) {
  const text = readFileSync(file, "utf8");
  const named = [...text.matchAll(exported)].map(([, name = ""]) => name);
  const among = [...text.matchAll(listed)].flatMap(([, list = ""]) =>
    list
      .split(",")
      .map((each) => each.trim().split(/\s+/).at(-1) ?? "")
      .filter((name) => name !== ""),
  );
  sources.set(file, {
    words: countsOf(text.replaceAll(/^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "").match(/\w+/g) ?? []),
    exports: file.startsWith("src/") ? [...named, ...among] : [],
  });
  for (const [, specifier = ""] of text.matchAll(whole)) wholes.add(join(dirname(file), specifier));
  for (const [, specifier = ""] of text.matchAll(specifiers)) {
    const from = join(dirname(file), specifier);
    importers.set(from, (importers.get(from) ?? new Set()).add(file));
  }
}

const faults: string[] = [];
for (const [file, { exports, words }] of sources) {
  if (!file.startsWith("src/") || entries.has(file)) continue;
  const users = [...(importers.get(file) ?? [])].flatMap((user) => sources.get(user) ?? []);
  if (users.length === 0) faults.push(`${file}: nothing imports it.`);
  for (const name of wholes.has(file) ? [] : exports) {
    const isUsed = (words.get(name) ?? 0) > 1 || users.some((each) => each.words.has(name));
    if (!isUsed) faults.push(`${file}: nothing uses ${name}.`);
  }
}
for (const fault of faults.sort()) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
