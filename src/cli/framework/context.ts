/** What every command is given: where to ask, where to write, and what time it is. */

import type { Client } from "../../client/client.ts";
import type { Resource, Shape } from "../../resources/field.ts";
import type { Report } from "../../wire/report.ts";
import type { Place } from "../connection/target.ts";
import type { OutputFormat } from "../render/formats/index.ts";
import type { Group } from "./command.ts";

/** The global flags, with the environment folded in; where work is done is `Context.place`. */
export interface GlobalFlags {
  readonly book?: string | undefined;
  readonly database?: string | undefined;
  readonly data?: string | undefined;
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly tenant?: string | undefined;
  readonly demo: boolean;
  readonly output: OutputFormat;
  readonly columns?: readonly string[] | undefined;
  readonly dryRun: boolean;
  /** Begins the addresses where customers see documents of a book that is served elsewhere. */
  readonly publicUrl?: string | undefined;
  readonly yes: boolean;
  /** False when prompts are forbidden or there is no terminal to prompt on. */
  readonly input: boolean;
  /** Most waiting for a service that limits calls, in milliseconds; as usual when not given. */
  readonly waitMaxMs?: number | undefined;
  readonly verbose: boolean;
  readonly color: boolean;
  /** Whether a record is made also where one that looks the same is there already. */
  readonly allowDuplicate: boolean;
  /** Under which the first request of the command is sent, and the others under keys made of it. */
  readonly idempotencyKey?: string | undefined;
}

/** Writes data to stdout and talk to stderr, in the format asked for. */
export interface Out {
  /** One record, as the answer to a command. */
  record<R extends Resource>(resource: R, record: Shape<R>): Promise<void>;
  /** A list, written as it arrives; an empty one is still a valid answer. */
  records<R extends Resource>(
    resource: R,
    records: AsyncIterable<Shape<R>> | Iterable<Shape<R>>,
  ): Promise<void>;
  report(report: Report): Promise<void>;
  /** A plain value: text as it is, anything else as JSON when that is asked for. */
  value(value: unknown, text: string): Promise<void>;
  /** Raw bytes, untouched. */
  bytes(bytes: Uint8Array | string): Promise<void>;
  /** A message for the person, on stderr. */
  say(message: string): void;
  /** Lines for the person, on stderr, that were made safe for a terminal before they were painted. */
  sayPainted(lines: readonly string[]): void;
}

/** Questions to a person; each throws UsageError naming the flag when prompting is not possible. */
export interface Ask {
  confirm(question: string, options: { flag: string; default?: boolean }): Promise<boolean>;
}

export interface Context {
  readonly flags: GlobalFlags;
  /** The whole command line as it is declared, for what describes it. */
  readonly root: Group;
  /** Which book or service; settled when first asked for. @throws UsageError */
  place(): Place;
  /**
   * Opened when first asked for. With `--dry-run` every write through it is one.
   *
   * @throws UsageError `NoBook` when there is no book yet and none is made on the spot
   */
  client(): Promise<Client>;
  /** Whether the command is declared to change records of the service. */
  readonly writes: boolean;
  readonly out: Out;
  readonly ask: Ask;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** The day it is here, `YYYY-MM-DD`. */
  today(): string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the person interrupts. */
  readonly interrupted: AbortSignal;
  /** Begins the program anew with an option of Node; where it is a program (`restart.ts`). */
  readonly restartWith?: ((option: string) => void) | undefined;
}

/** Who is at the terminal: history tells people of one machine apart by the names they have there. */
export function personOf({ env }: Pick<Context, "env">) {
  const user = env.ACCT_USER ?? env.USER ?? env.LOGNAME ?? env.USERNAME;
  return { user, email: env.ACCT_EMAIL };
}
