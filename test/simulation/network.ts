/** What becomes of requests on their way to a port. */
import { setImmediate as turn } from "node:timers/promises";
import { failures } from "../../src/client/transport/http.ts";
import { UnavailableError } from "../../src/resources/errors.ts";
import type { Transport } from "../../src/wire/http.ts";
import type { NetworkFault } from "./steps.ts";

export const lost = () => new UnavailableError(failures.lost, "The connection was cut.");

/** Turns of the event loop in which others overtake a slow request. */
const slowTurns = 30;

export interface Network {
  readonly send: Transport;
  /** Sends once more what was held back. */
  deliverLate(): Promise<void>;
}

/**
 * @param faults  of the next requests, which are taken from it
 * @param met     told of each that strikes here
 */
export function networkTo(transport: Transport, faults: NetworkFault[], met: () => void): Network {
  const late: (() => Promise<unknown>)[] = [];
  const onTheWay: Partial<Record<NetworkFault, Transport>> = {
    lost: () => Promise.reject(lost()),
    async duplicate(request) {
      const [first] = await Promise.all([transport(request), transport(request)]);
      return first;
    },
    async late(request) {
      late.push(() => transport(request));
      throw lost();
    },
    async slow(request) {
      for (let turns = 0; turns < slowTurns; turns += 1) await turn();
      return transport(request);
    },
  };
  return {
    send(request) {
      const [first] = faults;
      const held = first === undefined ? undefined : onTheWay[first];
      if (held === undefined) return transport(request);
      faults.shift();
      met();
      return held(request);
    },
    async deliverLate() {
      for (const send of late.splice(0)) await send().catch(() => undefined);
    },
  };
}
