/** The grants that people gave to apps: listing and revoking them. */
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
  /** The actor, for the audit log. */
  readonly by: Actor;
}

/** Lists the grants of a person, by names of the apps. */
export function grantsBy({ directory }: Pick<Grants, "directory">, personId: string) {
  return directory.read((tx) => grantsOf(tx, { personId }));
}

/** Lists the connections of people's apps to an organisation, by names of the apps. */
export function grantsIn({ directory }: Pick<Grants, "directory">, tenant: string) {
  return directory.read((tx) => grantsOf(tx, { tenant }));
}

/** Revokes a person's grant to an app, including its tokens. @throws NotFoundError */
export async function revokeGrant(
  { directory, clock, by }: Grants,
  pairing: Pairing,
): Promise<Grant> {
  return directory.write(async (tx) => {
    const { personId, appId } = pairing;
    const grant = (await grantsOf(tx, { personId })).find((grant) => grant.appId === appId);
    if (grant === undefined) throw noGrant();
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

/** Disconnects a person's app from an organisation. @throws NotFoundError */
export async function disconnectFrom(
  { directory, clock, by }: Grants,
  pairing: Pairing,
  tenant: string,
): Promise<Grant> {
  return directory.write(async (tx) => {
    const { personId, appId } = pairing;
    const grants = await grantsOf(tx, { tenant });
    const grant = grants.find((grant) => grant.appId === appId && grant.personId === personId);
    const connection = (await connectionsOf(tx, pairing)).find((each) => each.tenant === tenant);
    if (grant === undefined || connection === undefined) throw noGrant();
    const audited = await recordOnServer(tx, {
      kind: "connection.removed",
      by,
      at: clock(),
      subject: grant.appName,
      subjectId: appId,
      tenants: [tenant],
      changes: [{ name: "Person", before: grant.email }],
    });
    await disconnect(audited, pairing, connection.id);
    return grant;
  });
}

function noGrant(): NotFoundError {
  return new NotFoundError("NotFound", "Nothing is allowed to this app any more.");
}
