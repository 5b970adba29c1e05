/** Secrets of an organisation, which its book makes proofs with: nobody else can. */
import { addSecret, secretOf } from "../../store/records/online-documents.ts";
import type { RequestContext } from "../request/context.ts";

/**
 * A secret by its name, made when it is first asked for.
 *
 * Outside any transaction, since it may have to be added.
 *
 * @returns 256 bits, in base64
 */
export async function secretFor(
  { store, principal, newId, now }: Pick<RequestContext, "store" | "principal" | "newId" | "now">,
  name: string,
): Promise<string> {
  const known = await store.read(principal.org, (tx) => secretOf(tx, name));
  if (known !== undefined) return known;
  // Ids hold 74 bits of chance each, which is passed in like the clock.
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
