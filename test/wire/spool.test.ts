import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { spool } from "../../src/wire/spool.ts";

const limits = { bytesMax: 1000, what: "A file" };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "acct-test-"));
  vi.stubEnv("TMPDIR", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

async function* pieces(...parts: readonly (Uint8Array | Error)[]) {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield part;
  }
}

async function all(chunks: AsyncIterable<Uint8Array>): Promise<Buffer[]> {
  const found: Buffer[] = [];
  for await (const chunk of chunks) found.push(Buffer.from(chunk));
  return found;
}

test.each([
  ["in memory", (bytes: Uint8Array) => bytes],
  ["in chunks", (bytes: Uint8Array) => pieces(bytes.subarray(0, 7), bytes.subarray(7))],
])(
  "a request body %s is stored in a temporary file, measured and hashed, and can be read repeatedly",
  async (_name, of) => {
    const bytes = randomBytes(1000);
    await using kept = await spool(of(bytes), limits);
    expect(kept.bytes).toBe(1000);
    expect(kept.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
    for (const size of [300, 1000, 4096, 300]) {
      const found = await all(kept.pieces(size));
      expect(Buffer.concat(found).equals(bytes)).toBe(true);
      expect(found.slice(0, -1).every((piece) => piece.length === size)).toBe(true);
      expect(found).toHaveLength(Math.ceil(1000 / size));
    }
  },
);

test("an empty stored request body has no chunks", async () => {
  await using kept = await spool(pieces(), limits);
  expect(kept.bytes).toBe(0);
  expect(await all(kept.pieces(10))).toEqual([]);
});

test.each([
  ["too large", "BodyTooLarge", () => pieces(randomBytes(600), randomBytes(401))],
  ["cut", "BodyIncomplete", () => pieces(randomBytes(600), new Error("reset"))],
])("a stored request body that is %s is refused, and leaves no file", async (_name, code, body) => {
  await expect(spool(body(), limits)).rejects.toMatchObject({ code });
  expect(readdirSync(folder)).toEqual([]);
});

// Windows keeps the name of an open file until it is closed.
test.skipIf(process.platform === "win32")(
  "the temporary file of a request body has no name in its folder, even while it is in use",
  async () => {
    await using kept = await spool(randomBytes(10), limits);
    expect(readdirSync(folder)).toEqual([]);
    expect(kept.bytes).toBe(10);
  },
);
