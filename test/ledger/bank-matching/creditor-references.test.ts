import { describe, expect, test } from "vitest";
import {
  accountKey,
  creditorReferences,
  findReferences,
} from "../../../src/ledger/bank-matching/creditor-references.ts";
import { isIban, passesLuhn } from "../../../src/resources/common.ts";

const kinds = (text: string) => creditorReferences(text).map(({ kind }) => kind);

describe("creditor references", () => {
  test.each([
    ["RF18539007547034", "RF", "539007547034"],
    ["RF18 5390 0754 7034", "RF", "539007547034"],
    ["210000000003139471430009017", "QRR", "21000000000313947143000901"],
    ["21 00000 00003 13947 14300 09017", "QRR", "21000000000313947143000901"],
    ["+++090/9337/55493+++", "OGM", "909337554"],
    ["***090/9337/55493***", "OGM", "909337554"],
    ["090933755493", "OGM", "909337554"],
    ["1234561", "Finnish", "123456"],
    // Luhn, and modulo 11 with weights 2 to 7: 4321 by 2, 3, 4, 5 from the right is 2+6+12+20 = 40
    ["00012345678903", "Nordic", "1234567890"],
    ["43214", "Nordic", "4321"],
  ])("the reference %s is recognised as %s with the number %s", (text, kind, body) => {
    expect(creditorReferences(text)).toContainEqual(expect.objectContaining({ kind, body }));
  });

  test.each([
    ["RF19539007547034", "RF"],
    ["210000000003139471430009018", "QRR"],
    ["+++090/9337/55494+++", "OGM"],
    ["1234562", "Finnish"],
    ["00012345678904", "Nordic"],
    ["43213", "Nordic"],
  ])("the reference %s has wrong check digits, and is not recognised as %s", (text, kind) => {
    expect(kinds(text)).not.toContain(kind);
  });

  test("a Belgian structured reference with remainder 0 has the check digits 97, not 00", () => {
    expect(kinds("+++000/0000/09797+++")).toContain("OGM");
    expect(kinds("+++000/0000/09700+++")).not.toContain("OGM");
  });

  test("a Nordic reference with the modulo 11 check digit 10 is written with a dash", () => {
    // 6 by 2 is 12, 1 by 11, hence 10
    expect(kinds("6-")).toContain("Nordic");
    expect(kinds("7-")).not.toContain("Nordic");
  });
});

describe("payment references in a bank text", () => {
  test.each([
    ["Invoice RF18 5390 0754 7034 THANK YOU", ["RF18539007547034"]],
    ["QR 21 00000 00003 13947 14300 09017 end", ["210000000003139471430009017"]],
    ["paid +++090/9337/55493+++", ["090933755493"]],
    // other digits with a right check digit mean nothing
    ["order 1234561", []],
    ["phone 090933755493", []],
  ])(
    'in the bank text "%s", only references with a right check digit and the layout of their kind are found',
    (text, expected) => {
      expect(findReferences(text).map(({ reference }) => reference)).toEqual(expected);
    },
  );
});

test("IBANs and card numbers with wrong check digits are rejected, and account numbers are compared by digits", () => {
  expect(isIban("DE89 3704 0044 0532 0130 00")).toBe(true);
  expect(isIban("DE88 3704 0044 0532 0130 00")).toBe(false);
  expect(passesLuhn("4111111111111111")).toBe(true);
  expect(passesLuhn("4111111111111112")).toBe(false);
  expect(accountKey("12-3456-0789012-00")).toBe("123456078901200");
});
