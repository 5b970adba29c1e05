/** The browser that tests use, where the machine has one. */
import { type Browser, chromium } from "playwright-core";
import { pathOf } from "../shell/desk.ts";

const executablePath = ["chromium", "chromium-browser", "google-chrome"]
  .map(pathOf)
  .find((path) => path !== undefined);

/** @param what  is tested with it: said where it is left out, because there is no browser */
export function hasChromium(what: string): boolean {
  if (executablePath === undefined) {
    console.log(`left out, because chromium is not installed: ${what}`);
  }
  return executablePath !== undefined;
}

export function launchChromium(): Promise<Browser> {
  const quiet = ["background-networking", "component-update", "sync", "gpu", "quic"];
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ["--no-sandbox", "--no-first-run", ...quiet.map((each) => `--disable-${each}`)],
  });
}
