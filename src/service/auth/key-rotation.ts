/** The rotation of the keys with which a server signs tokens. */
import { addKey, endKeys, keysFor } from "../../store/directory/keys.ts";
import type { Actor } from "../../store/operations/audit-log.ts";
import { recordOnAll, type Server } from "./server.ts";
import { isCounting, leadMs, newKey, overlapMs, signingKeys } from "./signing-keys.ts";

/** A rotation of the signing keys; moments in milliseconds since 1970 UTC. */
export interface Rotation {
  /** Id of the new key. */
  readonly kid: string;
  readonly signsFrom: number;
  /** Time from which tokens signed with the previous key are rejected. */
  readonly until: number;
}

/**
 * Makes a new signing key. It signs two minutes later, when every process knows it; the key before
 * is taken until its last token is over. Keys that are over are deleted.
 */
export async function rotateKeys(
  server: Server,
  clock: () => number,
  by: Actor,
): Promise<Rotation> {
  const now = clock();
  const key = await newKey();
  await signingKeys(server.directory, clock);
  let createdAt = now;
  const changes = [{ name: "Key", after: key.id }];
  await recordOnAll(server, { kind: "server.keys-rotated", by, at: now, changes }, async (tx) => {
    const keys = await keysFor(tx, "token");
    const expired = keys.filter((...each) => !isCounting(now)(...each));
    await endKeys(
      tx,
      expired.map(({ id }) => id),
    );
    // The newest key is the one with the latest time, also where clocks differ.
    createdAt = Math.max(now, (keys[0]?.createdAt ?? 0) + 1);
    await addKey(tx, "token", key, createdAt);
  });
  return { kid: key.id, signsFrom: createdAt + leadMs, until: createdAt + overlapMs };
}
