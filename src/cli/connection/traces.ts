/**
 * Files of the program outside of a book that may name an erased person.
 *
 * Refusals and caches that name the person are removed. Files written for a user stay the user's, and
 * are listed.
 */
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Contact } from "../../resources/contact.ts";
import { fold } from "../../wire/fold.ts";
import { cacheDir, type Env, stateDir } from "../context/config.ts";

/** Larger ones are none that is written for a person to read. */
const bytesMax = 16 * 1024 * 1024;
/** Shorter words stand in any other text. */
const lettersMin = 3;

const isBook = (name: string) => /\.acct(-wal|-shm)?$/.test(name);

/** Removes what tells of a person, or may do so by a former name, from the folders of the program. */
export function forgetTraces(env: Env, person: Contact): void {
  for (const path of [stateDir(env), cacheDir(env)].flatMap((each) => filesIn(each, true))) {
    if (isBook(path)) continue;
    if (dirname(path) === stateDir(env) || tellsOf(path, person)) rmSync(path, { force: true });
  }
}

/**
 * Files of people in some folders that tell of a person, or may: plans, refused rows, mappings; and
 * copies of a book, as they were before.
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
  const all = new Set(
    [...folders, ...(book === undefined ? [] : [dirname(book)])].flatMap((each) =>
      filesIn(each, false),
    ),
  );
  return [...all].filter((path) => {
    if (isCopy(basename(path))) return true;
    return /\.(plan|json|csv)$/i.test(path) && tellsOf(path, person);
  });
}

function filesIn(folder: string, recursive: boolean): string[] {
  try {
    return readdirSync(folder, { recursive, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name));
  } catch {
    // There is no such folder, or none that may be read.
    return [];
  }
}

function tellsOf(path: string, person: Contact): boolean {
  try {
    if (statSync(path).size > bytesMax) return false;
    const text = fold(readFileSync(path, "utf8"));
    return wordsOf(person).some((word) => text.includes(word));
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
