/** Each form of a known bank: a file with its lines beside it, also read without the table of forms. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { BankFileError } from "../../../src/bank-files/bank-statement.ts";
import { forms } from "../../../src/bank-files/csv/columns/bank-forms.ts";
import { only } from "../statements.ts";

const folder = new URL("forms/", import.meta.url);
const names = readdirSync(folder)
  .filter((name) => name.endsWith(".csv"))
  .map((name) => name.slice(0, -4));
const file = (name: string) => readFileSync(new URL(name, folder));

test("every known form of bank CSV export has a sample file", () => {
  expect(names.length).toBeGreaterThanOrEqual(forms.length);
});

test.each(names)(
  "the bank CSV export %s is read with its days, amounts, other parties and texts",
  (name) => {
    const { lines, reading } = only(file(`${name}.csv`));
    const found = lines.map(({ date, amount, party, text }) => ({
      date,
      amount,
      ...(party?.name === undefined ? {} : { payee: party.name }),
      ...(text === "" ? {} : { text }),
    }));
    expect(found).toEqual(JSON.parse(file(`${name}.json`).toString()));
    expect(reading?.columns.some(({ because }) => because.startsWith("form "))).toBe(true);
  },
);

test.each(names)(
  "the bank CSV export %s is read alike if its form is unknown, or refused with the flag that settles it",
  (name) => {
    const amounts = (useForms: boolean) =>
      only(file(`${name}.csv`), { useForms }).lines.map(({ date, amount }) => [date, amount]);
    let read: unknown;
    try {
      read = amounts(false);
    } catch (error) {
      if (!(error instanceof BankFileError)) throw error;
      expect(error.details[0]?.flag).toMatch(/^--/);
      return;
    }
    expect(read).toEqual(amounts(true));
  },
);
