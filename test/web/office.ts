/** A person at the pages of a server: signed in, reading pages and sending their forms. */
import { Browser, type Desk, password, type Shown } from "../service/auth/served.ts";

export interface AtPages {
  readonly browser: Browser;
  see(path: string): Promise<Shown>;
  /** Sends a form with the token of this person's pages. */
  send(path: string, fields?: Readonly<Record<string, string>> | URLSearchParams): Promise<Shown>;
  /** Sends one as another page would, or without what only this person's pages have. */
  forge(path: string, fields: Readonly<Record<string, string>>, origin?: string): Promise<number>;
}

export async function atPages(
  at: Desk,
  email = "ana@heron.example",
  secret = password,
): Promise<AtPages> {
  const browser = new Browser(at.origin);
  const page = await browser.signIn(await browser.open(`${at.origin}/me`), email, secret);
  const token = /name="token" value="([^"]+)"/.exec(page.html)?.[1] ?? "";
  const post = (path: string, body: URLSearchParams, origin: string) =>
    browser.open(`${at.origin}${path}`, { method: "POST", body, headers: { origin } });
  return {
    browser,
    see: (path) => browser.open(`${at.origin}${path}`),
    send: (path, fields = {}) => {
      const body = new URLSearchParams(fields);
      body.set("token", token);
      return post(path, body, at.origin);
    },
    forge: async (path, fields, origin = at.origin) =>
      (await post(path, new URLSearchParams(fields), origin)).status,
  };
}

/** The token of the pages of somebody, for whom it is good. */
export function tokenIn({ html }: Shown): string {
  return /name="token" value="([^"]+)"/.exec(html)?.[1] ?? "";
}
