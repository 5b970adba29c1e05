/** Resources by their addresses, each read by the tool or the line that answers the same. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { planTools } from "./plan-tools.ts";
import { type Given, LineError, read } from "./program.ts";
import { readTools } from "./read-tools.ts";
import { bytesMax } from "./results.ts";
import type { Desk, Tool } from "./tool.ts";

/** Parts of an address, by their names in its template. */
type Parts = Readonly<Record<string, string>>;

interface Addressed {
  readonly name: string;
  readonly uri: string;
  /** Answers with an object, a text, or the bytes of a PDF. */
  readonly read: (desk: Desk, parts: Parts) => Promise<object | string | Uint8Array>;
}

const byTool = (name: string, given: (parts: Parts) => Given): Addressed["read"] => {
  const { run } = [...readTools, ...planTools].find((tool) => tool.name === name) as Tool;
  return (desk, parts) => run(desk, given(parts), bytesMax);
};

async function pdfOf({ kinds, program }: Desk, { kind = "", key = "" }: Parts) {
  const { noun } = kinds.get(kind) ?? {};
  if (noun === undefined) throw new LineError("BadHandle", `There is no kind ${kind}.`);
  const folder = await mkdtemp(join(tmpdir(), "acct-pdf-"));
  try {
    const path = join(folder, "document.pdf");
    await read(program, { noun, verb: "pdf", args: [key], own: [`--output-file=${path}`] });
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The help of a noun, or of a verb with its noun. */
async function helpOf({ program }: Desk, { topic = "" }: Parts): Promise<string> {
  const words = topic.split(" ");
  const isNamed = words.every((word) => /^[a-z0-9][a-z0-9-]*$/.test(word));
  const { code, stdout } = await program.run(isNamed ? [...words, "--help"] : ["--help"]);
  if (code === 0) return stdout;
  throw new LineError("UnknownCommand", `There is no help on ${topic.slice(0, 60)}.`);
}

export const addressed: readonly Addressed[] = [
  {
    name: "report",
    uri: "acct://{tenant}/report/{name}/{period}",
    read: byTool("report", ({ name, period }) => ({ name, period })),
  },
  {
    name: "record",
    uri: "acct://{tenant}/record/{kind}/{key}",
    read: byTool("show", ({ kind, key }) => ({ handle: `${kind}:${key}` })),
  },
  {
    name: "plan",
    uri: "acct://{tenant}/plan/{plan}",
    read: byTool("plan_show", ({ plan }) => ({ plan })),
  },
  { name: "document", uri: "acct://{tenant}/document/{kind}/{key}.pdf", read: pdfOf },
  { name: "schema", uri: "acct://schema/{kind}", read: byTool("schema", ({ kind }) => ({ kind })) },
  { name: "help", uri: "acct://help/{topic}", read: helpOf },
];
