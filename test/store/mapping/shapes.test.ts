/** Records made of rows: alike whether few of their shape were made or many. */
import { expect, test } from "vitest";
import { decoderOf } from "../../../src/store/schema/shapes.ts";

const parts = [
  { path: ["Name"] },
  { path: ["Invoice", "InvoiceID"] },
  { path: ["Invoice", "Contact", "Name"] },
  { path: ["Invoice", "Total"] },
  { path: ["IsPaid"], decode: (value: unknown) => value === 1 },
];

/** The first record of a shape, and one after so many that what makes them was compiled. */
function firstAndLater(row: readonly (string | number | null)[], from = 0) {
  const decode = decoderOf(parts, from);
  const first = decode(row);
  for (let count = 0; count < 1000; count += 1) decode(row);
  return { first, later: decode(row) };
}

test.each([
  [
    ["Ana", "i-1", "Cafe", 500, 1],
    {
      Name: "Ana",
      Invoice: { InvoiceID: "i-1", Contact: { Name: "Cafe" }, Total: 500 },
      IsPaid: true,
    },
  ],
  [
    ["", null, null, 0, 0],
    {
      Name: "",
      Invoice: { InvoiceID: undefined, Contact: undefined, Total: 0 },
      IsPaid: false,
    },
  ],
  [[null, null, null, null, null], { Name: undefined, Invoice: undefined, IsPaid: undefined }],
])("a database row %j is decoded into the fields of its record", (row, record) => {
  const { first, later } = firstAndLater(row);
  expect(first).toStrictEqual(record);
  expect(later).toStrictEqual(record);
  expect(Object.keys(later)).toEqual(Object.keys(first));
});

test("a record is decoded from a database row that has other columns before it", () => {
  const { first, later } = firstAndLater(["before", "before", "Ana", null, "Cafe", null, 1], 2);
  expect(first).toMatchObject({
    Name: "Ana",
    Invoice: { Contact: { Name: "Cafe" } },
    IsPaid: true,
  });
  expect(later).toStrictEqual(first);
});

test("decoded records do not share nested objects", () => {
  const decode = decoderOf(parts);
  for (let count = 0; count < 200; count += 1) decode(["", null, null, null, null]);
  const [one, other] = [decode(["a", "i", null, 1, 1]), decode(["a", "i", null, 1, 1])];
  (one.Invoice as Record<string, unknown>).InvoiceID = "changed";
  expect(other.Invoice).toMatchObject({ InvoiceID: "i" });
});
