/** Collects every fault of a record before it is refused. */
import { RefusedError } from "../../resources/errors.ts";
import type { Resource } from "../../resources/field.ts";
import { zeroId } from "../../resources/scalar.ts";
import type { WriteItem } from "./endpoint.ts";

export class Faults {
  readonly messages: string[] = [];

  add(message: string): void {
    if (!this.messages.includes(message)) this.messages.push(message);
  }

  /** Runs `work`; a refusal in it becomes a fault, anything else goes on up. */
  collect<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      for (const message of messagesOf(error)) this.add(message);
      return undefined;
    }
  }

  /** @throws RefusedError with all messages, when there are any */
  check(): void {
    if (this.messages.length > 0) throw refusal(this.messages);
  }
}

export function refusal(messages: readonly string[]): RefusedError {
  return new RefusedError(
    "ValidationException",
    messages[0] ?? "",
    messages.map((message) => ({ message })),
  );
}

/** What is wrong with a reference whose keys do not lead to one record. */
export function twoNamed(what: string, key: string, other: string): string {
  return `${what}: ${key} and ${other} are not the same; name one of them.`;
}

/** The sentences of a refusal: its details, or its own message where it has none. */
export function messagesOf(error: RefusedError): readonly string[] {
  return error.details.length > 0 ? error.details.map((each) => each.message) : [error.message];
}

// --- requests that are refused because of records in them -----------------------------------------

/** Refuses a whole request because of records in it; each is echoed with its own faults. */
export class RejectedError extends RefusedError {
  readonly resource: Resource;
  readonly rejected: readonly { record: object; errors: readonly string[] }[];

  constructor(resource: Resource, entries: readonly WriteItem[]) {
    const bad = entries.filter((entry) => entry.errors.length > 0);
    super(
      "ValidationException",
      "A validation exception occurred",
      bad.flatMap((entry) => entry.errors.map((message) => ({ message }))),
    );
    this.resource = resource;
    this.rejected = bad.map((entry) => ({ record: echo(resource, entry), errors: entry.errors }));
  }
}

/** A refused record as it was sent, under its real id or the one that was sent, else that of none. */
export function echo(resource: Resource, { input, existing }: WriteItem): object {
  const id = idIfAny(resource, existing) ?? idIfAny(resource, input) ?? zeroId;
  return { ...input, [resource.id]: id };
}

export function idIfAny(resource: Resource, record: object | undefined): unknown {
  return (record as Readonly<Record<string, unknown>> | undefined)?.[resource.id];
}
