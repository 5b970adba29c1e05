/**
 * Files of the program outside of a book that may contain data of an erased person.
 *
 * Stored refusals and caches that name the person are removed. Files written for a user remain, and
 * are listed.
 */
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Contact } from "../../resources/contact.ts";
import { fold } from "../../wire/fold.ts";
import { cacheDir, type Env, stateDir } from "../context/config.ts";

/** Maximum size of scanned files in bytes; larger ones are not written for people to read. */
const bytesMax = 16 * 1024 * 1024;
/** Minimum length of a name that is searched; shorter words occur in any text. */
const lettersMin = 3;

const isBook = (name: string) => /\.acct(-wal|-shm)?$/.test(name);

/** Removes program files that mention a person, or may do so by a former name. */
export function forgetTraces(env: Env, person: Contact): void {
  for (const path of [stateDir(env), cacheDir(env)].flatMap((text) => filesIn(text, true))) {
    if (isBook(path)) continue;
    if (dirname(path) === stateDir(env) || mentions(path, person)) rmSync(path, { force: true });
  }
}

/**
 * Lists user files that mention a person, or may: plans, rejected rows, mappings, and earlier
 * copies of a book.
 *
 * @param book  its path, where it is a file
 */
export function tracesLeft(
  folders: readonly string[],
  person: Contact,
  book: string | undefined,
): readonly string[] {
  const stem = book === undefined ? undefined : basename(book, ".acct");
  const isCopy = (name: string) =>
    stem !== undefined &&
    name.startsWith(`${stem}.`) &&
    /\.(before-\d+(-\d+)?\.acct|replaced(-\d+)?|backup)$/.test(name);
  const foundCopies = new Set(
    [...folders, ...(book === undefined ? [] : [dirname(book)])].flatMap((text) =>
      filesIn(text, false),
    ),
  );
  return [...foundCopies].filter((path) => {
    if (isCopy(basename(path))) return true;
    return /\.(plan|json|csv)$/i.test(path) && mentions(path, person);
  });
}

function filesIn(folder: string, isRecursive: boolean): string[] {
  try {
    return readdirSync(folder, { recursive: isRecursive, withFileTypes: true })
      .filter((dirent) => dirent.isFile())
      .map((dirent) => join(dirent.parentPath, dirent.name));
  } catch {
    // A folder that is missing or not readable has no traces.
    return [];
  }
}

function mentions(path: string, person: Contact): boolean {
  try {
    if (statSync(path).size > bytesMax) return false;
    const text = fold(readFileSync(path, "utf8"));
    return wordsOf(person).some((personWord) => text.includes(personWord));
  } catch {
    return false;
  }
}

function wordsOf({ ContactPersons = [], Phones = [], ...own }: Contact): string[] {
  const { Name, FirstName, LastName, EmailAddress, BankAccountDetails, TaxNumber } = own;
  const full = (...names: (string | undefined)[]) => names.filter(Boolean).join(" ");
  return [
    ...[Name, full(FirstName, LastName), EmailAddress, BankAccountDetails, TaxNumber],
    ...Phones.map(({ PhoneNumber }) => PhoneNumber),
    ...ContactPersons.flatMap((each) => [full(each.FirstName, each.LastName), each.EmailAddress]),
  ].flatMap((word) => {
    const folded = fold(word ?? "").trim();
    return folded.length < lettersMin ? [] : [folded];
  });
}
