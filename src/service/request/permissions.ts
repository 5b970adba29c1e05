/**
 * Permissions: of an app by its scopes, of a person by their role. Each route says which it asks
 * for.
 *
 * A request needs both. A scope without `.read` includes reading; GET reads, everything else
 * writes. A missing scope is reported before a missing role.
 *
 * @source spec of the API, sections "Scopes" and "Error answers for credentials"
 */
import { type DocumentType, kinds } from "../../ledger/documents/document-kinds.ts";
import { AuthError } from "../../resources/errors.ts";
import type { OrganisationRole } from "../../resources/user.ts";
import type { Principal } from "./context.ts";

/**
 * Areas of the books, as roles are permitted them: `sales`, which invoicing staff work on;
 * `reference`, which they may see; `books`, which they may not; `reports`, which a role may be
 * without; `own`, what anybody may ask about their own access; and `administration`, which is for
 * advisers alone.
 */
type Area = "sales" | "reference" | "books" | "reports" | "own" | "administration";

/** Access of a route. */
export interface AccessRule {
  readonly area: Area;
  /** Any of them is enough; none where nothing is needed. */
  readonly scopes: readonly string[];
  /** For routes that write, where these are not the same. */
  readonly writeScopes?: readonly string[];
}

/** A route as far as permission goes. */
interface Guarded {
  readonly method: string;
  readonly access: AccessRule;
}

const rule =
  (area: Area) =>
  (...scopes: readonly string[]): AccessRule => ({ area, scopes });

/** Rules by area, for the scopes that are enough. */
export const access = {
  sales: rule("sales"),
  reference: rule("reference"),
  books: rule("books"),
  reports: rule("reports"),
  own: rule("own"),
  administration: rule("administration"),
} as const satisfies Record<Area, unknown>;

/** Scopes that stand for several areas; each area has a narrower one beside. */
export const transactions = "accounting.transactions";
export const settings = "accounting.settings";
const allReports = "accounting.reports.read";

/** A report, with the scope that is for it alone. What is kept of reports is a setting. */
export function reportAccess(scope: string): AccessRule {
  const scopes = [allReports, `accounting.reports.${scope}.read`];
  return { area: "reports", scopes, writeScopes: [settings] };
}

/** Files of records need a scope of their own, and the same role as the records. */
export function attachmentAccess({ area }: AccessRule): AccessRule {
  return { area, scopes: ["accounting.attachments"] };
}

/** Allocations move money: they are for those who keep the books, or take payments. */
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
const nothing = {
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
  INVOICEONLY: { ...nothing, sales: "write", reference: "read" },
  READONLY: toLook,
  CASHBOOKCLIENT: toLook,
  UNKNOWN: nothing,
  REMOVED: nothing,
};

/**
 * Refuses what the app was not allowed, or the person may not do.
 *
 * @throws AuthError 401 `AuthorizationUnsuccessful` for the app, 403 `Forbidden` for the person
 */
export function checkPermitted(principal: Principal, { method, access }: Guarded): void {
  const writes = method !== "GET";
  if (!isAllowed(principal.scopes, access, writes)) {
    throw new AuthError("AuthorizationUnsuccessful", "AuthorizationUnsuccessful", 401);
  }
  if (access.area === "reports" && !principal.reports) {
    throw forbidden(
      "You are not permitted to access this resource without the reporting role or higher privileges",
    );
  }
  if (!hasPower(principal.role, access.area, writes)) {
    throw forbidden(`Your role does not permit you to ${writes ? "change" : "see"} this.`);
  }
}

/** Whether somebody would be refused a route, as far as it alone says it. */
export function isPermitted(principal: Principal, guarded: Guarded): boolean {
  try {
    checkPermitted(principal, guarded);
    return true;
  } catch (error) {
    if (error instanceof AuthError) return false;
    throw error;
  }
}

/** Whether a role may use a route; scopes are another matter. */
export function mayUse(role: OrganisationRole, { method, access }: Guarded): boolean {
  return hasPower(role, access.area, method !== "GET");
}

/** Whether a role works on bills, which stand beside the sales invoices. */
export function mayBuy(role: OrganisationRole): boolean {
  return powers[role].books === "write";
}

/** Whether a type of documents is owed to suppliers: such stand at the addresses of those to customers. */
export function isPurchase(type: unknown): boolean {
  return kinds[type as DocumentType]?.control === "CREDITORS";
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
  if (isPurchase(type) && !maySeePurchases(role)) {
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
  if (isPurchase(type) && !mayBuy(role)) {
    throw forbidden("Your role does not permit you to change bills.");
  }
}

/** @throws AuthError 403 for anybody but an adviser */
export function checkAdvising({ role }: Principal, what: string): void {
  if (role !== "FINANCIALADVISER") throw forbidden(`Only an adviser changes ${what}.`);
}

function isAllowed(
  scopes: Principal["scopes"],
  { scopes: reading, writeScopes = reading }: AccessRule,
  writes: boolean,
): boolean {
  if (scopes === "all" || reading.length === 0) return true;
  if (writes) return writeScopes.some((scope) => scopes.has(scope));
  return reading.some((scope) => scopes.has(scope) || scopes.has(`${scope}.read`));
}

function hasPower(role: OrganisationRole, area: Area, writes: boolean): boolean {
  const power = powers[role][area];
  return power === "write" || (power === "read" && !writes);
}

function forbidden(message: string): AuthError {
  return new AuthError("Forbidden", message, 403);
}
