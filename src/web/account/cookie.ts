/** The cookie of a session in a browser. */
import type { PagesHost } from "../../service/server/serve.ts";

/** Under TLS no other name and no other path can set it. */
export function cookieName({ origin }: PagesHost): string {
  return origin().startsWith("https:") ? "__Host-acct_books" : "acct_books";
}

export function cookieOf(host: PagesHost, value: string, more = ""): string {
  const secure = host.origin().startsWith("https:") ? "; Secure" : "";
  return `${cookieName(host)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${more}`;
}
