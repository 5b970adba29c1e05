/** Starts a server for tests that is asked by its control routes, as `acct serve --ephemeral` does. */
import type { LocalServerOptions } from "../admin/serve-book.ts";
import { controlPath, pageAddress } from "./control.ts";
import { startControlled } from "./controlled.ts";
import type { StartOptions } from "./face.ts";
import type { ConnectionDetails, KnownOrganisation } from "./test-server.ts";

/** What a program needs to know of a server for tests; written as one line of JSON. */
export interface ReadyServer extends KnownOrganisation, ConnectionDetails {
  /** Version of this line. */
  readonly acct: 1;
  /** An access token of the app, for half an hour. */
  readonly token: string;
  /** Address of a page with the requests, for a browser. */
  readonly page: string;
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
  const { server, firstOrganisation, controlKey } = await startControlled(options, serving);
  const ready: ReadyServer = {
    acct: 1,
    ...firstOrganisation,
    ...server.connectionDetails,
    token: await server.people.issueToken(firstOrganisation, {}),
    page: pageAddress(server.connectionDetails.origin, controlKey),
    control: `${server.connectionDetails.origin}${controlPath}`,
    controlKey,
    ca,
    pid: process.pid,
  };
  return { ready, close: () => server.close() };
}
