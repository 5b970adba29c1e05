/** Files on records: their bytes in pieces, whole or not at all, in a file and on a server. */
import { createHash, randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { contact, invoice } from "../../../src/resources/index.ts";
import { verify } from "../../../src/store/maintenance/verify.ts";
import { fetch } from "../../../src/store/mapping/records.ts";
import {
  attachmentsOf,
  chunkBytes,
  chunkOf,
  describeAttachment,
  type KeptAttachment,
  noteAttachments,
  saveAttachment,
} from "../../../src/store/records/attachments.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Tx } from "../../../src/store/tx/tx.ts";
import { fc, runs } from "../../support/properties.ts";
import { dump, enter, ids } from "../books.ts";
import { newId } from "../samples.ts";
import { storeIn, worlds } from "../worlds.ts";

async function* pieces(bytes: Uint8Array, broken?: Error): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += chunkBytes) {
    yield bytes.subarray(from, from + chunkBytes);
  }
  if (broken !== undefined) throw broken;
}

function fileOf(bytes: Uint8Array, more: Partial<KeptAttachment> = {}): KeptAttachment {
  return {
    id: newId(),
    resource: "Invoice",
    recordId: ids.invoice,
    name: "a.bin",
    mimeType: "application/octet-stream",
    size: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    contentId: newId(),
    includeOnline: false,
    ...more,
  };
}

async function read(tx: Tx, { contentId }: KeptAttachment): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for (;;) {
    const part = await chunkOf(tx, contentId, parts.length);
    if (part === undefined) return Buffer.concat(parts);
    parts.push(part);
  }
}

describe.each(worlds.map((make) => make()))("$name", (world) => {
  let store: Store;
  beforeEach(async () => {
    store = await storeIn(await world.empty());
    await store.write(1, (tx) => enter(tx, newId));
    await store.write(1, (tx) => noteAttachments(tx, contact, ids.contact, true));
  });
  afterEach(() => store.close());
  afterAll(() => world.close());

  test.each([
    ["one byte", 1],
    ["one database chunk", chunkBytes],
    ["one database chunk and a byte", chunkBytes + 1],
    ["three and a half database chunks", 3.5 * chunkBytes],
  ])("an attachment of %s is read back unchanged", async (_name, size) => {
    const bytes = randomBytes(size);
    const file = fileOf(bytes, { includeOnline: true });
    await store.write(1, (tx) => saveAttachment(tx, file, pieces(bytes)));
    const found = await store.read(1, async (tx) => ({
      files: await attachmentsOf(tx, ids.invoice),
      bytes: await read(tx, file),
      verified: await verify(tx),
    }));
    expect(found.files.at(-1)).toEqual(file);
    expect(found.bytes.equals(bytes)).toBe(true);
    expect(found.verified.faults).toEqual([]);
  });

  test("an attachment of any bytes with any name is read back unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.string({ unit: "binary", minLength: 1 }).filter((name) => !name.includes("\0")),
        async (bytes, name) => {
          const file = fileOf(bytes, { name, recordId: newId() });
          const seen = await store.write(
            1,
            async (tx) => {
              await saveAttachment(tx, file, pieces(bytes));
              return { files: await attachmentsOf(tx, file.recordId), bytes: await read(tx, file) };
            },
            { dryRun: true },
          );
          expect(seen.files).toEqual([file]);
          expect(seen.bytes.equals(bytes)).toBe(true);
        },
      ),
      { numRuns: runs(50) },
    );
  });

  test("a replacing attachment takes the id of the old one, whose bytes are deleted", async () => {
    const [old, bytes] = [randomBytes(2 * chunkBytes), randomBytes(10)];
    const first = fileOf(old);
    const second = fileOf(bytes, { id: first.id, mimeType: "text/plain" });
    await store.write(1, (tx) => saveAttachment(tx, first, pieces(old)));
    await store.write(1, (tx) => saveAttachment(tx, second, pieces(bytes), first));
    const found = await store.read(1, async (tx) => ({
      files: await attachmentsOf(tx, ids.invoice),
      old: await chunkOf(tx, first.contentId, 0),
      bytes: await read(tx, second),
      faults: (await verify(tx)).faults,
    }));
    expect(found.files.slice(1)).toEqual([second]);
    expect(found.old).toBeUndefined();
    expect(found.bytes.equals(bytes)).toBe(true);
    expect(found.faults).toEqual([]);
  });

  test("the media type and flags of an attachment can be changed without its bytes", async () => {
    const bytes = randomBytes(10);
    const file = fileOf(bytes);
    const other = { ...file, mimeType: "image/png", includeOnline: true };
    await store.write(1, (tx) => saveAttachment(tx, file, pieces(bytes)));
    await store.write(1, (tx) => describeAttachment(tx, other));
    const found = await store.read(1, (tx) => attachmentsOf(tx, ids.invoice));
    expect(found.slice(1)).toEqual([other]);
  });

  test.each<[string, (bytes: Uint8Array) => AsyncIterable<Uint8Array>]>([
    ["breaks off", (bytes) => pieces(bytes, new Error("cut"))],
    ["is shorter than it said", (bytes) => pieces(bytes.subarray(1))],
  ])(
    "an upload of an attachment that %s leaves the stored attachment unchanged",
    async (_name, broken) => {
      const old = randomBytes(2 * chunkBytes);
      const first = fileOf(old);
      await store.write(1, (tx) => saveAttachment(tx, first, pieces(old)));
      const before = await store.read(1, dump);
      const bytes = randomBytes(2 * chunkBytes);
      const second = fileOf(bytes, { id: first.id });
      await expect(
        store.write(1, (tx) => saveAttachment(tx, second, broken(bytes), first)),
      ).rejects.toThrow();
      expect(await store.read(1, dump)).toBe(before);
    },
  );

  test("two attachments with the same name on one record are refused", async () => {
    const bytes = randomBytes(10);
    await store.write(1, (tx) => saveAttachment(tx, fileOf(bytes), pieces(bytes)));
    await expect(
      store.write(1, (tx) => saveAttachment(tx, fileOf(bytes), pieces(bytes))),
    ).rejects.toThrow();
  });

  test("attaching a file marks the record as having attachments, and changes nothing else in it", async () => {
    const [before] = await store.read(1, (tx) => fetch(tx, invoice, "InvoiceID", [ids.bill]));
    expect(before?.HasAttachments).toBe(false);
    await store.write(1, (tx) => noteAttachments(tx, invoice, ids.bill, true));
    const [after] = await store.read(1, (tx) => fetch(tx, invoice, "InvoiceID", [ids.bill]));
    expect(after).toEqual({ ...before, HasAttachments: true });
    const [party] = await store.read(1, (tx) => fetch(tx, contact, "ContactID", [ids.contact]));
    expect(party?.HasAttachments).toBe(true);
  });
});
