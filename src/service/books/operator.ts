/** The operator: the person at the machine that has the books. */
import type { Actor } from "../../store/operations/audit-log.ts";
import type { Owner } from "./seed.ts";

/** Name and email of the operator, as far as they are known. */
export interface OperatorIdentity {
  readonly user?: string | undefined;
  readonly email?: string | undefined;
}

/** Returns the owner of a book: with access to the file, all is permitted. */
export function ownerFrom({ user, email }: OperatorIdentity): Owner {
  return { name: user ?? "Bookkeeper", email: email ?? "bookkeeper@localhost" };
}

/** Returns the operator as the actor of audit entries. */
export function operatorOf(options: OperatorIdentity): Actor {
  const { name, email } = ownerFrom(options);
  return { user: name, email, through: "TERMINAL" };
}
