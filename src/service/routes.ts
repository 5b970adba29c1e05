/**
 * Every address of the service, and which of them a request means: the addresses that the resource
 * descriptions lay out (`routes/described.ts`), and those that differ (`routes/own.ts`).
 *
 * The same table answers requests, tells `acct api` what there is to complete, and says 501 for a
 * method that an address does not have.
 */
import { NotFoundError, RefusedError } from "../resources/errors.ts";
import type { Call } from "./call.ts";
import { describedRoutes } from "./routes/described.ts";
import * as load from "./routes/load.ts";
import { ownRoutes } from "./routes/own.ts";
import { methodAbsent, type Route } from "./routes/route.ts";

export type { Route };

const isOwn = new Set(ownRoutes.map((route) => `${route.method} ${route.path}`));

export const routes: readonly Route[] = [
  // What tells of the table itself.
  {
    method: "GET",
    path: "/openapi.json",
    answer: async (call) => (await import("./openapi/answer.ts")).answerDescription(call, routes),
  },
  ...["/Organisation/Actions", "/Organisations/Actions"].map((path) => ({
    method: "GET",
    path,
    answer: async (call: Call) => (await load.organisations()).readActions(call, hasRoute),
  })),
  ...ownRoutes,
  ...describedRoutes.filter((route) => !isOwn.has(`${route.method} ${route.path}`)),
];

/** Below claims, of which there are none, the addresses are known and answer 501 to every method. */
const legacy: readonly Route[] = ["/{ID}", "/{ID}/History", "/{ID}/Attachments"].map((rest) => ({
  method: "",
  path: `/ExpenseClaims${rest}`,
  answer: () => Promise.reject(methodAbsent()),
}));

/** Stands for any segment, in a pattern. */
const parameter = "{}";

const byFirstSegment = new Map<string, { route: Route; segments: string[] }[]>();
for (const route of [...routes, ...legacy]) {
  const segments = route.path.slice(1).split("/").map(patternOf);
  const first = segments[0] ?? "";
  const known = byFirstSegment.get(first) ?? [];
  known.push({ route, segments });
  byFirstSegment.set(first, known);
}

/** `invoice` for `Invoices`: clients in use name a collection by one of its records as well. */
const pluralOf = new Map([
  ["expenseclaim", "ExpenseClaims"],
  ...routes.flatMap(({ path, resource }) =>
    resource !== undefined &&
    path === `/${resource.plural}` &&
    !byFirstSegment.has(resource.name.toLowerCase())
      ? [[resource.name.toLowerCase(), resource.plural] as const]
      : [],
  ),
]);

export interface Found {
  readonly route: Route;
  /** The segments that the braces of its path stand for. */
  readonly parameters: readonly string[];
  /** The path ended in `/pdf`. */
  readonly asPdf: boolean;
}

/**
 * The route that answers `method` on `path`.
 *
 * @throws NotFoundError when the path is none of the service's
 * @throws RefusedError `NotImplemented` when the path has no such method
 */
export function routeFor(method: string, path: string): Found {
  const segments = segmentsOf(path);
  const { candidates, asPdf } = candidatesFor(segments);
  const found = candidates.find((candidate) => candidate.route.method === method);
  if (found !== undefined) {
    const parameters = segments.filter((_, index) => found.segments[index] === parameter);
    return { route: found.route, parameters, asPdf };
  }
  throw methodAbsent();
}

/** Whether the service answers a method on a path. */
function hasRoute(method: string, path: string): boolean {
  const segments = path.split("/").slice(1);
  return routes.some(
    (route) =>
      route.method === method && fits(route.path.slice(1).split("/").map(patternOf), segments),
  );
}

/** The methods that an address has. @throws NotFoundError when it is none of the service's */
export function methodsAt(path: string): readonly string[] {
  const { candidates } = candidatesFor(segmentsOf(path));
  return [...new Set(candidates.map(({ route }) => route.method))];
}

/** The routes of an address, and whether it asks for a printed form. @throws NotFoundError */
function candidatesFor(segments: readonly string[]) {
  const known = byFirstSegment.get((segments[0] ?? "").toLowerCase()) ?? [];
  const fitting = (wanted: readonly string[]) =>
    known.filter((candidate) => fits(candidate.segments, wanted));
  let candidates = fitting(segments);
  const asPdf = candidates.length === 0 && segments.at(-1)?.toLowerCase() === "pdf";
  if (asPdf) {
    candidates = fitting(segments.slice(0, -1)).filter(({ route }) => route.printed !== undefined);
  }
  if (candidates.length > 0) return { candidates, asPdf };
  throw new NotFoundError("NotFound", "The resource you're looking for cannot be found");
}

/** The decoded segments of an address, whose collection is named as the routes name it. */
function segmentsOf(path: string): string[] {
  const [first = "", ...rest] = path
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment, index, all) => decoded(segment, all[index - 1]));
  return [pluralOf.get(first.toLowerCase()) ?? first, ...rest];
}

/** A segment of a route's path, to be compared with one in lower case. */
function patternOf(segment: string): string {
  return segment.startsWith("{") ? parameter : segment.toLowerCase();
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((each, index) => each === parameter || each === segments[index]?.toLowerCase())
  );
}

function decoded(segment: string, before: string | undefined): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    // Special characters of a file name are sent as they are, so a percent sign may be just that.
    if (before?.toLowerCase() === "attachments") return segment.replace(encodedRuns, decodedRun);
    throw new RefusedError("ValidationException", "The address is not properly percent-encoded.");
  }
}

const encodedRuns = /(?:%[0-9a-f]{2})+/gi;

function decodedRun(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run;
  }
}
