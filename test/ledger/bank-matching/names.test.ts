import { describe, expect, test } from "vitest";
import { distanceWithin, nameRanking, nameWords } from "../../../src/ledger/bank-matching/names.ts";
import { fc, runs } from "../../support/properties.ts";

const contacts = [
  "Kowhai Design Ltd",
  "Harbour Supplies North Ltd",
  "Harbour Supplies South Ltd",
  "Müller & Söhne GmbH",
  "Øresund Straße Handel",
  "Total",
  "Wellington Plumbing Services",
  "Auckland Electrical Services",
  "Smith",
  "Smith Brothers",
].map((name) => ({ id: name, name }));
const rank = nameRanking(contacts);
const best = (text: string) => rank(text)[0];
const scoreOf = (text: string, id: string) =>
  rank(text).find(({ contactId }) => contactId === id)?.score ?? 0;

test("accents, legal forms and spelling variants are removed when the words of names are compared", () => {
  expect(nameWords("Müller & Söhne GmbH")).toEqual([
    ["MULLER", "MUELLER"],
    ["SOHNE", "SOEHNE"],
  ]);
  expect(nameWords("Straße Øre")).toEqual([["STRASSE"], ["ORE", "OERE"]]);
  expect(nameWords("SA Ltd")).toEqual([["SA"], ["LTD"]]);
});

describe("contact names in the text of a bank line", () => {
  test.each([
    ["KOWHAI DESIGN LIMITED", "Kowhai Design Ltd"],
    ["Mueller und Soehne", "Müller & Söhne GmbH"],
    ["MULLER SOHNE", "Müller & Söhne GmbH"],
    ["ORESUND STRASSE HANDEL", "Øresund Straße Handel"],
    // one letter of six, two of ten, neighbours swapped, the end cut off
    ["KOWHAY DESIGN", "Kowhai Design Ltd"],
    ["WELINGTTON PLUMBING SERVICES", "Wellington Plumbing Services"],
    ["KOWHAI DESGIN", "Kowhai Design Ltd"],
    ["AUCKLAND ELECTRICAL SERV", "Auckland Electrical Services"],
  ])("the name %s matches %s in full", (text, expected) => {
    expect(best(text)?.contactId).toBe(expected);
    expect(best(text)?.score).toBeCloseTo(1);
  });

  test("a name word shared by many contacts counts less than a rare one", () => {
    expect(scoreOf("WELLINGTON", "Wellington Plumbing Services")).toBeGreaterThan(
      scoreOf("SERVICES", "Wellington Plumbing Services"),
    );
  });

  test("similar names are told apart by the word that differs", () => {
    expect(best("HARBOUR SUPPLIES NORTH")?.contactId).toBe("Harbour Supplies North Ltd");
    expect(scoreOf("HARBOUR SUPPLIES NORTH", "Harbour Supplies South Ltd")).toBeLessThan(0.6);
    const [first, second] = rank("HARBOUR SUPPLIES");
    expect(first?.score).toBe(second?.score);
  });

  test("a name word with digits must be equal to match", () => {
    const shops = nameRanking(["Shop 4711", "Shop 4712", "Shop 7"].map((id) => ({ id, name: id })));
    expect(shops("SHOP 4711")[0]).toEqual({ contactId: "Shop 4711", score: 1 });
    expect(shops("SHOP 4711")[1]?.score).toBeLessThan(0.6);
    expect(shops("SHOP 7")[0]).toEqual({ contactId: "Shop 7", score: 1 });
    expect(shops("SHOP 471")[0]?.score).toBeLessThan(0.6);
  });

  test("a short name word must be equal to match", () => {
    expect(scoreOf("TOTL", "Total")).toBe(1);
    expect(scoreOf("TOT", "Total")).toBe(0);
    expect(rank("XYZ 123")).toEqual([]);
  });

  test("a payee that is part of a longer contact name matches both contacts", () => {
    expect(scoreOf("SMITH BROTHERS", "Smith")).toBe(1);
    expect(scoreOf("SMITH BROTHERS", "Smith Brothers")).toBe(1);
  });
});

test("name words common to hundreds of contacts do not prevent finding a contact by a rare word", () => {
  const many = Array.from({ length: 1000 }, (_, n) => ({
    id: String(n).padStart(4, "0"),
    name: `General Services Q${String(n).padStart(4, "0")}`,
  }));
  const [first, second] = nameRanking(many)("GENERAL SERVICES Q0777");
  expect(first).toEqual({ contactId: "0777", score: expect.closeTo(1) });
  expect(second?.score ?? 0).toBeLessThan(0.6);
});

describe("edit distance of words", () => {
  /** By its definition, without bounds and tables. */
  function distance(a: string, b: string): number {
    if (a === "" || b === "") return a.length + b.length;
    const ways = [
      distance(a.slice(1), b) + 1,
      distance(a, b.slice(1)) + 1,
      distance(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
    ];
    if (a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0]) {
      ways.push(distance(a.slice(2), b.slice(2)) + 1);
    }
    return Math.min(...ways);
  }

  test("the edit distance of two words equals a direct computation by the definition", () => {
    const word = fc.string({ unit: fc.constantFrom("A", "B", "C"), maxLength: 6 });
    fc.assert(
      fc.property(word, word, fc.nat(3), (a, b, most) => {
        expect(distanceWithin(a, b, most)).toBe(distance(a, b) <= most);
      }),
      { numRuns: runs(400) },
    );
  });

  test("every word within the edit distance is found in a large list of words", () => {
    const letter = fc.constantFrom(..."ABCDE");
    const word = fc.string({ unit: letter, minLength: 9, maxLength: 11 });
    const edit = fc.tuple(
      fc.constantFrom("replace", "insert", "delete", "swap"),
      fc.nat(8),
      letter,
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 1, maxLength: 20 }),
        edit,
        edit,
        (all, ...edits) => {
          let wrong = all[0] ?? "";
          for (const [kind, at, char] of edits) {
            const [before, after] = [wrong.slice(0, at), wrong.slice(at)];
            if (kind === "replace") wrong = before + char + after.slice(1);
            else if (kind === "insert") wrong = before + char + after;
            else if (kind === "delete") wrong = before + after.slice(1);
            else wrong = before + (after[1] ?? "") + (after[0] ?? "") + after.slice(2);
          }
          if (!distanceWithin(wrong, all[0] ?? "", 2)) return;
          const found = nameRanking(all.map((name) => ({ id: name, name })))(`${wrong} X`);
          const within = all.filter((name) => distanceWithin(wrong, name, 2));
          // At most five are answered.
          if (within.length <= 5) expect(found.map(({ contactId }) => contactId)).toContain(all[0]);
        },
      ),
      { numRuns: runs(400) },
    );
  });
});
