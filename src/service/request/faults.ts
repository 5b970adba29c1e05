/** Collects every fault of a record before it is refused. */
import {
  type Detail,
  RefusedError,
  refusedFor,
  validationException,
} from "../../resources/errors.ts";
import type { Resource } from "../../resources/field.ts";
import type { RuleName } from "../../resources/refusal-rules.ts";
import { zeroId } from "../../resources/scalar.ts";
import type { WriteItem } from "./endpoint.ts";

export class Faults {
  readonly found: Detail[] = [];

  add(rule: RuleName, message: string): void {
    if (!this.found.some((fault) => fault.message === message)) this.found.push({ rule, message });
  }

  addAll(faults: readonly Detail[]): void {
    for (const { rule = "Form", message } of faults) this.add(rule, message);
  }

  /** Runs `work`; a refusal in it becomes a fault, anything else goes on up. */
  collect<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.addAll(error.faults);
      return undefined;
    }
  }

  /** @throws RefusedError with all faults, when there are any */
  check(): void {
    if (this.found.length > 0) throw refusedFor(this.found);
  }
}

/** What is wrong with a reference whose keys do not lead to one record. */
export function twoNamed(what: string, key: string, other: string): string {
  return `${what}: ${key} and ${other} are not the same; name one of them.`;
}

/** The sentences of a refusal. */
export function messagesOf(error: RefusedError): readonly string[] {
  return error.faults.map(({ message }) => message);
}

// --- requests that are refused because of records in them -----------------------------------------

/** Refuses a whole request because of records in it; each is echoed with its own faults. */
export class RejectedError extends RefusedError {
  readonly resource: Resource;
  readonly rejected: readonly { record: object; errors: readonly Detail[] }[];

  constructor(resource: Resource, entries: readonly WriteItem[]) {
    const bad = entries.filter((entry) => entry.errors.length > 0);
    const faults = bad.flatMap((entry) => entry.errors);
    const code = { code: validationException, rule: faults[0]?.rule };
    super(code, "A validation exception occurred", faults);
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
