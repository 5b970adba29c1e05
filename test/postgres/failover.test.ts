/**
 * The service on PostgreSQL under Patroni, while servers end: nothing that was answered is lost or done twice.
 *
 * Asked for by `ACCT_TEST_PATRONI`, how many rounds of five ends: two kills, a freeze and a hand-over of the
 * primary, and a kill of the standby. A round takes two to four minutes; each begins with a new token for the clients.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { addApp, issueToken } from "../../src/admin/apps.ts";
import { placeInDatabase } from "../../src/platform/book-address.ts";
import { createBook } from "../../src/service/books/book.ts";
import { runBuilt, type Serving, serveBuilt } from "../cli/built.ts";
import { lockMs, Patroni } from "./patroni.ts";

const rounds = Number(process.env.ACCT_TEST_PATRONI ?? 0);
if (rounds === 0) console.log("left out, because ACCT_TEST_PATRONI is not set: a failover");
const clients = 8;
/** How long a client rests between two writes, in milliseconds: so many would fill no disk. */
const restMs = 300;

const home = mkdtempSync(join(tmpdir(), "acct-failover-"));
const env = { HOME: home, PATH: process.env.PATH ?? "" };
let patroni: Patroni;

/** What clients have seen. */
const seen = {
  /** Narrations of journals that were answered with 200. */
  done: new Set<string>(),
  /** When each of those answers was asked for, and when it came, in milliseconds. */
  answers: [] as { readonly asked: number; readonly came: number }[],
  /** How often each other status was answered, 0 where no answer came. */
  refusals: new Map<number, number>(),
};

describe.skipIf(rounds === 0)("three servers of a database of which one ends", () => {
  beforeAll(async () => {
    patroni = await Patroni.start();
    await (await createBook(patroni.url, { name: "Quay", country: "NZ" })).close();
    await addApp(given(), { name: "Till" });
  });
  afterAll(async () => {
    await patroni?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  test("no write that was answered is lost or done twice, and none is answered with 500", {
    timeout: 7_200_000,
  }, async () => {
    const serving = await Promise.all([serve(), serve()]);
    const over = new AbortController();
    const access = await issueToken(given(), "Till");
    const writing = Array.from({ length: clients }, (_, at) =>
      write(at, access, serving, over.signal),
    );
    const waits: Record<string, number[]> = {};
    await firstWriteAfter(performance.now());
    const seal = runBuilt(["book", "seal"], { ...env, ACCT_DATABASE: patroni.url });
    expect(seal.status, seal.stderr).toBe(0);
    writeFileSync(join(home, "before.seal"), seal.stdout);
    for (let round = 0; round < rounds; round += 1) {
      await patroni.settled();
      Object.assign(access, await issueToken(given(), "Till"));
      for (const [name, end] of Object.entries(ends)) {
        await patroni.settled();
        waits[name] ??= [];
        waits[name].push(await end());
        console.log(
          `${round + 1}: ${name}: first write after ${Math.round(waits[name].at(-1) ?? 0)} ms`,
        );
      }
    }
    await patroni.settled();
    await firstWriteAfter(performance.now());
    over.abort();
    await Promise.all(writing);
    console.log(`${seen.done.size} writes`, waits, seen.refusals);
    await expectAllOnce();
    const verified = runBuilt(["book", "verify", "--since", join(home, "before.seal")], {
      ...env,
      // One statement looks over all records of a kind.
      ACCT_DATABASE: `${patroni.url}?statement_timeout=600000`,
    });
    expect(verified.stderr + verified.stdout).toContain("stands as it was");
    expect(verified.status).toBe(0);
    const faults = serving.flatMap(
      ({ said }) => said().match(/^.* (fault|500)( .*)?\n( {4}.*\n)*/gm) ?? [],
    );
    expect(faults).toEqual([]);
    expect([...seen.refusals.keys()].filter((status) => status !== 0 && status !== 503)).toEqual(
      [],
    );
    const longest = Math.max(...Object.values(waits).flat());
    expect(longest).toBeLessThanOrEqual(2 * lockMs);
  });
});

/** How a server ends, and how long it took from then to the first write that was answered. */
const ends = {
  async "the primary is killed"() {
    const primary = await patroni.serverOf("leader");
    const at = performance.now();
    patroni.kill(primary);
    const waited = await firstWriteAfter(at);
    await patroni.replaced(primary);
    patroni.launch(primary);
    return waited;
  },
  async "the primary is killed again"() {
    return ends["the primary is killed"]();
  },
  async "the primary freezes, and wakes when another has its place"() {
    const primary = await patroni.serverOf("leader");
    const at = performance.now();
    patroni.signal(primary, "SIGSTOP");
    const waited = await firstWriteAfter(at);
    await patroni.replaced(primary);
    await pause(Math.max(0, 1.5 * lockMs - (performance.now() - at)));
    patroni.signal(primary, "SIGCONT");
    return waited;
  },
  async "the primary hands over"() {
    const [primary, standby] = [
      await patroni.serverOf("leader"),
      await patroni.serverOf("sync_standby"),
    ];
    const at = performance.now();
    await patroni.switchOver(primary, standby);
    await patroni.replaced(primary);
    return firstWriteAfter(performance.now(), at);
  },
  async "the standby is killed"() {
    const standby = await patroni.serverOf("sync_standby");
    const at = performance.now();
    patroni.kill(standby);
    const waited = await firstWriteAfter(at);
    patroni.launch(standby);
    return waited;
  },
};

function given() {
  const path = placeInDatabase({ url: patroni.url, organisation: "Quay" });
  return { path, clock: Date.now, operator: {} };
}

function serve(): Promise<Serving> {
  const words = ["--database", patroni.url, "--port", "0", "--no-rate-limit", "--log", "text"];
  return serveBuilt(words, env);
}

/** Waits for a write that is asked for from a moment on. @returns when it came, in milliseconds since `from` */
async function firstWriteAfter(at: number, from = at): Promise<number> {
  const first = () => seen.answers.find(({ asked }) => asked >= at);
  const { came } = await vi.waitUntil(first, { timeout: 300_000, interval: 20 });
  return came - from;
}

/** Writes one journal after the other, each until it is answered with 200, at this or that process. */
async function write(
  client: number,
  access: { readonly token: string },
  serving: readonly Serving[],
  signal: AbortSignal,
): Promise<void> {
  for (let at = 0; !signal.aborted; at += 1) {
    const narration = `${client}-${at}`;
    for (let attempt = 0; !seen.done.has(narration); attempt += 1) {
      const { baseUrl } = serving[(client + attempt) % serving.length] as Serving;
      const asked = performance.now();
      const status = await post(baseUrl, access.token, narration);
      if (status === 200) {
        seen.done.add(narration);
        seen.answers.push({ asked, came: performance.now() });
      } else seen.refusals.set(status, (seen.refusals.get(status) ?? 0) + 1);
      await pause(restMs);
    }
  }
}

/** Posts a journal under its narration as idempotency key. @returns the status, 0 where no answer came */
async function post(baseUrl: string, token: string, narration: string): Promise<number> {
  const lines = [
    { LineAmount: 10, AccountCode: "404" },
    { LineAmount: -10, AccountCode: "429" },
  ];
  const answer = await fetch(`${baseUrl}/ManualJournals`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/json",
      "content-type": "application/json",
      "idempotency-key": narration,
    },
    body: JSON.stringify({ Narration: narration, Status: "POSTED", JournalLines: lines }),
    signal: AbortSignal.timeout(60_000),
  }).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => undefined);
  if (answer !== undefined && answer.status === 400) throw new Error(`${narration} is refused`);
  return answer?.status ?? 0;
}

/** Expects each journal that was answered once in the database, no other, and numbers without a gap. */
async function expectAllOnce(): Promise<void> {
  const client = new pg.Client(patroni.url);
  await client.connect();
  await client.query("analyze");
  const { rows } = await client.query("select narration from manual_journal");
  expect(rows.map(({ narration }) => narration).sort()).toEqual([...seen.done].sort());
  const { rows: numbers } = await client.query(
    "select count(*)::int as count, max(number)::int as last from journal where basis = 0",
  );
  await client.end();
  expect(numbers[0].count).toBe(numbers[0].last);
}
