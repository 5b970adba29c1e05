/**
 * Payments as answers show them: contact and currency of the paid document, and direction of the
 * money.
 */
import type { Payment } from "../../resources/payment.ts";
import type { StoredPayment } from "./payments.ts";

/** Payment types of incoming money: a refund goes in the opposite direction to its document. */
const received: readonly Payment["PaymentType"][] = [
  "ACCRECPAYMENT",
  "APCREDITPAYMENT",
  "APPREPAYMENTPAYMENT",
  "APOVERPAYMENTPAYMENT",
];

/** Returns a payment as it is shown in answers. */
export function withSign(record: StoredPayment): StoredPayment {
  return { ...record, ...partyOf(record), HasAccount: true, HasValidationErrors: false };
}

/** Returns contact, currency and direction of the payment. */
function partyOf(record: StoredPayment): Pick<Payment, "Contact" | "CurrencyCode" | "Direction"> {
  const { Invoice, CreditNote, Prepayment, Overpayment, ExpenseClaim, PaymentType } = record;
  const paid = Invoice ?? CreditNote ?? Prepayment ?? Overpayment ?? ExpenseClaim ?? {};
  const { Contact, CurrencyCode } = paid as Pick<Payment, "CurrencyCode"> & typeof ExpenseClaim;
  return {
    ...(Contact === undefined
      ? {}
      : { Contact: { ContactID: Contact.ContactID, Name: Contact.Name } }),
    ...(CurrencyCode === undefined ? {} : { CurrencyCode }),
    Direction: received.includes(PaymentType) ? "RECEIVED" : "PAID",
  };
}
