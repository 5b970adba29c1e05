/** A route of the service: a method and an address, what answers there, and who may ask. */
import { RefusedError } from "../../resources/errors.ts";
import type { Fields, Resource } from "../../resources/field.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import type { RequestContext } from "./context.ts";
import type { AccessRule } from "./permissions.ts";

/** Answers one request; `parameters` are the segments that the braces of the path stand for. */
export type RouteHandler = (
  call: RequestContext,
  ...parameters: string[]
) => Promise<ServiceResponse>;

export interface Route {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  /** `/Invoices/{InvoiceID}/History`; fixed segments match in any letter case. */
  readonly path: string;
  readonly access: AccessRule;
  readonly answer: RouteHandler;
  /** Resource of the records at the address. */
  readonly resource?: Resource;
  /** Its body: records of a resource, or a file, which may be larger; any object when not given. */
  readonly takes?: Resource | "file";
  /** Its answer: records of a resource, reports, a file, or else the mere envelope. */
  readonly answers?: Resource | "reports" | "file";
  /** Query parameters of its own, besides those that follow from the resource. */
  readonly parameters?: Fields;
  /** Before its write it does what stays done, so a repeat is to be known beforehand. */
  readonly actsFirst?: true;
  /** Of one record: answers as PDF, or refuses to where there is no printed form of it. */
  readonly printed?: RouteHandler | undefined;
}

/** 501: the address is known, and does not do that. */
export function methodAbsent(): RefusedError {
  return new RefusedError("NotImplemented", "The Api Method called is not implemented");
}

/** The answer that a module has under a name; the module is loaded by the first request for it. */
export function answerOf<N extends string>(
  load: () => Promise<{ readonly [K in N]: RouteHandler }>,
  name: N,
): RouteHandler {
  const module = lazy(load);
  return async (call, ...parameters) => {
    const answer: RouteHandler = (await module())[name];
    return answer(call, ...parameters);
  };
}

/**
 * Loads a module at its first use, and keeps it, since another `import()` costs time as well. A load
 * that fails, as with too many files open, is tried again at the next use.
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let kept: T | undefined;
  return async () => {
    kept ??= await load();
    return kept;
  };
}
