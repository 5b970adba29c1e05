/**
 * Several processes of the service on one database, measured against one as users run them: `acct
 * serve --processes` on a port, and the clients in a process of their own.
 */
import type { Cluster } from "../test/postgres/cluster.ts";
import { print } from "./measure.ts";
import { callersIn, endServer, type Server, serve } from "./postgres-servers.ts";
import {
  created,
  databaseIn,
  end,
  inTurns,
  median,
  show,
  started,
  warmMs,
} from "./postgres-turns.ts";

export interface ProcessesOptions {
  /** How many organisations are worked on, one after the other. */
  readonly organisations: readonly number[];
  readonly seconds: number;
  readonly turns: number;
}

const works = [
  { name: "one by one, 16 clients", clients: 16, batch: 1 },
  { name: "one by one, 1 client", clients: 1, batch: 1 },
  { name: "batches of 100, 4 clients", clients: 4, batch: 100 },
] as const;

export async function measureProcesses(cluster: Cluster, options: ProcessesOptions): Promise<void> {
  const { organisations, seconds, turns } = options;
  const load = await started("postgres-load.ts");
  const database = databaseIn(cluster, "acct");
  for (const processes of [2, 4]) {
    const [one, several] = await Promise.all([serve(database, 1), serve(database, processes)]);
    for (const used of organisations) {
      // Their tokens count for half an hour.
      const callers = await callersIn(database, used);
      const ask = ({ url }: Server, task: object, ms: number) =>
        created(load, { ...task, server: url, callers, ms });
      for (const server of [one, several]) await ask(server, works[0], warmMs);
      for (const { name, ...task } of works) {
        const measured = await inTurns(
          turns,
          () => ask(several, task, seconds * 1000),
          () => ask(one, task, seconds * 1000),
        );
        const ratio = median(measured.map(([rate, reference]) => rate / reference));
        print(
          `${processes} processes, ${name}, ${used} organisations: ` +
            `${show(median(measured.map(([rate]) => rate)))}/s; ratio to one ${ratio.toFixed(2)}`,
        );
      }
    }
    await Promise.all([endServer(one), endServer(several)]);
  }
  await end(load);
}
