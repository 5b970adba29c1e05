/**
 * The form of records and links. It may never change: books are sealed by it, and other programs
 * check it. The expected hashes were made by another program.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  hashOf,
  hexOf,
  type RecordKind,
  recordKindOf,
  recordKinds,
  rowWriter,
} from "../../../src/store/chain/canonical.ts";
import {
  decodeRecords,
  encodeRecords,
  genesis,
  type LinkedRecord,
  linkAfter,
} from "../../../src/store/chain/links.ts";
import { keyOrder } from "../../../src/store/chain/stored.ts";
import { guid } from "../samples.ts";

const kindOf = (table: string) => recordKindOf(table) as RecordKind;

const rate = "093359b0b9112f7367224daeffba439807a001c9379a1b4ebe778a9c8f64c981";

test("a journal is written as JSON, its columns in order and without those that are empty", () => {
  const columns = {
    org: 1,
    number: 17,
    basis: 0,
    id: guid(2),
    date: "2026-03-05",
    source_type: "ACCREC",
    source_id: guid(1),
    document_id: guid(1),
    reference: 'Grüße "5" €\n',
    reverses: null,
    created_at: 1_772_668_800_000,
  };
  const write = rowWriter(kindOf("journal"), Object.keys(columns));
  const text = write(Object.values(columns));
  expect(text).toBe(
    `{"basis":0,"created_at":1772668800000,"date":"2026-03-05","document_id":"${guid(1)}","id":"${guid(2)}","number":17,"reference":"Grüße \\"5\\" €\\n","source_id":"${guid(1)}","source_type":"ACCREC"}`,
  );
  expect(hexOf(hashOf(kindOf("journal"), text))).toBe(
    "41e5036e1e7a67ff0f80b77abdb0d0b5f52c910e80d3363a1ac1f29c8f21d987",
  );
});

test.each([
  ["as a number", 615_300],
  ["as text", "615300"],
])("a rate has one hash, whether it comes %s", (_how, value) => {
  const write = rowWriter(kindOf("exchange_rate"), ["currency", "date", "rate"]);
  const text = write(["EUR", "2026-03-05", value]);
  expect(hexOf(hashOf(kindOf("exchange_rate"), text))).toBe(rate);
});

test("half a character has the hash of the sign that a database keeps for it", () => {
  const write = rowWriter(kindOf("secret"), ["name", "value"]);
  expect(write(["n", "a\ud800b"])).toBe(write(["n", "a\ufffdb"]));
});

test("links are bytes of records, each hashed with the one before", () => {
  const records = encodeRecords(
    new Map([
      [
        kindOf("exchange_rate"),
        [{ key: "EUR\x002026-03-05", hash: Buffer.from(rate, "hex").toString("latin1") }],
      ],
      [kindOf("contact"), [{ key: guid(3), hash: "" }]],
    ]),
  );
  expect(Buffer.from(records).toString("hex")).toBe(
    `0d65786368616e67655f726174650200000001034555520a323032362d30332d303501${rate}07636f6e746163740100000001000000000000007000800000000000000300`,
  );
  const first = linkAfter(genesis, 1_772_668_800_000, records);
  expect(first).toMatchObject({
    number: 1,
    hash: "d4151e5b9d76f917aca7d232a42c38e7540be1c6ab04e95d44bdd8e5f8b4eb40",
  });
  expect(linkAfter(first, null, new Uint8Array())).toMatchObject({
    number: 2,
    hash: "4b3fd561f3201d666a1185ece25565800a022d61e22ef0cef3b842e4accc3cb7",
  });
});

const anyColumn = fc.oneof(
  fc.nat().map(String),
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.string({ unit: "grapheme", maxLength: 400 }).map((text) => text.replaceAll("\0", "")),
);
const anyHash = fc.constantFrom("", "\0".repeat(32), "ÿ".repeat(32));
const anyRecords = fc.constantFrom(...recordKinds).chain((kind) =>
  fc.tuple(
    fc.constant(kind),
    fc.array(
      fc.record({
        key: fc
          .array(anyColumn, { minLength: kind.key.length, maxLength: kind.key.length })
          .map((columns) => columns.join("\0")),
        hash: anyHash,
      }),
      { minLength: 1, maxLength: 5 },
    ),
  ),
);

test("records are read from bytes as they were written", () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyRecords, { selector: ([kind]) => kind }), (written) => {
      const found = new Map<RecordKind, LinkedRecord[]>();
      decodeRecords(encodeRecords(new Map(written)), (kind, record) => {
        found.set(kind, [...(found.get(kind) ?? []), record]);
      });
      expect([...found]).toEqual(written);
    }),
  );
});

test("bytes that end too early are no records", () => {
  const bytes = encodeRecords(new Map([[kindOf("contact"), [{ key: guid(3), hash: "" }]]]));
  for (let end = 1; end < bytes.length; end += 1) {
    expect(() => decodeRecords(bytes.subarray(0, end), () => undefined)).toThrow();
  }
});

test("keys are in the order of their bytes, as both databases have them", () => {
  const column = fc
    .string({ unit: "binary", maxLength: 4 })
    .map((text) => text.replaceAll("\0", ""));
  fc.assert(
    fc.property(column, column, (a, b) => {
      const order = Buffer.compare(Buffer.from(a), Buffer.from(b));
      expect(Math.sign(keyOrder(kindOf("secret"), a, b))).toBe(order);
    }),
  );
  expect(keyOrder(kindOf("journal"), "0\x009", "0\x0010")).toBeLessThan(0);
});
