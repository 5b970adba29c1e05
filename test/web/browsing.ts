/** Pages of a test's book as a browser would ask for them, without a port. */
import { createClient } from "../../src/client/client.ts";
import { answerPage } from "../../src/web/books/answer-page.ts";
import type { Site } from "../../src/web/books/context.ts";
import type { ServiceResponse } from "../../src/wire/http.ts";
import type { World } from "../service/fixture.ts";

export interface Seen {
  readonly status: number;
  readonly headers: ServiceResponse["headers"];
  readonly html: string;
}

export interface Browsing {
  readonly site: Site;
  /** Failures that were reported as bugs. */
  readonly bugs: unknown[];
  /** @param address  below the base, with its query */
  see(address: string, cookies?: ReadonlyMap<string, string>): Promise<Seen>;
  /** Sends a form. */
  send(address: string, form: Readonly<Record<string, string>> | URLSearchParams): Promise<Seen>;
}

export const formToken = "only this form is ours";

export function browsing(given: World, own: Partial<Site> = {}): Browsing {
  const bugs: unknown[] = [];
  const site: Site = {
    client: createClient(given.book.transport, { unitDecimals: 4, rollsBack: true }),
    base: "",
    clock: () => given.now,
    allows: () => true,
    formToken,
    ...own,
  };
  const ask = async (
    method: "GET" | "POST",
    address: string,
    form?: URLSearchParams,
    cookies?: ReadonlyMap<string, string>,
  ): Promise<Seen> => {
    const [path = "", search = ""] = address.split("?", 2);
    const request = { method, path, query: new URLSearchParams(search), form, cookies };
    const { status, headers, body } = await answerPage(site, request, (error) => bugs.push(error));
    return { status, headers, html: typeof body === "string" ? body : "" };
  };
  return {
    site,
    bugs,
    see: (address, cookies) => ask("GET", address, undefined, cookies),
    send: (address, form) => ask("POST", address, new URLSearchParams(form)),
  };
}

/** The addresses that a page leads to, as a browser reads them. */
export function linksIn(html: string): string[] {
  const found = [...html.matchAll(/ href="([^"]*)"/g)].map(([, href = ""]) => unescaped(href));
  return found.filter((href) => href.startsWith("/"));
}

/** The address without the trail that led to it. */
export function withoutTrail(address: string): string {
  const [path = "", search = ""] = address.split("?", 2);
  const kept = [...new URLSearchParams(search)].filter(([name]) => name !== "via");
  return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept)}`;
}

export function unescaped(html: string): string {
  return html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

/** The text of markup, as it is read. */
export function textOf(html: string): string {
  return unescaped(html.replaceAll("<wbr>", "").replace(/<[^>]*>/g, " "))
    .replace(/\s+/g, " ")
    .trim();
}

/** A figure as the API writes it: `-1234.50` of `−1,234.50`, `0.00` of a dash. */
export function figureOf(text: string): string {
  if (text.trim() === "\u2013") return "0.00";
  return text.replaceAll(",", "").replace("\u2212", "-").trim();
}

/** The facts above a list of postings, by their labels. */
export function factsIn(html: string): Record<string, string> {
  const pairs = [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)];
  return Object.fromEntries(
    pairs.map(([, label = "", value = ""]) => [textOf(label), textOf(value)]),
  );
}

/** Figures of a page that lead somewhere, with where they lead. */
export function ledFigures(html: string): { text: string; address: string }[] {
  const cells = [...html.matchAll(/<td class="figure[^"]*"><a href="([^"]*)">(.*?)<\/a><\/td>/gs)];
  return cells.map(([, href = "", content = ""]) => ({
    text: textOf(content),
    address: unescaped(href),
  }));
}
