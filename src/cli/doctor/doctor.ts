/**
 * `acct doctor`: checks everything that a command depends on, one by one.
 *
 * Each check is independent, and an error becomes its finding, so that there is a result even where
 * nothing else works. Nothing is asked of the user, and nothing is repaired.
 */
import { withoutPassword } from "../../platform/book-address.ts";
import { describeTarget } from "../connection/choose-target.ts";
import { readConfig } from "../context/config.ts";
import type { Context } from "../context/context.ts";
import type { Target } from "../context/target.ts";
import { bookFindings } from "./book-findings.ts";
import { type Finding, ok, problem } from "./finding.ts";
import { completionFinding, configFindings, keychainFinding, programFinding } from "./machine.ts";
import { serviceFindings } from "./service-findings.ts";

export interface DoctorOptions {
  /** Whether to verify the whole content of the book. */
  readonly verify?: boolean | undefined;
}

/**
 * Runs all checks.
 *
 * @throws the error with which the first failed check would end a command
 */
export async function runDoctor(ctx: Context, options: DoctorOptions): Promise<void> {
  const findings: Finding[] = [programFinding(), ...configFindings(ctx.env)];
  const { finding, place } = placeFinding(ctx);
  findings.push(finding);
  if (place?.kind === "remote") findings.push(...(await serviceFindings(ctx, place)));
  else if (place !== undefined) findings.push(...(await bookFindings(place, options, ctx.env)));
  findings.push(await keychainFinding(), completionFinding(ctx.env));
  const shownFindings = findings.map(({ state, what, detail, remedy = null }) => ({
    state,
    what,
    detail,
    remedy,
  }));
  await ctx.out.value(shownFindings, textOf(findings));
  const firstWrong = findings.find(({ state }) => state === "wrong");
  if (firstWrong !== undefined) throw firstWrong.error;
}

function textOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ what }) => what.length));
  const lines = findings.map(({ state, what, detail, remedy }) => {
    const text = [detail, remedy].filter((part) => part !== undefined).join(" ");
    return `${state.padEnd("warning".length)}  ${what.padEnd(width)}  ${text}`;
  });
  return lines.join("\n");
}

interface PlaceFound {
  readonly finding: Finding;
  readonly place?: Target;
}

function placeFinding(ctx: Context): PlaceFound {
  const subject = "where";
  try {
    const place = ctx.target();
    const profile = place.kind === "demo" ? undefined : place.profile;
    const through = profile === undefined ? "" : ` through profile ${profile}`;
    const shown = withoutPassword(describeTarget(place));
    const isGuarded = place.kind !== "demo" && (ctx.flags.readOnly || place.readOnly !== undefined);
    const guard = isGuarded ? "; nothing may be changed there" : "";
    return { place, finding: ok(subject, `${shown}${through}, ${sourceOf(ctx, place)}${guard}`) };
  } catch (error) {
    return { finding: problem(subject, error) };
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

/** Names the setting that chose the target, in the order of precedence of `targetOf`. */
function sourceOf({ flags: given, env }: Context, target: Target): string {
  for (const [key, flag] of Object.entries(flags)) {
    const value = given[key as keyof typeof flags];
    if (value !== undefined && value !== false) return `as ${flag} says`;
  }
  const variable = variables.find((name) => env[name]);
  if (variable !== undefined) return `as ${variable} says`;
  if (target.kind !== "demo" && target.boundBy !== undefined) return `as ${target.boundBy} says`;
  if (readConfig(env).defaultProfile !== undefined) return "which is the default profile";
  return "which is the default";
}
