/**
 * Life cycles of documents: their statuses and the permitted transitions.
 *
 * A life cycle is a table, as printed in the service document; transitions not in the table are
 * refused. Each kind of document has its own table.
 */
import { RefusedError } from "../../resources/errors.ts";
import type { InvoiceStatus } from "../../resources/invoice.ts";
import type { RuleName } from "../../resources/refusal-rules.ts";
import type { Cents } from "../money.ts";

/** Further conditions of a transition, besides the two statuses. */
export interface MoveConditions {
  /** Whether live payments, credit notes or other credits are applied to the document. */
  readonly isApplied: boolean;
}

export interface Transition<S extends string> {
  /** Status before the transition; undefined on creation. */
  readonly from: S | undefined;
  readonly to: S;
  /** `create` and `update` are requested by a caller; `settlement` happens by payments alone. */
  readonly trigger: "create" | "update" | "settlement";
  /** Whether the transition is allowed only while nothing is applied to the document. */
  readonly unapplied?: true;
}

export interface LifeCycle<S extends string> {
  readonly transitions: readonly Transition<S>[];
  /** Approved statuses: documents in them have postings in the ledger. */
  readonly approved: readonly S[];
  /** Final statuses: documents in them cannot be edited. */
  readonly ended: readonly S[];
  /** Error message when a document may not be created with a status, in the public API's words. */
  readonly notCreated: (to: S) => string;
  /** Error message when a transition is not allowed. */
  readonly notMoved: (from: S, to: S, conditions: MoveConditions) => string;
  /** Error message when a document in a final status is edited. */
  readonly notModified: string;
}

/**
 * The requested status, if the table allows the transition.
 * @param from  undefined on creation
 * @throws RefusedError `Status` with the message of the life cycle
 */
export function move<S extends string>(
  cycle: LifeCycle<S>,
  from: S | undefined,
  to: S,
  conditions: MoveConditions,
): S {
  let rule: RuleName = "Status";
  for (const row of cycle.transitions) {
    if (row.from !== from || row.to !== to || row.trigger === "settlement") continue;
    if (!(row.unapplied && conditions.isApplied)) return to;
    rule = "Applied";
  }
  const message = from === undefined ? cycle.notCreated(to) : cycle.notMoved(from, to, conditions);
  throw new RefusedError("Status", message, [{ rule, field: "Status", message }]);
}

/** Permitted transitions by a caller, on creation and from each status. */
export type Moves<S extends string> = Readonly<Record<S | "create", readonly S[]>>;

/**
 * The life cycle of documents whose status only a caller changes: nothing settles them.
 * @param rules  its other rules; `notMoved` defaults to `notModified`
 */
export function manualLifeCycle<S extends string>(
  statusMoves: Moves<S>,
  rules: Omit<LifeCycle<S>, "transitions" | "notMoved"> & {
    readonly notMoved: (from: S, to: S) => string | undefined;
  },
): LifeCycle<string> {
  const transitions = Object.entries<readonly S[]>(statusMoves).flatMap(([from, tos]) =>
    tos.map(
      (to): Transition<S> =>
        from === "create"
          ? { from: undefined, to, trigger: "create" }
          : { from: from as S, to, trigger: "update" },
    ),
  );
  const cycle: LifeCycle<S> = {
    ...rules,
    transitions,
    notMoved: (from, to) => rules.notMoved(from, to) ?? rules.notModified,
  };
  return cycle as unknown as LifeCycle<string>;
}

/**
 * The transitions of invoices and bills.
 *
 * @source service document, States and transitions, Invoice. Its last row is a settlement; the
 * reverse is the deletion of a payment. A document with a total of zero is PAID from its approval
 * with nothing applied to it: it is edited and voided like one that is AUTHORISED.
 */
export const invoiceTransitions: readonly Transition<InvoiceStatus>[] = [
  { from: undefined, to: "DRAFT", trigger: "create" },
  { from: undefined, to: "SUBMITTED", trigger: "create" },
  { from: undefined, to: "AUTHORISED", trigger: "create" },
  { from: "DRAFT", to: "DRAFT", trigger: "update" },
  { from: "DRAFT", to: "SUBMITTED", trigger: "update" },
  { from: "DRAFT", to: "AUTHORISED", trigger: "update" },
  { from: "DRAFT", to: "DELETED", trigger: "update" },
  { from: "SUBMITTED", to: "SUBMITTED", trigger: "update" },
  { from: "SUBMITTED", to: "AUTHORISED", trigger: "update" },
  { from: "SUBMITTED", to: "DRAFT", trigger: "update" },
  { from: "SUBMITTED", to: "DELETED", trigger: "update" },
  { from: "AUTHORISED", to: "AUTHORISED", trigger: "update" },
  { from: "AUTHORISED", to: "VOIDED", trigger: "update", unapplied: true },
  { from: "PAID", to: "AUTHORISED", trigger: "update", unapplied: true },
  { from: "PAID", to: "VOIDED", trigger: "update", unapplied: true },
  { from: "AUTHORISED", to: "PAID", trigger: "settlement" },
  { from: "PAID", to: "AUTHORISED", trigger: "settlement" },
];

const frozen = "This document cannot be edited as it has a payment or credit note allocated to it.";

/**
 * The life cycle of a document settled by money: an invoice, a bill, a credit note.
 * @param name  its name in messages, as clients know it: `Invoice`
 */
function settledLifeCycle(name: string): LifeCycle<InvoiceStatus> {
  const notModified = `${name} not of valid status for modification`;
  const noun = name.toLowerCase();
  return {
    transitions: invoiceTransitions,
    approved: ["AUTHORISED", "PAID"],
    ended: ["DELETED", "VOIDED"],
    notModified,
    notCreated: () => `${name} not of valid status for creation`,
    notMoved: (from, to, { isApplied }) => {
      if (from === "AUTHORISED" && to === "DELETED") {
        return `An AUTHORISED ${noun} cannot be deleted; it can only be voided`;
      }
      const isLive = from === "AUTHORISED" || from === "PAID";
      if (isLive && isApplied && to !== "PAID" && to !== "DELETED") {
        return (
          `The status ${to} cannot be applied to the ${noun} ` +
          "because it has payments or credit notes allocated to it."
        );
      }
      return notModified;
    },
  };
}

export const invoiceLifeCycle = settledLifeCycle("Invoice");
export const creditNoteLifeCycle = settledLifeCycle("Credit Note");
export const expenseClaimLifeCycle = settledLifeCycle("Expense Claim");

/** The life cycle of a bank transaction: approved from the start, until it is deleted. */
export const bankTransactionLifeCycle: LifeCycle<string> = {
  transitions: [
    { from: undefined, to: "AUTHORISED", trigger: "create" },
    { from: "AUTHORISED", to: "AUTHORISED", trigger: "update" },
    { from: "AUTHORISED", to: "DELETED", trigger: "update" },
  ],
  approved: ["AUTHORISED"],
  ended: ["DELETED", "VOIDED"],
  notCreated: (to) => `A new bank transaction has the Status AUTHORISED, not ${to}.`,
  notMoved: (from, to) =>
    from === "AUTHORISED"
      ? `A bank transaction can be given the Status DELETED, not ${to}.`
      : "This bank transaction is deleted and cannot be changed.",
  notModified: "This bank transaction is deleted and cannot be changed.",
};

/**
 * The life cycle of a prepayment or an overpayment: it is never edited, is used up by allocations
 * and refunds, and can be voided while it has none.
 * @param name  its name in messages: `prepayment`
 */
export function bankCreditLifeCycle(name: string): LifeCycle<string> {
  const notModified = `This ${name} is void and cannot be changed.`;
  return {
    transitions: [
      { from: undefined, to: "AUTHORISED", trigger: "create" },
      { from: "AUTHORISED", to: "VOIDED", trigger: "update", unapplied: true },
      { from: "AUTHORISED", to: "PAID", trigger: "settlement" },
      { from: "PAID", to: "AUTHORISED", trigger: "settlement" },
    ],
    approved: ["AUTHORISED", "PAID"],
    ended: ["VOIDED"],
    notCreated: bankTransactionLifeCycle.notCreated,
    notMoved: (from, to) => {
      if (from === "VOIDED") return notModified;
      if (to !== "VOIDED") return `The ${name} cannot be changed; its Status can be set to VOIDED.`;
      return `The ${name} is allocated or refunded; take that back before it is voided.`;
    },
    notModified,
  };
}

/** Whether a document with this status has postings in the ledger. */
export function isApproved<S extends string>(cycle: LifeCycle<S>, status: S): boolean {
  return cycle.approved.includes(status);
}

/**
 * The status of an approved document after money was applied to it or taken back.
 * @param amountDue  amount outstanding now; a total of zero is settled by approval
 */
export function settledStatus(amountDue: Cents): "AUTHORISED" | "PAID" {
  return amountDue === 0 ? "PAID" : "AUTHORISED";
}

/** Fields that affect no posting and no amount due, so they are never frozen. */
const neverFrozenStatuses: ReadonlySet<string> = new Set([
  "Status",
  "Reference",
  "DueDate",
  "InvoiceNumber",
  "CreditNoteNumber",
  "Contact",
  "BrandingThemeID",
  "Url",
  "SentToContact",
  "ExpectedPaymentDate",
  "PlannedPaymentDate",
  "BuyerReference",
  "DeliveryDate",
  "LineItems.Description",
]);

/** Fields that cannot change after approval. */
const fixedByApproval: ReadonlySet<string> = new Set(["Type", "CurrencyCode"]);

/**
 * Refuses an edit that the status of the document does not allow.
 *
 * A deleted or voided document allows none. A document with anything applied to it allows only
 * fields that change no posting. An approved one keeps its type and currency.
 *
 * @param isApplied        whether live payments or credits are applied
 * @param changedFields  names of the fields whose value would change; for lines
 *   `LineItems.Description` when only descriptions change, else `LineItems`
 * @throws RefusedError `Status`, `Frozen`
 */
export function mayEdit<S extends string>(
  cycle: LifeCycle<S>,
  status: S,
  isApplied: boolean,
  changedFields: Iterable<string>,
): void {
  if (cycle.ended.includes(status)) throw new RefusedError("Status", cycle.notModified);
  if (!isApproved(cycle, status)) return;
  for (const field of changedFields) {
    if (isApplied && !neverFrozenStatuses.has(field)) {
      throw new RefusedError("Frozen", frozen, [{ rule: "Applied", field, message: frozen }]);
    }
    if (fixedByApproval.has(field)) {
      const message = `The ${field} of an approved document cannot be changed.`;
      throw new RefusedError("Frozen", message, [{ field, message }]);
    }
  }
}
