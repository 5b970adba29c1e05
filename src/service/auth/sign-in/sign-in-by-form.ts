/** Signing in by a form with address and password. */
import { RefusedError } from "../../../resources/errors.ts";
import type { Directory } from "../../../store/directory/directory.ts";
import type { Person } from "../../../store/directory/people.ts";
import type { SignInPage } from "../../../web/sign-in/sign-in-pages.ts";
import { inBrowser } from "../../audit/actors.ts";
import type { RequestOrigin } from "../../http/browser.ts";
import { passwordFault } from "../passwords.ts";
import { changePassword } from "../people.ts";
import { signIn, waitText } from "./passwords-tried.ts";

/** What the form shows when it is shown again. */
export type FormShown = Pick<SignInPage, "email" | "fault" | "wantsNew">;

export type FormOutcome =
  | { readonly person: Person }
  | {
      readonly person?: undefined;
      readonly shown: FormShown;
      readonly status: 400 | 429;
      readonly headers: Readonly<Record<string, string>>;
    };

/**
 * Signs a person in by email address and password. A person whose password the present rules refuse
 * chooses a new one in the same form.
 *
 * @param clock  milliseconds since 1970 UTC
 */
export async function signInByForm(
  directory: Directory,
  clock: () => number,
  form: URLSearchParams,
  origin: RequestOrigin,
): Promise<FormOutcome> {
  const email = form.get("email") ?? "";
  const password = form.get("password") ?? "";
  const again = (fault: string, wantsNew = false): FormOutcome => {
    return { shown: { email, fault, wantsNew }, status: 400, headers: {} };
  };
  const tried = await signIn(directory, clock, { email, password, origin });
  if (tried.person === undefined) {
    const waitS = Math.ceil(tried.waitMs / 1000);
    if (waitS === 0) return again("The email address or the password is not right.");
    const shown = { email, fault: waitText(waitS * 1000) };
    return { shown, status: 429, headers: { "retry-after": String(waitS) } };
  }
  const { person } = tried;
  const fault = await passwordFault(password, [person.email, person.name]);
  if (fault === undefined) return { person };
  const chosen = form.get("new") ?? "";
  if (chosen === "") return again(`Your password no longer suffices. ${fault}`, true);
  try {
    const people = { directory, clock, by: inBrowser(person, origin) };
    await changePassword(people, person.id, chosen);
    return { person };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return again(error.message, true);
  }
}
