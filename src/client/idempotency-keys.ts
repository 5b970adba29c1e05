/** The idempotency keys of one command, made of the one that a person gave. */

/** Most characters of a key that the service takes. */
export const keyMax = 128;

/**
 * KEY, KEY-1, KEY-2 and so on, one for each write: the same when the same is done again.
 *
 * @returns makes the next one; of a trial that of the write which it tries
 */
export function keysFrom(key: string): (isTrial: boolean) => string {
  let used = 0;
  return (isTrial) => {
    const next = numbered(key, used);
    if (!isTrial) used += 1;
    return next;
  };
}

/** A key that leaves no room for a number is shortened to its hash. */
function numbered(key: string, number: number): string {
  if (number === 0) return key;
  const whole = `${key}-${number}`;
  if (whole.length <= keyMax) return whole;
  const { createHash } = process.getBuiltinModule("node:crypto");
  return `${createHash("sha256").update(key).digest("hex")}-${number}`;
}
