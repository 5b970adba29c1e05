/** What `--auto` may decide in a year is decided, and nothing wrongly. */
import { describe, expect, test } from "vitest";
import { matchLines } from "../../../src/ledger/bank-matching/match.ts";
import { firstOf } from "../../support/properties.ts";
import { actionText, isAutomatic } from "./request.ts";
import { type KnownLine, yearOf } from "./year.ts";

interface Outcome {
  readonly known: KnownLine;
  readonly decision: string | undefined;
}

/** A sum of documents has no order of its own. */
function inOrder(text: string): string {
  const [documents = "", ...difference] = text.split(", ");
  return [documents.split(" + ").sort().join(" + "), ...difference].join(", ");
}

function outcomesOf(seed: number): Outcome[] {
  return yearOf(seed).flatMap(({ request, lines }) => {
    const found = matchLines(request);
    return lines.map((known, place): Outcome => {
      const first = found[place]?.suggestions[0];
      const isDecided = first !== undefined && isAutomatic(first);
      return { known, decision: isDecided ? inOrder(actionText(first)) : undefined };
    });
  });
}

const show = ({ known: { line, truth, may }, decision }: Outcome): string =>
  JSON.stringify({ ...line, truth, may, decision });

describe.each(firstOf([1, 2, 3, 5, 8, 13, 21, 34], 3))(
  "bank matching over a year, seed %i",
  (seed) => {
    const outcomes = outcomesOf(seed);
    const decidable = outcomes.filter(({ known }) => known.may !== undefined);

    test("none of the year's bank lines is matched automatically with a wrong record", () => {
      const wrong = outcomes.filter(
        ({ known, decision }) => decision !== undefined && decision !== known.truth,
      );
      expect(wrong.map(show)).toEqual([]);
      // And nothing twice: documents, transactions, lines of the other account.
      const decisions = outcomes.flatMap(({ decision }) => decision ?? []);
      const records = decisions.flatMap((text) => text.match(/\bt?[dl]\d+/g) ?? []);
      expect(new Set(records).size).toBe(records.length);
    });

    test("at least 95 of 100 bank lines that can be matched automatically are matched", () => {
      const missed = decidable.filter(({ decision }) => decision === undefined);
      expect(missed.length / decidable.length, missed.map(show).join("\n")).toBeLessThanOrEqual(
        0.05,
      );
    });

    test("the year has bank lines of every kind to match automatically, and lines to leave for a person", () => {
      for (const kind of ["number", "name", "transaction", "rule", "transfer"] as const) {
        expect(decidable.filter(({ known }) => known.may === kind).length, kind).toBeGreaterThan(5);
      }
      expect(outcomes.length).toBeGreaterThan(700);
      expect(outcomes.length - decidable.length).toBeGreaterThan(outcomes.length / 5);
    });
  },
);
