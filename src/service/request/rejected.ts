/** Requests that are refused because of records in them. */
import { RefusedError } from "../../resources/errors.ts";
import type { Resource } from "../../resources/field.ts";
import { zeroId } from "../../resources/scalar.ts";
import type { WriteItem } from "../endpoints/endpoint.ts";

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

/** A refused record as it was sent, under its real id where it has one, else the id of none. */
export function echo(resource: Resource, entry: WriteItem): object {
  return { ...entry.input, [resource.id]: idOf(resource, entry.existing) ?? zeroId };
}

export function idOf(resource: Resource, record: object | undefined): unknown {
  return (record as Readonly<Record<string, unknown>> | undefined)?.[resource.id];
}
