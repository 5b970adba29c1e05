/** Writes to /Payments: payments are made and reversed. */
import { checkLock } from "../../ledger/locks.ts";
import { NotFoundError, refusal } from "../../resources/errors.ts";
import { text } from "../../resources/field.ts";
import { payment } from "../../resources/index.ts";
import type { Payment } from "../../resources/payment.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { checkUnmatched } from "../documents/unmatched.ts";
import {
  loadPaymentContext,
  loadSettlementContext,
  noteOfPayment,
  type PaymentContext,
  type PaymentRequest,
  pay,
  preparePayment,
  reversePayment,
  type StoredPayment,
  savePayments,
  saveReversedPayments,
} from "../payments/payments.ts";
import { withSign } from "../payments/shown-payment.ts";
import { answer } from "../request/answer.ts";
import { organisationContext, type RequestContext } from "../request/context.ts";
import { type Endpoint, locate, type RecordWriter } from "../request/endpoint.ts";
import { Faults } from "../request/faults.ts";
import { readInputs, readOptional, warningsOfUnkept, write } from "../request/write.ts";

/** Fields that name target and account beside these objects instead of inside them. */
const flat = { InvoiceNumber: text(), CreditNoteNumber: text(), Code: text() } as const;

/** Fields of the document that is paid, which may be sent if they are right. */
const { PaymentType, CurrencyCode } = payment.fields;
const alsoAccepts = {
  ...flat,
  PaymentType: { ...PaymentType, readOnly: false },
  CurrencyCode: { ...CurrencyCode, readOnly: false },
} as const;

const accepted = { resource: payment, alsoAccepts };

type PaymentEndpoint = Endpoint<StoredPayment, PaymentContext>;

type PaymentInput = Partial<Payment> & {
  readonly [name in keyof typeof flat]?: string | undefined;
};

/** Returns the body with every field in its place by the resource description. */
function inputOf(input: Readonly<Record<string, unknown>>): Partial<Payment> {
  const { InvoiceNumber, CreditNoteNumber, Code, ...sent } = input as PaymentInput;
  if (InvoiceNumber) sent.Invoice = { InvoiceNumber, ...sent.Invoice };
  if (CreditNoteNumber) sent.CreditNote = { CreditNoteNumber, ...sent.CreditNote };
  if (Code) sent.Account = { Code, ...sent.Account };
  return sent;
}

export const paymentWriter: RecordWriter<StoredPayment, PaymentContext> = {
  alsoAccepts,

  load: (batch) => {
    const inputs = batch.entries.map(({ input }) => inputOf(input));
    return loadPaymentContext(batch, inputs);
  },

  decide(batch, context, entry) {
    if (entry.existing !== undefined) {
      throw refusal("Status", "A payment cannot be changed; reverse it and make another.");
    }
    const faults = new Faults();
    const prepared = preparePayment(batch, context, inputOf(entry.input), faults);
    faults.check();
    if (prepared === undefined) return;
    pay(batch.call, context, prepared);
    entry.record = prepared.record;
    entry.history.push(noteOfPayment(prepared));
  },

  async keep(batch, context, decisions) {
    await savePayments(
      batch,
      context,
      decisions.flatMap((entry) => entry.record ?? []),
    );
    for (const entry of decisions) entry.record &&= withSign(entry.record);
  },
};

/** POST /Payments: makes one payment, or reverses the named one. */
export async function writePayment(
  call: RequestContext,
  payments: PaymentEndpoint,
): Promise<ServiceResponse> {
  const [only] = readInputs(call, accepted, 1);
  const id = only?.PaymentID;
  if (typeof id === "string" && only?.Status === "DELETED") {
    return postReversal(call, payments, id).catch((error: unknown) => {
      // An unknown id in a body is invalid input (400); only one in a path is 404.
      throw error instanceof NotFoundError ? refusal("NotFound", error.message) : error;
    });
  }
  return write(call, payments, "PUT");
}

/**
 * POST /Payments/{id}: reverses a payment, by the Status DELETED or an empty body.
 *
 * A body with other changes is refused: its sender does not expect a reversal.
 */
export async function postReversal(
  call: RequestContext,
  payments: PaymentEndpoint,
  key: string,
): Promise<ServiceResponse> {
  const sent = readOptional(call, accepted);
  const { PaymentID: _, Status = "DELETED", ...changes } = sent;
  const isChange = sent.Status === undefined && Object.keys(changes).length > 0;
  if (Status !== "DELETED" || isChange) {
    throw refusal("Status", "A payment cannot be changed; its Status can be set to DELETED.");
  }
  return call.write(async (tx) => {
    const situation = { ...(await organisationContext(call, tx)), call, tx };
    const stored = await locate(call, tx, payments, key);
    if (sent.PaymentID !== undefined && sent.PaymentID !== stored.PaymentID) {
      throw refusal(
        "Form",
        `The PaymentID in the body, ${sent.PaymentID}, is not that of the address, ${stored.PaymentID}.`,
      );
    }
    if (stored.Status === "DELETED") throw refusal("Status", "The payment is reversed already.");
    if (stored.BatchPaymentID !== undefined) {
      throw refusal(
        "Applied",
        "A payment of a batch cannot be deleted by itself; delete the batch.",
      );
    }
    await checkUnmatched(tx, [stored.PaymentID]);
    const record = withSign(await reverse(situation, stored));
    const warnings = warningsOfUnkept(payment, sent, { ...record });
    const outcomes = [{ status: "WARNING", errors: [], warnings }] as const;
    return answer(call, payment, [record], "single", warnings.length === 0 ? {} : { outcomes });
  });
}

/** Reverses a payment. @throws RefusedError `LockDate` */
export async function reverse(
  request: PaymentRequest,
  payment: StoredPayment,
): Promise<StoredPayment> {
  checkLock(payment.Date, request.organisation);
  const context = await loadSettlementContext(request.tx, [payment]);
  const record = reversePayment(request.call, context, payment);
  await saveReversedPayments(request, context, [record]);
  return record;
}
