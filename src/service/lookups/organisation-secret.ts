/** Secrets of an organisation, stored in its book, for making proofs that only it can make. */
import { addSecret, secretOf } from "../../store/records/online-documents.ts";
import type { RequestContext } from "../request/context.ts";

/**
 * Returns a named secret, created at first use.
 *
 * Must not run inside a transaction, since it may have to write.
 *
 * @returns 256 bits, in base64
 */
export async function secretFor(
  { store, principal, newId, now }: Pick<RequestContext, "store" | "principal" | "newId" | "now">,
  name: string,
): Promise<string> {
  const known = await store.read(principal.org, (tx) => secretOf(tx, name));
  if (known !== undefined) return known;
  // Each id has 74 random bits; the id source is injected like the clock.
  const chance = Array.from({ length: 4 }, newId).join();
  const made = process.getBuiltinModule("node:crypto").hash("sha256", chance, "base64");
  return store.write(
    principal.org,
    async (tx) => {
      await addSecret(tx, name, made);
      return (await secretOf(tx, name)) ?? made;
    },
    { at: now },
  );
}
