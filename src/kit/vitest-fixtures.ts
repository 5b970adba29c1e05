/** Fixtures of vitest, from which `acctTest` of `acct-books/vitest` is made. */
import type { Acct, AcctTestOptions } from "./face.ts";
import { startAcct } from "./start.ts";

const toldMax = 5;

type Use<T> = (value: T) => Promise<void>;

/** What vitest gives to a fixture. */
interface FixtureContext {
  readonly server: Acct;
  readonly task: { readonly concurrent?: boolean | undefined };
  readonly onTestFailed: (action: () => Promise<void>) => void;
}

/**
 * Returns a server for each worker, and the fixture `acct` of each test, which begins at `start`. It refuses
 * concurrent tests, each of which would undo what the others did.
 */
export function acctFixtures({ verify = true, ...options }: AcctTestOptions = {}) {
  return {
    server: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures a fixture needs.
      async ({}, use: Use<Acct>) => {
        const server = await startAcct(options);
        await use(server);
        await server.stop();
      },
      { scope: "worker" },
    ],
    acct: async ({ server, task, onTestFailed }: FixtureContext, use: Use<Acct>) => {
      if (task.concurrent) {
        throw new Error("A test with acct is not concurrent: another would undo what it does.");
      }
      await server.restore();
      onTestFailed(() => tellRequests(server));
      await use(server);
      const faults = verify ? await server.ledger.verify() : [];
      if (faults.length > 0) throw new Error(`The books do not add up: ${faults.join(" ")}`);
    },
  };
}

/** Tells the last requests of a failed test, with the reasons of refusals. */
async function tellRequests(server: Acct): Promise<void> {
  for (const { method, path, status, why } of (await server.requests()).slice(-toldMax)) {
    const reasons = why.map(({ rule, message }) => `${message}${rule ? ` (${rule})` : ""}`);
    process.stderr.write(`${[method, path, status, ...reasons].join(" ")}\n`);
  }
}
