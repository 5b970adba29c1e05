/**
 * Something that is closed where its block ends, however it ends:
 * `await using book = closing(await openBook(path))`.
 */
export function closeAtBlockEnd<T extends { close(): unknown }>(resource: T): T & AsyncDisposable {
  return Object.assign(resource, {
    [Symbol.asyncDispose]: async () => {
      await resource.close();
    },
  });
}
