/** `.acct.json`: binds a directory and all directories below it to a book or a service. */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UsageError } from "../../resources/errors.ts";

/** The content of `.acct.json`; names one place, and contains no secret. */
export interface Binding {
  /** Path of `.acct.json`. */
  readonly path: string;
  /** Path of a book, relative to the folder of `.acct.json`. */
  readonly book?: string | undefined;
  /** Path of a folder of books, relative to the folder of `.acct.json`. */
  readonly data?: string | undefined;
  readonly profile?: string | undefined;
  /** Name or id of an organisation. */
  readonly tenant?: string | undefined;
  /** Whether changes are refused. */
  readonly readOnly?: boolean | undefined;
}

const fileName = ".acct.json";
const placeKeys = ["book", "data", "profile"] as const;
const kinds: Readonly<Record<string, "string" | "boolean">> = {
  book: "string",
  data: "string",
  profile: "string",
  tenant: "string",
  readOnly: "boolean",
};

/**
 * Returns the binding of a folder, from the nearest `.acct.json` in it or above.
 *
 * @throws UsageError `BadBinding` where the file is invalid
 */
export function findBindingAbove(folder: string): Binding | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const path = join(at, fileName);
    const text = textAt(path);
    if (text !== undefined) return bindingOf(path, text);
    if (at === dirname(at)) return undefined;
  }
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A parent folder that may not be read counts as one without a binding.
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES") return undefined;
    throw new UsageError("BadBinding", `${path} cannot be read: ${(error as Error).message}`);
  }
}

function bindingOf(path: string, text: string): Binding {
  const bad = (problem: string) => new UsageError("BadBinding", `${path} ${problem}.`);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw bad("is no JSON");
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw bad('is no object such as { "book": "shop.acct" }');
  }
  for (const [name, value] of Object.entries(content)) {
    const kind = kinds[name];
    if (kind === undefined) {
      throw bad(`says "${name}", which is none of ${Object.keys(kinds).join(", ")}`);
    }
    if (typeof value !== kind || value === "") throw bad(`says no ${kind} for "${name}"`);
  }
  const binding = content as Omit<Binding, "path">;
  const namedKeys = placeKeys.filter((placeKey) => binding[placeKey] !== undefined);
  if (namedKeys.length !== 1)
    throw bad(`says ${namedKeys.join(" and ") || "nothing"}: give one of ${placeKeys.join(", ")}`);
  const inFolder = (relativePath: string | undefined) =>
    relativePath === undefined ? undefined : resolve(dirname(path), relativePath);
  return { ...binding, path, book: inFolder(binding.book), data: inFolder(binding.data) };
}
