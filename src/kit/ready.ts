/** Starts a server for tests that is asked by its control routes, as `acct serve --ephemeral` does. */
import type { LocalServerOptions } from "../admin/serve-book.ts";
import { controlPath, controlRoutes } from "./control.ts";
import type { StartOptions } from "./face.ts";
import { type Operations, operationsOf } from "./test-operations.ts";
import { type ConnectionDetails, type KnownOrganisation, TestServer } from "./test-server.ts";

/** What a program needs to know of a server for tests; written as one line of JSON. */
export interface ReadyServer extends KnownOrganisation, ConnectionDetails {
  /** Version of this line. */
  readonly acct: 1;
  /** An access token of the app, for half an hour. */
  readonly token: string;
  /** Base URL of the control routes, and the key that they want. */
  readonly control: string;
  readonly controlKey: string;
  /** File of the authority of the server's certificate; undefined where programs trust it, or without TLS. */
  readonly ca: string | undefined;
  readonly pid: number;
}

export interface EphemeralServer {
  readonly ready: ReadyServer;
  close(): Promise<void>;
}

/**
 * @param serving  settings of the server as its owner has them
 * @param ca       file of the authority of its certificate
 */
export async function startEphemeral(
  options: StartOptions,
  serving: Partial<LocalServerOptions>,
  ca?: string,
): Promise<EphemeralServer> {
  const controlKey = process.getBuiltinModule("node:crypto").randomBytes(24).toString("base64url");
  const server = new TestServer(options, serving);
  let operations: Operations | undefined;
  const firstOrganisation = await server.start(controlRoutes(() => operations, controlKey));
  operations = operationsOf(server, firstOrganisation);
  const ready: ReadyServer = {
    acct: 1,
    ...firstOrganisation,
    ...server.connectionDetails,
    token: await server.people.issueToken(firstOrganisation, {}),
    control: `${server.connectionDetails.origin}${controlPath}`,
    controlKey,
    ca,
    pid: process.pid,
  };
  return { ready, close: () => server.close() };
}
