/** Starts a server for tests that is asked by its control routes, as `acct serve --ephemeral` does. */
import type { LocalServerOptions } from "../admin/serve-book.ts";
import { controlPath, controlRoutes } from "./control.ts";
import type { StartOptions } from "./face.ts";
import { type Operations, operationsOf } from "./test-operations.ts";
import { type KnownOrganisation, TestServer } from "./test-server.ts";

/** What a program needs to know of a server for tests; written as one line of JSON. */
export interface ReadyServer extends KnownOrganisation {
  /** Version of this line. */
  readonly acct: 1;
  readonly origin: string;
  readonly issuer: string;
  /** An access token of the app, for half an hour. */
  readonly token: string;
  /** Base URL of the control routes, and the key that they want. */
  readonly control: string;
  readonly controlKey: string;
  readonly pid: number;
}

export interface EphemeralServer {
  readonly ready: ReadyServer;
  close(): Promise<void>;
}

/** @param serving  settings of the server as its owner has them */
export async function startEphemeral(
  options: StartOptions,
  serving: Partial<LocalServerOptions>,
): Promise<EphemeralServer> {
  const controlKey = process.getBuiltinModule("node:crypto").randomBytes(24).toString("base64url");
  const server = new TestServer(options, serving);
  let operations: Operations | undefined;
  const firstOrganisation = await server.start(controlRoutes(() => operations, controlKey));
  operations = operationsOf(server, firstOrganisation);
  const { origin } = server.served;
  const ready: ReadyServer = {
    acct: 1,
    ...firstOrganisation,
    origin,
    issuer: serving.publicUrl ?? origin,
    token: await server.issueToken(firstOrganisation, {}),
    control: `${origin}${controlPath}`,
    controlKey,
    pid: process.pid,
  };
  return { ready, close: () => server.close() };
}
