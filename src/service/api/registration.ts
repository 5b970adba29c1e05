/** How a resource is registered: its access rule, its endpoint, and its additional routes. */
import type { Resource } from "../../resources/field.ts";
import type { Endpoint } from "../request/endpoint.ts";
import { type AccessRule, transactions } from "../request/permissions.ts";
import type { Route, RouteHandler } from "../request/route.ts";
import { derivedRoutes } from "./derived.ts";

/** The registration of one resource. */
interface Registration {
  readonly access: AccessRule;
  /**
   * Loads the endpoint for the standard routes; without it, `routes` has every route of the
   * resource.
   */
  readonly endpoint?: () => Promise<Endpoint>;
  /** Routes in addition to, or in place of, those derived from the resource description. */
  readonly routes?: readonly OwnRoute[];
}

/** A route whose access rule and resource default to those of the registration. */
export type OwnRoute = Omit<Route, "access"> & { readonly access?: AccessRule };

/** Returns the routes of a resource: `routes`, and the derived routes that these do not replace. */
export function register(
  resource: Resource | undefined,
  registration: Registration,
): readonly Route[] {
  const { access, endpoint, routes = [] } = registration;
  const ownRoutes = routes.map((route) => ({ access, ...route }));
  if (resource === undefined || endpoint === undefined) return ownRoutes;
  const paths = new Set(ownRoutes.map(({ method, path }) => `${method} ${path}`));
  const derived = derivedRoutes(resource, access, endpoint);
  return [...ownRoutes, ...derived.filter(({ method, path }) => !paths.has(`${method} ${path}`))];
}

/** Routes that are made by the first request whose path begins with one of their segments. */
export interface RouteGroup {
  /** First segments of the paths, in lower case. */
  readonly segments: readonly string[];
  readonly routes: () => readonly Route[];
}

/** Groups routes by the first segments of their paths. */
export function group(segments: readonly string[], makeRoutes: () => readonly Route[]): RouteGroup {
  const lowerCase = segments.map((segment) => segment.toLowerCase());
  let madeRoutes: readonly Route[] | undefined;
  const routes = () => {
    madeRoutes ??= makeRoutes();
    const stray = madeRoutes.find(({ path }) => !lowerCase.includes(firstSegment(path)));
    if (stray !== undefined) throw new Error(`${stray.path} begins with none of ${segments}.`);
    return madeRoutes;
  };
  return { segments: lowerCase, routes };
}

/** Returns the first segment of a path in lower case. */
export const firstSegment = (path: string): string => path.split("/", 2)[1]?.toLowerCase() ?? "";

type Options = Omit<OwnRoute, "method" | "path" | "answer">;

const method =
  (method: Route["method"]) =>
  (path: string, answer: RouteHandler, options: Options = {}): OwnRoute => ({
    method,
    path,
    answer,
    ...options,
  });
export const get = method("GET");
export const put = method("PUT");
export const post = method("POST");
export const del = method("DELETE");

/** OAuth scopes of clients that write invoices. */
export const invoicing = [transactions, "accounting.invoices"] as const;
