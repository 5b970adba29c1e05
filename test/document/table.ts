/** Prints which test shows each endpoint of the service document: `node test/document/table.ts`. */
import { documented } from "./endpoints.ts";
import { headings } from "./headings.ts";

const rows = headings.flatMap(({ heading, rows: under }) =>
  under.map((each) => ({ ...each, heading })),
);
const lines = documented.map((endpoint) => {
  const shown = rows.filter((each) => each.endpoint === endpoint).map(({ says }) => says);
  return `| ${endpoint} | ${shown.join("; ")} |`;
});
const checks = rows.length;
process.stdout.write(
  `${["| endpoint | tests, each in XML and in JSON, in the process and over a port |", "| --- | --- |", ...lines].join("\n")}\n\n${headings.length} headings, ${checks} rows, ${documented.length} endpoints.\n`,
);
