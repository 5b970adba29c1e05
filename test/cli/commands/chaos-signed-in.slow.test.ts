/**
 * A person who signed in by `acct auth login`, at work with a service that fails in every way, and
 * whose answers to requests for tokens are lost: all is done as without faults, each thing once, and
 * the sign-in is never lost.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { open } from "../../../src/cli/connection/open.ts";
import { run } from "../../../src/cli/main.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { kinds } from "../../../src/service/fault-injection/plan.ts";
import { type Office, openOffice, signInAt, TokenProxy, type Trick } from "../office.ts";
import { Machine } from "../signed-in.ts";

const rounds = 14;
const seed = "10";
/** A new token that is refused at once is final, and no request of this seed meets that. */
const chaos = `${seed}:delay=0.01,${kinds.slice(1, -2).join(",")},revoked=0.02,expired=0.02`;
/** Faults of answers with tokens, one set after another: never so many that a command gives up. */
const lost: readonly (readonly Trick[])[] = [["cut"], [], ["500", "cut"], ["cut", "cut"], ["500"]];

let office: Office;
let machine: Machine;
let proxy: TokenProxy;
/** The same book, worked on without a service. */
let calm: string;
let receipt: string;
/** What the waits would have come to, in milliseconds: nobody waits, and the clock goes on. */
let slept = 0;

beforeAll(async () => {
  office = await openOffice("--log", "json", "--chaos", chaos);
  const bank = ["--code", "090", "--name", "Bank", "--type", "BANK"];
  await office.ok(["account", "create", ...bank, "--bank-account-number", "1-2"]);
  machine = new Machine();
  receipt = join(machine.home, "receipt.txt");
  writeFileSync(receipt, "a receipt\n".repeat(40_000));
  calm = join(machine.home, "calm.acct");
  await office.ok(["book", "copy", office.book, calm]);
  proxy = new TokenProxy(office);
  await signInAt(office, machine);
  await proxy.before(machine);
});
afterAll(async () => {
  await proxy.close();
  await office.close();
  machine.clear();
});

async function acct(...words: string[]) {
  const stdout = memorySink();
  const stderr = memorySink();
  const code = await run(words, {
    env: machine.env,
    stdout,
    stderr,
    clock: () => Date.now() + slept,
    open: (ctx) =>
      open(ctx, {
        sleep: async (waitMs) => {
          slept += Math.round(waitMs);
        },
      }),
  });
  expect([words.join(" "), code, code === 0 ? "" : stderr.text]).toEqual([words.join(" "), 0, ""]);
  return stdout.text;
}

/** What is done in a round. */
function work(round: number): string[][] {
  const [name, number] = [`Customer ${round}`, `N-${round}`];
  const line = `description=Work,quantity=${round + 1},unit-amount=12.5,account=200`;
  const making = ["--invoice-number", number, "--date", "2026-01-05", "--status", "AUTHORISED"];
  const when = ["--account", "090", "--date", "2026-02-01", "--amount", "10"];
  return [
    ["contact", "create", "--name", name],
    ["invoice", "create", "--contact", name, "--line", line, ...making],
    ["payment", "apply", number, ...when],
    ["attachment", "add", receipt, "--on", `invoice:${number}`],
    ["invoice", "note", number, `Round ${round}`],
    ["contact", "update", name, "--first-name", "Ana"],
    ["invoice", "list", "--where", "AmountDue>0"],
  ];
}

const id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** All that the work leaves in a book, without ids and times. */
async function stateOf(book: string): Promise<string> {
  const list = async (noun: string, columns: string) =>
    (await acct(noun, "list", "--all", "-o", "csv", "--columns", columns, "--book", book))
      .split("\n")
      .sort()
      .join("\n");
  const files: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const columns = ["--columns", "FileName,ContentLength", "-o", "csv", "--book", book];
    files.push(await acct("attachment", "list", "--on", `invoice:N-${round}`, ...columns));
    const history = ["invoice", "history", `N-${round}`, "--columns", "Changes,Details"];
    files.push((await acct(...history, "-o", "csv", "--book", book)).replaceAll(id, "ID"));
  }
  return [
    await list("invoice", "InvoiceNumber,Contact.Name,Status,Total,AmountDue"),
    await list("contact", "Name,FirstName"),
    await list("payment", "Invoice.InvoiceNumber,Date,Amount,Status"),
    ...files,
    await acct("report", "trial-balance", "--date", "2026-12-31", "-o", "csv", "--book", book),
  ].join("\n\n");
}

/** How often each fault struck. */
function struck(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of office.said().trim().split("\n")) {
    const { chaos: kind, route } = JSON.parse(line);
    if (route !== undefined && kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

test("commands succeed through faults, and the sign-in stays valid", {
  timeout: 600_000,
}, async () => {
  const before = machine.signIn();
  let done = 0;
  let turns = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const words of work(round)) {
      if (done % 6 === 0) {
        // As if half an hour had gone by, and the next answer with tokens may be lost.
        machine.expire();
        proxy.tricks.splice(0, proxy.tricks.length, ...(lost[turns % lost.length] ?? []));
        turns += 1;
      }
      await acct(...words);
      done += 1;
    }
  }
  // Every answer was that of a sign-in that lives, also those that never came.
  expect(new Set(proxy.statuses)).toEqual(new Set([200]));
  expect([...struck().keys()].sort()).toEqual([...kinds].sort());
  const refused = (struck().get("revoked") ?? 0) + (struck().get("expired") ?? 0);
  const answersLost = lost.flat().length * Math.floor(turns / lost.length);
  expect(proxy.statuses.length).toBeGreaterThanOrEqual(turns + refused + answersLost);
  const { endedAt, secrets } = machine.signIn();
  expect(endedAt).toBeUndefined();
  expect(secrets.refreshToken).not.toBe(before.secrets.refreshToken);
  expect(JSON.parse(await acct("auth", "status", "-o", "json"))).toMatchObject({
    state: "signed in",
  });
  await acct("auth", "refresh");

  for (let round = 0; round < rounds; round += 1) {
    for (const words of work(round)) await acct(...words, "--book", calm);
  }
  expect(await stateOf(office.book)).toBe(await stateOf(calm));
  expect(await acct("book", "verify", "--book", office.book)).toContain("Everything adds up.");
});
