/** A server of the book in this process, with connections, a port and faults of its own. */
import { setImmediate as turn } from "node:timers/promises";
import { connect } from "../../src/client/transport/http.ts";
import { apiRoot, type Book, openBookIn } from "../../src/service/books/book.ts";
import { withFaults } from "../../src/service/fault-injection/inject.ts";
import { faultsFor, kinds } from "../../src/service/fault-injection/plan.ts";
import { listen } from "../../src/service/server/listener.ts";
import { listBooks } from "../../src/store/records/organisations.ts";
import { openStore } from "../../src/store/store.ts";
import type { Transport } from "../../src/wire/http.ts";
import type { Clock } from "./clock.ts";
import type { Database, DatabaseFault } from "./databases.ts";
import { lost, networkTo } from "./network.ts";
import type { NetworkFault } from "./steps.ts";
import { type Faults, faultyDialect } from "./store-faults.ts";

/** In whose name everything is done. */
export const who = { user: "Tess Tester", email: "tess@heron.example" };

export interface Server {
  readonly book: Book;
  /** `http://127.0.0.1:…/api.xro/2.0` */
  readonly baseUrl: string;
  /** Sends a request in its process. */
  readonly inProcess: Transport;
  /** Sends a request over its port. */
  readonly overPort: Transport;
  /** What becomes of the next requests over its port. */
  readonly network: NetworkFault[];
  /** Has one of the next statements fail, or the first commit. */
  arm(fault: DatabaseFault, after: number): void;
  /** Drops the fault that was armed and has not struck. */
  disarm(): void;
  isArmed(): boolean;
  /** How many faults it has met, so that trouble without any is told from trouble by one. */
  met(): number;
  isDead(): boolean;
  /** What a program has said so far; empty of one in this process, whose bugs are reported. */
  said(): string;
  /** Sends once more what the network has held back. */
  deliverLate(): Promise<void>;
  /** @param isKilled  it has no time to end well */
  stop(isKilled?: boolean): Promise<void>;
}

/** @param report  told of every failure that is a bug, until the server is dead */
export async function startServer(
  database: Database,
  clock: Clock,
  report: (error: unknown) => void,
): Promise<Server> {
  let met = 0;
  let isDead = false;
  const death = Promise.withResolvers<never>();
  death.promise.catch(() => undefined);
  const die = () => {
    isDead = true;
    death.reject(lost());
  };
  const faults: Faults = { left: -1, error: () => new Error("No fault is armed.") };
  const store = await openStore(faultyDialect(database.dialect(), faults));
  const [owner] = await listBooks(store);
  if (owner === undefined) throw new Error("The database has no organisation.");
  const book = openBookIn(
    store,
    owner,
    {
      clock: clock.read,
      newId: clock.newIds(),
      // As the servers of one person's books have it.
      keyFolder: database.scratch,
      mailer: async () => undefined,
      report: (error) => {
        if (!isDead) report(error);
      },
      ...who,
    },
    database.place,
  );
  const running = new Set<Promise<unknown>>();
  const inProcess: Transport = (request) => {
    if (isDead) return Promise.reject(lost());
    const answer = book.transport(request);
    const settled = answer.catch(() => undefined).finally(() => running.delete(settled));
    running.add(settled);
    return Promise.race([answer, death.promise]);
  };

  const network: NetworkFault[] = [];
  const sleep = async () => void (await turn());
  const port = await listen({
    host: "127.0.0.1",
    port: 0,
    closingMs: 0,
    service: {
      transport(request) {
        const kind = kinds.find((each) => each === network[0]);
        if (kind === undefined) return inProcess(request);
        network.shift();
        met += 1;
        const plan = { seed: "1", rateByKind: new Map([[kind, 1]]) };
        return withFaults(inProcess, faultsFor(plan), { sleep, clock: clock.read })(request);
      },
      authenticate: book.authenticate,
      refuse: book.refuse,
    },
  });
  const baseUrl = `${port.origin}${apiRoot}`;
  const connection = await connect({ baseUrl });
  const { send, deliverLate } = networkTo(connection.transport, network, () => {
    met += 1;
  });
  return {
    book,
    baseUrl,
    inProcess,
    network,
    overPort: send,
    deliverLate,
    arm(fault, after) {
      const strike = () => {
        met += 1;
        if (!fault.startsWith("killed")) return database.errorOf(fault);
        die();
        // Nothing that it would still do happens.
        faults.left = 0;
        return database.errorOf(fault);
      };
      if (fault === "killed after a commit") {
        faults.committed = () => {
          delete faults.committed;
          return strike();
        };
      } else Object.assign(faults, { left: after, error: strike });
    },
    disarm() {
      if (isDead) return;
      faults.left = -1;
      delete faults.committed;
    },
    isArmed: () => faults.left >= 0 || faults.committed !== undefined,
    met: () => met,
    isDead: () => isDead,
    said: () => "",
    async stop() {
      die();
      await connection.close();
      await port.close();
      await Promise.allSettled(running);
      await store.close();
    },
  };
}
