/** A third of the examples of help that name records, in this process, each on a fresh sample company. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createDemoBook } from "../../../src/service/books/demo.ts";
import { newDesk } from "../real.ts";
import { allExamples, countryOf, linesBefore, whyNot } from "./table.ts";

const { acct, home } = newDesk();
const sample = join(home, "sample.acct");
const book = join(home, "a.acct");
beforeAll(() => createDemoBook(sample));

const verbs =
  /^acct \S+ (list|show|history|note|update|submit|approve|void|delete|allocate|match) /;
const lines = (await allExamples())
  .filter((line) => verbs.test(line) && countryOf(line) === "NZ" && !/[<>|*$]|--book/.test(line))
  .filter((line) => whyNot(line) === undefined && linesBefore(line).length === 0)
  .filter((_, at) => at % 3 === 0);

describe("examples in the help", () => {
  test.each(lines)("the example line of the help succeeds: %s", async (line) => {
    copyFileSync(sample, book);
    // The sample stands still in November, eight months after the clock of tests.
    const words = line.replace(/^acct /, "").replaceAll('"', "'");
    const { code, stderr } = await acct(words, { daysLater: 260 });
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  });
});
