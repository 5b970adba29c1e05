/** Lines of manual journals as they are typed. */
import { describe, expect, test } from "vitest";
import { parseJournalLine } from "../../../src/cli/commands/manual-journal.ts";
import { UsageError } from "../../../src/resources/errors.ts";

describe("a line of a manual journal", () => {
  test.each<[string, object]>([
    ["account=433,amount=55", { AccountCode: "433", LineAmount: 5500 }],
    ["account=433,amount=-55", { AccountCode: "433", LineAmount: -5500 }],
    ["account=433,debit=55", { AccountCode: "433", LineAmount: 5500 }],
    [
      'account=620,credit=55,description="Kiln, half",tax=NONE',
      { AccountCode: "620", LineAmount: -5500, Description: "Kiln, half", TaxType: "NONE" },
    ],
  ])("%s", (text, line) => expect(parseJournalLine(text)).toEqual(line));

  test.each(["account=433,debit=1,credit=1", "account=433,amount=1,debit=1", "quantity=2"])(
    "%s is refused",
    (text) => expect(() => parseJournalLine(text)).toThrow(UsageError),
  );
});
