/**
 * What an app may do by its scopes, and a person by their role: one table for all routes.
 *
 * Whoever asks needs both. A scope without `.read` includes reading; GET reads, everything else
 * writes. What is wrong with the app is told before what is wrong with the person.
 *
 * @source spec of the API, sections "Scopes" and "Error answers for credentials"
 */
import { AuthError } from "../resources/errors.ts";
import type { OrganisationRole } from "../resources/user.ts";
import type { Principal } from "./call.ts";
import type { Route } from "./routes/route.ts";

/**
 * Who may do what: sales, which those who only invoice may work on; what these may see besides; what
 * they have nothing to do with; reports, which a role may be without; and what one may do oneself.
 */
type Grade = "sales" | "seen" | "books" | "reports" | "own";

interface Family {
  /** The paths of its routes, with braces or with ids in them; the first family that fits counts. */
  readonly path: RegExp;
  /** Any of them is enough; none where nothing is needed. */
  readonly scopes: readonly string[];
  /** Of what is written, where that is not the same. */
  readonly writing?: readonly string[];
  readonly grade: Grade;
}

const family = (path: RegExp, grade: Grade, ...scopes: readonly string[]): Family => ({
  path,
  grade,
  scopes,
});

const transactions = "accounting.transactions";
const settings = "accounting.settings";
const allReports = "accounting.reports.read";

/** A report, or several, with the scope that is for them alone. What is kept of them is a setting. */
const report = (name: string, scope: string): Family => ({
  path: new RegExp(`^/Reports${name}$`),
  grade: "reports",
  scopes: [allReports, `accounting.reports.${scope}.read`],
  writing: [settings],
});

const families: readonly Family[] = [
  // What tells of the API itself.
  family(/^\/openapi\.json$/, "own"),
  family(/^\/Organisations?\/Actions$/, "own", settings),
  family(/^\/(Invoices|Quotes|Contacts)\/[^/]+\/Attachments\b/, "sales", "accounting.attachments"),
  family(
    /^\/(CreditNotes|RepeatingInvoices|Accounts)\/[^/]+\/Attachments\b/,
    "seen",
    "accounting.attachments",
  ),
  family(/^\/[^/]+\/[^/]+\/Attachments\b/, "books", "accounting.attachments"),
  family(/^\/(Invoices|Quotes)\b/, "sales", transactions, "accounting.invoices"),
  family(
    /^\/CreditNotes\/[^/]+\/Allocations\b/,
    "books",
    transactions,
    "accounting.invoices",
    "accounting.payments",
  ),
  family(/^\/(CreditNotes|RepeatingInvoices)\b/, "seen", transactions, "accounting.invoices"),
  family(/^\/(PurchaseOrders|LinkedTransactions)\b/, "books", transactions, "accounting.invoices"),
  family(
    /^\/(Payments|BatchPayments|Prepayments|Overpayments)\b/,
    "books",
    transactions,
    "accounting.payments",
  ),
  family(
    /^\/(BankTransactions|BankTransfers)\b/,
    "books",
    transactions,
    "accounting.banktransactions",
  ),
  family(/^\/ManualJournals\b/, "books", transactions, "accounting.manualjournals"),
  family(/^\/(Receipts|ExpenseClaims)\b/, "books", transactions, "accounting.classicexpenses"),
  family(/^\/Contacts\/[^/]+\/CISSettings$/, "seen", settings),
  family(/^\/Contacts\b/, "sales", "accounting.contacts"),
  family(/^\/ContactGroups\b/, "seen", "accounting.contacts"),
  family(/^\/Items\b/, "seen", settings, "accounting.invoices"),
  family(
    /^\/(PaymentServices|BrandingThemes\/[^/]+\/PaymentServices)\b/,
    "seen",
    "paymentservices",
  ),
  family(
    /^\/(Organisations?|InvoiceReminders|Setup|Accounts|TaxRates|TrackingCategories|Currencies|BrandingThemes|Employees|Users)\b/,
    "seen",
    settings,
  ),
  // Who listens is told which documents have changed: what reads them is enough.
  {
    path: /^\/WebhookListeners\b/,
    grade: "books",
    scopes: [transactions, "accounting.invoices"],
    writing: [
      transactions,
      `${transactions}.read`,
      "accounting.invoices",
      "accounting.invoices.read",
    ],
  },
  family(/^\/Budgets\b/, "books", "accounting.budgets"),
  family(/^\/Journals\b/, "reports", "accounting.journals.read"),
  report("/Aged(Receivables|Payables)ByContact", "aged"),
  report("/BalanceSheet", "balancesheet"),
  report("/BankSummary", "banksummary"),
  report("/BudgetSummary", "budgetsummary"),
  report("/ExecutiveSummary", "executivesummary"),
  report("/ProfitAndLoss", "profitandloss"),
  report("/TrialBalance", "trialbalance"),
  report("/TenNinetyNine(/Boxes)?", "tenninetynine"),
  report("(/[^/]+)?", "taxreports"),
];

type Power = "none" | "read" | "write";

const everything = {
  sales: "write",
  seen: "write",
  books: "write",
  reports: "write",
  own: "read",
} as const;
const toLook = {
  sales: "read",
  seen: "read",
  books: "read",
  reports: "read",
  own: "read",
} as const;
const nothing = {
  sales: "none",
  seen: "none",
  books: "none",
  reports: "none",
  own: "read",
} as const;

const powers: Readonly<Record<OrganisationRole, Readonly<Record<Grade, Power>>>> = {
  FINANCIALADVISER: everything,
  STANDARD: everything,
  MANAGEDCLIENT: everything,
  INVOICEONLY: { ...nothing, sales: "write", seen: "read" },
  READONLY: toLook,
  CASHBOOKCLIENT: toLook,
  UNKNOWN: nothing,
  REMOVED: nothing,
};

const known = new WeakMap<Route, Family>();

/** @throws Error for a route that no family has: every route has one, and a test walks them */
function familyOf(path: string): Family {
  const found = families.find((each) => each.path.test(path));
  if (found === undefined) throw new Error(`Nothing says who may do what at ${path}.`);
  return found;
}

/**
 * Refuses what the app was not allowed, or the person may not do.
 *
 * @throws AuthError 401 `AuthorizationUnsuccessful` for the app, 403 `Forbidden` for the person
 */
export function checkPermitted(principal: Principal, route: Route): void {
  let found = known.get(route);
  if (found === undefined) {
    found = familyOf(route.path);
    known.set(route, found);
  }
  const writes = route.method !== "GET";
  if (!isAllowed(principal.scopes, found, writes)) {
    throw new AuthError("AuthorizationUnsuccessful", "AuthorizationUnsuccessful", 401);
  }
  if (found.grade === "reports" && !principal.reports) {
    throw forbidden(
      "You are not permitted to access this resource without the reporting role or higher privileges",
    );
  }
  if (!hasPower(principal.role, found.grade, writes)) {
    throw forbidden(`Your role does not permit you to ${writes ? "change" : "see"} this.`);
  }
}

/** Whether a role may do what a method does at a path; scopes are another matter. */
export function mayDo(role: OrganisationRole, method: string, path: string): boolean {
  return hasPower(role, familyOf(path).grade, method !== "GET");
}

/** Whether a role works on bills, which stand beside the sales invoices. */
export function mayBuy(role: OrganisationRole): boolean {
  return powers[role].books === "write";
}

/** Types of what suppliers send, which stands at the same addresses as what goes to customers. */
const purchases: ReadonlySet<unknown> = new Set(["ACCPAY", "ACCPAYCREDIT"]);

export function isPurchase(type: unknown): boolean {
  return purchases.has(type);
}

/** Whether a role sees what suppliers send: bills, their credit notes, templates of bills. */
export function maySeePurchases(role: OrganisationRole): boolean {
  return powers[role].books !== "none";
}

/**
 * Purchases stand beside sales, so the route alone does not say what is read.
 *
 * @param type  of the document that is read, or of which a note or a file is
 * @throws AuthError 403 for somebody who only invoices, and would see a bill
 */
export function checkSeeing({ role }: Principal, type: unknown): void {
  if (purchases.has(type) && !maySeePurchases(role)) {
    throw forbidden("Your role does not permit you to see bills.");
  }
}

/**
 * Bills stand beside the sales invoices, so the route alone does not say what is written.
 *
 * @param type  of what is written, or of the document that a note or a file is put on
 * @throws AuthError 403 for somebody who only invoices, and would change a bill
 */
export function checkBuying({ role }: Principal, type: unknown): void {
  if (type === "ACCPAY" && !mayBuy(role)) {
    throw forbidden("Your role does not permit you to change bills.");
  }
}

/** @throws AuthError 403 for anybody but an adviser */
export function checkAdvising({ role }: Principal, what: string): void {
  if (role !== "FINANCIALADVISER") throw forbidden(`Only an adviser changes ${what}.`);
}

function isAllowed(
  scopes: Principal["scopes"],
  { scopes: reading, writing = reading }: Family,
  writes: boolean,
): boolean {
  if (scopes === "all" || reading.length === 0) return true;
  if (writes) return writing.some((scope) => scopes.has(scope));
  return reading.some((scope) => scopes.has(scope) || scopes.has(`${scope}.read`));
}

function hasPower(role: OrganisationRole, grade: Grade, writes: boolean): boolean {
  const power = powers[role][grade];
  return power === "write" || (power === "read" && !writes);
}

function forbidden(message: string): AuthError {
  return new AuthError("Forbidden", message, 403);
}
