/** /Organisation: who the books belong to, and what may be done in them. */

import { boolean, choice, text } from "../../resources/field.ts";
import { organisation } from "../../resources/index.ts";
import type { Organisation } from "../../resources/organisation.ts";
import { zeroId } from "../../resources/scalar.ts";
import type { OrganisationRole } from "../../resources/user.ts";
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

/** Who may: everyone who writes at all, those who only invoice, or those who approve. */
type Grade = "invoice" | "write";

/** What an action needs: a request that the service knows, and a role. */
interface Action {
  readonly name: string;
  readonly method: "PUT" | "POST";
  readonly path: string;
  readonly grade: Grade;
}

const action = (name: string, grade: Grade, path: string): Action => ({
  name,
  method: "PUT",
  path,
  grade,
});

/** Every action that clients know, with the request by which it is done. */
const actions: readonly Action[] = [
  action("CreateApprovedInvoice", "invoice", "/Invoices"),
  action("CreateDraftInvoice", "invoice", "/Invoices"),
  action("CreateRepeatingInvoice", "write", "/RepeatingInvoices"),
  action("CreateInvoicePayment", "write", "/Payments"),
  action("CreateApprovedBill", "write", "/Invoices"),
  action("CreateDraftBill", "write", "/Invoices"),
  action("CreateRepeatingBill", "write", "/RepeatingInvoices"),
  action("CreateApprovedPurchaseOrder", "write", "/PurchaseOrders"),
  action("CreateDraftPurchaseOrder", "write", "/PurchaseOrders"),
  action("CreateDraftQuote", "invoice", "/Quotes"),
  action("CreateSentQuote", "invoice", "/Quotes"),
  action("AttachFilesIntoInvoice", "invoice", `/Invoices/${zeroId}/Attachments/file`),
  action("UseMulticurrency", "write", "/Currencies"),
];

const grades: Readonly<Record<OrganisationRole, readonly Grade[]>> = {
  READONLY: [],
  INVOICEONLY: ["invoice"],
  STANDARD: ["invoice", "write"],
  FINANCIALADVISER: ["invoice", "write"],
  MANAGEDCLIENT: ["invoice", "write"],
  CASHBOOKCLIENT: [],
  UNKNOWN: [],
  REMOVED: [],
};

/** Plans that keep books in one currency alone. */
const oneCurrency: ReadonlySet<string> = new Set(
  "STARTER STANDARD LITE LEDGER GST_CASHBOOK NON_GST_CASHBOOK IGNITE GROW SIMPLE BASICLITE".split(
    " ",
  ),
);
/** Plans that only keep the ledger: no documents of their own. */
const ledgerOnly: ReadonlySet<string> = new Set(["LEDGER", "GST_CASHBOOK", "NON_GST_CASHBOOK"]);

/**
 * GET /Organisation/Actions: each is allowed where the service has it, the plan has it, and the
 * role of the user may do it.
 *
 * @param hasRoute  whether the service answers a method on a path
 */
export async function readActions(
  call: Call,
  hasRoute: (method: string, path: string) => boolean,
): Promise<ServiceResponse> {
  const plan = await call.read(organisationOf);
  const may = grades[call.principal.role];
  const records = actions.map(({ name, method, path, grade }) => {
    const allowed = may.includes(grade) && planHas(plan, name) && hasRoute(method, path);
    return { Name: name, Status: allowed ? "ALLOWED" : "NOT-ALLOWED" };
  });
  return answerObjects(call, "Actions", "Action", actionFields, records);
}

/** @source The service document: the PARTNER edition has no invoicing */
function planHas({ Edition, Class }: Organisation, name: string): boolean {
  if (name === "UseMulticurrency") return !oneCurrency.has(Class);
  return Edition !== "PARTNER" && !ledgerOnly.has(Class);
}

const reminderFields = { Enabled: boolean({ always: true }) } as const;

/** GET /InvoiceReminders/Settings: nothing is sent unasked, so reminders are off. */
export async function readReminders(call: Call): Promise<ServiceResponse> {
  const settings = [{ Enabled: false }];
  return answerObjects(call, "InvoiceReminders", "InvoiceReminder", reminderFields, settings);
}
