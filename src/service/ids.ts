/**
 * GUIDs ordered by time (version 7), so that new rows go to the end of every index.
 *
 * Ids of one process never go backwards, also within a millisecond: the twelve bits after the time
 * count up, and the rest is chance.
 */

/** Fills `bytes` with chance. */
export type Chance = (bytes: Uint8Array) => void;

const poolBytes = 2048;
const perId = 8;

export function idsFrom(clock: () => number, chance: Chance): () => string {
  const pool = new Uint8Array(poolBytes);
  let used = poolBytes;
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
        // More than 4096 in a millisecond: borrow from the next.
        lastMs += 1;
        count = 0;
      }
    }
    if (used >= poolBytes) {
      chance(pool);
      used = 0;
    }
    let tail = "";
    for (let i = used; i < used + perId; i += 1) {
      const byte = i === used ? ((pool[i] ?? 0) & 0x3f) | 0x80 : (pool[i] ?? 0);
      tail += (byte < 16 ? "0" : "") + byte.toString(16);
    }
    used += perId;
    const time = lastMs.toString(16).padStart(12, "0");
    const rank = (0x7000 | count).toString(16);
    return `${time.slice(0, 8)}-${time.slice(8)}-${rank}-${tail.slice(0, 4)}-${tail.slice(4)}`;
  };
}
