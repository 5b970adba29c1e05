/** Idempotency keys of one command, derived from the key that the user gave. */

/** Maximum length of an idempotency key, as the service limits it. */
export const keyMax = 128;

/**
 * Returns a generator of KEY, KEY-1, KEY-2 and so on, one per write, so that a repeated command
 * sends the same keys.
 *
 * @returns the function for the next key; a trial gets the key of the write that follows it
 */
export function keysFrom(key: string): (isTrial: boolean) => string {
  let usedCount = 0;
  return (isTrial) => {
    const nextKey = numberedKey(key, usedCount);
    if (!isTrial) usedCount += 1;
    return nextKey;
  };
}

/** Appends a number to a key; a key that leaves no room for it is replaced by its hash. */
function numberedKey(key: string, number: number): string {
  if (number === 0) return key;
  const numbered = `${key}-${number}`;
  if (numbered.length <= keyMax) return numbered;
  const { createHash } = process.getBuiltinModule("node:crypto");
  return `${createHash("sha256").update(key).digest("hex")}-${number}`;
}
