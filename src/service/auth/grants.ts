/** What people have allowed apps, looked over and taken back. */
import { NotFoundError } from "../../resources/errors.ts";
import {
  connectionsOf,
  disconnect,
  type Grant,
  grantsOf,
  type Pairing,
  revoke,
} from "../../store/directory/connections.ts";
import { type Directory, recordOnServer } from "../../store/directory/directory.ts";
import type { Actor } from "../../store/operations/audit-log.ts";

export type { Grant };

export interface Grants {
  readonly directory: Directory;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** Who asks, for the audit log. */
  readonly by: Actor;
}

/** What a person has allowed, by the names of the apps. */
export function grantsBy({ directory }: Pick<Grants, "directory">, personId: string) {
  return directory.read((tx) => grantsOf(tx, { personId }));
}

/** What people have connected to an organisation, by the names of the apps. */
export function grantsIn({ directory }: Pick<Grants, "directory">, tenant: string) {
  return directory.read((tx) => grantsOf(tx, { tenant }));
}

/** Takes back all that a person has allowed an app, its tokens too. @throws NotFoundError */
export async function revokeGrant(
  { directory, clock, by }: Grants,
  pairing: Pairing,
): Promise<Grant> {
  return directory.write(async (tx) => {
    const { personId, appId } = pairing;
    const grant = (await grantsOf(tx, { personId })).find((each) => each.appId === appId);
    if (grant === undefined) throw nothing();
    const audited = await recordOnServer(tx, {
      kind: "consent.taken-back",
      by,
      at: clock(),
      subject: grant.appName,
      subjectId: appId,
      tenants: grant.tenants,
      changes: [{ name: "Scopes", before: grant.scopes.join(" ") || undefined }],
    });
    await revoke(audited, pairing);
    return grant;
  });
}

/** Ends what an app may do in an organisation in the name of a person. @throws NotFoundError */
export async function disconnectFrom(
  { directory, clock, by }: Grants,
  pairing: Pairing,
  tenant: string,
): Promise<Grant> {
  return directory.write(async (tx) => {
    const { personId, appId } = pairing;
    const all = await grantsOf(tx, { tenant });
    const grant = all.find((each) => each.appId === appId && each.personId === personId);
    const own = (await connectionsOf(tx, pairing)).find((each) => each.tenant === tenant);
    if (grant === undefined || own === undefined) throw nothing();
    const audited = await recordOnServer(tx, {
      kind: "connection.removed",
      by,
      at: clock(),
      subject: grant.appName,
      subjectId: appId,
      tenants: [tenant],
      changes: [{ name: "Person", before: grant.email }],
    });
    await disconnect(audited, pairing, own.id);
    return grant;
  });
}

function nothing(): NotFoundError {
  return new NotFoundError("NotFound", "Nothing is allowed to this app any more.");
}
