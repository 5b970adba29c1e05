/** Signing in by a form with address and password. */
import { RefusedError } from "../../../resources/errors.ts";
import type { Directory } from "../../../store/directory/directory.ts";
import type { Person } from "../../../store/directory/people.ts";
import { secondFactorOf } from "../../../store/directory/second-factors.ts";
import type { SignInPage } from "../../../web/sign-in/sign-in-pages.ts";
import { browserActor } from "../../audit/actors.ts";
import {
  browserCookie,
  browserCookieLife,
  cookieLine,
  type RequestOrigin,
} from "../../http/browser.ts";
import { passwordFault } from "../passwords.ts";
import { changePassword } from "../people.ts";
import { personOfAskedCode } from "./asked-codes.ts";
import {
  confirmCode,
  type PasswordOutcome,
  type SignInAttempt,
  signIn,
  untilReset,
  waitText,
} from "./passwords-tried.ts";

/** What the form shows when it is shown again. */
export type FormShown = Pick<SignInPage, "email" | "fault" | "wantsNew" | "wantsCode" | "asked">;

export type FormOutcome =
  | {
      readonly person: Person;
      /** `Set-Cookie` headers that mark the browser as known. */
      readonly cookies: readonly string[];
    }
  | {
      readonly person?: undefined;
      readonly formShown: FormShown;
      readonly status: 200 | 400 | 429;
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
 * Signs a person in by email address and password, and then by a code where they have a second
 * factor. A person whose password the present rules refuse chooses a new one in the same form.
 */
export async function signInByForm(
  host: SignInHost,
  form: URLSearchParams,
  origin: RequestOrigin,
): Promise<FormOutcome> {
  const { directory, clock } = host;
  const [email, password, code, asked] = ["email", "password", "code", "asked"].map(
    (name) => form.get(name) ?? "",
  ) as [string, string, string, string];
  if (asked === "") {
    const outcome = await signIn(directory, clock, { email, password, code, origin });
    if (outcome.person === undefined) return retry(outcome, { email });
    return withGoodPassword(host, form, { ...outcome, password, origin });
  }
  const person = await directory.read((tx) => personOfAskedCode(tx, asked, clock()));
  if (person === undefined) return refused({ email, fault: "That took too long: sign in again." });
  const outcome = await confirmCode(directory, clock, { person, code, asked, origin });
  return outcome.person === undefined ? retry(outcome, { email, asked }) : signedIn(host, outcome);
}

type TriedAs<P> = Extract<PasswordOutcome, { readonly person: P }>;

const refused = (shown: FormShown): FormOutcome => ({ formShown: shown, status: 400, headers: {} });

/** Shows the form again: for the code, for another try, or for later. */
function retry(
  { waitMs, asked }: Exclude<PasswordOutcome, { readonly person: Person }>,
  page: Pick<FormShown, "email" | "asked">,
): FormOutcome {
  if (asked !== undefined) return { formShown: { ...page, asked }, status: 200, headers: {} };
  if (waitMs === 0) {
    const fault =
      page.asked === undefined
        ? "The email address or the password is not right."
        : "The code is not right, or has been used.";
    return refused({ ...page, fault });
  }
  const wantsCode = waitMs === untilReset;
  const headers: Readonly<Record<string, string>> = wantsCode
    ? {}
    : { "retry-after": String(Math.ceil(waitMs / 1000)) };
  return { formShown: { ...page, fault: waitText(waitMs), wantsCode }, status: 429, headers };
}

async function withGoodPassword(
  host: SignInHost,
  form: URLSearchParams,
  attempt: TriedAs<Person> & Pick<SignInAttempt, "password" | "origin">,
): Promise<FormOutcome> {
  const { directory, clock } = host;
  const { person, password, origin } = attempt;
  const { id, email, name } = person;
  const factor = await directory.read((tx) => secondFactorOf(tx, id));
  const fault = await passwordFault(password, [email, name], factor !== undefined);
  if (fault === undefined) return signedIn(host, attempt);
  const newPassword = form.get("new") ?? "";
  const choose = (reason: string) => refused({ email, fault: reason, wantsNew: true });
  if (newPassword === "") return choose(`Your password no longer suffices. ${fault}`);
  try {
    await changePassword({ directory, clock, by: browserActor(person, origin) }, id, newPassword);
    return signedIn(host, attempt);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return choose(error.message);
  }
}

function signedIn({ origin }: SignInHost, { person, browser }: TriedAs<Person>): FormOutcome {
  if (browser === undefined) return { person, cookies: [] };
  return { person, cookies: [cookieLine(origin(), browserCookie, browser, browserCookieLife)] };
}
