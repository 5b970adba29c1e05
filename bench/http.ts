/**
 * Requests per second of a served book against those of a hello world of Hono, a web framework.
 *
 * The servers are processes of their own and this one asks them, in turns: a second of the one, a
 * second of the other. What is claimed is the median of the ratios of such turns.
 *
 * What was read of a book is kept while nothing is written, so GET of one invoice is measured twice:
 * of a book all of whose invoices are kept, and of one of which nearly none are.
 *
 * `node bench/http.ts --only get` runs that part alone: get, list, post, batch, anew or large. Only
 * the last two need the large book, which takes longest to make.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Pool } from "undici";
import { bookOf } from "./books.ts";
import { acct, inScratch, print, root } from "./measure.ts";

/** Requests under way at a time, each on a connection of its own. */
const concurrency = 8;
const turns = 7;
const turnMs = 1000;
/** Invoices in the two books: the one is kept in memory whole, of the other a few thousand. */
const smallCount = 1_000;
const largeCount = 100_000;

interface Site {
  readonly pool: Pool;
  readonly process: ChildProcess;
  readonly headers: Readonly<Record<string, string>>;
  readonly path: string;
}

interface Asked {
  readonly method: "GET" | "POST";
  readonly path: string | (() => string);
  readonly body?: (count: number) => string;
}

async function site(args: readonly string[], headers: Record<string, string>): Promise<Site> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
  const [said] = await once(child.stderr as NonNullable<ChildProcess["stderr"]>, "data");
  const url = new URL(String(said).trim());
  const path = url.pathname === "/" ? "" : url.pathname;
  return {
    pool: new Pool(url.origin, { connections: concurrency }),
    process: child,
    headers,
    path,
  };
}

function served(book: string): Promise<Site> {
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [acct, ...words, "--book", book], { encoding: "utf8" });
  run("app", "add", "bench");
  const authorization = `Bearer ${run("app", "token", "bench").stdout.trim()}`;
  const accept = "application/json";
  const flags = ["--port", "0", "--no-rate-limit", "--book", book];
  return site([acct, "serve", ...flags], { authorization, accept, "content-type": accept });
}

let sent = 0;

/** Requests per second in one turn. */
async function turn({ pool, headers, path }: Site, asked: Asked): Promise<number> {
  const began = performance.now();
  let answered = 0;
  const one = async () => {
    while (performance.now() - began < turnMs) {
      sent += 1;
      const { method, body } = asked;
      const answer = await pool.request({
        method,
        path: path + (typeof asked.path === "string" ? asked.path : asked.path()),
        headers: method === "GET" ? headers : { ...headers, "idempotency-key": `bench-${sent}` },
        body: body?.(sent) ?? null,
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`${method}: ${text.slice(0, 500)}`);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
  return (answered * 1000) / (performance.now() - began);
}

interface Side {
  readonly site: Site;
  readonly asked: Asked;
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Medians of both, in requests per second, and of their ratio. */
async function against(side: Side, other: Side) {
  const rates: [number, number][] = [];
  for (let count = -1; count < turns; count += 1) {
    const pair: [number, number] = [
      await turn(side.site, side.asked),
      await turn(other.site, other.asked),
    ];
    if (count >= 0) rates.push(pair);
  }
  return {
    rate: median(rates.map(([rate]) => rate)),
    otherRate: median(rates.map(([, rate]) => rate)),
    ratio: median(rates.map(([rate, reference]) => rate / reference)),
  };
}

function invoice(number: number): object {
  return {
    Type: "ACCREC",
    Contact: { Name: `Customer ${1 + (number % 50)}` },
    Date: "2025-06-01",
    DueDate: "2025-06-20",
    Status: "AUTHORISED",
    LineItems: [{ Description: "Goods", Quantity: 2, UnitAmount: 10, AccountCode: "200" }],
  };
}

/** The address of any of the first `count` invoices of the book, another each time. */
async function anyInvoice({ pool, headers, path }: Site, count: number): Promise<() => string> {
  const ids: string[] = [];
  for (let page = 1; ids.length < count; page += 1) {
    const list = `${path}/Invoices?page=${page}&pageSize=1000&summaryOnly=true`;
    const { body } = await pool.request({ method: "GET", path: list, headers });
    const { Invoices } = (await body.json()) as { Invoices: { InvoiceID: string }[] };
    ids.push(...Invoices.map(({ InvoiceID }) => InvoiceID));
  }
  return () => `/Invoices/${ids[Math.floor(Math.random() * count)]}`;
}

const show = (rate: number) => `${rate >= 100 ? rate.toFixed(0) : rate.toFixed(1)}/s`;

const { only } = parseArgs({ options: { only: { type: "string" } } }).values;
const isAsked = (part: string) => only === undefined || only === part;

async function bookServed(folder: string, invoices: number): Promise<Site> {
  const path = join(folder, `${invoices}.acct`);
  await bookOf(path, invoices);
  return served(path);
}

interface Part {
  readonly part: string;
  readonly name: string;
  readonly asked: Asked;
  /** The ratio that is claimed. */
  readonly least?: number;
}

const page = { method: "GET", path: "/Invoices?page=1" } as const;

async function partsOf(book: Site): Promise<readonly Part[]> {
  const batch = (count: number) => (first: number) =>
    JSON.stringify({
      Invoices: Array.from({ length: count }, (_, index) => invoice(first + index)),
    });
  const one: Asked = { method: "GET", path: await anyInvoice(book, smallCount) };
  const post = (count: number): Asked => ({
    method: "POST",
    path: "/Invoices",
    body: batch(count),
  });
  return [
    { part: "get", name: "GET one invoice", asked: one, least: 0.35 },
    { part: "list", name: "GET a page of 100 invoices with lines", asked: page },
    { part: "post", name: "POST one invoice", asked: post(1) },
    { part: "batch", name: "POST 100 invoices", asked: post(100) },
  ];
}

async function anewIn(large: Site): Promise<Part> {
  const asked: Asked = { method: "GET", path: await anyInvoice(large, largeCount) };
  return { part: "anew", name: "GET one invoice that was not read before", asked };
}

async function againstHello(book: Site, hello: Site, { name, asked, least }: Part): Promise<void> {
  const world = { site: hello, asked: { ...asked, path: "/" } };
  const { rate, otherRate, ratio } = await against({ site: book, asked }, world);
  const claim = least === undefined ? "" : `, at least ${least}: ${said(ratio >= least)}`;
  print(
    `${name}: ${show(rate)}; hello world: ${show(otherRate)}; ratio ${ratio.toFixed(3)}${claim}`,
  );
}

async function largeAgainst(small: Site, large: Site): Promise<void> {
  const { rate, otherRate, ratio } = await against(
    { site: small, asked: page },
    { site: large, asked: page },
  );
  print(
    `the page from a book of 100,000 invoices: ${show(otherRate)}; of 1,000 and more: ${show(rate)}; ` +
      `${ratio.toFixed(2)} times the time, at most 1.5: ${said(ratio <= 1.5)}`,
  );
}

async function end({ pool, process: child }: Site): Promise<void> {
  await pool.close();
  child.kill("SIGTERM");
  await once(child, "exit");
}

await inScratch(async (folder) => {
  const small = await bookServed(folder, smallCount);
  const isLarge = isAsked("large") || isAsked("anew");
  const large = isLarge ? await bookServed(folder, largeCount) : undefined;
  const hello = await site([join(root, "bench", "hello.ts")], {});
  print(`${concurrency} requests at a time, medians of ${turns} turns of ${turnMs} ms`);
  for (const part of await partsOf(small)) {
    if (isAsked(part.part)) await againstHello(small, hello, part);
  }
  if (large !== undefined && isAsked("anew")) await againstHello(large, hello, await anewIn(large));
  if (large !== undefined && isAsked("large")) await largeAgainst(small, large);
  for (const each of [small, hello, large]) if (each !== undefined) await end(each);
});

function said(holds: boolean): string {
  if (!holds) process.exitCode = 1;
  return holds ? "holds" : "MISSED";
}
