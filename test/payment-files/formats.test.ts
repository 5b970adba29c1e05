/** Files of three payments against those that were made by hand from the published formats. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type PaymentOrder, paymentFile, usualFormat } from "../../src/payment-files/index.ts";
import type { PaymentFileFormat } from "../../src/resources/payment-file.ts";
import { australian, european, newZealand, ofAnyLetters, order, payment } from "./orders.ts";

function written(format: PaymentFileFormat, asked: PaymentOrder) {
  const file = paymentFile(format, asked);
  if ("faults" in file) throw new Error(file.faults.map(({ message }) => message).join("\n"));
  return file;
}

const sentences = (format: PaymentFileFormat, asked: PaymentOrder) => {
  const file = paymentFile(format, asked);
  return "faults" in file ? file.faults.map(({ rule, message }) => `${rule}: ${message}`) : [];
};

test.each([
  ["aba", australian, "three.aba"],
  ["ib4b", newZealand, "three-ib4b.txt"],
  ["pain.001", european, "three-pain.001.xml"],
  ["csv", ofAnyLetters, "three.csv"],
] as const)(
  "the %s payment file of three payments equals the file made by hand",
  (format, asked, name) => {
    const expected = readFileSync(new URL(`expected/${name}`, import.meta.url), "utf8");
    expect(written(format, asked).text).toBe(expected);
  },
);

/** The positions of an ABA file, from its published layout and not from the writer. */
function readAba(text: string) {
  const lines = text.split("\r\n");
  expect(lines.pop()).toBe("");
  expect(new Set(lines.map(({ length }) => length))).toEqual(new Set([120]));
  const at = (line: string, from: number, to: number) => line.slice(from - 1, to);
  const [head = "", ...rest] = lines;
  const foot = rest.pop() ?? "";
  expect([head[0], foot[0], new Set(rest.map((line) => line[0]))]).toEqual([
    "0",
    "7",
    new Set("1"),
  ]);
  return {
    bank: at(head, 21, 23),
    day: at(head, 75, 80),
    credits: rest.map((line) => ({
      bsb: at(line, 2, 8),
      account: at(line, 9, 17).trim(),
      cents: Number(at(line, 21, 30)),
      name: at(line, 31, 62).trimEnd(),
      reference: at(line, 63, 80).trimEnd(),
    })),
    net: Number(at(foot, 21, 30)),
    credit: Number(at(foot, 31, 40)),
    debit: Number(at(foot, 41, 50)),
    count: Number(at(foot, 75, 80)),
  };
}

test("an ABA file read back has the count and totals of its payments", () => {
  const { credits, ...file } = readAba(written("aba", australian).text);
  expect(file).toEqual({
    bank: "CBA",
    day: "100326",
    net: 133455,
    credit: 133455,
    debit: 0,
    count: 3,
  });
  expect(credits.map(({ cents }) => cents)).toEqual([123450, 5, 10000]);
  expect(credits[1]).toMatchObject({ bsb: "083-004", account: "99887766", reference: "S-2" });
});

test("an IB4B file read back has the count, total and hash of its payments", () => {
  const lines = written("ib4b", newZealand).text.trimEnd().split("\r\n");
  const rows = lines.map((line) => line.split(","));
  const credits = rows.filter(([type]) => type === "2");
  expect(new Set(credits.map(({ length }) => length))).toEqual(new Set([13]));
  const hash = credits.reduce((sum, [, account = ""]) => sum + BigInt(account.slice(2, 13)), 0n);
  const sum = credits.reduce((all, [, , , cents]) => all + Number(cents), 0);
  expect(rows.at(-1)).toEqual(["3", String(sum), "3", String(hash).slice(-11).padStart(11, "0")]);
});

test("the usual payment file format follows from the account number, the country and the currency", () => {
  const of = (account: string, country: string, currency: string) =>
    usualFormat(account, { country, currency });
  expect(of("DE89 3704 0044 0532 0130 00", "NZ", "NZD")).toBe("pain.001");
  expect(of("062-000 1234567", "AU", "AUD")).toBe("aba");
  expect(of("12-3140-0171323-50", "NZ", "NZD")).toBe("ib4b");
  expect(of("123456789", "US", "USD")).toBe("csv");
});

test.each([
  "01-902-0068389-00",
  "12-3140-0171323-50",
  "12-3041-1244961-11",
  "08-6523-1954512-001",
  "26-2600-0320871-032",
  "03-1598-0017097-25",
])("the text %s is accepted as a New Zealand account number", (account) => {
  expect(sentences("ib4b", order([payment({ account })], {}))).toEqual([]);
});

test.each([
  ["ib4b", newZealand, "01-902-0068388-00"],
  ["ib4b", newZealand, "08-6523-1954513-001"],
  ["ib4b", newZealand, "26-2600-0320872-032"],
  ["ib4b", newZealand, "12-3140-0171323"],
  ["ib4b", newZealand, "12-3140-0171323-5000"],
  ["ib4b", newZealand, "000000000000000"],
  ["aba", australian, "12345678"],
  ["aba", australian, "062000"],
  ["aba", australian, "06-2000 1234567"],
  ["aba", australian, "062-000 0000000"],
  ["aba", australian, "062-000 1234567890"],
  ["pain.001", european, "DE89 3704 0044 0532 0130 01"],
  ["pain.001", european, "12-3140-0171323-50"],
  ["csv", newZealand, "GB33BUKB20201555555556"],
  ["csv", newZealand, "12-3140-0171324-50"],
] as const)(
  "a %s payment to an account number with a wrong form or check digits is refused (case %#)",
  (format, asked, account) => {
    const faults = sentences(format, {
      ...asked,
      payments: [payment({ account, amount: asked.total })],
    });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^PayeeAccount: The bank account number of Moa Coffee, /);
    expect(faults[0]).toContain(account);
  },
);

test("all faults of a payment order are named at once", () => {
  const asked = {
    ...newZealand,
    currency: "AUD",
    payer: { name: "木", account: "" },
    payments: [payment({ account: "" }), payment({ name: "株式会社 ABC", account: "1" })],
  };
  expect(sentences("ib4b", asked)).toEqual([
    "PaymentFile: A file of this format pays in NZD, and the batch is in AUD: choose another format.",
    "PaymentFile: The name of the account that pays cannot be written in the letters that the bank takes (木): give the contact the name of its bank account in Latin letters.",
    "PayeeAccount: There is no bank account number of the account that pays.",
    "PayeeAccount: There is no bank account number of Moa Coffee.",
    "PaymentFile: The name of 株式会社 ABC cannot be written in the letters that the bank takes (株式会社): give the contact the name of its bank account in Latin letters.",
    "PayeeAccount: The bank account number of 株式会社 ABC, 1, is not bank, branch, base and suffix of New Zealand, 02-0100-1234567-000, with its check digits.",
  ]);
});

test("a batch without payments and an amount with more digits than the format takes are refused", () => {
  expect(sentences("csv", order([], {}))).toEqual([
    expect.stringMatching(/^PaymentFile: There is nothing to pay/),
  ]);
  const amount = 10_000_000_000 as (typeof australian)["total"];
  const [first = payment({})] = australian.payments;
  const large = { ...australian, payments: [{ ...first, amount }], total: amount };
  expect(sentences("aba", large)).toEqual([
    "PaymentFile: The amount of Moa Coffee, AUD 100000000.00, is more than the format has digits for, 99999999.99: make several batches.",
    "PaymentFile: The amount of the whole batch, AUD 100000000.00, is more than the format has digits for, 99999999.99: make several batches.",
  ]);
});

test("a QR-IBAN is paid only with a QR reference, and another account never with one", () => {
  const franc = {
    ...european,
    currency: "CHF",
    payer: { name: "Heron", account: "CH9300762011623852957" },
  };
  const qr = { kind: "QRR", reference: "210000000003139471430009017" } as const;
  const to = (account: string, creditorReference?: typeof qr) => ({
    ...franc,
    payments: [payment({ account, creditorReference, amount: franc.total })],
  });
  const qrIban = "CH4431999123000889012";
  expect(sentences("pain.001", to(qrIban))).toEqual([expect.stringContaining("is a QR-IBAN")]);
  expect(sentences("pain.001", to("CH9300762011623852957", qr))).toEqual([
    expect.stringContaining("is paid to a QR-IBAN alone"),
  ]);
  const { text } = written("pain.001", to(qrIban, qr));
  expect(text).toContain("<Prtry>QRR</Prtry>");
  expect(text).not.toContain("SEPA");
});

test("only euro payments within SEPA are marked SEPA, and amounts in yen have no decimals", () => {
  const [first = payment({}), ...others] = european.payments;
  const abroad = { ...first, account: "TR330006100519786457841326" };
  const { text } = written("pain.001", { ...european, payments: [abroad, ...others] });
  expect(text.match(/<Cd>SEPA<\/Cd>/g)).toHaveLength(2);
  expect(text.indexOf("<Cd>SEPA</Cd>")).toBeGreaterThan(text.indexOf("TR3300061"));
  const yen = { ...european, currency: "JPY", payments: [{ ...first, amount: european.total }] };
  expect(written("pain.001", { ...yen, total: 100000 as typeof yen.total }).text).toContain(
    "<CtrlSum>1000</CtrlSum>",
  );
});

test("long names are cut, and a cut name, a weekend, a past day and a missing user number give warnings", () => {
  const name = "A".repeat(40);
  const asked = {
    ...australian,
    userNumber: undefined,
    day: "2026-03-08",
    payments: australian.payments.map((each) => ({ ...each, name })),
  };
  const { text, notes } = written("aba", asked);
  expect(readAba(text).credits[0]?.name).toBe("A".repeat(32));
  expect(notes).toEqual([
    "The day of payment, 8 March 2026, is past, which many banks refuse: --date gives another.",
    "8 March 2026 is a weekend: the bank pays on its next working day.",
    `Cut to the 32 letters of the format: ${name}.`,
    "The user number is 000000, since none was given: --user-number is for that of your bank.",
  ]);
});
