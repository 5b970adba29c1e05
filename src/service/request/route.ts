/** A route of the service: method, path, handler and access rule. */
import { RefusedError } from "../../resources/errors.ts";
import type { Fields, Resource } from "../../resources/field.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import type { RequestContext } from "./context.ts";
import type { AccessRule } from "./permissions.ts";

/** Answers one request; `parameters` are the values of the path parameters. */
export type RouteHandler = (
  call: RequestContext,
  ...parameters: string[]
) => Promise<ServiceResponse>;

export interface Route {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  /** Path pattern, `/Invoices/{InvoiceID}/History`; fixed segments match in any letter case. */
  readonly path: string;
  readonly access: AccessRule;
  readonly answer: RouteHandler;
  /** Resource of the records at the path. */
  readonly resource?: Resource;
  /** Type of the body: records of a resource, or a larger file; any object if omitted. */
  readonly takes?: Resource | "file";
  /** Type of the answer: records of a resource, reports, a file; only the envelope if omitted. */
  readonly answers?: Resource | "reports" | "file";
  /** Query parameters in addition to those of the resource. */
  readonly parameters?: Fields;
  /** Whether the handler has effects before its write, so that a repeat is checked first. */
  readonly actsFirst?: true;
  /** For one record: answers as PDF, or refuses where it has no printed form. */
  readonly printed?: RouteHandler | undefined;
}

/** Makes the error 501: the path exists, but not with this method. */
export function noMethodError(): RefusedError {
  return new RefusedError("NotImplemented", "The Api Method called is not implemented");
}

/** Returns a handler that calls the named function of a module, which its first request loads. */
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
 * Loads a module at first use, and caches it, since another `import()` is slow. A failed load, as
 * with too many open files, is tried again at the next use.
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: T | undefined;
  return async () => {
    loaded ??= await load();
    return loaded;
  };
}
