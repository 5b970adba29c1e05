/** The official client before a server of the tools, which works on the sample company. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { afterAll, expect } from "vitest";
import { makeDemo } from "../../src/admin/book.ts";
import { programOf } from "../../src/cli/commands/mcp.ts";
import { open } from "../../src/cli/connection/open.ts";
import { run } from "../../src/cli/main.ts";
import { root } from "../../src/cli/nouns.ts";
import { memorySink } from "../../src/cli/render/sinks/sink.ts";
import { mcpServer } from "../../src/mcp/mcp-server.ts";
import { noon } from "../cli/line.ts";

const home = mkdtempSync(join(tmpdir(), "acct-mcp-"));
afterAll(() => rmSync(home, { recursive: true }));
export const env = { HOME: home, ACCT_BOOK: join(home, "a.acct"), ACCT_USER: "Ana Reid" };
await makeDemo(env.ACCT_BOOK);

/** Runs a line on the book of the agent. */
export async function line(words: readonly string[], more: object = {}) {
  const [stdout, stderr] = [memorySink(), memorySink()];
  const code = await run(words, {
    env: { ...env, ...more },
    stdout,
    stderr,
    clock: () => noon,
    open,
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

export const program = programOf({ root, line });

/** Connects a client with a server of the tools, or of their aliases. */
export async function connected(isAliased: boolean): Promise<Client> {
  const client = new Client({ name: "trial", version: "1.2" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await (await mcpServer(program, isAliased)).connect(far);
  await client.connect(near);
  afterAll(() => client.close());
  return client;
}

export const agent = await connected(false);

/** What a tool answered: its object, its text, and whether it is a refusal. */
export interface Told {
  // biome-ignore lint/suspicious/noExplicitAny: each tool answers with an object of its own
  readonly answer: any;
  readonly text: string;
  readonly isError: boolean;
}

/** Calls a tool, which answers with an object and the same as text. */
export async function call(
  name: string,
  given: Record<string, unknown> = {},
  client = agent,
): Promise<Told> {
  const called = await client.callTool({ name, arguments: given });
  const { content, structuredContent, isError = false } = called;
  const [{ text }] = content as unknown as [{ text: string }];
  expect(JSON.parse(text)).toEqual(structuredContent);
  return { answer: structuredContent, text, isError };
}
