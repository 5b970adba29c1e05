/** Identifiers, countries and exact decimals of e-invoices. */
import { describe, expect, test } from "vitest";
import { categoryOf } from "../../src/e-invoices/categories.ts";
import {
  countryCode,
  isInUnion,
  registrationOf,
  vatCountry,
  vatId,
} from "../../src/e-invoices/countries.ts";
import {
  amountOf,
  atScale,
  isZero,
  parseDecimal,
  percentOf,
  toDecimal,
  unitPriceOf,
  writeDecimalOf,
} from "../../src/e-invoices/decimal.ts";
import {
  electronicAddressFault,
  isAbn,
  isGln,
  readElectronicAddress,
} from "../../src/e-invoices/identifiers.ts";
import { isIban } from "../../src/resources/common.ts";
import type { Cents, Percent } from "../../src/resources/decimal.ts";
import { fc } from "../support/properties.ts";

describe("check digits", () => {
  test.each<[what: string, is: (text: string) => boolean, right: string, wrong: string]>([
    ["an ABN", isAbn, "51824753556", "51824753557"],
    ["an NZBN", isGln, "9429041234563", "9429041234562"],
    ["a German IBAN", isIban, "DE02 1203 0000 0000 2020 51", "DE02120300000000202052"],
    ["a long IBAN", isIban, "MT84MALT011000012345MTLCAST001S", "MT84MALT011000012345MTLCAST001T"],
  ])(
    "%s with right check digits is accepted, and one with wrong check digits or a missing digit is refused",
    (_what, is, right, wrong) => {
      expect([is(right), is(wrong), is(right.slice(1)), is("")]).toEqual([
        true,
        false,
        false,
        false,
      ]);
    },
  );
});

describe("electronic addresses", () => {
  test.each([
    "0088:9429041234563",
    "0151:51824753556",
    "0204:04011000-12345-03",
    "9930:DE123456789",
    "EM:pay@moa.example",
    "0192:974760673",
    "0208:0202239951",
  ])("the electronic address %s is accepted", (text) =>
    expect(electronicAddressFault(text)).toBeUndefined(),
  );
  test.each([
    "",
    "0088",
    "0088:",
    ":5",
    "0088:9429041234562",
    "0151:51824753557",
    "9999:1",
    "EM:moa",
    "0192:974760674",
    "0208:0202239952",
  ])("the electronic address '%s' is refused", (text) =>
    expect(electronicAddressFault(text)).toBeDefined(),
  );
  test("an electronic address is read whatever the spaces and the letter case of its scheme", () => {
    expect(readElectronicAddress(" em : a@b.example ")).toEqual({
      scheme: "EM",
      id: "a@b.example",
    });
  });
});

describe("countries and VAT numbers", () => {
  test.each<[text: string, code: string | undefined]>([
    ["DE", "DE"],
    ["de", "DE"],
    ["Germany", "DE"],
    ["Deutschland", "DE"],
    ["Österreich", "AT"],
    ["Osterreich", "AT"],
    ["United Kingdom", "GB"],
    ["UK", "GB"],
    ["England", "GB"],
    ["USA", "US"],
    ["Nouvelle-Zélande", "NZ"],
    ["The Moon", undefined],
    ["", undefined],
  ])('the country name "%s" has the code %s', (text, code) => expect(countryCode(text)).toBe(code));

  test.each<[number: string, country: string | undefined, id: string | undefined]>([
    ["DE 123 456 789", undefined, "DE123456789"],
    ["123456789", "DE", "DE123456789"],
    ["12/345/67890", "DE", undefined],
    ["123456789", "GR", "EL123456789"],
    ["EL123456789", "GR", "EL123456789"],
    ["987654321", "GB", "GB987654321"],
    ["123-456-789", "NZ", undefined],
    ["", "DE", undefined],
  ])(
    "the VAT number %s of a company with the country %s becomes the id %s",
    (number, country, id) => expect(vatId(number, country)).toBe(id),
  );

  test("a VAT number gives the country by its prefix, and a country is in the European Union or not", () => {
    expect([vatCountry("EL123456789"), vatCountry("ATU12345678"), vatCountry("12")]).toEqual([
      "GR",
      "AT",
      undefined,
    ]);
    expect(["GR", "XI", "GB", "CH", "NO", "NZ"].map(isInUnion)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test("the registration number of the best-known register is preferred to any other", () => {
    expect(registrationOf("AU", "ACN 1", "51 824 753 556")).toEqual({
      id: "51824753556",
      scheme: "0151",
    });
    expect(registrationOf("NZ", "9429041234563", undefined)).toEqual({
      id: "9429041234563",
      scheme: "0088",
    });
    expect(registrationOf("NZ", "12", "34")).toEqual({ id: "12" });
    expect(registrationOf("DE", undefined, "DE123456789")).toBeUndefined();
  });
});

describe("tax categories", () => {
  const rate = (TaxType: string, percent = 0) => ({
    TaxType,
    Name: TaxType,
    EffectiveRate: (percent * 10_000) as Percent,
  });
  test.each<
    [
      country: string,
      type: string,
      percent: number,
      taxNumber: string | undefined,
      category: string | undefined,
    ]
  >([
    ["NZ", "OUTPUT2", 15, "1", "S"],
    ["NZ", "NONE", 0, "1", "E"],
    ["NZ", "NONE", 0, undefined, "O"],
    ["AU", "EXEMPTOUTPUT", 0, "1", "Z"],
    ["AU", "EXEMPTEXPORT", 0, "1", "G"],
    ["GB", "DRCHARGE20", 0, "1", "AE"],
    ["GB", "ECZROUTPUT", 0, "GB123456789", "G"],
    ["GB", "ECZROUTPUT", 0, "XI123456789", "K"],
    ["DE", "TAX001", 19, "1", "S"],
    ["DE", "TAX002", 0, "1", undefined],
  ])(
    "the tax category in %s of the tax type %s at %d percent, of a company with tax number %s, is %s",
    (country, type, percent, taxNumber, category) => {
      expect(categoryOf(rate(type, percent), { country, taxNumber })).toBe(category);
    },
  );
  test("a tax rate that has a tax category keeps it", () => {
    const said = { ...rate("NONE"), TaxCategory: "AE" as const };
    expect(categoryOf(said, { country: "NZ", taxNumber: "1" })).toBe("AE");
  });
});

describe("decimals", () => {
  const any = fc
    .tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.integer({ min: 0, max: 10 }))
    .map(([units, scale]) => toDecimal(units, scale));
  test("a decimal number is read back as it was written", () => {
    fc.assert(
      fc.property(any, (value) => {
        expect(parseDecimal(writeDecimalOf(value))).toEqual(value);
      }),
    );
  });
  test.each(["", ".", "-", "1e5", "0x1", "1,5", "NaN", "∞", "1.2.3", "9".repeat(41)])(
    "the text '%s' is refused as a decimal number",
    (text) => {
      expect(parseDecimal(text)).toBeUndefined();
    },
  );
  test.each<[quantity: string, price: string, cents: number]>([
    ["3", "19.995", 5999],
    ["-3", "19.995", -5999],
    ["0.3333", "19.9999", 667],
    ["1", "0.005", 1],
    ["-1", "0.005", -1],
  ])("the product %s × %s is rounded half away from zero", (quantity, price, cents) => {
    const [q, p] = [quantity, price].map((text) => parseDecimal(text) ?? toDecimal(0, 0)) as [
      ReturnType<typeof toDecimal>,
      ReturnType<typeof toDecimal>,
    ];
    expect(amountOf(q, p)).toBe(cents);
  });
  test("a unit price computed from an amount, times the quantity, gives the amount again", () => {
    const quantity = fc.integer({ min: 1, max: 10 ** 9 }).map((units) => toDecimal(units, 4));
    fc.assert(
      fc.property(quantity, fc.integer({ min: 0, max: 10 ** 9 }), (each, cents) => {
        expect(amountOf(each, unitPriceOf(cents as Cents, each, 10))).toBe(cents);
      }),
    );
  });
  test("a decimal is converted to an integer of a scale, and not if it has more decimal places", () => {
    expect([
      atScale(toDecimal(125, 2), 4),
      atScale(toDecimal(125, 5), 4),
      isZero(toDecimal(0, 9)),
    ]).toEqual([12_500, undefined, true]);
    expect(percentOf(-150 as Cents, toDecimal(5, 1))).toBe(-1);
  });
});
