import type { OrganisationRole } from "../../resources/user.ts";
import type { Role } from "../../store/directory/people.ts";

/**
 * The scopes of the API: the permissions of an app, and their texts on the consent page.
 *
 * A scope without `.read` includes reading.
 *
 * @source spec of the API, section "Scopes"
 */

/** Texts of scopes on the consent page, as the end of "It will be able to …". */
const worded: Readonly<Record<string, string>> = {
  "accounting.transactions":
    "see and change invoices, bills, payments, bank transactions and other transactions",
  "accounting.settings":
    "see and change settings: the organisation, accounts, items, tax rates and users",
  "accounting.contacts": "see and change contacts",
  "accounting.attachments": "see and add attached files",
  "accounting.reports.read": "see all reports",
  "accounting.reports.tenninetynine.read": "see the 1099 report",
  "accounting.journals.read": "see the journals of the ledger",
  "accounting.budgets": "see budgets",
  "accounting.invoices": "see and change invoices, credit notes, quotes, purchase orders and items",
  "accounting.payments": "see and change payments, prepayments and overpayments",
  "accounting.banktransactions": "see and change bank transactions and transfers",
  "accounting.manualjournals": "see and change manual journals",
  "accounting.classicexpenses": "see and change receipts",
  "accounting.reports.aged.read": "see the aged receivables and payables",
  "accounting.reports.balancesheet.read": "see the balance sheet",
  "accounting.reports.banksummary.read": "see the bank summary",
  "accounting.reports.budgetsummary.read": "see the budget summary",
  "accounting.reports.executivesummary.read": "see the executive summary",
  "accounting.reports.profitandloss.read": "see the profit and loss",
  "accounting.reports.trialbalance.read": "see the trial balance",
  "accounting.reports.taxreports.read": "see tax returns",
  paymentservices: "see and set up payment services",
};

/** Scopes that also exist with the suffix `.read`. */
const readable: readonly string[] = [
  "accounting.transactions",
  "accounting.settings",
  "accounting.contacts",
  "accounting.attachments",
  "accounting.budgets",
  "accounting.invoices",
  "accounting.payments",
  "accounting.banktransactions",
  "accounting.manualjournals",
  "accounting.classicexpenses",
];

/** Scopes of OpenID Connect, which permit nothing in the API. */
export const identityScopes = ["openid", "profile", "email", "offline_access"] as const;
/** Scopes of an app itself, without a person. */
export const appScopes = ["app.connections", "marketplace.billing"] as const;
/** Scopes of the API. */
export const apiScopes: readonly string[] = [
  ...Object.keys(worded),
  ...readable.map((scope) => `${scope}.read`),
];

/**
 * Whether a scope belongs to another API of the same vendor, which apps request together with this
 * one: it is not granted, while unknown scopes are refused.
 */
export function isElsewhere(scope: string): boolean {
  return /^(payroll|finance)\.[a-z.]+$|^(files|assets|projects|bankfeeds)(\.read)?$/.test(scope);
}

/** Scopes in the discovery document. */
export const everyScope: readonly string[] = [...identityScopes, ...apiScopes, ...appScopes];

/** The broad scopes, which together permit everything. */
export const allScopes: readonly string[] = [
  "accounting.transactions",
  "accounting.settings",
  "accounting.contacts",
  "accounting.attachments",
  "accounting.reports.read",
  "accounting.reports.tenninetynine.read",
  "accounting.journals.read",
  "accounting.budgets",
  "paymentservices",
];

/** Returns the text of an API scope; undefined for one that permits nothing in the books. */
export function scopeDescription(scope: string): string | undefined {
  const words = worded[scope];
  if (words !== undefined || !scope.endsWith(".read")) return words;
  return worded[scope.slice(0, -".read".length)]?.replace(/ and (change|add|set up) /, " ");
}

interface RoleGrant {
  /** Role by its name in the API. */
  readonly role: OrganisationRole;
  /** Whether the role may see reports and journals. */
  readonly reports: boolean;
}

export const organisationRoles: Readonly<Record<Role, RoleGrant>> = {
  adviser: { role: "FINANCIALADVISER", reports: true },
  standard: { role: "STANDARD", reports: true },
  "standard-without-reports": { role: "STANDARD", reports: false },
  "invoice-only": { role: "INVOICEONLY", reports: false },
  "read-only": { role: "READONLY", reports: true },
};

/** Role of machine apps: full, so that only scopes limit them. */
export const machineStanding: RoleGrant = organisationRoles.adviser;
