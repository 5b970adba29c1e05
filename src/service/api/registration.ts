/** How a resource is registered: its access, its endpoint, and routes of its own. */
import type { Resource } from "../../resources/field.ts";
import type { Endpoint } from "../request/endpoint.ts";
import { type AccessRule, transactions } from "../request/permissions.ts";
import type { Route, RouteHandler } from "../request/route.ts";
import { derivedRoutes } from "./derived.ts";

/** Registration of a resource. */
interface Registration {
  readonly access: AccessRule;
  /** Its endpoint on the common road; without it all its routes are its own. */
  readonly endpoint?: () => Promise<Endpoint>;
  /** Routes beside those of its description, or instead of them. */
  readonly routes?: readonly OwnRoute[];
}

/** The access rule and the resource of the registration, unless a route says otherwise. */
export type OwnRoute = Omit<Route, "access"> & { readonly access?: AccessRule };

/** The routes of a resource: its own, and those of its description that these do not replace. */
export function register(
  resource: Resource | undefined,
  registration: Registration,
): readonly Route[] {
  const { access, endpoint, routes = [] } = registration;
  const own = routes.map((route) => ({ access, ...route }));
  if (resource === undefined || endpoint === undefined) return own;
  const taken = new Set(own.map(({ method, path }) => `${method} ${path}`));
  const derived = derivedRoutes(resource, access, endpoint);
  return [...own, ...derived.filter(({ method, path }) => !taken.has(`${method} ${path}`))];
}

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

/** Scopes of those who write invoices. */
export const invoicing = [transactions, "accounting.invoices"] as const;
