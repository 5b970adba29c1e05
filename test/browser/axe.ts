/** What axe finds wrong in a page. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);
const axeTags = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"];

export async function axeFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async (values) => {
    const { axe } = globalThis as unknown as {
      readonly axe: {
        run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run({ runOnly: { type: "tag", values } });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
  }, axeTags);
}
