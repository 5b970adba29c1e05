/** A server for tests with its control routes, which want a key of their own. */
import type { LocalServerOptions } from "../admin/serve-book.ts";
import { controlRoutes } from "./control.ts";
import type { StartOptions } from "./face.ts";
import { type Operations, operationsOf } from "./test-operations.ts";
import { TestServer } from "./test-server.ts";

/** @param serving  settings of the server beyond those of tests */
export async function startControlled(
  options: StartOptions,
  serving: Partial<LocalServerOptions> = {},
) {
  const controlKey = process.getBuiltinModule("node:crypto").randomBytes(24).toString("base64url");
  const server = new TestServer(options, serving);
  let started: Operations | undefined;
  const firstOrganisation = await server.start(controlRoutes(() => started, controlKey));
  const operations = operationsOf(server, firstOrganisation);
  started = operations;
  return { server, firstOrganisation, operations, controlKey };
}
