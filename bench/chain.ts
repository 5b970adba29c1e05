/**
 * What the hash chain costs: the same writes with it and without, request by request in turns, in one
 * process. Without it nothing is noted and no link is written, which only this bench can do: it takes
 * the methods of the write set away. What is claimed is the median of the ratios of two requests that
 * follow each other.
 *
 * `node bench/chain.ts --requests 400`; `--only sqlite` or `--only postgres` measures that part alone.
 * `--import online-retail.csv` measures an import of that file (`retail.ts`) instead, each in a process
 * of its own.
 */
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Book, createBook, createBookIn } from "../src/service/books/book.ts";
import { likelySequences, sequencesOf } from "../src/store/chain/sequences.ts";
import { TransactionWriteSet } from "../src/store/chain/write-set.ts";
import { postgresStore } from "../src/store/dialects/postgres/postgres.ts";
import { startCluster } from "../test/postgres/cluster.ts";
import { inScratch, print } from "./measure.ts";
import { customers, invoice, put } from "./postgres-invoices.ts";
import { median } from "./postgres-turns.ts";
import { retailMapping } from "./retail.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "400" },
    only: { type: "string" },
    import: { type: "string" },
    /** In a process of one import: the book that it makes, and whether that has no chain. */
    book: { type: "string" },
    without: { type: "boolean", default: false },
  },
});
const requests = Number(values.requests);
const mostOfTime = 1.1;

type Methods = Pick<TransactionWriteSet, "insert" | "touch" | "remove" | "prefetch" | "append">;

const { prototype } = TransactionWriteSet;
const { insert, touch, remove, prefetch, append } = prototype;
const kept: Methods = { insert, touch, remove, prefetch, append };
const nothing = () => undefined;
const without: Methods = {
  insert: nothing,
  touch: nothing,
  remove: nothing,
  prefetch: async (tx) => void (await sequencesOf(tx, likelySequences(tx))),
  append: () => Promise.resolve(),
};

const swap = (methods: Methods) => Object.assign(prototype, methods);

interface Cost {
  readonly ms: number;
  /** Of this process. */
  readonly cpuMs: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - began, cpuMs: (user + system) / 1000 };
}

/** Takes turns. */
async function compare(name: string, count: number, work: (at: number) => Promise<unknown>) {
  const costs = { with: [] as Cost[], without: [] as Cost[] };
  for (let at = 0; at < count * 2; at += 1) {
    const isWith = at % 2 === 0;
    swap(isWith ? kept : without);
    const cost = await costOf(() => work(at));
    if (at >= count / 5) costs[isWith ? "with" : "without"].push(cost);
  }
  swap(kept);
  claim(name, costs);
}

/** Says what the one costs of the other. @param costs  in the order in which they took turns */
function claim(name: string, costs: { readonly with: Cost[]; readonly without: Cost[] }): void {
  const middle = (all: readonly Cost[], of: keyof Cost) => median(all.map((each) => each[of]));
  const [own, reference] = [middle(costs.with, "ms"), middle(costs.without, "ms")];
  // Those that follow each other are compared, since other work on the machine comes and goes.
  const ratioOf = (of: keyof Cost) =>
    median(costs.with.map((each, at) => each[of] / (costs.without[at]?.[of] ?? Number.NaN)));
  const [ratio, cpu] = [ratioOf("ms"), ratioOf("cpuMs")];
  const holds = ratio <= mostOfTime;
  if (!holds) process.exitCode = 1;
  print(
    `${name}: ${own.toFixed(2)} ms; without the chain ${reference.toFixed(2)} ms; ` +
      `ratio ${ratio.toFixed(3)}, at most ${mostOfTime}: ${holds ? "holds" : "MISSED"}; ` +
      `of the processor ${cpu.toFixed(3)}`,
  );
}

const batchOf = (at: number) => ({
  Invoices: Array.from({ length: 100 }, (_, index) => invoice(at * 100 + index)),
});

async function measure(place: string, book: Book): Promise<void> {
  const Contacts = Array.from({ length: customers }, (_, at) => ({ Name: `Customer ${at + 1}` }));
  await put(book, "/Contacts", { Contacts });
  await put(book, "/Invoices", batchOf(0));
  await compare(`${place}, one invoice`, requests, (at) => put(book, "/Invoices", invoice(at)));
  await compare(`${place}, 8 invoices at once`, requests / 4, (at) =>
    Promise.all(Array.from({ length: 8 }, () => put(book, "/Invoices", invoice(at)))),
  );
  await compare(`${place}, a batch of 100`, requests / 8, (at) =>
    put(book, "/Invoices", batchOf(at)),
  );
  await compare(`${place}, one payment`, requests, (at) =>
    put(book, "/Payments", {
      Invoice: { InvoiceNumber: `INV-${String(at + 1).padStart(4, "0")}` },
      Account: { Code: "090" },
      Date: "2026-06-10",
      Amount: 1,
    }),
  );
  await compare(`${place}, one contact`, requests, (at) =>
    put(book, "/Contacts", { Name: `Another ${at}`, EmailAddress: `a${at}@example.com` }),
  );
  await book.close();
}

/** Turns of imports. */
const turns = 5;

/** What an import costs in a process that does nothing else; a new book first. */
async function importCost(file: string, book: string): Promise<Cost> {
  const { main } = await import("../src/cli/main.ts");
  swap(values.without ? without : kept);
  await main(["init", "--name", "Retail", "--country", "UK", "--book", book]);
  const rejected = ["--rejected", `${book}.rejected.csv`];
  return costOf(() =>
    main(["import", "invoices", file, "--book", book, ...retailMapping, ...rejected]),
  );
}

function measureImport(file: string): Promise<void> {
  return inScratch(async (folder) => {
    const costs = { with: [] as Cost[], without: [] as Cost[] };
    for (let at = 0; at < turns * 2; at += 1) {
      const isWith = at % 2 === 0;
      const own = isWith ? [] : ["--without"];
      const words = ["--import", file, "--book", join(folder, `${at}.acct`), ...own];
      const said = execFileSync(process.execPath, [import.meta.filename, ...words], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
      costs[isWith ? "with" : "without"].push(JSON.parse(said.trim().split("\n").at(-1) ?? ""));
    }
    claim("SQLite, an import of 20,000 lines", costs);
  });
}

if (values.import !== undefined) {
  const file = resolve(values.import);
  if (values.book === undefined) await measureImport(file);
  else print(JSON.stringify(await importCost(file, values.book)));
  process.exit();
}

const made = { name: "Bench Ltd", country: "NZ", demo: true } as const;
const isAsked = (part: string) => values.only === undefined || values.only === part;

await inScratch(async (folder) => {
  if (isAsked("sqlite"))
    await measure("SQLite", await createBook(join(folder, "bench.acct"), made));
  if (!isAsked("postgres")) return;
  const cluster = await startCluster({ durable: true });
  try {
    const store = await postgresStore(cluster.url);
    await measure("PostgreSQL", await createBookIn(store, made));
    await store.close();
  } finally {
    await cluster.stop();
  }
});
process.exit();
