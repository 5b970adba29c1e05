/** /Organisation: the organisation's details and settings, and the actions it permits. */

import { boolean, choice, text } from "../../../resources/field.ts";
import { historyRecord, organisation } from "../../../resources/index.ts";
import {
  type Organisation,
  type OrganisationSettings,
  organisationSetting,
} from "../../../resources/organisation.ts";
import { zeroId } from "../../../resources/scalar.ts";
import { historyOf } from "../../../store/records/history.ts";
import { apiKeyOf, organisationOf } from "../../../store/records/organisations.ts";
import type { ServiceResponse } from "../../../wire/http.ts";
import { actorOf } from "../../audit/actors.ts";
import { changeOrganisation } from "../../lookups/organisation.ts";
import { answer, answerObjects } from "../../request/answer.ts";
import type { RequestContext } from "../../request/context.ts";
import { checkAdvising, mayBuy, mayUse } from "../../request/permissions.ts";
import type { Route } from "../../request/route.ts";
import { readInputs } from "../../request/write.ts";

export async function readOrganisation(call: RequestContext): Promise<ServiceResponse> {
  const record = await call.read(organisationOf);
  const organisationAnswer = {
    ...record,
    APIKey: record.APIKey ?? apiKeyOf(record.OrganisationID),
  };
  return answer(call, organisation, [organisationAnswer], "single");
}

const actionFields = {
  Name: text({ always: true }),
  Status: choice(["ALLOWED", "NOT-ALLOWED"], { always: true }),
} as const;

/** The condition of an action: the service has the request, and the role permits it. */
interface Action {
  readonly name: string;
  readonly method: "PUT" | "POST";
  readonly path: string;
}

const action = (name: string, path: string): Action => ({ name, method: "PUT", path });

/** Every action known to clients, with the request that performs it. */
const actions: readonly Action[] = [
  action("CreateApprovedInvoice", "/Invoices"),
  action("CreateDraftInvoice", "/Invoices"),
  action("CreateRepeatingInvoice", "/RepeatingInvoices"),
  action("CreateInvoicePayment", "/Payments"),
  action("CreateApprovedBill", "/Invoices"),
  action("CreateDraftBill", "/Invoices"),
  action("CreateRepeatingBill", "/RepeatingInvoices"),
  action("CreateApprovedPurchaseOrder", "/PurchaseOrders"),
  action("CreateDraftPurchaseOrder", "/PurchaseOrders"),
  action("CreateDraftQuote", "/Quotes"),
  action("CreateSentQuote", "/Quotes"),
  action("AttachFilesIntoInvoice", `/Invoices/${zeroId}/Attachments/file`),
  action("UseMulticurrency", "/Currencies"),
];

/** Plans (organisation classes) with a single currency. */
const singleCurrencyEditions: ReadonlySet<string> = new Set(
  "STARTER STANDARD LITE LEDGER GST_CASHBOOK NON_GST_CASHBOOK IGNITE GROW SIMPLE BASICLITE".split(
    " ",
  ),
);
/** Plans with only the ledger, without documents. */
const ledgerOnly: ReadonlySet<string> = new Set(["LEDGER", "GST_CASHBOOK", "NON_GST_CASHBOOK"]);

/**
 * GET /Organisation/Actions: an action is allowed where the service supports it, and plan and role
 * permit it.
 *
 * @param routeAt  returns the route for a method on a path
 */
export async function readActions(
  call: RequestContext,
  routeAt: (method: string, path: string) => Route | undefined,
): Promise<ServiceResponse> {
  const plan = await call.read(organisationOf);
  const { role } = call.principal;
  const records = actions.map(({ name, method, path }) => {
    const route = routeAt(method, path);
    const may = route !== undefined && mayUse(role, route) && (!/Bill$/.test(name) || mayBuy(role));
    const isAllowed = may && planHas(plan, name);
    return { Name: name, Status: isAllowed ? "ALLOWED" : "NOT-ALLOWED" };
  });
  return answerObjects(call, "Actions", "Action", actionFields, records);
}

/** @source The service document: the PARTNER edition has no invoicing */
function planHas({ Edition, Class }: Organisation, name: string): boolean {
  if (name === "UseMulticurrency") return !singleCurrencyEditions.has(Class);
  return Edition !== "PARTNER" && !ledgerOnly.has(Class);
}

const reminderFields = { Enabled: boolean({ always: true }) } as const;

/** GET /InvoiceReminders/Settings: reminders are off, since the service sends none. */
export async function readReminders(call: RequestContext): Promise<ServiceResponse> {
  const settings = [{ Enabled: false }];
  return answerObjects(call, "InvoiceReminders", "InvoiceReminder", reminderFields, settings);
}

/** GET /Organisation/Settings: the current values of the settings that POST may change. */
export async function readSettings(call: RequestContext): Promise<ServiceResponse> {
  const record = await call.read(organisationOf);
  return answer(call, organisationSetting, [record], "single");
}

/** Settings of closed periods, which only advisers may change. */
const advisers: readonly (keyof OrganisationSettings)[] = [
  "PeriodLockDate",
  "EndOfYearLockDate",
  "FinancialYearEndDay",
  "FinancialYearEndMonth",
];

/** POST /Organisation/Settings: updates the sent settings, keeps the others. */
export async function writeSettings(call: RequestContext): Promise<ServiceResponse> {
  const [input = {}] = readInputs(call, { resource: organisationSetting }, 1);
  if (advisers.some((name) => Object.hasOwn(input, name))) {
    checkAdvising(call.principal, "lock dates and the financial year");
  }
  const { newId, principal } = call;
  return call.write(async (tx) => {
    const record = await changeOrganisation(tx, input, {
      now: call.now(),
      newId,
      user: principal.user,
      by: actorOf(call),
    });
    return answer(call, organisationSetting, [record], "single");
  });
}

/** GET /Organisation/History: changes of the organisation, newest first. */
export async function readOrganisationHistory(call: RequestContext): Promise<ServiceResponse> {
  const records = await call.read(async (tx) => {
    const { OrganisationID } = await organisationOf(tx);
    return historyOf(tx, organisation.name, OrganisationID);
  });
  return answer(call, historyRecord, records, "single");
}
