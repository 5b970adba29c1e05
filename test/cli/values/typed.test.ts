/** Small things that are typed on one flag. */
import { describe, expect, test } from "vitest";
import { parsePairs } from "../../../src/cli/framework/pairs.ts";
import { parseYearEnd, writeYearEnd } from "../../../src/cli/values/year-end.ts";
import { addressFields } from "../../../src/resources/common.ts";
import { taxRate } from "../../../src/resources/tax-rate.ts";

describe("the end of a financial year", () => {
  test.each([
    ["31 March", 31, 3],
    ["march", 31, 3],
    ["Mar 31", 31, 3],
    ["03-31", 31, 3],
    ["--06-30", 30, 6],
    ["5 april", 5, 4],
    ["February", 29, 2],
  ])("the year end %j is parsed", (text, day, month) => {
    expect(parseYearEnd(text)).toEqual({ day, month });
    expect(parseYearEnd(writeYearEnd({ day, month }))).toEqual({ day, month });
  });

  test.each(["", "32 March", "31 april", "13-01", "0 May", "Smarch", "31", "31 March 2026"])(
    "the year end %j is refused",
    (text) => {
      expect(() => parseYearEnd(text)).toThrow(/no day of the year/);
    },
  );
});

describe("flags of the form key=value", () => {
  const { fields } = taxRate.fields.TaxComponents;
  const read = (text: string) => parsePairs(text, fields, { flag: "--component" });

  test.each([
    ["name=GST,rate=15", { Name: "GST", Rate: 150_000 }],
    [' name = "A, b" , rate=2.5%', { Name: "A, b", Rate: 25_000 }],
    [
      'name="a \\"b\\" = c",rate=1,is-compound=yes',
      { Name: 'a "b" = c', Rate: 10_000, IsCompound: true },
    ],
    ["name=GST,rate=15,", { Name: "GST", Rate: 150_000 }],
  ])('the value "%s" of a flag is parsed into its fields', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  test.each([
    ["", /is not key=value/],
    ["GST", /"GST" is not key=value/],
    ["nam=GST", /knows no "nam"\. Did you mean name\?/],
    ["name=a,name=b", /given twice/],
    ["rate=much", /rate in --component/],
    ['name="open', /is not key=value/],
  ])("the value %j of a flag of key=value pairs is refused", (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  test("a field whose value cannot be given on the command line is refused as unknown", () => {
    const options = { flag: "--address", omit: ["AddressType"] } as const;
    expect(() => parsePairs("address-type=STREET", addressFields, options)).toThrow(/knows no/);
  });
});
