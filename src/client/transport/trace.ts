/** Prints requests and answers for `--verbose`, without secrets. */
import { isChunks } from "../../wire/body.ts";
import type { ServiceResponse, Transport } from "../../wire/http.ts";

/** Headers whose values are not printed. */
const secretHeaders = new Set(["authorization", "cookie", "set-cookie", "proxy-authorization"]);

/** Pattern of values that are secret anywhere in a body. */
const secretValues =
  /("?(?:access_token|refresh_token|id_token|client_secret|code_verifier|APIKey)"?\s*[:=>]\s*"?)([^"&<\s,}]+)/gi;

/** Pattern of form fields that are secret; elsewhere their names have other meanings. */
const secretFields = /((?:^|&)(?:code|token)=)([^&\s]+)/g;

/** Pattern of names of parameters whose values are secret. */
export const secretNames = /token|secret|password|api-?_?key|signature|authorization|^code$/i;

const shownCharactersMax = 4_000;

/**
 * Wraps a transport with a trace.
 *
 * @param write  receives one line at a time
 * @param now    clock in milliseconds, for the duration of answers
 */
export function traceTransport(
  transport: Transport,
  write: (line: string) => void,
  now: () => number,
): Transport {
  return async (request) => {
    const query = request.query.map(([name, value]) => `${name}=${value}`).join("&");
    write(`> ${request.method} ${request.path}${query === "" ? "" : `?${query}`}`);
    showHeaders(">", request.headers, write);
    if (request.body !== undefined) showBody(">", request.body, write);
    const startedMs = now();
    try {
      // The trace shows the whole answer, as a remote service would give it.
      const { wanted: _, ...whole } = request;
      const response = await transport(whole);
      write(`< ${response.status} in ${Math.round(now() - startedMs)} ms`);
      showHeaders("<", response.headers, write);
      showBody("<", response.body, write);
      return response;
    } catch (error) {
      write(`< ${(error as Error).message}`);
      throw error;
    }
  };
}

/** Hides values in a body that are secret. */
export function withoutSecrets(text: string): string {
  return text.replace(secretValues, "$1(not shown)").replace(secretFields, "$1(not shown)");
}

function showHeaders(
  mark: string,
  headers: Readonly<Record<string, string>>,
  write: (line: string) => void,
): void {
  for (const [name, value] of Object.entries(headers)) {
    write(`${mark} ${name}: ${secretHeaders.has(name) ? "(not shown)" : value}`);
  }
}

function showBody(
  mark: string,
  body: ServiceResponse["body"],
  write: (line: string) => void,
): void {
  if (isChunks(body)) {
    write(`${mark} (a file)`);
    return;
  }
  const text = typeof body === "string" ? body : Buffer.from(body).toString("utf8");
  if (text === "") return;
  const shownText = withoutSecrets(text.slice(0, shownCharactersMax));
  for (const line of shownText.split(/\r?\n/)) write(`${mark} ${line}`);
  if (text.length > shownCharactersMax) {
    write(`${mark} … ${text.length - shownCharactersMax} more characters`);
  }
}
