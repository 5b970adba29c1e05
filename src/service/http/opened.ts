/** Opening a port, and why one cannot be opened. */
import type { AddressInfo, Server } from "node:net";
import { AcctError } from "../../resources/errors.ts";

/** The port cannot be opened: a matter of the machine, not of what was asked of a service. */
class PortError extends AcctError {}

export interface Opening {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** What a person types to choose another. */
  readonly flags?: { readonly port: string; readonly host: string };
}

function originOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** @returns where the server is reached: `http://127.0.0.1:9320` @throws PortError */
export async function opened(server: Server, opening: Opening): Promise<string> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(opening.port, opening.host, () => {
        server.removeListener("error", reject);
        resolve();
      });
    });
  } catch (error) {
    throw explained(error as NodeJS.ErrnoException, opening);
  }
  return originOf(opening.host, (server.address() as AddressInfo).port);
}

type Flags = NonNullable<Opening["flags"]>;

const reasons = new Map<string, (flags: Flags) => string>([
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

function explained(error: NodeJS.ErrnoException, { host, port, flags }: Opening): Error {
  const code = error.code ?? "";
  const reason = reasons.get(code)?.(flags ?? { port: "--port", host: "--host" });
  if (reason === undefined) return error;
  return new PortError(code, `Port ${port} of ${host} cannot be opened: ${reason}.`);
}
