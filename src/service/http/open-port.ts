/** Opens a port, and explains failures to open it. */
import type { AddressInfo, Server } from "node:net";
import { UnavailableError } from "../../resources/errors.ts";

/** A port that cannot be opened: a fault of the machine, not of a request. */
class PortError extends UnavailableError {}

export interface PortOptions {
  readonly host: string;
  /** Port number; 0 for any free port. */
  readonly port: number;
  /** Whether the port answers by TLS. */
  readonly isSecure?: boolean | undefined;
  /** Command-line flags of port and host, for messages. */
  readonly flags?: { readonly port: string; readonly host: string };
}

/** @returns the origin, such as `http://127.0.0.1:9320` */
export function originOf(host: string, port: number, isSecure = false): string {
  return `http${isSecure ? "s" : ""}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * Opens a port.
 *
 * @returns the origin of the server, such as `http://127.0.0.1:9320`
 * @throws PortError
 */
export async function openPort(server: Server, options: PortOptions): Promise<string> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(options.port, options.host, () => {
        server.removeListener("error", reject);
        resolve();
      });
    });
  } catch (error) {
    throw explainPortError(error as NodeJS.ErrnoException, options);
  }
  return originOf(options.host, (server.address() as AddressInfo).port, options.isSecure);
}

type PortFlags = NonNullable<PortOptions["flags"]>;

const reasonByCode = new Map<string, (flags: PortFlags) => string>([
  ["EADDRINUSE", ({ port }) => `another program has it; choose another with ${port}`],
  ["EACCES", ({ port }) => `this user may not open it; choose one above 1023 with ${port}`],
  [
    "EADDRNOTAVAIL",
    ({ host }) => `this machine does not have that address; choose another with ${host}`,
  ],
  ["ENOTFOUND", ({ host }) => `there is no such address; choose another with ${host}`],
  [
    "EAI_AGAIN",
    ({ host }) => `its name could not be looked up; choose another address with ${host}`,
  ],
]);

function explainPortError(error: NodeJS.ErrnoException, { host, port, flags }: PortOptions): Error {
  const code = error.code ?? "";
  const reason = reasonByCode.get(code)?.(flags ?? { port: "--port", host: "--host" });
  if (reason === undefined) return error;
  return new PortError(code, `Port ${port} of ${host} cannot be opened: ${reason}.`);
}
