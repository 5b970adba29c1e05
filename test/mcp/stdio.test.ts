import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { bin } from "../cli/built.ts";

test("the built program serves the sample company on standard input and output, and ends with its client", async () => {
  const home = mkdtempSync(join(tmpdir(), "acct-mcp-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "mcp", "--demo"],
    env: { HOME: home },
    stderr: "ignore",
  });
  const faults: Error[] = [];
  const client = new Client({ name: "trial", version: "1.2" });
  client.onerror = (error) => faults.push(error);
  await client.connect(transport);
  expect(client.getServerVersion()).toMatchObject({ name: "acct" });
  const handle = "invoice:INV-0042";
  const shown = await client.callTool({ name: "show", arguments: { handle } });
  expect(shown.structuredContent).toMatchObject({
    handle,
    record: { Contact: { Name: "Island Bay Florist" } },
  });
  const refused = await client.callTool({ name: "show", arguments: { handle: "invoice:INV-9" } });
  expect(refused).toMatchObject({ isError: true, structuredContent: { rule: "NotFound" } });
  await client.close();
  expect(faults).toEqual([]);
});
