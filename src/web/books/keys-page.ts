/** Page of the keys, which can be switched off here, in this browser. */
import { html } from "../../output/markup.ts";
import { table } from "../frame/components.ts";
import { form, submit } from "../frame/forms.ts";
import type { Page, PageRequest, PageResponse } from "../frame/page-context.ts";
import type { BooksContext } from "./context.ts";

/** Keys of every page, by what they do; those of reconciling stand on its page. */
const keys: readonly (readonly [key: string, deed: string])[] = [
  ["/", "Search"],
  ["g o", "Overview"],
  ["g i", "Invoices"],
  ["g b", "Bills"],
  ["g k", "Bank"],
  ["g r", "Reports"],
  ["n and p", "Next and previous row of a list"],
  ["[ and ]", "Previous and next page of a list, or record of it"],
  ["e", "Downloads of a list or report"],
  ["?", "This page"],
];

const cookie = "acct_keys";
const keptS = 365 * 86_400;

export const keysAreOff = ({ cookies }: Pick<PageRequest, "cookies">): boolean =>
  cookies?.get(cookie) === "off";

export async function showKeys(ctx: BooksContext): Promise<Page> {
  const isOff = keysAreOff(ctx);
  return {
    title: "Keys",
    body: html`<p>${isOff ? "Keys are switched off in this browser." : "Off where a field has the focus."}</p>
${table({
  caption: "Keys",
  columns: [{ heading: "Key" }, { heading: "What it does" }],
  rows: keys.map(([key, deed]) => [html`<kbd>${key}</kbd>`, deed]),
})}
${form(ctx, "/keys", submit(isOff ? "Switch them on" : "Switch them off"))}`,
  };
}

/** Switches keys off, or on again. */
export async function switchKeys(ctx: BooksContext): Promise<PageResponse> {
  const value = keysAreOff(ctx) ? "on" : "off";
  const header = `${cookie}=${value}; Path=/; Max-Age=${keptS}; HttpOnly; SameSite=Strict`;
  return { seeOther: "/keys", headers: { "set-cookie": header } };
}
