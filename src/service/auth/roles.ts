/** What a role of the directory is in an organisation. */
import type { OrganisationRole } from "../../resources/user.ts";
import type { Role } from "../../store/directory/people.ts";

export interface Standing {
  /** As the API calls it. */
  readonly role: OrganisationRole;
  /** Whether reports and journals may be seen. */
  readonly reports: boolean;
}

export const standings: Readonly<Record<Role, Standing>> = {
  adviser: { role: "FINANCIALADVISER", reports: true },
  standard: { role: "STANDARD", reports: true },
  "standard-without-reports": { role: "STANDARD", reports: false },
  "invoice-only": { role: "INVOICEONLY", reports: false },
  "read-only": { role: "READONLY", reports: true },
};

/** A machine has no role: its scopes alone say what it may do. */
export const machineStanding: Standing = standings.adviser;
