/** Puts a book on a port of this machine, for tests of what goes over HTTP. */
import { onTestFinished } from "vitest";
import { addApp, issueToken } from "../../src/admin/apps.ts";
import { type LocalServerOptions, serve } from "../../src/admin/serve-book.ts";

export interface OnPort {
  /** `http://127.0.0.1:…/api.xro/2.0` */
  readonly baseUrl: string;
  readonly origin: string;
  readonly token: string;
  readonly metricsUrl: string | undefined;
  close(): Promise<void>;
}

/** Serves the book in a file to an app called Till, until the test ends. */
export async function onPort(
  path: string,
  options: Partial<LocalServerOptions> = {},
): Promise<OnPort> {
  const clock = options.clock ?? Date.now;
  const given = { path, clock, operator: { user: "Ann" } };
  await addApp(given, { name: "Till" });
  const { token } = await issueToken(given, "Till");
  const served = await serve(path, { host: "127.0.0.1", port: 0, rateLimit: false, ...options });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= served.close();
    return closing;
  };
  onTestFinished(close);
  return {
    baseUrl: `${served.origin}/api.xro/2.0`,
    origin: served.origin,
    metricsUrl: served.metricsUrl,
    token,
    close,
  };
}
