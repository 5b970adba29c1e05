/** Long computations in slices: generators that yield where other work may go on. */

export type Slices<T> = Generator<void, T>;

/** Runs all slices one after the other. */
export function atOnce<T>(slices: Slices<T>): T {
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
  }
}

/** Lets the event loop go round between slices, so that a server answers others meanwhile. */
export async function inSlices<T>(slices: Slices<T>): Promise<T> {
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
