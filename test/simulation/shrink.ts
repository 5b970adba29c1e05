/** The shortest list of steps that still fails (delta debugging). */

/**
 * Leaves out as many steps as it can: halves of the list first, then ever smaller parts.
 *
 * @param steps  that fail
 * @param fails  whether a list fails as well
 * @param triesMax  most lists that are tried
 */
export async function shrink<T>(
  steps: readonly T[],
  fails: (steps: readonly T[]) => Promise<boolean>,
  triesMax: number,
): Promise<readonly T[]> {
  let left = steps;
  let tries = 0;
  for (
    let size = Math.ceil(left.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = 0; at < left.length && tries < triesMax; ) {
      const fewer = [...left.slice(0, at), ...left.slice(at + size)];
      tries += 1;
      if (fewer.length > 0 && (await fails(fewer))) left = fewer;
      else at += size;
    }
  }
  return left;
}
