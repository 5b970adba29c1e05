/** Sends deliveries to their receivers, and to nobody else. */
import { type LookupAddress, lookup } from "node:dns";
import { Agent, request } from "undici";
import { answerMs, deliveryType, signatureHeader } from "../../wire/webhook.ts";
import { type Allowed, isPublic, notPublic, readAddress } from "../webhooks/addresses.ts";

/** Outcome of a delivery at its receiver. */
export interface DeliveryResponse {
  /** Status of its answer; undefined where none came in time. */
  readonly status: number | undefined;
  /** Whether the answer had a body. */
  readonly hasBody: boolean;
  /** Why there is no answer, for people; without a full stop. */
  readonly reason: string | undefined;
  /** How long it took, in milliseconds. */
  readonly tookMs: number;
}

/** Whether the status of an answer says that a delivery was taken: 200 or another success. */
export const isTaken = (status: number | undefined): boolean =>
  status !== undefined && status >= 200 && status < 300;

/** Never fails: what goes wrong is the reason why there is no answer. */
export type Post = (url: string, body: string, signature: string) => Promise<DeliveryResponse>;

export interface Poster {
  readonly post: Post;
  close(): Promise<void>;
}

/** Every address that a name stands for. */
export type Resolve = (
  name: string,
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export interface PosterOptions {
  readonly allowed: Allowed;
  /** `answerMs` when not given. */
  readonly timeoutMs?: number;
  /** Aborted when a receiver has had its time; after `timeoutMs` when not given. */
  readonly deadline?: () => AbortSignal;
  /** The system's when not given. */
  readonly resolve?: Resolve;
}

/** Of an answer nobody reads more than whether there is anything. */
const answerBytesMax = 64 * 1024;

const systemResolve: Resolve = (name, done) => lookup(name, { all: true }, done);

/** Connections to receivers, each made only to an address that is allowed. */
export function createPoster(options: PosterOptions): Poster {
  const { allowed, timeoutMs = answerMs, resolve = systemResolve } = options;
  const { deadline = () => AbortSignal.timeout(timeoutMs) } = options;
  const agent = new Agent({
    connect: { timeout: timeoutMs, lookup: guarded(allowed, resolve) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: answerBytesMax,
    // Not kept for long: each new connection is looked at again.
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 4000,
  });
  const post: Post = async (address, body, signature) => {
    const began = performance.now();
    const done = (posted: Omit<DeliveryResponse, "tookMs">): DeliveryResponse => ({
      ...posted,
      tookMs: Math.round(performance.now() - began),
    });
    try {
      const url = readAddress(address, allowed);
      // Redirects are not followed: they are answers other than 2xx.
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
      return done({ status: statusCode, hasBody: await isFilled(answer), reason: undefined });
    } catch (error) {
      const reason = explained(error as NodeJS.ErrnoException, timeoutMs);
      return done({ status: undefined, hasBody: false, reason });
    }
  };
  return { post, close: () => agent.destroy() };
}

/** Whether anything comes after the head of an answer; what does is not waited for. */
async function isFilled(answer: AsyncIterable<Uint8Array> & { destroy(): void }): Promise<boolean> {
  try {
    for await (const piece of answer) {
      if (piece.length > 0) return true;
    }
    return false;
  } catch {
    return true;
  } finally {
    answer.destroy();
  }
}

type Looked = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/** A look-up whose answer is refused where any of the addresses is not allowed. */
function guarded(allowed: Allowed, resolve: Resolve) {
  return (name: string, options: { readonly all?: boolean | undefined }, done: Looked): void => {
    resolve(name, (error, addresses) => {
      if (error !== null) return done(error, []);
      const closed = addresses.find(({ address }) => !isPublic(address));
      if (closed !== undefined && !allowed.private) {
        return done(new ForbiddenError(notPublic(name, closed.address, allowed)), []);
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

function explained(error: NodeJS.ErrnoException, timeoutMs: number): string {
  const code = error.code ?? "";
  if (error.name === "TimeoutError" || /TIMEOUT|ETIMEDOUT/.test(code)) {
    return `no answer within ${timeoutMs / 1000} seconds`;
  }
  const [inner] = (error as { errors?: NodeJS.ErrnoException[] }).errors ?? [];
  return reasons.get(code) ?? reasons.get(inner?.code ?? "") ?? error.message.replace(/\.$/, "");
}
