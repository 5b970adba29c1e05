/**
 * The form of records and links. It may never change: books are sealed by it, and other programs
 * check it. The expected hashes were made by another program.
 */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  canonicalRows,
  canonicalText,
  hashOf,
  hexOf,
  type RecordKind,
  recordKindOf,
  recordKinds,
} from "../../../src/store/chain/canonical.ts";
import {
  decodeRecords,
  encodeKey,
  encodeRecords,
  genesis,
  keyOrder,
  type LinkedRecord,
  linkAfter,
  linkHashBefore,
  readCause,
} from "../../../src/store/chain/links.ts";
import type { Value } from "../../../src/store/connection/connection.ts";
import { fc } from "../../support/properties.ts";
import { guid } from "../samples.ts";

const kindOf = (table: string) => recordKindOf(table) as RecordKind;

const rate = "bbbf4193cbdec4e43be328f3c1b97d11adfc69220647b505ec900a94f26f33a6";

/** The text and the hash of a record of rows, whose columns come in the order of the first. */
function recordOf(table: string, ...rows: readonly Readonly<Record<string, Value>>[]) {
  const kind = kindOf(table);
  const canonical = canonicalRows(kind, Object.keys(rows[0] ?? {}));
  const own = rows.map((row) => canonical(Object.values(row)));
  return { text: canonicalText(kind, own), hash: hexOf(hashOf(kind, own)) };
}

test("the hashed text of a journal lists its columns in the order of the schema", () => {
  const row = {
    org: 1,
    created_at: 1_772_668_800_000,
    number: 17,
    basis: 0,
    id: guid(2),
    date: "2026-03-05",
    source_type: "ACCREC",
    source_id: guid(1),
    document_id: guid(1),
    reference: 'Grüße "5" €\n',
    reverses: null,
  };
  expect(recordOf("journal", row)).toEqual({
    text: `["journal",[0,17,"${guid(2)}","2026-03-05","ACCREC","${guid(1)}","${guid(1)}","Grüße \\"5\\" €\\n",null,1772668800000]]`,
    hash: "57b83bf05d36b2693bea261b5c1a930c4e52008d85e8cd3aceb67379bbf12cca",
  });
});

test("empty values at the end of a row are left out of its hash, so adding a column changes no hash", () => {
  const [document_id, description] = [guid(1), "A"];
  expect(
    recordOf(
      "document_line",
      { document_id, ord: 0, description, option2: null },
      { document_id, ord: 1, description: null, option2: null },
    ),
  ).toEqual({
    text: `["document_line",["${guid(1)}",0,null,"A"],["${guid(1)}",1]]`,
    hash: "665042b96f19ea39b4b5051cc78a75fbf3a066e81e35c149d6e37b207bc91b37",
  });
});

test.each([
  ["as a number", 615_300],
  ["as text", "615300"],
])("an exchange rate has the same hash whether its value comes %s", (_how, value) => {
  const record = recordOf("exchange_rate", { currency: "EUR", date: "2026-03-05", rate: value });
  expect(record).toEqual({ text: '["exchange_rate",["EUR","2026-03-05","615300"]]', hash: rate });
});

test("half a surrogate pair has the same hash as the replacement character that the database stores", () => {
  const of = (value: string) => recordOf("secret", { name: "n", value });
  expect(of("a\ud800b")).toEqual(of("a\ufffdb"));
  expect(of("\\\\ud800")).not.toEqual(of("\ufffd"));
});

/** Columns are hashed by their place: one that is added later stands at the end of its table. */
test("the order in which columns are hashed equals the recorded order", async () => {
  const lines = recordKinds.map(({ table, columns }) => `${table}: ${columns.join(", ")}`);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("../../golden/store/chain-columns.txt");
});

test("a link of the hash chain holds hashed records, and its hash covers the link before", () => {
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
  const at = 1_772_668_800_000;
  expect(linkHashBefore(genesis.hash, { number: 1, at, records, cause: null })).toBe(
    "1f9689be165b6bcbd812ede8aad138db3f9f3cf944a4614c8237310926d7b008",
  );
  const cause = `operation 7 ${rate}`;
  const first = linkAfter(genesis, { at, records, cause });
  expect(readCause(cause)).toEqual({ log: "operation", number: 7, hash: rate });
  const said = createHash("sha256").update(records).digest("hex");
  const text = `{"at":${at},"cause":"${cause}","number":1,"previous":"${genesis.hash}","records":"${said}","version":2}`;
  expect(first).toMatchObject({
    number: 1,
    hash: createHash("sha256").update(text).digest("hex"),
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

test("records of a hash chain link are decoded as they were encoded", () => {
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

test("truncated bytes of a hash chain link are refused", () => {
  const bytes = encodeRecords(new Map([[kindOf("contact"), [{ key: guid(3), hash: "" }]]]));
  for (let end = 1; end < bytes.length; end += 1) {
    expect(() => decodeRecords(bytes.subarray(0, end), () => undefined)).toThrow();
  }
});

const orderOf = (table: string, a: string, b: string): number => {
  const [one, other] = [a, b].map((key) => Buffer.from(encodeKey(kindOf(table), key)));
  return keyOrder(kindOf(table), one as Buffer, other as Buffer);
};

test("record keys in the hash chain are sorted by their bytes, as in both databases", () => {
  const column = fc
    .string({ unit: "binary", maxLength: 4 })
    .map((text) => text.replaceAll("\0", ""));
  fc.assert(
    fc.property(column, column, (a, b) => {
      const order = Buffer.compare(Buffer.from(a), Buffer.from(b));
      expect(Math.sign(orderOf("secret", a, b))).toBe(order);
    }),
  );
  expect(orderOf("journal", "0\x009", "0\x0010")).toBeLessThan(0);
  const [first, second] = [guid(1), guid(2)];
  expect(orderOf("document", first, second)).toBeLessThan(0);
  expect(orderOf("document", first, "")).toBeGreaterThan(0);
  expect(orderOf("history", `${first}\0${second}`, `${first}\0${first}`)).toBeGreaterThan(0);
});
