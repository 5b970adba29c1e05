/** Fields of a kind of document; the kinds are in `document-registry.ts`. */
import type { DocumentType } from "../../ledger/documents/document-kinds.ts";
import type { LifeCycle } from "../../ledger/documents/lifecycle.ts";
import type { Series } from "../../ledger/documents/numbering.ts";
import type { PrintedKind } from "../../output/documents/printed-kinds.ts";
import type { DocumentResource } from "../../resources/field.ts";
import type { AccessRule } from "../request/permissions.ts";

/** Fields that some kinds lack though their resource description has them, for another kind. */
type Lackable =
  | "Reference"
  | "InvoiceNumber"
  | "BuyerReference"
  | "ExpectedPaymentDate"
  | "PlannedPaymentDate";

/** Line rules of a kind of bank transaction. */
export interface BankRules {
  /** Whether lines may name items. */
  readonly mayNameItems: boolean;
  /** Whether the caller may send a tax amount that differs from the computed one. */
  readonly ownTax: boolean;
  /** System account of the single untaxed line, where the service makes that line. */
  readonly coded?: "DEBTORS" | "CREDITORS";
}

export interface DocumentKind {
  readonly resource: DocumentResource;
  /** Access rule of the resource's documents. */
  readonly access: AccessRule;
  /** Name of the kind for people. */
  readonly label: string;
  readonly side: "sales" | "purchases";
  readonly lifeCycle: LifeCycle<string>;
  /** Default status of a new document. */
  readonly firstStatus: string;
  /** Document type in the ledger; undefined for documents without postings. */
  readonly posts?: DocumentType;
  /** Which payment terms give the due date; undefined for kinds without one. */
  readonly terms?: "Sales" | "Bills";
  /** Role that an approved document gives to its contact. */
  readonly role?: "IsCustomer" | "IsSupplier";
  /** Number series; undefined where the other side numbers it, or each user has a series. */
  readonly series?: Series;
  /** Refusal of a number that another document has. */
  readonly numberTaken?: string;
  /** Refusal of a number that a deleted document has; `numberTaken` if omitted. */
  readonly deletedNumber?: readonly string[];
  /** Refusal of SentToContact on a document that is not approved. */
  readonly sentTooEarly?: string;
  /** For credits: whether their open balance is on the control account or on line accounts. */
  readonly credits?: "control" | "lines";
  /** Whether other documents are made from it: an approved template must be complete. */
  readonly isTemplate?: true;
  /** Keys by which the contact may be named; all if omitted. */
  readonly contactBy?: readonly ("ContactID" | "ContactNumber")[];
  /** Whether a line with a quantity needs a unit price; else a line total is enough. */
  readonly pricesUnits?: true;
  /** Status after a DELETE by the caller, where not DELETED. */
  readonly deletedAs?: "VOIDED";
  /** Whether lines may have discounts. */
  readonly discounts?: true;
  /** Rules of documents that move money on a bank account; undefined for others. */
  readonly bank?: BankRules;
  readonly lacks?: readonly Lackable[];
  /** Loads the print layout, for a resource marked as `printed`. */
  readonly printed?: () => Promise<PrintedKind<never>>;
}
