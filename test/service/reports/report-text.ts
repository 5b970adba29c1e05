/** Reports as lines of text, and as the files they are compared with. */
import { join } from "node:path";
import { expect } from "vitest";
import type { Country } from "../../../src/ledger/regions/index.ts";
import { type ReportName, reports } from "../../../src/resources/report.ts";
import { type Json, type World, world } from "../fixture.ts";

export async function report(
  given: World,
  name: string,
  query: Record<string, string> = {},
): Promise<Json> {
  return (await given.ok("GET", `/Reports/${name}`, undefined, { query })).Reports[0];
}

/** A report as lines of text: `H`, `S "title"`, `R`, `T`, as the reference writes them. */
export function drawn(made: Json): string[] {
  const mark: Record<string, string> = { Header: "H", Row: "R", SummaryRow: "T" };
  const line = (row: Json): string[] => {
    if (row.RowType === "Section")
      return [`S "${row.Title ?? ""}"`, ...(row.Rows ?? []).flatMap(line)];
    return [[mark[row.RowType], ...row.Cells.map((cell: Json) => cell.Value || "-")].join(" | ")];
  };
  return made.Rows.flatMap(line);
}

/** Compares the answer in both formats, without its envelope, with `golden/reports/<name>`. */
export async function asKept(
  given: World,
  path: string,
  query: Record<string, string>,
  name: string,
): Promise<void> {
  const { text: xml } = await given.ask("GET", path, undefined, {
    query,
    headers: { accept: "text/xml" },
  });
  const named = names();
  const reports = named(/<Reports>.*<\/Reports>/s.exec(xml)?.[0] ?? xml);
  const lines = reports.replaceAll(/<(?:Row|Report|ReportField|ReportAttribute|Contact)>/g, "\n$&");
  const golden = join(import.meta.dirname, "../../golden/reports", name);
  await expect(`${lines}\n`).toMatchFileSnapshot(`${golden}.xml`);
  const { Reports } = await given.ok("GET", path, undefined, { query });
  await expect(`${named(JSON.stringify(Reports, undefined, 1))}\n`).toMatchFileSnapshot(
    `${golden}.json`,
  );
}

/** Numbers ids in the order in which they appear, since other records take ids too. */
function names(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) =>
    text.replaceAll(/00000000-0000-7000-8000-\d{12}/g, (id) => {
      if (!known.has(id)) known.set(id, `guid-${known.size + 1}`);
      return known.get(id) as string;
    });
}

/** The shared world, or one of its own for a report that the shared one's country does not have. */
export async function worldOf(name: ReportName, shared: () => Promise<World>): Promise<World> {
  const { countries } = reports[name] as { readonly countries?: readonly Country[] };
  return countries === undefined ? shared() : world(countries[0]);
}
