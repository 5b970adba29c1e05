/** The least that a web framework can do: one constant JSON. What the service is measured against. */
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const app = new Hono();
app.get("/", (c) => c.json({ hello: "world" }));
app.on(["PUT", "POST"], "/", async (c) => {
  await c.req.arrayBuffer();
  return c.json({ hello: "world" });
});
const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, (info: AddressInfo) => {
  process.stderr.write(`http://127.0.0.1:${info.port}\n`);
});
process.on("SIGTERM", () => server.close());
