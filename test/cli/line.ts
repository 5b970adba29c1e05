/** Runs command lines in this process, against a service that answers what a test says. */

import { keysOf } from "../../src/cli/connection/open.ts";
import type { Context } from "../../src/cli/context/context.ts";
import { run, type World } from "../../src/cli/main.ts";
import { memorySink } from "../../src/cli/render/sinks/sink.ts";
import { createClient } from "../../src/client/client.ts";
import { type Answers, type Asked, fakeService } from "../client/service.ts";
import { noHome } from "../support/run-folder.ts";

/** 5 March 2026, noon. */
export const noon = Date.UTC(2026, 2, 5, 12);

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly asked: readonly Asked[];
  /** `GET /Invoices?page=1`, one for each request. */
  readonly lines: readonly string[];
}

export interface LineOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** A service over the network, which knows no dry run. */
  readonly remote?: boolean;
}

/**
 * Sees to it that a command writes what it declares. Otherwise --columns would be checked against
 * something else, and refused after the deed.
 */
export function asDeclared(line: string): NonNullable<World["writes"]> {
  return (written, declared) => {
    const [own, said] = [written, declared].map((each) =>
      typeof each === "object" ? each.fields : each,
    );
    if (own !== said) throw new Error(`${line} writes something else than it .answers() with`);
  };
}

export async function acct(
  words: readonly string[],
  answers: Answers = {},
  { env = {}, remote = false }: LineOptions = {},
): Promise<Ran> {
  const service = fakeService(answers);
  const stdout = memorySink();
  const stderr = memorySink();
  let changed = false;
  const open = async (ctx: Context) => {
    ctx.target(); // refuses flags that contradict each other
    return { client: clientOf(ctx), changed: () => changed && !ctx.flags.dryRun };
  };
  const clientOf = (ctx: Context) =>
    createClient(
      async (request) => {
        changed ||= request.method !== "GET";
        return service.transport(request);
      },
      {
        dryRun: ctx.flags.dryRun,
        rollsBack: !remote,
        mayWrite: ctx.writes,
        ...keysOf(ctx),
        unitDecimals: 4,
        signal: ctx.interrupted,
      },
    );
  const writes = asDeclared(words.join(" "));
  const clock = () => noon;
  const world = { env: { HOME: noHome, ...env }, stdout, stderr, clock, open, writes };
  const code = await run(words, world);
  return {
    code,
    stdout: stdout.text,
    stderr: stderr.text,
    asked: service.asked,
    lines: service.lines(),
  };
}
