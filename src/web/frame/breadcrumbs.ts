/**
 * Addresses of pages, and the trail that led to one.
 *
 * A link that goes deeper (from a report to an account, from there to a journal) takes along the
 * addresses it came from, with their filters, as parameters `via`. So the way back is a link that
 * anybody can keep or send, and the server remembers nothing.
 */
import type { PageContext, TrailContext } from "./page-context.ts";

const via = "via";
/** Steps that are remembered: whoever goes on in circles loses the first ones. */
const trailMax = 6;
/** Characters of a trail that is taken along. */
const trailCharactersMax = 8_000;

/** The steps that an address names. @param isPage  whether a path is that of a page */
export function trailIn(query: URLSearchParams, isPage: (path: string) => boolean): string[] {
  const steps = query.getAll(via).filter((step) => {
    const [path = ""] = step.split("?", 1);
    // One slash at the beginning: two would be the address of another host.
    return /^\/(?!\/)[^\\#\s]*$/.test(step) && isPage(path);
  });
  return steps.slice(-trailMax);
}

/** The address of a page without the trail that led to it. */
export function hereOf(path: string, query: URLSearchParams): string {
  return addressWith(
    path,
    [...query].filter(([name]) => name !== via),
  );
}

/** `/invoices?status=PAID`; parameters without a value are left out. */
export function addressWith(
  path: string,
  parameters: Iterable<readonly [name: string, value: string | undefined]>,
): string {
  const written = [...parameters].flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`${encoded(name)}=${encoded(value)}`],
  );
  return written.length === 0 ? path : `${path}?${written.join("&")}`;
}

/** As `encodeURIComponent`, but for what may stand in a query as it is and is easier to read so. */
function encoded(text: string): string {
  const plain: Readonly<Record<string, string>> = { "%2F": "/", "%3A": ":", "%2C": "," };
  return encodeURIComponent(text).replace(/%2F|%3A|%2C/g, (code) => plain[code] ?? code);
}

/** A link within the pages that begins a trail of its own, as those of the navigation do. */
export function linkTo({ base }: Pick<PageContext, "base">, address: string): string {
  return base + address;
}

/** A link that goes deeper, or back to a step of the trail; undefined where the reader may not go. */
export function linkFrom(ctx: TrailContext, address: string): string | undefined {
  const { trail, here } = ctx;
  if (!ctx.leads(address)) return undefined;
  const at = trail.indexOf(address);
  return withTrail(ctx, address, at < 0 ? [...trail, here] : trail.slice(0, at));
}

/** A link to another state of the same page: other filters, the next page of a list. */
export function linkBeside(ctx: PageContext, address: string): string {
  return withTrail(ctx, address, ctx.trail);
}

/** An address below the base to which a page sends the browser on, with the trail that led to it. */
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
  const kept = keptOf(steps);
  if (kept.length === 0) return address;
  const glue = address.includes("?") ? "&" : "?";
  return address + glue + kept.map((step) => `${via}=${encoded(step)}`).join("&");
}

/** The last steps, as many as an address holds. */
function keptOf(steps: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let characters = 0;
  for (const step of steps.slice(-trailMax).toReversed()) {
    characters += step.length;
    if (characters > trailCharactersMax) break;
    kept.unshift(step);
  }
  return kept;
}

/** The trail as the fields of a form, whose address cannot have a query of its own. */
export function trailFields({ trail }: PageContext): readonly (readonly [string, string])[] {
  return keptOf(trail).map((step) => [via, step] as const);
}

/** The crumbs of the steps: each with the link that leads back to it, with its own trail. */
export function stepsOf(ctx: PageContext): readonly (readonly [address: string, link: string])[] {
  return ctx.trail.map((step, at) => [step, withTrail(ctx, step, ctx.trail.slice(0, at))]);
}
