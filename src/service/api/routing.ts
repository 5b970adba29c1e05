/** Which route of the service a request means, and the routes that tell of the routes themselves. */
import { NotFoundError, refusal } from "../../resources/errors.ts";
import { access, settings } from "../request/permissions.ts";
import { methodAbsent, type Route } from "../request/route.ts";
import { registered } from "./registry.ts";

export type { Route };

export const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/openapi.json",
    access: access.own(),
    answer: async (call) =>
      (await import("../openapi/document.ts")).answerDescription(call, routes),
  },
  ...["/Organisation/Actions", "/Organisations/Actions"].map(
    (path): Route => ({
      method: "GET",
      path,
      access: access.own(settings),
      answer: async (call) =>
        (await import("../records/organisation.ts")).readActions(call, routeAt),
    }),
  ),
  ...registered,
];

/** Below claims, of which there are none, the addresses are known and answer 501 to every method. */
const claimPaths = ["/{ID}", "/{ID}/History", "/{ID}/Attachments"].map(
  (rest) => `/ExpenseClaims${rest}`,
);

/** Stands for any segment, in a pattern. */
const parameter = "{}";

/** A meaning of an address; without a route where the address is only known. */
interface Candidate {
  readonly segments: readonly string[];
  readonly route?: Route;
}

const byFirstSegment = Map.groupBy(
  [
    ...routes.map((route): Candidate => ({ route, segments: patternsOf(route.path) })),
    ...claimPaths.map((path): Candidate => ({ segments: patternsOf(path) })),
  ],
  ({ segments }) => segments[0] ?? "",
);

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

export interface RouteMatch {
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
export function routeFor(method: string, path: string): RouteMatch {
  const segments = segmentsOf(path);
  const { candidates, asPdf } = candidatesFor(segments);
  for (const { route, segments: patterns } of candidates) {
    if (route?.method !== method) continue;
    const parameters = segments.filter((_, index) => patterns[index] === parameter);
    return { route, parameters, asPdf };
  }
  throw methodAbsent();
}

/** The route that answers a method on a path; undefined where none does. */
function routeAt(method: string, path: string): Route | undefined {
  const segments = path.split("/").slice(1);
  return routes.find((route) => route.method === method && fits(patternsOf(route.path), segments));
}

/** The methods that an address has. @throws NotFoundError when it is none of the service's */
export function methodsAt(path: string): readonly string[] {
  const { candidates } = candidatesFor(segmentsOf(path));
  return [...new Set(candidates.flatMap(({ route }) => route?.method ?? []))];
}

/** The routes of an address, and whether it asks for a printed form. @throws NotFoundError */
function candidatesFor(segments: readonly string[]) {
  const known = byFirstSegment.get((segments[0] ?? "").toLowerCase()) ?? [];
  const fitting = (wanted: readonly string[]) =>
    known.filter((candidate) => fits(candidate.segments, wanted));
  let candidates = fitting(segments);
  const asPdf = candidates.length === 0 && segments.at(-1)?.toLowerCase() === "pdf";
  if (asPdf) {
    candidates = fitting(segments.slice(0, -1)).filter(({ route }) => route?.printed !== undefined);
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

/** The segments of a route's path, to be compared with those of an address in lower case. */
function patternsOf(path: string): string[] {
  const segments = path.slice(1).split("/");
  return segments.map((segment) => (segment.startsWith("{") ? parameter : segment.toLowerCase()));
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
    throw refusal("Form", "The address is not properly percent-encoded.");
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

/** For whatever else is asked for: a name for every address would be for a stranger to choose. */
export const nowhere = "(none)";

/**
 * By which name a request stands in the log, in figures and in a plan of faults: its address with
 * braces for what differs, `/Invoices/{InvoiceID}`.
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
