/** A person's second factor, as the app on their telephone has it. */
import { newFactorSecret, setSecondFactor } from "../../../src/service/auth/second-factor.ts";
import { codeAt } from "../../../src/service/auth/totp.ts";
import type { Person } from "../../../src/store/directory/people.ts";
import type { Desk } from "./served.ts";

/** Sets up a second factor, a minute ago. */
export async function giveSecondFactor(
  { staff, given }: Pick<Desk, "staff"> & { readonly given: { now: number } },
  person: Person,
) {
  const secret = newFactorSecret();
  const codeNow = (stepsLater = 0) => codeAt(secret, Math.floor(given.now / 30_000) + stepsLater);
  const recovery = await setSecondFactor(staff, person, { secret, code: codeNow() });
  given.now += 60_000;
  return { codeNow, recovery };
}
