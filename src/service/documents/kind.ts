/** Fields of a kind of document; the kinds are in `document-registry.ts`. */
import type { DocumentType } from "../../ledger/documents/document-kinds.ts";
import type { LifeCycle } from "../../ledger/documents/lifecycle.ts";
import type { Series } from "../../ledger/documents/numbering.ts";
import type { DocumentResource } from "../../resources/field.ts";
import type { PrintedKind } from "../pdf/printed-kinds.ts";
import type { AccessRule } from "../request/permissions.ts";

/** Fields that some kinds of document lack, though they share a description with one that has them. */
type Lackable =
  | "Reference"
  | "InvoiceNumber"
  | "BuyerReference"
  | "ExpectedPaymentDate"
  | "PlannedPaymentDate";

/** Rules for the lines of a kind of bank transaction. */
export interface BankRules {
  /** Lines may name items. */
  readonly items: boolean;
  /** A tax amount may be sent that is not the one the rate makes. */
  readonly ownTax: boolean;
  /** The one line that it has is untaxed and on this account, whatever the caller says. */
  readonly coded?: "DEBTORS" | "CREDITORS";
}

export interface DocumentKind {
  readonly resource: DocumentResource;
  /** Access to the documents of the resource. */
  readonly access: AccessRule;
  /** Its name for people. */
  readonly label: string;
  readonly side: "sales" | "purchases";
  readonly lifeCycle: LifeCycle<string>;
  /** Status of a new one when nothing is said. */
  readonly firstStatus: string;
  /** Its type in the ledger; undefined for documents that post nothing. */
  readonly posts?: DocumentType;
  /** The half of payment terms that gives a due date; undefined where none falls due. */
  readonly terms?: "Sales" | "Bills";
  /** Role that an approved one gives its contact. */
  readonly role?: "IsCustomer" | "IsSupplier";
  /** Source of its numbers; undefined where the number is the other side's, or of a user's series. */
  readonly series?: Series;
  /** Why a document is refused whose number another bears. */
  readonly numberTaken?: string;
  /** Why a document is refused whose number a deleted one holds; `numberTaken` if not given. */
  readonly deletedNumber?: readonly string[];
  /** Why SentToContact is refused on one that is not approved. */
  readonly sentTooEarly?: string;
  /** Of a credit, where it stands until it is applied: its control account, or accounts of its lines. */
  readonly credits?: "control" | "lines";
  /** Other documents are made from it, for which nothing may be missing once it is approved. */
  readonly isTemplate?: true;
  /** Keys by which alone the contact may be named; any of its keys when not given. */
  readonly contactBy?: readonly ("ContactID" | "ContactNumber")[];
  /** A line with a quantity must say what one of it costs; otherwise it may say what all do. */
  readonly pricesUnits?: true;
  /** Status of one that a caller deletes, where that is not DELETED. */
  readonly deletedAs?: "VOIDED";
  /** Lines may bear discounts. */
  readonly discounts?: true;
  /** Rules of documents whose money moves on a bank account; undefined for others. */
  readonly bank?: BankRules;
  readonly lacks?: readonly Lackable[];
  /** Its layout on paper, for a resource whose description says that it is `printed`. */
  readonly printed?: () => Promise<PrintedKind<never>>;
}
