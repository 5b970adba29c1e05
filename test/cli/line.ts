/** Runs command lines in this process, against a service that answers what a test says. */

import type { Context } from "../../src/cli/context.ts";
import { run } from "../../src/cli/main.ts";
import { memorySink } from "../../src/cli/render/sink.ts";
import { createClient } from "../../src/client/client.ts";
import { type Answers, type Asked, fakeService } from "../client/service.ts";

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
    ctx.place(); // refuses flags that contradict each other
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
        unitDecimals: 4,
        signal: ctx.interrupted,
      },
    );
  const world = { env: { HOME: "/nowhere", ...env }, stdout, stderr, clock: () => noon, open };
  const code = await run(words, world);
  return {
    code,
    stdout: stdout.text,
    stderr: stderr.text,
    asked: service.asked,
    lines: service.lines(),
  };
}
