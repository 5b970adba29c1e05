/**
 * Loads something when it is first asked for, and keeps it: `import()` of what is there already takes
 * its time too. A load that fails, as with too many files open, is tried again by whoever asks next.
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let kept: T | undefined;
  return async () => {
    kept ??= await load();
    return kept;
  };
}
