/**
 * The sentence of a lock date: programs know the public one, which says "before" for "on or before"
 * and comes once for each lock date in the way. It is told to people as it is meant.
 */
import type { Detail } from "../../resources/errors.ts";

/** The code of a refusal by a lock date. */
export const lockDate = "LockDate";

const publicSentence =
  /^The document date cannot be before the (?:period|end of year) lock date, currently set at (\d\d)-([A-Z][a-z]{2})-(\d{4})\.?$/;
const plainBeginning = "The document date is on or before the lock date, ";

/** A sentence of an answer; that of a lock date with its day as `31 Mar 2026`. */
export function inPlainWords(sentence: string): string {
  const [, day, month, year] = publicSentence.exec(sentence) ?? [];
  return day === undefined ? sentence : `${plainBeginning}${Number(day)} ${month} ${year}`;
}

/** The faults of one record, of lock dates the first alone. */
export function allInPlainWords(faults: readonly Detail[]): readonly Detail[] {
  const plain = faults.map((fault) => ({ ...fault, message: inPlainWords(fault.message) }));
  const ofLock = plain.findIndex(isOfLock);
  return plain.filter((fault, at) => at === ofLock || !isOfLock(fault));
}

export const isOfLock = ({ message }: Detail): boolean => message.startsWith(plainBeginning);
