/**
 * What a server for tests costs: its start with an answer, the next start, and going back to a state,
 * each beside copying the file of the book, whose speed is the machine's.
 */
import { copyFileSync, globSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startAcct } from "../dist/test.js";

const rounds = 100;
const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function started() {
  const acct = await startAcct();
  const authorization = `Bearer ${await acct.token()}`;
  await (await fetch(`${acct.url}/Organisation`, { headers: { authorization } })).text();
  return acct;
}

let acct = await startAcct();
await acct.stop();
const first = await timed(async () => {
  acct = await started();
});
const [book = ""] = globSync(join(tmpdir(), `acct-kit-${process.pid}-*/book-1.acct`));
const copies: number[] = [];
const restores: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  copies.push(await timed(() => copyFileSync(book, `${book}.copy`)));
  restores.push(await timed(() => acct.restore()));
}
rmSync(`${book}.copy`);
await acct.stop();
const copy = median(copies);
for (const [what, ms] of Object.entries({ "start to answer": first, restore: median(restores) })) {
  console.log(
    `${what.padEnd(16)} ${ms.toFixed(1)} ms, ${(ms / copy).toFixed(0)} copies of the book`,
  );
}
