/** Frame of a page: head, owner, navigation and content. */
import { html, type Markup } from "../../output/markup.ts";
import type { Content } from "./components.ts";
import { scriptPath, stylePath } from "./static-files.ts";

/** Parts that surround the content of every page. */
export interface Frame {
  readonly title: string;
  /** Content with the name of the page owner. */
  readonly owner: Content;
  /** Base of the addresses of the style sheet and the script. */
  readonly base: string;
  /** Content beside the owner. */
  readonly bar: Content;
  readonly navigation: Content;
  readonly content: Content;
}

export function layout({ title, owner, base, bar, navigation, content }: Frame): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow, noarchive">
<title>${title}</title>
<link rel="stylesheet" href="${base}${stylePath()}">
<link rel="icon" href="data:,">
<script src="${base}${scriptPath()}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<div class="bar">
<p class="owner">${owner}</p>
${bar}
</div>
${navigation}
</header>
<main id="content" tabindex="-1">
${content}
</main>
</body>
</html>
`;
}
