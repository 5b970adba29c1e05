/**
 * What a server for tests costs: a process that starts it, asks it and stops it, against a bare Node;
 * the next start in a process, with a seed of 200 documents that is kept; and going back to a state,
 * against a copy of the file of the book.
 */
import { copyFileSync, globSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startAcct } from "../dist/test.js";
import { claim, compare, inScratch, print, root, type Timed } from "./measure.ts";

const rounds = 100;
const kit = join(root, "dist/test.js");

/** A program that starts a server, gets an answer, and ends. */
const program = `
import { startAcct } from ${JSON.stringify(kit)};
const acct = await startAcct();
const authorization = \`Bearer \${await acct.token()}\`;
await (await fetch(\`\${acct.url}/Organisation\`, { headers: { authorization } })).text();
await acct.stop();
`;

const sale = {
  Contact: { Name: "Ann" },
  Date: "-30d",
  DueDate: "-10d",
  Status: "AUTHORISED",
  LineItems: [{ Description: "Mugs", Quantity: 1, UnitAmount: 20, AccountCode: "200" }],
};
const documents = Array.from({ length: 200 }, () => ({ invoice: sale }));

async function timed(name: string, times: number, work: () => unknown): Promise<Timed> {
  const ms: number[] = [];
  const processor: number[] = [];
  for (let round = 0; round < times; round += 1) {
    const [began, before] = [performance.now(), process.cpuUsage()];
    await work();
    const { user, system } = process.cpuUsage(before);
    ms.push(performance.now() - began);
    processor.push((user + system) / 1000);
  }
  const [sorted, used] = [ms, processor].map((each) => each.sort((a, b) => a - b));
  const middle = times >> 1;
  const [minMs = 0, medianMs = 0, maxMs = 0] = [sorted?.[0], sorted?.[middle], sorted?.at(-1)];
  return { name, medianMs, minMs, maxMs, processorMs: used?.[middle] ?? 0 };
}

await inScratch(async (folder) => {
  print(`Node ${process.version}`);
  process.env.XDG_CACHE_HOME = folder;
  const [bare, cold] = compare(
    [
      { name: "node -e 0", args: ["-e", "0"] },
      { name: "start, answer and stop", args: ["--input-type=module", "-e", program] },
    ],
    9,
  ) as [Timed, Timed];
  claim(cold, bare, 10);
  const seed = join(folder, "shop.json");
  writeFileSync(seed, JSON.stringify({ contacts: [{ Name: "Ann" }], documents }));
  const options = { seed, clock: "2026-03-01", ids: 1 };
  await (await startAcct(options)).stop();
  const next = async () => (await startAcct(options)).stop();
  claim(await timed("the next start, seeded", 9, next), bare, 6);
  const acct = await startAcct(options);
  const [book = ""] = globSync(join(tmpdir(), `acct-kit-${process.pid}-*/book-1.acct`));
  const copy = await timed("copy of the book", rounds, () => copyFileSync(book, `${book}.copy`));
  claim(await timed("restore", rounds, () => acct.restore()), copy, 10);
  await acct.stop();
});
