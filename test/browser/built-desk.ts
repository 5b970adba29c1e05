/** A served book whose pages the built program answers, on a day of the test's. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { serveBuilt } from "../cli/built.ts";
import { type Desk, desk, postTo } from "../service/auth/served.ts";

/** What is set up through the desk lies in the book that the built program serves at its origin. */
export async function builtPages(): Promise<Desk> {
  const at = await desk();
  const home = mkdtempSync(join(tmpdir(), "acct-built-pages-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 20 }));
  const clock = join(home, "clock.cjs");
  writeFileSync(clock, `Date.now = () => ${at.given.now};\n`);
  const words = ["--pages", "--port", "0", "--no-rate-limit", "--book", at.given.book.path];
  const served = await serveBuilt(words, {
    HOME: home,
    PATH: process.env.PATH ?? "",
    TZ: "UTC",
    // Nothing listens there: pages that offer to mail are shown, and nothing is mailed.
    ACCT_SMTP_URL: "smtp://127.0.0.1:9",
    NODE_OPTIONS: `--require=${clock}`,
  });
  const { origin } = new URL(served.baseUrl);
  return { ...at, origin, post: postTo(origin) };
}
