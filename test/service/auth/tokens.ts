/** A web app that has been allowed to work on the books, and what it does with its tokens. */
import {
  authoriseUrl,
  Browser,
  type Desk,
  desk,
  employ,
  type Posted,
  type Shown,
  verifier,
} from "./served.ts";

export const redirect = "https://till.example/back";
export const scope = "openid offline_access accounting.transactions accounting.settings";

export interface Till {
  readonly at: Desk;
  readonly id: string;
  readonly secret: string;
  readonly browser: Browser;
  /** Sends the person to allow it again, or for the first time. */
  allowed(asked?: string): Promise<Shown>;
  /** POST to the token endpoint as this app. */
  ask(form: Record<string, string>): Promise<Posted>;
  /** The tokens for what was allowed. */
  tokens(asked?: string): Promise<Record<string, string>>;
  refresh(token: string | undefined): Promise<Posted>;
  /** Status of a request to the API with a token. */
  status(
    token: string | undefined,
    path?: string,
    headers?: Record<string, string>,
  ): Promise<number>;
  connections(token: string | undefined): Promise<{ id: string; authEventId: string }[]>;
}

export async function till(given?: Desk): Promise<Till> {
  const at = given ?? (await desk());
  await employ(at);
  const { id, secret } = await at.app({ name: "Till", redirectUris: [redirect] });
  const browser = new Browser(at.origin);
  const ask = (form: Record<string, string>) =>
    at.post("/connect/token", { client_id: id, client_secret: secret, ...form });
  const allowed = async (asked = scope) => {
    const parameters = { client_id: id, redirect_uri: redirect, scope: asked, state: "s" };
    let page = await browser.open(authoriseUrl(at, parameters));
    if (page.html.includes('name="password"')) page = await browser.signIn(page);
    return browser.allow(page);
  };
  const get = (path: string, token = "", headers: Record<string, string> = {}) =>
    fetch(`${at.origin}${path}`, {
      headers: { authorization: `Bearer ${token}`, accept: "application/json", ...headers },
    });
  return {
    at,
    id,
    secret,
    browser,
    allowed,
    ask,
    async tokens(asked) {
      const { json, status } = await ask(exchange(codeOf(await allowed(asked))));
      if (status !== 200) throw new Error(`No tokens: ${JSON.stringify(json)}`);
      return json;
    },
    refresh: (token = "") => ask({ grant_type: "refresh_token", refresh_token: token }),
    status: async (token, path = "/api.xro/2.0/Organisation", headers = {}) =>
      (await get(path, token, headers)).status,
    connections: async (token) => (await get("/connections", token)).json() as never,
  };
}

export function codeOf({ url }: Shown): string {
  return new URL(url).searchParams.get("code") ?? "";
}

export function exchange(code: string) {
  return {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirect,
    code_verifier: verifier,
  };
}
