/** Exports as banks of many countries write them, without a form of their own: read exactly, or asked about. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { AccountFacts, ReadOptions } from "../../../src/bank-files/bank-statement.ts";
import { read, refusal } from "../statements.ts";

interface BankExport {
  readonly name: string;
  readonly country: string;
  readonly currency: string;
  readonly isCard?: boolean;
  readonly names?: readonly string[];
  /** What a person says besides. */
  readonly options?: ReadOptions;
  readonly encoding?: "latin1" | "utf16le";
  readonly file: string;
  /** `DAY|AMOUNT`, `DAY|AMOUNT|PARTY`, by day. */
  readonly lines?: readonly string[];
  readonly refused?: true;
}

const all = JSON.parse(
  readFileSync(new URL("banks.json", import.meta.url), "utf8"),
) as readonly BankExport[];

function prepared({ file, encoding, options, ...facts }: BankExport) {
  const bytes = Buffer.from(encoding === "utf16le" ? `\ufeff${file}` : file, encoding ?? "utf8");
  const accountOf = (): AccountFacts => ({ ...facts, isOwnCurrency: facts.country !== "GLOBAL" });
  return [bytes, { accountOf, ...options }] as const;
}

test.each(all.filter(({ lines }) => lines !== undefined).map((each) => [each.name, each] as const))(
  'the sample CSV export "%s" is read with the right days, amounts and signs',
  (_, each) => {
    const hasParty = each.lines?.some((line) => line.split("|").length > 2) === true;
    const found = read(...prepared(each)).flatMap(({ lines }) =>
      lines.map(({ date, amount, party }) =>
        [date, (amount / 100).toFixed(2), ...(hasParty ? [party?.name ?? ""] : [])].join("|"),
      ),
    );
    expect(found.sort()).toEqual(each.lines);
  },
);

test.each(all.filter(({ refused }) => refused === true).map((each) => [each.name, each] as const))(
  'the ambiguous CSV export "%s" is refused, and the message names the flag that settles it',
  (_, each) => {
    const { code, details } = refusal(...prepared(each));
    expect(code).toBe("Ambiguous");
    expect(details[0]?.flag).toMatch(/^--/);
  },
);
