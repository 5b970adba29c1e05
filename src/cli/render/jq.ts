/** `--jq`: filters a JSON answer through jq, like `-o json | jq -r`. */
import { type JqResult, loadJq } from "jq-wasm/inline";
import { UsageError } from "../../resources/errors.ts";
import { indentJson } from "./formats/json.ts";
import type { Filter } from "./formatter.ts";
import { safeText } from "./safe.ts";

/**
 * Characters of records per call of jq, since each call has a fixed cost of about a hundred
 * records.
 */
const batchLength = 500_000;

/**
 * Returns a filter that runs a jq program: strings are written raw, other values as JSON, one per
 * line.
 *
 * @throws UsageError `BadJq` where the program does not compile, and later where it fails
 */
export async function jqFilter(program: string): Promise<Filter> {
  const jq = await loadJq();
  // The library trims its result, so the option for raw strings is not used.
  const run = (json: string) => jq.raw(json, program, ["-c"]);
  const compiled = run("");
  if (compiled.exitCode !== 0) throw new UsageError("BadJq", `--jq: ${reasonOf(compiled)}.`);
  return (sink, { isTerminal, byRecord, say }) => {
    const line = (value: string) => {
      const text = value.startsWith('"') ? (JSON.parse(value) as string) : value;
      if (!isTerminal) return `${text}\n`;
      return `${text === value ? indentJson(value) : safeText(text)}\n`;
    };
    let waitingText: string[] = [];
    let length = 0;
    const flush = async () => {
      const json = waitingText.join("");
      waitingText = [];
      length = 0;
      const answer = run(json);
      if (answer.stdout !== "") {
        await sink.write(answer.stdout.split("\n").map(line).join(""));
      }
      if (answer.exitCode !== 0) {
        const message = `The command was carried out, but --jq fails on its answer: ${reasonOf(answer)}.`;
        throw new UsageError("BadJq", message);
      }
      if (answer.stderr !== "") say(answer.stderr);
    };
    return {
      async write(piece) {
        // A JSON answer is always text.
        const text = String(piece);
        waitingText.push(text);
        length += text.length;
        if (byRecord && length >= batchLength) await flush();
      },
      async end() {
        try {
          await flush();
        } finally {
          await sink.end();
        }
      },
    };
  };
}

/** Returns the error of jq in one line, without its prefixes. */
function reasonOf({ stderr }: JqResult): string {
  return stderr
    .replaceAll(/jq: (?:parse )?error(?: \(at [^)]*\))?: |\s*jq: \d+ compile errors?/g, "")
    .replaceAll(/ at <top-level>|:\n[\s\S]*/g, "")
    .replaceAll(/\s*\n\s*/g, " ")
    .trim();
}
