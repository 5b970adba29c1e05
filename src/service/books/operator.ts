/** The person at the machine where the books are. */
import type { Actor } from "../../store/operations/audit-log.ts";
import type { Owner } from "./seed.ts";

/** As far as the person is known. */
export interface OperatorIdentity {
  readonly user?: string | undefined;
  readonly email?: string | undefined;
}

/** Opening the file allows everything in it. */
export function ownerFrom({ user, email }: OperatorIdentity): Owner {
  return { name: user ?? "Bookkeeper", email: email ?? "bookkeeper@localhost" };
}

/** The owner for the audit log: somebody at the machine where the books are. */
export function operatorOf(options: OperatorIdentity): Actor {
  const { name, email } = ownerFrom(options);
  return { user: name, email, through: "TERMINAL" };
}
