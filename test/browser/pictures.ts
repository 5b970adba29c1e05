/**
 * Pictures of every page of the books: `npm run pictures`, then look at what is in the folder.
 *
 * Each book of `picture-books.ts` is shown by the built program at 375 and 1280 pixels, dark and on
 * paper. `--book sample` makes those of one book, `--only /reports` those of addresses with that in
 * them, `--look dark` those of one look.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { viewBuilt } from "./built-view.ts";
import { launchChromium } from "./chromium.ts";
import { bookPages, fitPaper } from "./page-list.ts";
import { pictureBooks } from "./picture-books.ts";

const { values } = parseArgs({
  options: {
    folder: { type: "string", default: "pictures" },
    book: { type: "string", default: "" },
    only: { type: "string", default: "" },
    look: { type: "string", default: "" },
  },
});

/** A day on which the sample company is as it was made. */
const now = Date.UTC(2026, 10, 24);

const looks = {
  wide: { width: 1280, media: { colorScheme: "light", media: "screen" } },
  narrow: { width: 375, media: { colorScheme: "light", media: "screen" } },
  dark: { width: 1280, media: { colorScheme: "dark", media: "screen" } },
  print: { width: 688, media: { colorScheme: "light", media: "print" } },
} as const;

/** Height of a picture, in CSS pixels, beyond which it is cut: Chromium draws none over 16,384. */
const heightMax = 8_000;

/** File name of an address: `/reports/balance-sheet?date=…` is `reports-balance-sheet`. */
const nameOf = (path: string) =>
  path
    .replace(/[?&](?:contact|via)=[^&]*/g, "")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "one")
    .replace(/\W+/g, "-")
    .replace(/^-|-$/g, "") || "overview";

async function picture(browser: Browser, book: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "acct-pictures-"));
  const path = join(scratch, "book.acct");
  await pictureBooks[book]?.(path);
  const view = await viewBuilt(scratch, path, now);
  const { origin } = new URL(view.url);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(view.url);
  const paths = (await bookPages(page, origin)).filter((each) => each.includes(values.only));
  for (const [look, { width, media }] of Object.entries(looks)) {
    if (!look.includes(values.look)) continue;
    const folder = join(values.folder, book, look);
    mkdirSync(folder, { recursive: true });
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia(media);
    for (const each of paths) {
      await page.goto(`${origin}${each}`);
      if (look === "print") await fitPaper(page);
      const height = await page.evaluate<number>("document.documentElement.scrollHeight");
      await page.screenshot({
        path: join(folder, `${nameOf(each)}.png`),
        fullPage: true,
        clip: {
          x: 0,
          y: 0,
          width: page.viewportSize()?.width ?? width,
          height: Math.min(height, heightMax),
        },
      });
    }
  }
  await context.close();
  await view.close();
  rmSync(scratch, { recursive: true, force: true });
}

const browser = await launchChromium();
for (const book of Object.keys(pictureBooks).filter((each) => each.includes(values.book))) {
  await picture(browser, book);
  process.stdout.write(`${join(values.folder, book)}\n`);
}
await browser.close();
