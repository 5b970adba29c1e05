/** /Organisation: who the books belong to, what may be done, and the construction scheme. */

import { NotFoundError } from "../../resources/errors.ts";
import { boolean, choice, text } from "../../resources/field.ts";
import { organisation } from "../../resources/index.ts";
import { readId } from "../../resources/scalar.ts";
import { organisationOf } from "../../store/organisations.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { answer, answerObjects } from "../answer.ts";
import type { Call } from "../call.ts";

export async function readOrganisation(call: Call): Promise<ServiceResponse> {
  const record = await call.read(organisationOf);
  return answer(call, organisation, [record], "single");
}

const actionFields = {
  Name: text({ always: true }),
  Status: choice(["ALLOWED", "NOT-ALLOWED"], { always: true }),
} as const;

/** Everything that the plan of a book has; what the service does not do yet is not allowed. */
const actions: readonly (readonly [name: string, allowed: boolean])[] = [
  ["CreateApprovedInvoice", true],
  ["CreateDraftInvoice", true],
  ["CreateRepeatingInvoice", false],
  ["CreateInvoicePayment", true],
  ["CreateApprovedBill", true],
  ["CreateDraftBill", true],
  ["CreateRepeatingBill", false],
  ["CreateApprovedPurchaseOrder", false],
  ["CreateDraftPurchaseOrder", false],
  ["CreateDraftQuote", false],
  ["CreateSentQuote", false],
  ["AttachFilesIntoInvoice", false],
  ["UseMulticurrency", false],
];

export async function readActions(call: Call): Promise<ServiceResponse> {
  const records = actions.map(([Name, allowed]) => ({
    Name,
    Status: allowed ? "ALLOWED" : "NOT-ALLOWED",
  }));
  return answerObjects(call, "Actions", "Action", actionFields, records);
}

const cisFields = {
  CISContractorEnabled: boolean({ always: true }),
  CISSubContractorEnabled: boolean({ always: true }),
} as const;

/** UK organisations only; the scheme is off until it is enabled. */
export async function readCisSettings(call: Call, key: string): Promise<ServiceResponse> {
  const record = await call.read(organisationOf);
  if (readId(key) !== record.OrganisationID || record.Version !== "UK") {
    throw new NotFoundError(
      "NotFound",
      "CIS settings exist for United Kingdom organisations only.",
    );
  }
  const settings = { CISContractorEnabled: false, CISSubContractorEnabled: false };
  return answerObjects(call, "CISSettings", "CISSetting", cisFields, [settings]);
}
