import { describe, expect, test } from "vitest";
import { lineKeys, parseLine } from "../../../src/cli/values/line-flag.ts";
import { UsageError } from "../../../src/resources/errors.ts";
import { fc } from "../../support/properties.ts";

describe("the --line flag", () => {
  test.each<[string, object]>([
    [
      "description=Consulting,quantity=10,unit-amount=150,account=200,tax=OUTPUT",
      {
        Description: "Consulting",
        Quantity: 100_000,
        UnitAmount: 1_500_000,
        AccountCode: "200",
        TaxType: "OUTPUT",
      },
    ],
    [
      "item=GLAZE, discount=10%, amount=80.00, TaxAmount=12",
      { ItemCode: "GLAZE", DiscountRate: 100_000, LineAmount: 8000, TaxAmount: 1200 },
    ],
    ["description=a,discount-amount=1.5", { Description: "a", DiscountAmount: 150 }],
    [
      "description=a,tracking=Region:North,tracking=Team: Kiln : 2",
      {
        Description: "a",
        Tracking: [
          { Name: "Region", Option: "North" },
          { Name: "Team", Option: "Kiln : 2" },
        ],
      },
    ],
    ['description="Desk, oak",quantity=1', { Description: "Desk, oak", Quantity: 10_000 }],
    ['"description=Desk, oak",quantity=1', { Description: "Desk, oak", Quantity: 10_000 }],
    ['description="a 5\\" pipe, \\\\ long"', { Description: 'a 5" pipe, \\ long' }],
    ['description=a 5\\" pipe\\, long', { Description: 'a 5" pipe, long' }],
    ["description=a=b", { Description: "a=b" }],
    ['unit-amount="1,234.50"', { UnitAmount: 12_345_000 }],
    ["description=a,", { Description: "a" }],
  ])('the flag --line "%s" is parsed', (text, expected) => {
    expect(parseLine(text)).toEqual(expected);
  });

  test.each([
    ["", "--line: it is empty."],
    ["Consulting", /"Consulting" is not key=value. Text with a comma goes in double quotes/],
    ["description=Desk, oak", /" oak" is not key=value/],
    ["=5", /"=5" is not key=value/],
    [
      "descripton=a",
      /it knows no "descripton". Did you mean description\? It takes account, amount/,
    ],
    ["line-item=a", /it knows no "line-item"/],
    ["constructor=a", /it knows no "constructor"/],
    ["item-id=a", /it knows no "item-id"/],
    ["description=", "--line: description has no value; leave it out or give one."],
    ["account=200,account-code=260", "--line: account-code is given twice."],
    ["quantity=ten", "quantity in --line must be a number such as 1234.50, not 'ten'."],
    ["unit-amount=1.23456", /unit-amount in --line may have at most 4 decimals/],
    ["unit-amount=1,234.50", /"234.50" is not key=value/],
    [`account=${"1".repeat(11)}`, "account in --line may have at most 10 characters, not 11."],
    ["tracking=North", /tracking is CATEGORY:OPTION, such as Region:North, not "North"/],
    ["tracking=Region:", /tracking is CATEGORY:OPTION/],
    ["tracking=A:1,tracking=A:2", /names the category A twice/],
    ["tracking=A:1,tracking=B:2,tracking=C:3", /at most 2 tracking categories/],
    ['description="open, quantity=1', /the quote before "open, quantity=1" is not closed/],
    ["description=a,,quantity=1", /"" is not key=value/],
  ])('the flag --line "%s" is refused', (text, message) => {
    expect(() => parseLine(text)).toThrow(UsageError);
    expect(() => parseLine(text)).toThrow(message);
  });

  test("any quoted text in a --line flag is read unchanged", () => {
    const texts = fc
      .string({ unit: "grapheme-ascii", minLength: 1 })
      .filter((text) => text.trim() !== "");
    fc.assert(
      fc.property(texts, (text) => {
        const quoted = `"${text.replace(/["\\]/g, "\\$&")}"`;
        const expected = text.trim();
        expect(parseLine(`account=200,description=${quoted}`)).toEqual({
          AccountCode: "200",
          Description: expected,
        });
      }),
    );
  });

  test("the --line flag accepts the fields of a document line, without read-only fields", () => {
    expect(lineKeys).toContain("unit-amount");
    expect(lineKeys).toContain("tracking");
    expect(lineKeys).not.toContain("item-id");
    expect(new Set(lineKeys).size).toBe(lineKeys.length);
  });
});
