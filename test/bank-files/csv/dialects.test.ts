/** Statements at random in random dialects: read exactly, or refused with the flags that read them exactly. */
import { expect, test } from "vitest";
import { outcomeOf } from "./answers.ts";
import { statementOf } from "./dialects.ts";

test("statements in random dialects are read exactly, or asked about with flags that settle them", () => {
  const counts = { read: 0, asked: 0 };
  for (let seed = 1; seed <= 300; seed += 1) {
    const written = statementOf(seed);
    const { isCard } = written;
    const { kind, why, asked } = outcomeOf(written, {}, { currency: "EUR", isCard });
    if (kind === "read" || kind === "asked") counts[kind] += 1;
    else if (kind === "wrong" || asked.length === 0) expect([seed, why]).toEqual([seed, ""]);
  }
  expect(counts.read).toBeGreaterThan(200);
});
