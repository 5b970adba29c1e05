/** Where commands do their work, and what says so. */
import { withoutPassword } from "../../platform/book-address.ts";
import { describeTarget } from "../connection/target.ts";
import { readConfig } from "../context/config.ts";
import type { Context } from "../context/context.ts";
import type { Target } from "../context/target.ts";
import { type Finding, ok, wrong } from "./finding.ts";

export interface PlaceFound {
  readonly finding: Finding;
  readonly place?: Target;
}

export function placeFinding(ctx: Context): PlaceFound {
  const what = "where";
  try {
    const place = ctx.target();
    const profile = place.kind === "demo" ? undefined : place.profile;
    const through = profile === undefined ? "" : ` through profile ${profile}`;
    const said = withoutPassword(describeTarget(place));
    const guarded = place.kind !== "demo" && (ctx.flags.readOnly || place.readOnly !== undefined);
    const guard = guarded ? "; nothing may be changed there" : "";
    return { place, finding: ok(what, `${said}${through}, ${sourceOf(ctx, place)}${guard}`) };
  } catch (error) {
    return { finding: wrong(what, error) };
  }
}

const flags = {
  demo: "--demo",
  book: "--book",
  database: "--database",
  data: "--data",
  baseUrl: "--base-url",
  profile: "--profile",
} as const;

const variables = ["ACCT_BOOK", "ACCT_DATABASE", "ACCT_DATA", "ACCT_BASE_URL", "ACCT_PROFILE"];

/** In the order in which `targetOf` asks them. */
function sourceOf({ flags: given, env }: Context, place: Target): string {
  for (const [key, flag] of Object.entries(flags)) {
    const value = given[key as keyof typeof flags];
    if (value !== undefined && value !== false) return `as ${flag} says`;
  }
  const variable = variables.find((name) => env[name]);
  if (variable !== undefined) return `as ${variable} says`;
  if (place.kind !== "demo" && place.boundBy !== undefined) return `as ${place.boundBy} says`;
  if (readConfig(env).defaultProfile !== undefined) return "which is the default profile";
  return "which is the default";
}
