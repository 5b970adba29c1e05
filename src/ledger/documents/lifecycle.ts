/**
 * The states of documents, and the moves between them.
 *
 * A life cycle is a table, the one that the service document prints; whatever is not in the table
 * is refused. Another kind of document is another table.
 */
import { RefusedError } from "../../resources/errors.ts";
import type { InvoiceStatus } from "../../resources/invoice.ts";
import type { RuleName } from "../../resources/refusal-rules.ts";
import type { Cents } from "../money.ts";

/** What a move may depend on besides the two states. */
export interface MoveConditions {
  /** Whether live payments, credit notes or other credits are applied to the document. */
  readonly applied: boolean;
}

export interface Transition<S extends string> {
  /** Undefined for a document that does not exist yet. */
  readonly from: S | undefined;
  readonly to: S;
  /** `create` and `update` are asked for by a caller; `settlement` happens by payments alone. */
  readonly trigger: "create" | "update" | "settlement";
  /** Holds only while nothing is applied to the document. */
  readonly unapplied?: true;
}

export interface LifeCycle<S extends string> {
  readonly transitions: readonly Transition<S>[];
  /** States of a document that stands: what it posts is in the ledger. */
  readonly approved: readonly S[];
  /** States that end it: whoever is in one takes no edit any more. */
  readonly ended: readonly S[];
  /** Why a caller may not create a document in that state, in the words clients know. */
  readonly notCreated: (to: S) => string;
  /** Why a caller may not make that move. */
  readonly notMoved: (from: S, to: S, facts: MoveConditions) => string;
  /** Why a document in one of the states that end it is not edited. */
  readonly notModified: string;
}

/**
 * The state that a caller asked for, if the table allows it.
 *
 * @param from  undefined on create
 * @throws RefusedError `Status` in the words of the life cycle
 */
export function move<S extends string>(
  cycle: LifeCycle<S>,
  from: S | undefined,
  to: S,
  facts: MoveConditions,
): S {
  let rule: RuleName = "Status";
  for (const row of cycle.transitions) {
    if (row.from !== from || row.to !== to || row.trigger === "settlement") continue;
    if (!(row.unapplied && facts.applied)) return to;
    rule = "Applied";
  }
  const message = from === undefined ? cycle.notCreated(to) : cycle.notMoved(from, to, facts);
  throw new RefusedError("Status", message, [{ rule, field: "Status", message }]);
}

/** Where a caller may take a document, from nothing and from each state. */
export type Moves<S extends string> = Readonly<Record<S | "create", readonly S[]>>;

/**
 * The life cycle of documents that a caller alone moves: nothing settles them.
 *
 * @param rules  its other rules; `notMoved` says `notModified` where it has nothing better to say
 */
export function markedLifeCycle<S extends string>(
  moves: Moves<S>,
  rules: Omit<LifeCycle<S>, "transitions" | "notMoved"> & {
    readonly notMoved: (from: S, to: S) => string | undefined;
  },
): LifeCycle<string> {
  const transitions = Object.entries<readonly S[]>(moves).flatMap(([from, tos]) =>
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
 * The life cycle of invoices and bills.
 *
 * @source service document, States and transitions, Invoice. Its last row is a settlement; the row
 *   back is what deleting a payment does. A document with a total of zero is PAID from its approval
 *   on with nothing applied to it: it is edited and voided like one that is AUTHORISED.
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
 * The life cycle of a document that is settled by money: an invoice, a bill, a credit note.
 *
 * @param name  what messages call it, as clients know them: `Invoice`
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
    notMoved: (from, to, { applied }) => {
      if (from === "AUTHORISED" && to === "DELETED") {
        return `An AUTHORISED ${noun} cannot be deleted; it can only be voided`;
      }
      const live = from === "AUTHORISED" || from === "PAID";
      if (live && applied && to !== "PAID" && to !== "DELETED") {
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

/**
 * The life cycle of money that was received or spent: it stands from the start, until it is deleted.
 */
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
 * The life cycle of a prepayment or an overpayment: it is never edited, used up by allocations and
 * refunds, and voided while there are none of these.
 *
 * @param name  what messages call it: `prepayment`
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

/** Whether what a document in this state posts is in the ledger. */
export function isApproved<S extends string>(cycle: LifeCycle<S>, status: S): boolean {
  return cycle.approved.includes(status);
}

/**
 * The status of an approved document after money was applied to it or taken back.
 *
 * @param amountDue  what is outstanding now; a total of zero is settled by approval
 */
export function settledStatus(amountDue: Cents): "AUTHORISED" | "PAID" {
  return amountDue === 0 ? "PAID" : "AUTHORISED";
}

/** Fields of a document that posts nothing and owes nothing by them, so they are never frozen. */
const neverFrozen: ReadonlySet<string> = new Set([
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

/** Fields that approval fixes for good. */
const fixedByApproval: ReadonlySet<string> = new Set(["Type", "CurrencyCode"]);

/**
 * Refuses an edit that the state of the document does not allow.
 *
 * A deleted or voided document takes none. One with anything applied to it takes only fields that
 * change no posting. An approved one keeps its type and currency.
 *
 * @param applied        whether live payments or credits are applied
 * @param changedFields  names of the fields whose value would change; of a line's fields
 *   `LineItems.Description` when nothing but descriptions changes, else `LineItems`
 * @throws RefusedError `Status`, `Frozen`
 */
export function mayEdit<S extends string>(
  cycle: LifeCycle<S>,
  status: S,
  applied: boolean,
  changedFields: Iterable<string>,
): void {
  if (cycle.ended.includes(status)) throw new RefusedError("Status", cycle.notModified);
  if (!isApproved(cycle, status)) return;
  for (const field of changedFields) {
    if (applied && !neverFrozen.has(field)) {
      throw new RefusedError("Frozen", frozen, [{ rule: "Applied", field, message: frozen }]);
    }
    if (fixedByApproval.has(field)) {
      const message = `The ${field} of an approved document cannot be changed.`;
      throw new RefusedError("Frozen", message, [{ field, message }]);
    }
  }
}

/** Whether the document may be emailed to its contact. */
export function mayEmail(type: "ACCREC" | "ACCPAY", status: InvoiceStatus): boolean {
  return (
    type === "ACCREC" && (status === "SUBMITTED" || status === "AUTHORISED" || status === "PAID")
  );
}
