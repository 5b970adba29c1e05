/** A person at the browser that a program starts: signs in, and allows what is asked for. */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Browser } from "../service/auth/served.ts";
import { fileMade } from "./file-made.ts";

export interface Reader {
  /** What `BROWSER` is set to. */
  readonly program: string;
  /** Waits until a page is opened, and sees it to its end. */
  signIn(email: string, password: string): Promise<void>;
}

/** Where the file leads that a browser was started with. */
export function openedPage(file: string): string {
  const [, url = ""] = /url=([^"]+)"/.exec(readFileSync(new URL(file), "utf8")) ?? [];
  return url.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

/** @param folder  where the browser leaves word of the page that it was started with */
export function readerAt(folder: string): Reader {
  const program = join(folder, "browser");
  const opened = join(folder, "opened");
  writeFileSync(
    program,
    `#!/bin/sh\nprintf %s "$1" >'${opened}.part' && mv '${opened}.part' '${opened}'\n`,
  );
  chmodSync(program, 0o755);
  return {
    program,
    async signIn(email, password) {
      await fileMade(opened);
      const url = openedPage(readFileSync(opened, "utf8"));
      const browser = new Browser(new URL(url).origin);
      const consent = await browser.signIn(await browser.open(url), email, password);
      const end = await browser.allow(consent);
      await (await fetch(end.url)).text();
    },
  };
}
