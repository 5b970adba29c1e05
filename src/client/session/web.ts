/**
 * HTTP access in the form that the OAuth library needs, over the program's own connections.
 *
 * So failures have the same messages and error classes as for other requests, and traces hide
 * secrets.
 */
import { UnavailableError } from "../../resources/errors.ts";
import { textOf } from "../../wire/body.ts";
import { decodeError } from "../../wire/decode/failure.ts";
import type { Transport } from "../../wire/http.ts";
import { connect, type HttpConnection } from "../transport/http.ts";

export interface WebOptions {
  readonly userAgent: string;
  /** Wraps each connection to trace its traffic. */
  readonly traced?: ((transport: Transport) => Promise<Transport>) | undefined;
  /** Aborts requests in progress. */
  readonly signal?: AbortSignal | undefined;
}

export interface Web {
  /**
   * Sends a request.
   *
   * @throws UnavailableError when there is no answer, or one that a retry may improve
   */
  readonly fetch: (url: string, init?: WebRequest) => Promise<Response>;
  close(): Promise<void>;
}

interface WebRequest {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

const answerTimeoutMs = 15_000;
/** Maximum body size in bytes; discovery documents and organisation lists are small. */
const bodyBytesMax = 4 * 1024 * 1024;

export function openWeb({ userAgent, traced, signal }: WebOptions): Web {
  const connectionByOrigin = new Map<
    string,
    Promise<{ transport: Transport; close: HttpConnection["close"] }>
  >();
  const openConnection = async (origin: string) => {
    const options = { baseUrl: origin, userAgent, answerTimeoutMs, bodyBytesMax, signal };
    const { transport, close } = await connect(options);
    return { transport: traced === undefined ? transport : await traced(transport), close };
  };
  return {
    fetch: async (address, { method = "GET", headers = {}, body } = {}) => {
      const url = new URL(address);
      const connection = connectionByOrigin.get(url.origin) ?? openConnection(url.origin);
      connectionByOrigin.set(url.origin, connection);
      const bytes = body === undefined || body === null ? undefined : Buffer.from(String(body));
      const answer = await (await connection).transport({
        method,
        path: url.pathname,
        query: [...url.searchParams],
        headers: { ...headers, "user-agent": userAgent },
        body: bytes,
      });
      const text = await textOf(answer.body);
      const { status } = answer;
      if (status === 429 || status >= 500) throw await outageOf(status, answer.headers, text, url);
      const { "transfer-encoding": _, "content-length": __, ...rest } = answer.headers;
      return new Response(text === "" ? null : text, { status, headers: rest });
    },
    close: async () => {
      const opened = await Promise.allSettled(connectionByOrigin.values());
      await Promise.all(opened.map((each) => each.status === "fulfilled" && each.value.close()));
    },
  };
}

async function outageOf(
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
  { host }: URL,
): Promise<UnavailableError> {
  const error = await decodeError(status, headers, text);
  if (error instanceof UnavailableError) return error;
  return new UnavailableError("Outage", `The sign-in of ${host} failed with status ${status}.`);
}
