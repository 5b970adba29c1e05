/** `--jq`: an answer in JSON through jq, as `-o json | jq -r` gives it where jq is installed. */
import { type JqResult, loadJq } from "jq-wasm";
import { UsageError } from "../../resources/errors.ts";
import { indented } from "./formats/json.ts";
import type { Filter } from "./formatter.ts";
import { safeText } from "./safe.ts";

/** Records are given to jq so many characters at a time, since a call costs as much as a hundred. */
const batchLength = 500_000;

/**
 * What passes JSON on as jq makes it: texts as they are, any other value as JSON, a line each.
 *
 * @throws UsageError `BadJq` where the program does not compile, and later where it fails
 */
export async function jqFilter(program: string): Promise<Filter> {
  const jq = await loadJq();
  // Its option for plain texts is not used: the library trims what it returns.
  const run = (json: string) => jq.raw(json, program, ["-c"]);
  const compiled = run("");
  if (compiled.exitCode !== 0) throw new UsageError("BadJq", `--jq: ${reasonOf(compiled)}.`);
  return (target, { isTerminal, byRecord, say }) => {
    const line = (value: string) => {
      const text = value.startsWith('"') ? (JSON.parse(value) as string) : value;
      if (!isTerminal) return `${text}\n`;
      return `${text === value ? indented(value) : safeText(text)}\n`;
    };
    let waiting: string[] = [];
    let length = 0;
    const flush = async () => {
      const json = waiting.join("");
      waiting = [];
      length = 0;
      const answer = run(json);
      if (answer.stdout !== "") {
        await target.write(answer.stdout.split("\n").map(line).join(""));
      }
      if (answer.exitCode !== 0) {
        const message = `The command was carried out, but --jq fails on its answer: ${reasonOf(answer)}.`;
        throw new UsageError("BadJq", message);
      }
      if (answer.stderr !== "") say(answer.stderr);
    };
    return {
      async write(piece) {
        // An answer in JSON is text.
        const text = String(piece);
        waiting.push(text);
        length += text.length;
        if (byRecord && length >= batchLength) await flush();
      },
      async end() {
        try {
          await flush();
        } finally {
          await target.end();
        }
      },
    };
  };
}

/** What jq says, in one line and without its own marks. */
function reasonOf({ stderr }: JqResult): string {
  return stderr
    .replaceAll(/jq: (?:parse )?error(?: \(at [^)]*\))?: |\s*jq: \d+ compile errors?/g, "")
    .replaceAll(/ at <top-level>|:\n[\s\S]*/g, "")
    .replaceAll(/\s*\n\s*/g, " ")
    .trim();
}
