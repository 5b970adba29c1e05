/**
 * What each kind of document states of itself. All else about documents with lines is shared; a new
 * kind is a new row here, and an endpoint.
 */
import { numbering, type Series } from "../../ledger/numbering.ts";
import type { Invoice } from "../../resources/invoice.ts";

export interface DocumentKind {
  /** What a person calls one. */
  readonly label: string;
  readonly side: "sales" | "purchases";
  /** The half of payment terms that gives a due date. */
  readonly terms: "Sales" | "Bills";
  /** What an approved one makes of its contact. */
  readonly role: "IsCustomer" | "IsSupplier";
  /** Where its numbers come from; undefined where the number is the other side's, unique or not. */
  readonly series: Series | undefined;
  /** Fields that it does not have, though it shares a description with a kind that does. */
  readonly lacks: readonly ("Reference" | "ExpectedPaymentDate" | "PlannedPaymentDate")[];
}

export const kinds: Readonly<Record<Invoice["Type"], DocumentKind>> = {
  ACCREC: {
    label: "Invoice",
    side: "sales",
    terms: "Sales",
    role: "IsCustomer",
    series: numbering.invoice,
    lacks: ["PlannedPaymentDate"],
  },
  ACCPAY: {
    label: "Bill",
    side: "purchases",
    terms: "Bills",
    role: "IsSupplier",
    series: undefined,
    lacks: ["Reference", "ExpectedPaymentDate"],
  },
};
