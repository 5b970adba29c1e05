/**
 * The command line as tools use it: each call is a line of this program, checked and carried out as
 * any other, with its answer caught.
 */
import { AcctError } from "../resources/errors.ts";

/** A noun of the command line. */
export interface Noun {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
}

/** A flag of a verb. */
interface VerbFlag {
  readonly name: string;
  readonly help: string;
  readonly values?: readonly string[] | undefined;
  readonly live?: string | undefined;
  /** Whether it chooses the book, or what becomes of the answer. */
  readonly general?: boolean | undefined;
}

/** A verb, or a noun within a noun. */
export interface Verb {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly VerbFlag[];
  /** Whether it changes records. */
  readonly writes: boolean;
}

/** What a line printed. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  readonly version: string;
  /** Nouns in the order of help. */
  readonly nouns: readonly Noun[];
  /** Returns the verbs of a noun, `bank` or `bank rule`. */
  verbs(noun: readonly string[]): Promise<readonly Verb[]>;
  /** @param agent  what the client calls itself */
  run(words: readonly string[], agent?: string): Promise<Ended>;
  /** Shows control and direction signs of a text as codes. */
  safeText(text: string): string;
}

/** Values of flags, by name, as a caller gives them. */
export type Given = Readonly<Record<string, unknown>>;

export interface Line {
  readonly noun: readonly string[];
  readonly verb?: string | undefined;
  readonly args?: readonly string[] | undefined;
  /** What the caller names; only flags that the verb declares, and none of files. */
  readonly flags?: Given | undefined;
  /** Further words, of the tool. */
  readonly own?: readonly string[] | undefined;
  /** Whether its answer counts where it is refused after that. */
  readonly answersFirst?: true;
}

/** A refusal of a line, as the program reports it in JSON. */
export class LineError extends AcctError {}

/** Carries out a line that reads. @throws LineError as the line is refused */
export const read = (program: Program, line: Line) => carryOut(program, line, ["--read-only"]);

/**
 * Carries out a line.
 *
 * @param mode  further global flags
 * @returns the answer of the line; undefined where it printed nothing
 * @throws LineError as the line is refused
 */
export async function carryOut(
  program: Program,
  line: Line,
  mode: readonly string[],
): Promise<unknown> {
  const { noun, verb, args = [], flags = {}, own = [] } = line;
  const words = [...noun, ...(verb === undefined ? [] : [verb])];
  const given = await flagWords(program, line, flags);
  const ended = await program.run([
    ...["-o", "json", "--no-input"],
    ...[...words, ...mode, ...own, ...given],
    ...(args.length === 0 ? [] : ["--", ...args]),
  ]);
  const isEmpty = ended.stdout.trim() === "";
  if (ended.code !== 0 && (isEmpty || line.answersFirst !== true)) throw refusalIn(ended);
  return isEmpty ? undefined : JSON.parse(ended.stdout);
}

async function flagWords(program: Program, { noun, verb }: Line, flags: Given): Promise<string[]> {
  const named = Object.entries(flags).filter(([, value]) => value !== undefined);
  if (named.length === 0) return [];
  const known = (await program.verbs(noun)).find(({ name }) => name === verb)?.flags ?? [];
  const open = known.filter(({ live, general }) => live !== "file" && general !== true);
  return named.flatMap(([name, value]) => {
    if (!open.some((flag) => flag.name === name)) {
      const names = open.map((flag) => flag.name).join(", ");
      throw new LineError("UnknownFlag", `There is no ${name} here; there are: ${names}.`);
    }
    const values = Array.isArray(value) ? value : [value];
    return values.map((value) =>
      value === true ? `--${name}` : value === false ? `--no-${name}` : `--${name}=${value}`,
    );
  });
}

function refusalIn({ stderr }: Ended): LineError {
  const last = stderr.trimEnd().split("\n").at(-1) ?? "";
  const { error } = JSON.parse(last) as {
    error: Pick<AcctError, "code" | "message" | "details">;
  };
  return new LineError(error.code, error.message, error.details);
}
