/** Nothing is lost: what was imported and what was refused add up to what the file holds. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { productOf, readExact } from "../../../src/cli/import/records/decimal-sum.ts";
import { fc, runs } from "../../support/properties.ts";
import { Desk } from "./desk.ts";

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.open();
});
afterAll(() => desk.close());

const decimal = (decimals: number) =>
  fc
    .tuple(fc.integer({ min: -99_999, max: 999_999 }), fc.integer({ min: 0, max: decimals }))
    .map(([value, scale]) => {
      const digits = String(Math.abs(value)).padStart(scale + 1, "0");
      const split = digits.length - scale;
      const text = scale === 0 ? digits : `${digits.slice(0, split)}.${digits.slice(split)}`;
      return value < 0 ? `-${text}` : text;
    });

/** Six decimals are two more than the books keep. */
const row = fc.record({
  number: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 12 }).map(String) },
    { weight: 1, arbitrary: fc.constant("") },
  ),
  name: fc.constantFrom("Acme", "Acme", "Acme", "Birch", ""),
  day: fc.constantFrom("2026-01-05", "2026-01-05", "2026-01-05", "soon"),
  text: fc.constantFrom("Work", "Work", ""),
  quantity: fc.oneof(decimal(2), decimal(6)),
  price: fc.oneof(decimal(2), decimal(6)),
});

/** Units of 10^-12. */
const sumOf = (rows: readonly { quantity: string; price: string }[]) =>
  rows.reduce((sum, { quantity, price }) => {
    const [a, b] = [readExact(quantity), readExact(price)];
    if (a === undefined || b === undefined) throw new Error("no decimal");
    const { value, scale } = productOf(a, b);
    return sum + value * 10n ** BigInt(12 - scale);
  }, 0n);

const exact = (json: string, name: string): bigint => {
  const text = new RegExp(`"${name}":(-?[\\d.]+)`).exec(json.slice(json.indexOf('"amounts"')))?.[1];
  const read = readExact(text ?? "0");
  return (read?.value ?? 0n) * 10n ** BigInt(12 - (read?.scale ?? 0));
};

test("the imported, updated, existing and refused amounts add up exactly to the total of the import file", async () => {
  let run = 0;
  const files = fc.array(row, { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(files, fc.boolean(), async (rows, partial) => {
      run += 1;
      const text = rows.map(
        ({ number, name, day, text, quantity, price }) =>
          // Numbers of one run are not those of another, but may well exist from a smaller one.
          `${name},${number === "" ? "" : `${run % 5}-${number}`},${day},${text},${quantity},${price}`,
      );
      const head = "ContactName,InvoiceNumber,Date,Description,Quantity,UnitAmount";
      const file = desk.file("rows.csv", [head, ...text].join("\n"));
      const flags = [
        "--create-contacts",
        "--set",
        "AccountCode=200",
        "--on-error",
        "skip",
        "--yes",
      ];
      const more = partial ? ["--partial"] : [];
      const { stdout, code } = await desk.acct(
        "import",
        "invoices",
        file,
        "-o",
        "json",
        ...flags,
        ...more,
      );
      expect([0, 5, 7]).toContain(code);
      const parts = ["imported", "updated", "existing", "refused", "left"];
      const sum = parts.reduce((total, name) => total + exact(stdout, name), 0n);
      expect(sum).toBe(sumOf(rows));
      expect(exact(stdout, "read")).toBe(sum);
      const account = JSON.parse(stdout);
      expect(account.rows.read).toBe(rows.length);
      expect(account.refused).toHaveLength(account.rows.refused);
      const refusedRows = account.refused.map((each: { row: number }) => rows[each.row - 2]);
      expect(exact(stdout, "refused")).toBe(sumOf(refusedRows));
    }),
    { numRuns: runs(40) },
  );
  expect((await desk.acct("book", "verify")).code).toBe(0);
});
