/**
 * Serves a book as the cloud and runs a client against it. Runs where the names of the cloud lead to
 * this machine: see `clients.slow.test.ts`.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { bin } from "./programs.ts";

const [, , program = "", ...words] = process.argv;
const limits = ["--rate-limit", "minute=20"];
const server = spawn(process.execPath, [bin, "serve", "--as-cloud", ...limits], {
  stdio: ["ignore", "ignore", "pipe"],
});
let said = "";
server.stderr.setEncoding("utf8").on("data", (text: string) => {
  said += text;
});
while (!/^https:/m.test(said)) {
  await Promise.race([once(server.stderr, "data"), once(server, "exit")]);
  if ((server.exitCode ?? server.signalCode) !== null) throw new Error(`acct serve ended: ${said}`);
}
const { status } = spawnSync(program, words, { stdio: "inherit" });
server.kill("SIGTERM");
process.exitCode = status ?? 1;
