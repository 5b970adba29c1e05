/** Long computations as generators that yield at points where other work may run. */

export type Slices<T> = Generator<void, T>;

/** Runs a computation without pauses. */
export function runAtOnce<T>(slices: Slices<T>): T {
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
  }
}

/**
 * Runs a computation, returning to the event loop between slices so that a server can answer other
 * requests.
 */
export async function runInSlices<T>(slices: Slices<T>): Promise<T> {
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
