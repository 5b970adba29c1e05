/**
 * `acct doctor`: everything that a command stands on, looked at one by one.
 *
 * Each look is by itself, and what stops it is what it finds: so there is an answer also where
 * nothing else works. Nothing is asked of the person, and nothing is mended.
 */
import type { Context } from "../context/context.ts";
import { bookFindings } from "./book.ts";
import type { Finding } from "./finding.ts";
import { completionFinding, configFindings, keychainFinding, programFinding } from "./machine.ts";
import { placeFinding } from "./place.ts";
import { serviceFindings } from "./service.ts";

export interface DoctorOptions {
  /** All that is in the book. */
  readonly verify?: boolean | undefined;
}

/** @throws what the first thing that is wrong would end a command with */
export async function doctor(ctx: Context, options: DoctorOptions): Promise<void> {
  const findings: Finding[] = [programFinding(), ...configFindings(ctx.env)];
  const { finding, place } = placeFinding(ctx);
  findings.push(finding);
  if (place?.kind === "remote") findings.push(...(await serviceFindings(ctx, place)));
  else if (place !== undefined) findings.push(...(await bookFindings(place, options, ctx.env)));
  findings.push(await keychainFinding(), completionFinding(ctx.env));
  const shown = findings.map(({ state, what, detail, remedy = null }) => ({
    state,
    what,
    detail,
    remedy,
  }));
  await ctx.out.value(shown, textOf(findings));
  const first = findings.find(({ state }) => state === "wrong");
  if (first !== undefined) throw first.error;
}

function textOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ what }) => what.length));
  const lines = findings.map(({ state, what, detail, remedy }) => {
    const said = [detail, remedy].filter((part) => part !== undefined).join(" ");
    return `${state.padEnd("warning".length)}  ${what.padEnd(width)}  ${said}`;
  });
  return lines.join("\n");
}
