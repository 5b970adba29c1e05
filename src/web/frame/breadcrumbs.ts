/**
 * Addresses of pages, and the trail of pages that led to them.
 *
 * A link that goes deeper (from a report to an account, from there to a journal) carries the
 * addresses before it, with their filters, in parameters `via`. So the way back is part of a link
 * that can be bookmarked or sent, and the server keeps no state.
 */
import type { PageContext, TrailContext } from "./page-context.ts";

const via = "via";
/** Maximum number of steps in a trail; further steps drop the first ones. */
const trailMax = 6;
/** Maximum number of characters of a trail in an address. */
const trailCharactersMax = 8_000;

/** Steps of the trail in an address. @param isPage  whether a path names a page */
export function trailIn(query: URLSearchParams, isPage: (path: string) => boolean): string[] {
  const steps = query.getAll(via).filter((step) => {
    const [path = ""] = step.split("?", 1);
    // The address must begin with a single slash: two would begin the address of another host.
    return /^\/(?!\/)[^\\#\s]*$/.test(step) && isPage(path);
  });
  return steps.slice(-trailMax);
}

/** Address of a page with its query, without the trail of pages that led to it. */
export function pageAddress(path: string, query: URLSearchParams): string {
  return addressWith(
    path,
    [...query].filter(([name]) => name !== via),
  );
}

/** Adds query parameters to a path: `/invoices?status=PAID`; undefined values are left out. */
export function addressWith(
  path: string,
  parameters: Iterable<readonly [name: string, value: string | undefined]>,
): string {
  const parameterTexts = [...parameters].flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`${encodeValue(name)}=${encodeValue(value)}`],
  );
  return parameterTexts.length === 0 ? path : `${path}?${parameterTexts.join("&")}`;
}

/**
 * Encodes a query value like `encodeURIComponent`, but keeps characters that are allowed in a
 * query, for readability.
 */
function encodeValue(text: string): string {
  const plainCodes: Readonly<Record<string, string>> = { "%2F": "/", "%3A": ":", "%2C": "," };
  return encodeURIComponent(text).replace(/%2F|%3A|%2C/g, (code) => plainCodes[code] ?? code);
}

/** Link that starts a new trail, as in the navigation. */
export function linkTo({ base }: Pick<PageContext, "base">, address: string): string {
  return base + address;
}

/**
 * Link that extends the trail, or goes back to a step of it; undefined where the reader may not see
 * the page.
 */
export function linkFrom(ctx: TrailContext, address: string): string | undefined {
  const { trail, here } = ctx;
  if (!ctx.mayOpen(address)) return undefined;
  const at = trail.indexOf(address);
  return withTrail(ctx, address, at < 0 ? [...trail, here] : trail.slice(0, at));
}

/**
 * Link to another state of the same page with the same trail: other filters, the next page of a
 * list.
 */
export function linkBeside(ctx: PageContext, address: string): string {
  return withTrail(ctx, address, ctx.trail);
}

/** Address to redirect to, with the trail of the current page. */
export function withTrailOf({ trail }: PageContext, address: string): string {
  return withSteps(address, trail);
}

function withTrail(
  { base }: Pick<PageContext, "base">,
  address: string,
  steps: readonly string[],
): string {
  return base + withSteps(address, steps);
}

function withSteps(address: string, steps: readonly string[]): string {
  const trail = lastSteps(steps);
  if (trail.length === 0) return address;
  const glue = address.includes("?") ? "&" : "?";
  return address + glue + trail.map((step) => `${via}=${encodeValue(step)}`).join("&");
}

/** The last steps of a trail that fit into an address. */
function lastSteps(steps: readonly string[]): readonly string[] {
  const trail: string[] = [];
  let characterCount = 0;
  for (const step of steps.slice(-trailMax).toReversed()) {
    characterCount += step.length;
    if (characterCount > trailCharactersMax) break;
    trail.unshift(step);
  }
  return trail;
}

/** The trail as hidden fields of a form, since the query of its action address is replaced. */
export function trailFields({ trail }: PageContext): readonly (readonly [string, string])[] {
  return lastSteps(trail).map((step) => [via, step] as const);
}

/**
 * Breadcrumbs of the trail: the address of each step, and the link back to it with its own trail.
 */
export function stepsOf(ctx: PageContext): readonly (readonly [address: string, link: string])[] {
  return ctx.trail.map((step, at) => [step, withTrail(ctx, step, ctx.trail.slice(0, at))]);
}
