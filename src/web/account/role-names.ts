/** Names of the roles for people. */
import type { Role } from "../../service/auth/people.ts";

export const roleNames: Readonly<Record<Role, string>> = {
  adviser: "Adviser",
  standard: "Standard",
  "standard-without-reports": "Standard without reports",
  "invoice-only": "Invoices only",
  "read-only": "Read only",
};

/** Description of what each role may do, shown where a role is chosen. */
export const roleWords: Readonly<Record<Role, string>> = {
  adviser: "everything, and administration",
  standard: "everything in the books",
  "standard-without-reports": "everything but reports and journals",
  "invoice-only": "sales invoices, quotes and contacts",
  "read-only": "sees everything, changes nothing",
};

export const roleChoices: readonly (readonly [Role, string])[] = (
  Object.keys(roleNames) as Role[]
).map((role) => [role, `${roleNames[role]}: ${roleWords[role]}`]);
