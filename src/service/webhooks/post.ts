/** Posts webhook deliveries to their receivers, only at allowed addresses. */
import { type LookupAddress, lookup } from "node:dns";
import { Agent, request } from "undici";
import { answerMs, deliveryType, signatureHeader } from "../../wire/webhook.ts";
import { type Allowances, isPublic, notPublicReason, readAddress } from "../webhooks/addresses.ts";

/** The result of posting a delivery. */
export interface DeliveryResponse {
  /** HTTP status; undefined without an answer in time. */
  readonly status: number | undefined;
  /** Whether the answer had a body. */
  readonly hasBody: boolean;
  /** Reason for a missing answer, for people; without full stop. */
  readonly reason: string | undefined;
  /** Duration in milliseconds. */
  readonly tookMs: number;
}

/** Whether a status means success: 200 or another 2xx. */
export const isTaken = (status: number | undefined): boolean =>
  status !== undefined && status >= 200 && status < 300;

/** Posts a delivery. Never rejects: an error becomes the `reason` of the missing answer. */
export type Post = (url: string, body: string, signature: string) => Promise<DeliveryResponse>;

export interface Poster {
  readonly post: Post;
  close(): Promise<void>;
}

/** Resolves a host name to all its addresses. */
export type Resolve = (
  name: string,
  onLooked: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export interface PosterOptions {
  readonly allowed: Allowances;
  /** Timeout in milliseconds; `answerMs` if omitted. */
  readonly timeoutMs?: number;
  /** Returns the signal that aborts an attempt; by default after `timeoutMs`. */
  readonly deadline?: () => AbortSignal;
  /** DNS look-up; by default the system's. */
  readonly resolve?: Resolve;
}

/** Maximum size of an answer in bytes: only its presence matters. */
const answerBytesMax = 64 * 1024;

const systemResolve: Resolve = (name, onLooked) => lookup(name, { all: true }, onLooked);

/** Creates connections to receivers, each only to an allowed address. */
export function createPoster(options: PosterOptions): Poster {
  const { allowed, timeoutMs = answerMs, resolve = systemResolve } = options;
  const { deadline = () => AbortSignal.timeout(timeoutMs) } = options;
  const agent = new Agent({
    connect: { timeout: timeoutMs, lookup: guardedLookup(allowed, resolve) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: answerBytesMax,
    // Connections are kept only briefly, since the address is checked on connecting.
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 4000,
  });
  const post: Post = async (address, body, signature) => {
    const startedAt = performance.now();
    const responseOf = (posted: Omit<DeliveryResponse, "tookMs">): DeliveryResponse => ({
      ...posted,
      tookMs: Math.round(performance.now() - startedAt),
    });
    try {
      const url = readAddress(address, allowed);
      // Redirects are not followed: any status other than 2xx is a failure.
      const { statusCode, body: answer } = await request(url, {
        dispatcher: agent,
        method: "POST",
        headers: {
          "content-type": deliveryType,
          [signatureHeader]: signature,
          "user-agent": "acct",
        },
        body,
        signal: deadline(),
      });
      return responseOf({ status: statusCode, hasBody: await isFilled(answer), reason: undefined });
    } catch (error) {
      const reason = explainFailure(error as NodeJS.ErrnoException, timeoutMs);
      return responseOf({ status: undefined, hasBody: false, reason });
    }
  };
  return { post, close: () => agent.destroy() };
}

/** Whether the answer has a body, which is not read to its end. */
async function isFilled(answer: AsyncIterable<Uint8Array> & { destroy(): void }): Promise<boolean> {
  try {
    for await (const bodyPiece of answer) {
      if (bodyPiece.length > 0) return true;
    }
    return false;
  } catch {
    return true;
  } finally {
    answer.destroy();
  }
}

type LookedUp = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/** Returns a DNS look-up that refuses a name if any of its addresses is forbidden. */
function guardedLookup(allowed: Allowances, resolve: Resolve) {
  return (name: string, options: { readonly all?: boolean | undefined }, done: LookedUp): void => {
    resolve(name, (error, addresses) => {
      if (error !== null) return done(error, []);
      const closed = addresses.find(({ address }) => !isPublic(address));
      if (closed !== undefined && !allowed.private) {
        return done(new ForbiddenError(notPublicReason(name, closed.address, allowed)), []);
      }
      const [first] = addresses;
      if (first === undefined) return done(new ForbiddenError(`${name} has no address`), []);
      if (options.all === true) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
}

class ForbiddenError extends Error {}

const reasons = new Map([
  ["ECONNREFUSED", "the connection was refused"],
  ["ECONNRESET", "the connection was cut"],
  ["UND_ERR_SOCKET", "the connection was cut"],
  ["EPIPE", "the connection was cut"],
  ["ENOTFOUND", "there is no such host"],
  ["EAI_AGAIN", "the host's name could not be looked up"],
  ["EHOSTUNREACH", "the host cannot be reached"],
  ["ENETUNREACH", "the network cannot be reached"],
]);

function explainFailure(error: NodeJS.ErrnoException, timeoutMs: number): string {
  const code = error.code ?? "";
  if (error.name === "TimeoutError" || /TIMEOUT|ETIMEDOUT/.test(code)) {
    return `no answer within ${timeoutMs / 1000} seconds`;
  }
  const [inner] = (error as { errors?: NodeJS.ErrnoException[] }).errors ?? [];
  return reasons.get(code) ?? reasons.get(inner?.code ?? "") ?? error.message.replace(/\.$/, "");
}
