/** What a person names to be read: counted whatever it is, and refused by its size before. */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { inputChunks, inputStream, readInput } from "../../src/platform/input-file.ts";
import { UsageError } from "../../src/resources/errors.ts";

const folder = mkdtempSync(join(tmpdir(), "acct-"));
afterAll(() => rmSync(folder, { recursive: true }));

const bounds = { bytes: 1024 * 1024 };
const tooLarge = (path: string) => `${path} has more than 1 MiB: it is not read.`;

const files = () => {
  const sparse = join(folder, "sparse");
  writeFileSync(sparse, "");
  truncateSync(sparse, 3 * 1024 ** 3);
  return { sparse, device: "/dev/zero" };
};

test.each(["sparse", "device"] as const)(
  "an input file (%s) larger than the size limit is refused",
  async (kind) => {
    const path = files()[kind];
    const refused = [UsageError, tooLarge(path)];
    const reads = [
      () => readInput(path, bounds),
      async () => [...inputChunks(path, bounds)],
      async () => {
        for await (const _ of inputStream(path, bounds));
      },
    ];
    for (const read of reads) {
      const error = await read().then(
        () => new Error("It was read."),
        (each: Error) => each,
      );
      expect([error.constructor, error.message]).toEqual(refused);
    }
  },
);

test("a device given as an input file is read no further than the size limit, and refused", async () => {
  let bytes = 0;
  const read = (async () => {
    for await (const piece of inputStream("/dev/zero", bounds)) bytes += piece.length;
  })();
  await expect(read).rejects.toThrow("more than 1 MiB");
  expect(bytes).toBeLessThanOrEqual(bounds.bytes);
});

test("an input file within the size limit is read whole, in pieces that stay valid", async () => {
  const path = join(folder, "file");
  const content = Buffer.alloc(bounds.bytes, "0123456789\n");
  writeFileSync(path, content);
  expect(content.equals(await readInput(path, bounds))).toBe(true);
  expect(content.equals(Buffer.concat([...inputChunks(path, bounds)]))).toBe(true);
});

test.each([
  ["a folder", "/", "/ is a folder, not a file."],
  ["no file", "/nowhere/at/all", "There is no file /nowhere/at/all."],
])(
  "%s given as an input file is refused with a message that names it",
  async (_what, path, message) => {
    await expect(readInput(path, bounds)).rejects.toThrow(message);
  },
);
