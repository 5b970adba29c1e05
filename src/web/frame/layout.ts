/** Frame of a page: head, owner, navigation and content. */
import { escapeHtml, html, type Markup } from "../../output/markup.ts";
import type { Content } from "./components.ts";
import { scriptPath, stylePath } from "./static-files.ts";

/** Parts that surround the content of every page. */
export interface Frame {
  readonly title: string;
  /** Name of the page owner, whose initial is the icon. */
  readonly name: string;
  /** Content with the name of the page owner. */
  readonly owner: Content;
  /** Whether the reader has switched keys off. */
  readonly isWithoutKeys?: boolean;
  /** Base of the addresses of the style sheet and the script. */
  readonly base: string;
  /** Content beside the owner. */
  readonly bar: Content;
  readonly navigation: Content;
  readonly content: Content;
}

/** Icon of a page as an address: the initial of its owner. */
function iconOf(name: string): string {
  const [initial = "a"] = name.trim();
  const letter = escapeHtml(initial.toUpperCase());
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b3d70"/><text x="16" y="23" font-family="system-ui,sans-serif" font-size="20" font-weight="700" text-anchor="middle" fill="#fff">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

export function layoutPage(frame: Frame): Markup {
  const { title, name, owner, base, bar, navigation, content, isWithoutKeys = false } = frame;
  return html`<!doctype html>
<html lang="en"${isWithoutKeys ? html` data-keys="off"` : ""}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow, noarchive">
<title>${title}</title>
<link rel="stylesheet" href="${base}${stylePath()}">
<link rel="icon" href="${iconOf(name)}">
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
