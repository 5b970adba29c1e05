/** How much is handed over, for whoever watches a server. */
import type { Figure } from "../http/metrics.ts";
import type { Joined } from "./join.ts";

/** @param joined  asked for each time; undefined while it is not */
export function handoverFigures(joined: () => Joined | undefined): readonly Figure[] {
  return [
    {
      name: "acct_peers",
      help: "Other processes that serve the same database and hand connections over",
      kind: "gauge",
      read: () => [{ value: joined()?.peers.alive.length ?? 0 }],
    },
    {
      name: "acct_handed_over_total",
      help: "Connections that belong to the process that has their organisation, by outcome",
      kind: "counter",
      labels: ["outcome"],
      read: () => {
        const { passed = 0, unreachable = 0 } = joined()?.handover.counts ?? {};
        return [
          { labels: { outcome: "passed" }, value: passed },
          { labels: { outcome: "unreachable" }, value: unreachable },
        ];
      },
    },
  ];
}
