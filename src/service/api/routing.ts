/** Matches a request to a route of the service, and holds the routes that describe the routes. */
import { NotFoundError, refusal } from "../../resources/errors.ts";
import { pathOf } from "../../resources/field.ts";
import { resources } from "../../resources/index.ts";
import { access, settings } from "../request/permissions.ts";
import { noMethodError, type Route } from "../request/route.ts";
import { firstSegment, group, type RouteGroup } from "./registration.ts";
import { registered } from "./registry.ts";

export type { Route };

const groups: readonly RouteGroup[] = [
  group(["openapi.json", "Organisation", "Organisations"], () => [
    {
      method: "GET",
      path: "/openapi.json",
      access: access.own(),
      answer: async (call) =>
        (await import("../openapi/document.ts")).answerDescription(call, allRoutes()),
    },
    ...["/Organisation/Actions", "/Organisations/Actions"].map(
      (path): Route => ({
        method: "GET",
        path,
        access: access.own(settings),
        answer: async (call) =>
          (await import("../records/masters/organisation.ts")).readActions(call, routeAt),
      }),
    ),
  ]),
  ...registered,
];

/** Returns every route; a request makes those of its first segment alone. */
export const allRoutes = (): readonly Route[] => groups.flatMap(({ routes }) => routes());

/** The placeholder for any segment in a path pattern. */
const parameter = "{}";

/** A route with the patterns of its path. */
interface Candidate {
  readonly segments: readonly string[];
  readonly route: Route;
}

const byFirstSegment = new Map<string, readonly Candidate[]>();

/** Returns the routes whose paths begin with a segment in lower case. */
function candidatesAt(segment: string): readonly Candidate[] {
  const cached = byFirstSegment.get(segment);
  if (cached !== undefined) return cached;
  const candidates = groups
    .filter(({ segments }) => segments.includes(segment))
    .flatMap(({ routes }) => routes())
    .filter(({ path }) => firstSegment(path) === segment)
    .map((route): Candidate => ({ route, segments: patternsOf(route.path) }));
  // A segment without routes comes from a caller, who may send any number of them.
  if (candidates.length > 0) byFirstSegment.set(segment, candidates);
  return candidates;
}

const firstSegments = new Set(groups.flatMap(({ segments }) => segments));

/** Collection names by the singular, such as `Invoices` for `Invoice`: clients send either. */
const pluralOf = new Map(
  resources
    .filter((resource) => pathOf(resource) === `/${resource.plural}`)
    .map((resource) => [resource.name.toLowerCase(), resource.plural] as const)
    .filter(([name]) => !firstSegments.has(name)),
);

export interface RouteMatch {
  readonly route: Route;
  /** The values of the path parameters, in the order of the braces in the route's path. */
  readonly parameters: readonly string[];
  /** Whether the path ended in `/pdf`. */
  readonly asPdf: boolean;
}

/**
 * Returns the route for `method` on `path`.
 *
 * @throws NotFoundError when the service has no such path
 * @throws RefusedError `NotImplemented` when the path does not support the method
 */
export function routeFor(method: string, path: string): RouteMatch {
  const segments = segmentsOf(path);
  const { candidates, asPdf } = candidatesFor(segments);
  for (const { route, segments: patterns } of candidates) {
    if (route.method !== method) continue;
    const parameters = segments.filter((_, index) => patterns[index] === parameter);
    return { route, parameters, asPdf };
  }
  throw noMethodError();
}

/** Returns the route for a method on a path; undefined where there is none. */
function routeAt(method: string, path: string): Route | undefined {
  const segments = path.split("/").slice(1);
  return candidatesAt(firstSegment(path)).find(
    (candidate) => candidate.route.method === method && fitsPattern(candidate.segments, segments),
  )?.route;
}

/**
 * Returns the HTTP methods of a path.
 *
 * @throws NotFoundError for a path that the service does not have
 */
export function methodsAt(path: string): readonly string[] {
  const { candidates } = candidatesFor(segmentsOf(path));
  return [...new Set(candidates.flatMap(({ route }) => route.method))];
}

/** Returns the routes that match a path, and whether it asks for a PDF. @throws NotFoundError */
function candidatesFor(segments: readonly string[]) {
  const possible = candidatesAt((segments[0] ?? "").toLowerCase());
  const fitting = (wantedPath: readonly string[]) =>
    possible.filter((candidate) => fitsPattern(candidate.segments, wantedPath));
  let candidates = fitting(segments);
  const isPdf = candidates.length === 0 && segments.at(-1)?.toLowerCase() === "pdf";
  if (isPdf) {
    candidates = fitting(segments.slice(0, -1)).filter(({ route }) => route.printed !== undefined);
  }
  if (candidates.length > 0) return { candidates, asPdf: isPdf };
  throw new NotFoundError("NotFound", "The resource you're looking for cannot be found");
}

/** Returns the decoded segments of a path, with the collection spelt as in the routes. */
function segmentsOf(path: string): string[] {
  const [first = "", ...rest] = path
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment, index, segments) => decodeSegment(segment, segments[index - 1]));
  return [pluralOf.get(first.toLowerCase()) ?? first, ...rest];
}

/** Returns the segments of a route's path in lower case, for comparison with a request path. */
function patternsOf(path: string): string[] {
  const segments = path.slice(1).split("/");
  return segments.map((segment) => (segment.startsWith("{") ? parameter : segment.toLowerCase()));
}

function fitsPattern(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((text, index) => text === parameter || text === segments[index]?.toLowerCase())
  );
}

function decodeSegment(segment: string, previous: string | undefined): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    // File names may come unencoded, so a percent sign that begins no valid escape stands for
    // itself.
    if (previous?.toLowerCase() === "attachments") return segment.replace(encodedRuns, decodeRun);
    throw refusal("Form", "The address is not properly percent-encoded.");
  }
}

const encodedRuns = /(?:%[0-9a-f]{2})+/gi;

function decodeRun(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run;
  }
}

/** The route name for unknown paths: a label per path would let any caller create metric series. */
export const nowhere = "(none)";

/**
 * Returns the route name of a request for logs, metrics and fault plans: its path with braces for
 * parameters, such as `/Invoices/{InvoiceID}`.
 *
 * @param path  below the API root
 */
export function routeName(method: string, path: string): string {
  try {
    return routeFor(method === "HEAD" ? "GET" : method, path).route.path;
  } catch {
    return nowhere;
  }
}
