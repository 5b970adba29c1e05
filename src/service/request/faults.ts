/** Collects all faults of a record, so that a refusal reports them together. */
import {
  type Detail,
  RefusedError,
  refusalFor,
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

  /** Runs `compute`; a RefusedError becomes a fault, other errors are thrown. */
  collect<T>(compute: () => T): T | undefined {
    try {
      return compute();
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.addAll(error.faults);
      return undefined;
    }
  }

  /** Refuses if there are faults. @throws RefusedError with all of them */
  check(): void {
    if (this.found.length > 0) throw refusalFor(this.found);
  }
}

/** Returns the message for a reference whose keys identify different records. */
export function twoRecords(field: string, key: string, otherKey: string): string {
  return `${field}: ${key} and ${otherKey} are not the same; name one of them.`;
}

/** Returns the message for new elements of a list that is written by a request of its own. */
export function writtenAt(list: string, path: string): string {
  return `${list} are not taken with the record: send them by PUT ${path}.`;
}

/** Returns the messages of a refusal. */
export function messagesOf(error: RefusedError): readonly string[] {
  return error.faults.map(({ message }) => message);
}

// --- requests refused because of some of their records --------------------------------------------

/** The refusal of a request because of its records; the response echoes each with its faults. */
export class RejectedError extends RefusedError {
  readonly resource: Resource;
  readonly rejected: readonly { record: object; errors: readonly Detail[] }[];

  /** @param unreadable  the refusal of values that could not be read, if any */
  constructor(resource: Resource, entries: readonly WriteItem[], unreadable?: RefusedError) {
    const bad = entries.filter((entry) => entry.errors.length > 0);
    const faults = bad.flatMap((entry) => entry.errors);
    const code = unreadable ?? { code: validationException, rule: faults[0]?.rule };
    super(code, unreadable?.message ?? "A validation exception occurred", faults);
    this.resource = resource;
    this.rejected = bad.map((entry) => ({ record: echoOf(resource, entry), errors: entry.errors }));
  }
}

/** Returns a refused record as sent, with its real id, else the sent id, else the zero id. */
export function echoOf(resource: Resource, { input, existing }: WriteItem): object {
  const id = idOfRecord(resource, existing) ?? idOfRecord(resource, input) ?? zeroId;
  return { ...input, [resource.id]: id };
}

export function idOfRecord(resource: Resource, record: object | undefined): unknown {
  return (record as Readonly<Record<string, unknown>> | undefined)?.[resource.id];
}
