/**
 * Whether a receiver checks signatures, which it shows before it is told anything.
 *
 * It is sent several empty deliveries. Those that are signed rightly must be answered 200, the
 * others 401, each without a body; a receiver that takes everything would also take what a stranger
 * makes up.
 */
import { deliveryBody, newEntropy, newSigningKey, signatureOf } from "../../wire/webhook.ts";
import type { Post } from "./post.ts";

/** Which of the deliveries are signed rightly, each time in another order. */
const signings = [true, true, false, false] as const;

/** @returns why it does not, for people; undefined when it does */
export async function handshake(
  post: Post,
  { url, signingKey }: { readonly url: string; readonly signingKey: string },
  random: () => number = Math.random,
): Promise<string | undefined> {
  const order = signings
    .map((isRight) => ({ isRight, rank: random() }))
    .sort((a, b) => a.rank - b.rank);
  for (const { isRight } of order) {
    const body = deliveryBody([], 0, newEntropy());
    const key = isRight ? signingKey : newSigningKey();
    const { status, hasBody, reason } = await post(url, body, signatureOf(key, body));
    const sent = `an empty delivery with a ${isRight ? "right" : "wrong"} signature`;
    const wanted = isRight ? 200 : 401;
    if (status === undefined) return `The receiver did not answer ${sent}: ${reason}.`;
    if (status !== wanted) {
      return `The receiver answered ${sent} with ${status}; it must be ${wanted}.`;
    }
    if (hasBody) return `The receiver answered ${sent} with a body; it must be empty.`;
  }
  return undefined;
}
