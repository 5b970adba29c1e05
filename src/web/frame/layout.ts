/** The frame of a page: its head, whose pages they are, the navigation, the content. */
import { html, type Markup } from "../../output/markup.ts";
import type { Content } from "./components.ts";
import { scriptPath, stylePath } from "./static-files.ts";

/** What all pages have around them. */
export interface Frame {
  readonly title: string;
  /** The owner of the pages. */
  readonly owner: Content;
  /** Begins the addresses of the style sheet and the script. */
  readonly base: string;
  /** Stands beside the owner. */
  readonly bar: Content;
  readonly navigation: Content;
  readonly content: Content;
}

export function framed({ title, owner, base, bar, navigation, content }: Frame): Markup {
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
