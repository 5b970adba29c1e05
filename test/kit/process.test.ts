import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { controlSchema, controls } from "../../src/kit/controls.ts";
import { startAcct } from "../../src/kit/start.ts";
import { kitSuite } from "./suite.ts";

kitSuite("process");

it("a start removes the folders of processes that are gone, and none of those that live", async () => {
  const { pid: gone } = spawnSync(process.execPath, ["--version"]);
  const [left, kept] = [gone, process.ppid].map((pid) => join(tmpdir(), `acct-kit-${pid}-test`));
  for (const folder of [left, kept]) mkdirSync(folder as string);
  await using _ = await startAcct();
  expect([left, kept].map((folder) => existsSync(folder as string))).toEqual([false, true]);
});

it("ten starts and stops leave as many handles and timers as there were", async () => {
  const count = () => process.getActiveResourcesInfo().filter((each) => each !== "PipeWrap").length;
  await (await startAcct()).stop();
  const before = count();
  for (let round = 0; round < 10; round += 1) await (await startAcct()).stop();
  await expect.poll(count, { timeout: 5000 }).toBeLessThanOrEqual(before);
});

it("the guide says of each control what it takes, does and answers", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../docs/testing.md"), "utf8");
  const rows = Object.entries<{ does: string; takes?: object; answers: string }>(controls).map(
    ([control, { does, takes = {}, answers }]) => {
      const names = Object.keys(takes).map((name) => `\`${name}\``);
      return `| \`${control}\` | ${names.join(", ")} | ${does} | ${answers} |\n`;
    },
  );
  expect(guide).toContain(rows.join(""));
  const described = Object.entries((controlSchema() as { paths: object }).paths).flatMap(
    ([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(Object.keys(controls).sort());
});

it("an app of one's own gets events, signed with the key of the server", async () => {
  await using acct = await startAcct();
  const taken: boolean[] = [];
  const app = createServer(async (incoming, outgoing) => {
    const body = (await incoming.toArray()).join("");
    const signature = createHmac("sha256", acct.webhookKey).update(body).digest("base64");
    taken.push(incoming.headers["x-xero-signature"] === signature && /CONTACT/.test(body));
    outgoing.writeHead(incoming.headers["x-xero-signature"] === signature ? 200 : 401).end();
  });
  await once(app.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void app.close());
  const { port } = app.address() as AddressInfo;
  await acct.webhook({ events: ["contact"], url: `http://127.0.0.1:${port}/hook` });
  const authorization = `Bearer ${await acct.token()}`;
  const body = JSON.stringify({ Name: "Ann" });
  await fetch(`${acct.url}/Contacts`, {
    method: "PUT",
    headers: { authorization, "content-type": "application/json" },
    body,
  });
  await expect.poll(() => taken.at(-1), { timeout: 10_000 }).toBe(true);
});
