/** The JSON Schema of a record is true of every record of the sample company. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, expect, test } from "vitest";
import { schemaCommand } from "../../../src/cli/commands/schema.ts";
import { newDesk } from "../real.ts";

const { acct } = newDesk();
const nouns = schemaCommand.args[0]?.values ?? [];
const ajv = new Ajv2020({ allErrors: true, validateFormats: false });

const schemaOf = async (line: string) => JSON.parse((await acct(`schema ${line}`)).stdout);

beforeAll(async () => {
  await acct("init --demo");
});

test("JSON records of each noun conform to the schema that acct schema prints", {
  timeout: 600_000,
}, async () => {
  let found = 0;
  const unlisted: string[] = [];
  for (const noun of nouns) {
    const words = noun.replace(/^bank-(rule|statement)$/, "bank $1");
    const listed = await acct(`${words} list -o json`);
    if (listed.code !== 0) {
      unlisted.push(noun);
      continue;
    }
    // Of the organisation there is one, which the word shows.
    const records: object[] = [JSON.parse(listed.stdout)].flat();
    const isRight = ajv.compile(await schemaOf(noun));
    for (const record of records.slice(0, 60)) {
      expect([isRight(record), isRight.errors], noun).toEqual([true, null]);
    }
    const [id] = (await acct(`${words} list -o id`)).stdout.split("\n");
    const shown = id ? await acct(`${words} show '${id}' -o json`) : undefined;
    if (shown?.code === 0) {
      expect([isRight(JSON.parse(shown.stdout)), isRight.errors], noun).toEqual([true, null]);
    }
    if (records.length > 0) found += 1;
  }
  expect(found).toBeGreaterThan(12);
  // They have no list of their own.
  expect(unlisted).toEqual([
    "bank-statement-line",
    "opening",
    "operation",
    "payment-service",
    "receipt",
  ]);
});

test("acct schema --input lists the required fields, and leaves out computed fields", async () => {
  const taken = await schemaOf("contact --input");
  expect(taken.required).toEqual(["Name"]);
  expect(taken.properties.UpdatedDateUTC).toBeUndefined();
  expect((await schemaOf("contact")).properties.UpdatedDateUTC).toMatchObject({
    format: "date-time",
  });
  const accepts = ajv.compile(await schemaOf("invoice --input"));
  expect(accepts({ Type: "ACCREC", Contact: { Name: "Kowhai" }, Date: "2026-03-01" })).toBe(true);
  expect(accepts({ Type: "ACCREC", Contact: { Name: "Kowhai" }, Dat: "2026-03-01" })).toBe(false);
});

test("a word that is no noun is refused by acct schema", async () => {
  const { code, stderr } = await acct("schema invoce");
  expect([code, stderr]).toEqual([2, expect.stringContaining("invoice")]);
});
