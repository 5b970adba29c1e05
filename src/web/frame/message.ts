/**
 * Pages with a question or a message, shown by the service during a sign-in and by the command line
 * at its end.
 */

import { baseStyle, framePage } from "../../output/html/frame.ts";
import { html, type Markup } from "../../output/markup.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { type PageNeeds, pageHeaders } from "./headers.ts";

const style = `${baseStyle}
body{min-height:100vh;display:grid;place-items:start center;padding:8vh 1rem 2rem;
overflow-wrap:normal}
main{width:100%;max-width:27rem;background:var(--card);padding:2rem;border-radius:.75rem;
box-shadow:0 1px 4px #0003}
.mark{margin:0 0 1.25rem;color:var(--soft);font-weight:600;letter-spacing:.02em}
h1{margin:0 0 .75rem;font-size:1.4rem;line-height:1.25}
h2{margin:1.5rem 0 .5rem;font-size:1rem}
p{margin:0 0 1rem;overflow-wrap:anywhere}
ul{margin:0 0 1.25rem;padding-left:1.2rem}
a{color:var(--act);text-underline-offset:.15em}
label,legend{font-weight:600}
fieldset{margin:0 0 1.25rem;padding:0;border:0}
legend{margin-bottom:.25rem;padding:0}
.field{margin-bottom:1.1rem}
input[type=email],input[type=password],input[type=text]:not([hidden]){display:block;width:100%;margin-top:.25rem;padding:.6rem .7rem;
font:inherit;color:inherit;background:transparent;border:1px solid var(--edge);border-radius:.4rem}
.choice{display:flex;gap:.6rem;align-items:start;padding:.35rem 0}
.choice label{font-weight:400;overflow-wrap:anywhere}
.choice input{width:1.15rem;height:1.15rem;margin:.18rem 0 0;flex:none;accent-color:var(--act)}
button{padding:.65rem 1.2rem;font:inherit;font-weight:600;border-radius:.4rem;cursor:pointer;
border:1px solid var(--act);background:var(--act);color:var(--act-ink)}
button.other{background:transparent;color:var(--act)}
button.plain{padding:0;border:0;background:none;color:var(--act);font-weight:400;text-decoration:underline}
.acts{display:flex;flex-wrap:wrap;gap:.75rem;margin-bottom:1.25rem}
.wrong{margin:0 0 1.25rem;padding:.75rem 1rem;border:1px solid var(--late);border-left-width:.35rem;
border-radius:.4rem}
.wrong h2{margin:0 0 .25rem}.wrong p,.wrong ul{margin:0}.wrong a{color:var(--late)}
.faulty{margin:0 0 1.25rem;padding-left:.75rem;border-left:.35rem solid var(--late)}
.faulty fieldset{margin:0}
.field input[aria-invalid=true]{border:2px solid var(--late)}
`;

/** A page with a question or a message. */
export interface Message {
  /** Title of the browser window. */
  readonly title: string;
  readonly body: Markup;
}

/** Message with a heading and text. @param window  title of the window */
export function noticeMessage(title: string, text: string, window = title): Message {
  return { title: window, body: html`<h1>${title}</h1>\n<p>${text}</p>` };
}

/** Page with a message. @param needs  exceptions from the common headers */
export function messagePage(
  status: number,
  { title, body }: Message,
  needs: Pick<PageNeeds, "isSecret" | "sendsTo"> = {},
): ServiceResponse {
  const content = html`<main>
<p class="mark">acct</p>
${body}
</main>`;
  return {
    status,
    headers: pageHeaders({ ...needs, style }),
    body: framePage({ title, language: "en", style }, content).text,
  };
}

export type WayOn = readonly [href: string, text: string];

/** Links that lead on from an error. */
export const waysOn = (links: readonly WayOn[]): Markup =>
  html`<ul class="ways-on">${links.map(([href, text]) => html`<li><a href="${href}"><bdi>${text}</bdi></a></li>`)}</ul>`;

/** Page with a message, links that lead on from it, and no form. */
export function noticePage(
  status: number,
  title: string,
  text: string,
  links: readonly WayOn[] = [],
): ServiceResponse {
  const message = noticeMessage(title, text);
  if (links.length === 0) return messagePage(status, message);
  return messagePage(status, { ...message, body: html`${message.body}\n${waysOn(links)}` });
}
