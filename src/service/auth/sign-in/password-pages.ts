/** Pages for forgotten passwords and for one-time links to set a password. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Trusts } from "../../../platform/proxies.ts";
import { NotFoundError, RefusedError } from "../../../resources/errors.ts";
import type { Directory } from "../../../store/directory/directory.ts";
import { messagePage, noticePage } from "../../../web/frame/message.ts";
import {
  choosePasswordPage,
  forgottenPage,
  linkGonePage,
  linkSentPage,
  passwordChosenPage,
} from "../../../web/sign-in/sign-in-pages.ts";
import type { ServiceResponse } from "../../../wire/http.ts";
import type { ServiceOptions } from "../../api/service.ts";
import { browserActor } from "../../audit/actors.ts";
import { answerBrowser, type BrowserRequest } from "../../http/browser.ts";
import { choosePassword, mailLink, makeLink, type Post, personOfLink } from "../password-links.ts";
import { passwordPath } from "../paths.ts";

interface PasswordPages {
  readonly directory: Directory;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** Base URL of this server. */
  readonly issuer: () => string;
  readonly trusts: Trusts;
  /** How mail goes to people; undefined for a server without mail. */
  readonly post: Post | undefined;
  /** Whether people sign in to pages of this server. */
  readonly hasPages: boolean;
  /** Receives every failure that is a bug. */
  readonly report: NonNullable<ServiceOptions["report"]>;
}

/** Answers a request below `passwordPath`. Never throws. */
export function answerPasswordPages(
  options: PasswordPages,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  return answerBrowser(incoming, outgoing, async (request) => {
    const secret = request.path.slice(passwordPath.length + 1);
    try {
      return await (secret === "" ? forgot(options, request) : choose(options, request, secret));
    } catch (error) {
      report(options, error);
      return noticePage(500, "This did not work", "It has been reported; try again later.");
    }
  });
}

const signInOf = ({ hasPages }: PasswordPages) => (hasPages ? "/sign-in" : undefined);

const report = ({ report }: PasswordPages, error: unknown) =>
  report(error, { method: "POST", path: passwordPath, query: [], headers: {} });

/** The answer waits for nothing that depends on whether the person exists. */
async function forgot(options: PasswordPages, request: BrowserRequest): Promise<ServiceResponse> {
  const { post, issuer } = options;
  if (request.method !== "POST" || post === undefined) {
    return messagePage(200, forgottenPage(post !== undefined, signInOf(options)));
  }
  if (request.origin !== new URL(issuer()).origin) {
    return noticePage(403, "This did not work", "The form was sent from another page.");
  }
  void sendTo(options, request).catch((error) => report(options, error));
  return messagePage(200, linkSentPage());
}

async function sendTo(options: PasswordPages, { form, from }: BrowserRequest): Promise<void> {
  const { directory, clock, trusts, post, issuer } = options;
  if (post === undefined) return;
  const people = { directory, clock, by: browserActor(undefined, from(trusts)) };
  try {
    const linkRequest = { purpose: "reset", origin: issuer() } as const;
    const link = await makeLink(people, form?.get("email") ?? "", linkRequest);
    await mailLink(link, post, clock());
  } catch (error) {
    if (!(error instanceof NotFoundError || error instanceof RefusedError)) throw error;
  }
}

/** Page to set a password. The secret of the link serves as CSRF token of its form. */
async function choose(
  options: PasswordPages,
  { method, form, from }: BrowserRequest,
  secret: string,
): Promise<ServiceResponse> {
  const secretly = { isSecret: true } as const;
  const person = await personOfLink(options, secret);
  if (person === undefined) return messagePage(404, linkGonePage());
  if (method !== "POST") return messagePage(200, choosePasswordPage(person.email), secretly);
  try {
    const password = form?.get("new") ?? "";
    await choosePassword(options, { person, secret, password }, from(options.trusts));
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    if (error.code === "StaleForm") return messagePage(404, linkGonePage());
    return messagePage(400, choosePasswordPage(person.email, error.message), secretly);
  }
  return messagePage(200, passwordChosenPage(signInOf(options)));
}
