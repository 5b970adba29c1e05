/** Downloads of one account that overlap end in what happened, or in doubt. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { BankFileError } from "../../../src/bank-files/index.ts";
import { importFiles } from "../../../src/cli/bank/import-files.ts";
import type { Context } from "../../../src/cli/context/context.ts";
import { createClient } from "../../../src/client/client.ts";
import { type World, world } from "../../service/fixture.ts";
import { runs } from "../../support/properties.ts";
import { cutsOf, type Happened } from "./cuts.ts";

/** Seeds that one book is used for, each with a bank account of its own. */
const ofBook = 40;

const isLong = process.env.ACCT_TEST_RUNS !== undefined;
const from = isLong ? Number(process.env.ACCT_TEST_SEED ?? 1) : 1;

test("overlapping bank files, imported in any order, give each statement line once, or report lines in doubt", {
  timeout: 3_600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "acct-cuts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const wrong: object[] = [];
  const counts = { cuts: 0, refused: 0, inDoubt: 0, doubts: 0 };
  let given: World | undefined;
  for (let at = 0; at < runs(320); at += 1) {
    if (at % ofBook === 0) {
      await given?.book.close();
      given = await world();
    }
    const seed = from + at;
    const found = await outcomeOf(given as World, folder, seed);
    counts.cuts += found.cuts;
    counts.refused += found.refused;
    counts.inDoubt += found.doubts > 0 ? 1 : 0;
    counts.doubts += found.doubts;
    if (found.why !== "") wrong.push({ seed, ...found });
  }
  expect(wrong).toEqual([]);
  expect(counts.refused * 4).toBeLessThan(counts.cuts);
});

interface Outcome {
  readonly cuts: number;
  readonly refused: number;
  readonly doubts: number;
  /** What is wrong; empty where nothing is. */
  readonly why: string;
}

async function outcomeOf({ book, ok }: World, folder: string, seed: number): Promise<Outcome> {
  const account = `12-3405-${100_000 + seed}-00`;
  const { truth, cuts } = cutsOf(seed, account);
  const code = `B${seed}`;
  await ok("PUT", "/Accounts", {
    ...{ Code: code, Name: `Account ${seed}`, Type: "BANK", BankAccountNumber: account },
  });
  const client = createClient(book.transport);
  const said: string[] = [];
  const ctx = {
    client: async () => client,
    today: async () => "2026-12-31",
    flags: { dryRun: false },
    out: { say: (sentence: string) => said.push(sentence) },
  } as unknown as Context;
  const come = new Set<number>();
  let [refused, doubts] = [0, 0];
  for (const cut of cuts) {
    const path = join(folder, cut.name);
    writeFileSync(path, cut.content);
    try {
      const done = await importFiles(ctx, [path], {
        account: code,
        ...(cut.name.endsWith(".csv") ? { isReversed: false } : {}),
      });
      doubts += done.doubts.length;
    } catch (error) {
      if (!(error instanceof BankFileError)) throw error;
      refused += 1;
      continue;
    }
    for (const place of cut.places) come.add(place);
  }
  const answer = await ok("GET", "/Extensions/BankStatementLines", undefined, {
    query: { where: `BankAccount.Code=="${code}"`, pageSize: "1000" },
  });
  const kept = answer.BankStatementLines.map((line: Kept) => sayingOf(line, truth));
  const wanted = [...come].map((place) => {
    const { date, cents, payee } = truth[place] as Happened;
    return `${date} ${cents} ${payee}`;
  });
  const more = without(kept, wanted);
  const fewer = without(wanted, kept);
  const why = [
    ...more.map((each) => `more: ${each}`),
    ...(fewer.length > doubts ? fewer.map((each) => `fewer: ${each}`) : []),
  ].join("; ");
  return { cuts: cuts.length, refused, doubts, why };
}

interface Kept {
  readonly Date: string;
  readonly Amount: number;
  readonly Payee?: string;
  readonly Description?: string;
}

/** Day, amount, and the payee of the truth that the line names. */
function sayingOf(
  { Date: date, Amount, Payee = "", Description = "" }: Kept,
  truth: readonly Happened[],
) {
  const words = `${Payee} ${Description}`.toUpperCase();
  const names = [...new Set(truth.map(({ payee }) => payee))].filter((name) =>
    words.includes(name),
  );
  return `${dayOf(date)} ${Math.round(Amount * 100)} ${names.join("+")}`;
}

const dayOf = (written: string) =>
  new Date(Number(/\d+/.exec(written)?.[0])).toISOString().slice(0, 10);

/** What is in the one list and not in the other, each as often. */
function without(all: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return all.filter((each) => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
