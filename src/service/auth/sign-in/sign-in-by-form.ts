/** Signing in by a form with address and password. */
import { RefusedError } from "../../../resources/errors.ts";
import type { Directory } from "../../../store/directory/directory.ts";
import type { Person } from "../../../store/directory/people.ts";
import type { SignInPage } from "../../../web/sign-in/sign-in-pages.ts";
import { inBrowser } from "../../audit/actors.ts";
import {
  browserCookie,
  browserCookieLife,
  cookieLine,
  type RequestOrigin,
} from "../../http/browser.ts";
import { passwordFault } from "../passwords.ts";
import { changePassword } from "../people.ts";
import { signIn, untilReset, waitText } from "./passwords-tried.ts";

/** What the form shows when it is shown again. */
export type FormShown = Pick<SignInPage, "email" | "fault" | "wantsNew">;

export type FormOutcome =
  | {
      readonly person: Person;
      /** `Set-Cookie` headers by which the browser is known again. */
      readonly cookies: readonly string[];
    }
  | {
      readonly person?: undefined;
      readonly shown: FormShown;
      readonly status: 400 | 429;
      readonly headers: Readonly<Record<string, string>>;
    };

/** The server to which people sign in. */
export interface SignInHost {
  readonly directory: Directory;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** Public address of the server. */
  readonly origin: () => string;
}

/**
 * Signs a person in by email address and password. A person whose password the present rules refuse
 * chooses a new one in the same form.
 */
export async function signInByForm(
  host: SignInHost,
  form: URLSearchParams,
  origin: RequestOrigin,
): Promise<FormOutcome> {
  const { directory, clock } = host;
  const email = form.get("email") ?? "";
  const password = form.get("password") ?? "";
  const again = (fault: string, wantsNew = false): FormOutcome => {
    return { shown: { email, fault, wantsNew }, status: 400, headers: {} };
  };
  const tried = await signIn(directory, clock, { email, password, origin });
  if (tried.person === undefined) {
    const { waitMs } = tried;
    if (waitMs === 0) return again("The email address or the password is not right.");
    const retryAfter = { "retry-after": String(Math.ceil(waitMs / 1000)) };
    return {
      shown: { email, fault: waitText(waitMs) },
      status: 429,
      headers: waitMs === untilReset ? {} : retryAfter,
    };
  }
  const { person, browser } = tried;
  const cookies =
    browser === undefined
      ? []
      : [cookieLine(host.origin(), browserCookie, browser, browserCookieLife)];
  const fault = await passwordFault(password, [person.email, person.name]);
  if (fault === undefined) return { person, cookies };
  const chosen = form.get("new") ?? "";
  if (chosen === "") return again(`Your password no longer suffices. ${fault}`, true);
  try {
    const people = { directory, clock, by: inBrowser(person, origin) };
    await changePassword(people, person.id, chosen);
    return { person, cookies };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return again(error.message, true);
  }
}
