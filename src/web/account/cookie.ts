/** Name of the session cookie in a browser. */
import type { PagesHost } from "../../service/server/serve.ts";

/**
 * Cookie name. Under TLS it has a prefix that stops other hosts and paths from setting the cookie.
 */
export function cookieName({ origin }: PagesHost): string {
  return origin().startsWith("https:") ? "__Host-acct_books" : "acct_books";
}

export function cookieOf(host: PagesHost, value: string, more = ""): string {
  const secure = host.origin().startsWith("https:") ? "; Secure" : "";
  return `${cookieName(host)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${more}`;
}
