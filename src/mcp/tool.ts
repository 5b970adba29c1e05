/** What a tool is: its name and words, what it takes, and how it answers. */
import type { Schema } from "../wire/plain-schema.ts";
import type { RecordNoun } from "./kinds.ts";
import type { Given, Program } from "./program.ts";

/** What tools work with. */
export interface Desk {
  readonly program: Program;
  readonly kinds: ReadonlyMap<string, RecordNoun>;
  /** Names of reports. */
  readonly reports: readonly string[];
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** Whether it changes nothing, not even plans. */
  readonly reads?: true;
  /** Properties of its input, those that must be given marked. */
  readonly takes: (desk: Desk) => Readonly<Record<string, Schema & { readonly must?: true }>>;
  /** Answers with at most `bytes`, where the tool itself decides what is left out. */
  readonly run: (desk: Desk, given: Given, bytes: number) => Promise<object>;
}

export const text = (description: string): Schema => ({ type: "string", description });
export const must = (schema: Schema) => ({ ...schema, must: true }) as const;
export const kind = ({ kinds }: Desk): Schema => ({ type: "string", enum: [...kinds.keys()] });
export const handle = text("as answers have it, such as invoice:INV-0042");
export const period = text("2026-03, 2026-Q1, this-fy, last-month, FROM..TO");
export const whole = (minimum: number, maximum: number): Schema => ({
  type: "integer",
  minimum,
  maximum,
});

/** Returns the answer of a line as the records that it lists. */
export const rowsOf = (answer: unknown): readonly object[] => (answer ?? []) as readonly object[];

/** Returns the named values that were given; a switch that is false was not. */
export function picked(given: Given, names: readonly string[]): Given {
  return Object.fromEntries(
    names.flatMap((name) =>
      given[name] === undefined || given[name] === false
        ? []
        : [[name.replaceAll("_", "-"), given[name]]],
    ),
  );
}
