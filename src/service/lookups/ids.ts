/**
 * GUIDs ordered by time (version 7), so that new rows go to the end of every index.
 *
 * Ids of one process always increase, even within a millisecond: the twelve bits after the time are
 * a counter, and the rest is random.
 */

/** Fills `bytes` with random data. */
export type Chance = (bytes: Uint8Array) => void;

const poolBytes = 2048;
const perId = 8;

export function idsFrom(clock: () => number, chance: Chance): () => string {
  const pool = new Uint8Array(poolBytes);
  let usedBytes = poolBytes;
  let lastMs = 0;
  let count = 0;
  return () => {
    const now = clock();
    if (now > lastMs) {
      lastMs = now;
      count = 0;
    } else {
      count += 1;
      if (count > 0xfff) {
        // More than 4096 ids in a millisecond use the next millisecond.
        lastMs += 1;
        count = 0;
      }
    }
    if (usedBytes >= poolBytes) {
      chance(pool);
      usedBytes = 0;
    }
    const chances = new DataView(pool.buffer, usedBytes, perId);
    usedBytes += perId;
    const variant = toHex((chances.getUint16(0) & 0x3fff) | 0x8000, 4);
    const randomRest = toHex(chances.getUint16(2), 4) + toHex(chances.getUint32(4), 8);
    const time = toHex(lastMs, 12);
    const rank = (0x7000 | count).toString(16);
    return `${time.slice(0, 8)}-${time.slice(8)}-${rank}-${variant}-${randomRest}`;
  };
}

function toHex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, "0");
}
