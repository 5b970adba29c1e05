/**
 * The lock date message: the public API says "before" for "on or before", and repeats it for each
 * lock date that applies. For people it is reworded with the actual meaning.
 */
import type { Detail } from "../../resources/errors.ts";

/** Error code of a refusal by a lock date. */
export const lockDate = "LockDate";

const publicSentence =
  /^The document date cannot be before the (?:period|end of year) lock date, currently set at (\d\d)-([A-Z][a-z]{2})-(\d{4})\.?$/;
const plainBeginning = "The document date is on or before the lock date, ";

/** Rewords a sentence of an answer: the lock date message gets its day as `31 Mar 2026`. */
export function rewordLockDate(sentence: string): string {
  const [, day, month, year] = publicSentence.exec(sentence) ?? [];
  return day === undefined ? sentence : `${plainBeginning}${Number(day)} ${month} ${year}`;
}

/** Rewords the faults of one record, and keeps only the first of several lock date faults. */
export function rewordFaults(faults: readonly Detail[]): readonly Detail[] {
  const plainFaults = faults.map((fault) => ({ ...fault, message: rewordLockDate(fault.message) }));
  const ofLock = plainFaults.findIndex(isOfLock);
  return plainFaults.filter((fault, at) => at === ofLock || !isOfLock(fault));
}

export const isOfLock = ({ message }: Detail): boolean => message.startsWith(plainBeginning);
