/**
 * Permissions: of an app by its OAuth scopes, of a person by their role. Each route has an access
 * rule for both.
 *
 * A request needs both. A scope without `.read` includes reading; GET reads, all other methods
 * write. A missing scope is reported before a missing role.
 *
 * @source spec of the API, sections "Scopes" and "Error answers for credentials"
 */
import { type DocumentType, kinds } from "../../ledger/documents/document-kinds.ts";
import { AuthError } from "../../resources/errors.ts";
import type { OrganisationRole } from "../../resources/user.ts";
import type { Principal } from "./context.ts";

/**
 * Areas of the books, by which roles get permissions: `sales`, which invoicing staff write;
 * `reference`, which they may read; `books`, which they may not access; `reports`, a separate
 * permission of a role; `own`, a caller's own access; and `administration`, which only advisers
 * have.
 */
type Area = "sales" | "reference" | "books" | "reports" | "own" | "administration";

/** The access rule of a route. */
export interface AccessRule {
  readonly area: Area;
  /** Scopes of which any one suffices; empty where none is needed. */
  readonly scopes: readonly string[];
  /** Scopes for writing, where they differ. */
  readonly writeScopes?: readonly string[];
}

/** The parts of a route that decide access. */
interface GuardedRoute {
  readonly method: string;
  readonly access: AccessRule;
}

const rule =
  (area: Area) =>
  (...scopes: readonly string[]): AccessRule => ({ area, scopes });

/** Makes access rules by area from sufficient scopes. */
export const access = {
  sales: rule("sales"),
  reference: rule("reference"),
  books: rule("books"),
  reports: rule("reports"),
  own: rule("own"),
  administration: rule("administration"),
} as const satisfies Record<Area, unknown>;

/** Broad scopes that cover several areas, each of which also has a narrower scope. */
export const transactions = "accounting.transactions";
export const settings = "accounting.settings";
const allReports = "accounting.reports.read";

/** Returns the access rule of a report by its own scope. Writes need the scope of settings. */
export function reportAccess(scope: string): AccessRule {
  const scopes = [allReports, `accounting.reports.${scope}.read`];
  return { area: "reports", scopes, writeScopes: [settings] };
}

/** Returns the access rule of attachments: a scope of their own, with the role of the records. */
export function attachmentAccess({ area }: AccessRule): AccessRule {
  return { area, scopes: ["accounting.attachments"] };
}

/**
 * Returns the access rule of allocations: the area `books`, with the document's scopes or
 * `payments`.
 */
export function allocationAccess({ scopes }: AccessRule): AccessRule {
  return { area: "books", scopes: [...scopes, "accounting.payments"] };
}

type Power = "none" | "read" | "write";

const everything = {
  sales: "write",
  reference: "write",
  books: "write",
  reports: "write",
  own: "read",
  administration: "none",
} as const;
const toLook = {
  sales: "read",
  reference: "read",
  books: "read",
  reports: "read",
  own: "read",
  administration: "none",
} as const;
const noAccess = {
  sales: "none",
  reference: "none",
  books: "none",
  reports: "none",
  own: "read",
  administration: "none",
} as const;

const powers: Readonly<Record<OrganisationRole, Readonly<Record<Area, Power>>>> = {
  FINANCIALADVISER: { ...everything, administration: "write" },
  STANDARD: everything,
  MANAGEDCLIENT: everything,
  INVOICEONLY: { ...noAccess, sales: "write", reference: "read" },
  READONLY: toLook,
  CASHBOOKCLIENT: toLook,
  UNKNOWN: noAccess,
  REMOVED: noAccess,
};

/**
 * Refuses a route without the needed scope or role.
 *
 * @throws AuthError 401 `AuthorizationUnsuccessful` for a missing scope, 403 `Forbidden` for the
 *   role
 */
export function checkPermitted(principal: Principal, { method, access }: GuardedRoute): void {
  const isWrite = method !== "GET";
  if (!isAllowed(principal.scopes, access, isWrite)) {
    throw new AuthError("AuthorizationUnsuccessful", "AuthorizationUnsuccessful", 401);
  }
  if (access.area === "reports" && !principal.reports) {
    throw forbiddenError(
      "You are not permitted to access this resource without the reporting role or higher privileges",
    );
  }
  if (!hasPower(principal.role, access.area, isWrite)) {
    throw forbiddenError(`Your role does not permit you to ${isWrite ? "change" : "see"} this.`);
  }
}

/** Whether a caller has the scope and the role for a route. */
export function isPermitted(principal: Principal, guarded: GuardedRoute): boolean {
  try {
    checkPermitted(principal, guarded);
    return true;
  } catch (error) {
    if (error instanceof AuthError) return false;
    throw error;
  }
}

/** Whether a role may use a route, apart from scopes. */
export function mayUse(role: OrganisationRole, { method, access }: GuardedRoute): boolean {
  return hasPower(role, access.area, method !== "GET");
}

/** Whether a role may write bills, which share routes with sales invoices. */
export function mayBuy(role: OrganisationRole): boolean {
  return powers[role].books === "write";
}

/** Whether a document type is a purchase; purchases share the routes of sales documents. */
export function isPurchase(type: unknown): boolean {
  return kinds[type as DocumentType]?.control === "CREDITORS";
}

/** Whether a role may see purchases: bills, supplier credit notes, templates of bills. */
export function maySeePurchases(role: OrganisationRole): boolean {
  return powers[role].books !== "none";
}

/**
 * Refuses reading a purchase, which shares its route with sales.
 *
 * @param type  type of the document, or of the document whose note or attachment is read
 * @throws AuthError 403 for an invoice-only role that would see a bill
 */
export function checkSeeing({ role }: Principal, type: unknown): void {
  if (isPurchase(type) && !maySeePurchases(role)) {
    throw forbiddenError("Your role does not permit you to see bills.");
  }
}

/**
 * Refuses writing a bill, which shares its route with sales invoices.
 *
 * @param type  type of the document, or of the document that gets a note or an attachment
 * @throws AuthError 403 for an invoice-only role that would change a bill
 */
export function checkBuying({ role }: Principal, type: unknown): void {
  if (isPurchase(type) && !mayBuy(role)) {
    throw forbiddenError("Your role does not permit you to change bills.");
  }
}

/** @throws AuthError 403 unless the caller is an adviser */
export function checkAdvising({ role }: Principal, action: string): void {
  if (role !== "FINANCIALADVISER") throw forbiddenError(`Only an adviser changes ${action}.`);
}

function isAllowed(
  scopes: Principal["scopes"],
  { scopes: reading, writeScopes = reading }: AccessRule,
  isWrite: boolean,
): boolean {
  if (scopes === "all" || reading.length === 0) return true;
  if (isWrite) return writeScopes.some((scope) => scopes.has(scope));
  return reading.some((scope) => scopes.has(scope) || scopes.has(`${scope}.read`));
}

function hasPower(role: OrganisationRole, area: Area, isWrite: boolean): boolean {
  const power = powers[role][area];
  return power === "write" || (power === "read" && !isWrite);
}

function forbiddenError(message: string): AuthError {
  return new AuthError("Forbidden", message, 403);
}
