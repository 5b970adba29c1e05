/**
 * Something that is closed where its block ends, however it ends:
 * `await using book = closing(await openBook(path))`.
 */
export function closing<T extends { close(): unknown }>(thing: T): T & AsyncDisposable {
  return Object.assign(thing, {
    [Symbol.asyncDispose]: async () => {
      await thing.close();
    },
  });
}
