/** MCP over standard input and output: one client, which started the program. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { mcpServer } from "./mcp-server.ts";
import type { Program } from "./program.ts";

/**
 * Serves until the client closes standard input, or the signal is given.
 *
 * @param isAliased  whether tools have the names of the public server
 */
export async function serveOnStdio(
  program: Program,
  signal: AbortSignal,
  isAliased: boolean,
): Promise<void> {
  const stdioServer = serveStdio(() => mcpServer(program, isAliased));
  await new Promise<void>((resolve) => {
    process.stdin.once("close", resolve).once("end", resolve);
    signal.addEventListener("abort", () => resolve());
  });
  await stdioServer.close();
}
