/**
 * POST /Extensions/PaymentFiles/{BatchPaymentID}: the payment file that instructs the bank to pay a
 * batch.
 */

import { countryCode } from "../../e-invoices/index.ts";
import { addressFor, toLetters } from "../../output/documents/parties.ts";
import {
  creditorReferenceIn,
  type OrderedPayment,
  type PaymentOrder,
  paymentFile,
  usualFormat,
} from "../../payment-files/index.ts";
import { fileName, inlineDisposition } from "../../platform/file-name.ts";
import { amountText } from "../../resources/common.ts";
import type { Contact } from "../../resources/contact.ts";
import { refusal, refusalFor } from "../../resources/errors.ts";
import type { HistoryRecord } from "../../resources/history.ts";
import { account, batchPayment, contact, invoice } from "../../resources/index.ts";
import { paymentFileFormats } from "../../resources/payment-file.ts";
import { counted } from "../../resources/scalar.ts";
import { fetch } from "../../store/mapping/records.ts";
import { recordAct } from "../../store/operations/audit-log.ts";
import { historyOf } from "../../store/records/history.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { notesHeader } from "../../wire/http.ts";
import { actorOf } from "../audit/actors.ts";
import { organisationContext, type RequestContext } from "../request/context.ts";
import { locate } from "../request/endpoint.ts";
import { enter } from "../request/history.ts";
import type { RouteHandler } from "../request/route.ts";
import { unique } from "../request/unique.ts";
import { batchPayments, membersOf, type StoredBatch } from "./batch-payments.ts";
import type { StoredPayment } from "./payments.ts";

/** History note of a payment file, by which a second one is detected. */
const fileWritten = "Payment file written";

/**
 * Writes a payment file and its history note in one transaction.
 *
 * @throws RefusedError with all faults
 */
export const writePaymentFile: RouteHandler = async (call, key) => {
  const wantedFormat = call.query.choice("format", paymentFileFormats);
  return call.write(async (tx) => {
    const batch = await locate(call, tx, batchPayments, key);
    const earlierFiles = (await historyOf(tx, batchPayment.name, batch.BatchPaymentID)).filter(
      ({ Changes }) => Changes === fileWritten,
    );
    checkWritten(batch, call.query.boolean("again") === true ? [] : earlierFiles);
    const order = await orderOf(call, tx, batch, earlierFiles.length);
    const { currency, total, payments, day } = order;
    const format = wantedFormat ?? usualFormat(order.payer.account, order);
    const file = paymentFile(format, order);
    if ("faults" in file) throw refusalFor(file.faults);
    const count = counted(payments.length, "payment");
    const sum = `${currency} ${amountText(total, currency)}`;
    const again = earlierFiles.length === 0 ? "" : " once more";
    await enter(call, tx, batchPayment, batch.BatchPaymentID, {
      changes: fileWritten,
      details: `For the bank as ${format}${again}: ${count} of ${sum} on ${day}.`,
    });
    const { BatchPaymentID: subjectId } = batch;
    const subject = `the payment file of a batch of ${count} of ${sum} as ${format}`;
    await recordAct(tx, {
      kind: "book.exported",
      by: actorOf(call),
      at: call.now(),
      subject,
      subjectId,
    });
    const name = fileName(
      `payments-${day}-${batch.Handle ?? subjectId.slice(0, 8)}`,
      "payments",
      file.extension,
    );
    const notes = [`${count} of ${sum} on ${day}, as ${format}.`, ...file.notes].join("\n");
    return {
      status: 200,
      headers: {
        "content-type": file.contentType,
        "content-disposition": inlineDisposition(name),
        "x-content-type-options": "nosniff",
        [notesHeader]: encodeURIComponent(notes),
      },
      body: file.text,
    };
  });
};

/**
 * Checks that the batch may have a file.
 *
 * @param last  the newest earlier file of the batch
 */
function checkWritten({ Status, Type }: StoredBatch, [last]: readonly HistoryRecord[]): void {
  if (Type !== "PAYBATCH") {
    throw refusal(
      "PaymentFile",
      "A payment file is of bills that are paid; this batch is of money that was received.",
    );
  }
  if (Status === "DELETED")
    throw refusal("Status", "The batch payment is deleted: there is nothing to pay.");
  if (last === undefined) return;
  const at = new Date(last.DateUTC).toISOString().slice(0, 16).replace("T", " ");
  throw refusal(
    "PaidOnce",
    `A payment file of this batch was written already, at ${at} UTC by ${last.User ?? "somebody"}: --again writes it once more.`,
  );
}

async function orderOf(
  call: RequestContext,
  tx: Tx,
  batch: StoredBatch,
  earlierFiles: number,
): Promise<PaymentOrder> {
  const { organisation, today } = await organisationContext(call, tx);
  const id = batch.BatchPaymentID;
  const members = (await membersOf(tx, [id])).get(id) ?? [];
  const livePayments = members.filter(({ Status }) => Status === "AUTHORISED");
  const total = livePayments.reduce((sum, { Amount }) => sum + Amount, 0);
  if (livePayments.length < members.length || total !== batch.TotalAmount) {
    throw refusal(
      "PaymentFile",
      "A payment of the batch is no longer in it, so the file would not come to its total: reverse the batch and make it anew.",
    );
  }
  const [bank] = await fetch(tx, account, "AccountID", [batch.Account?.AccountID ?? ""]);
  return {
    id: [id.replaceAll("-", ""), ...(earlierFiles === 0 ? [] : [earlierFiles + 1])].join("-"),
    createdAt: `${new Date(call.now()).toISOString().slice(0, 19)}Z`,
    today,
    day: call.query.day("date") ?? batch.Date,
    currency: bank?.CurrencyCode ?? organisation.BaseCurrency,
    country: organisation.CountryCode,
    payer: {
      name: organisation.LegalName || organisation.Name,
      account: bank?.BankAccountNumber ?? "",
      address: placeOf(organisation),
    },
    payments: await paymentsOf(tx, batch, livePayments),
    total: batch.TotalAmount,
    advice: {
      reference: batch.Reference,
      code: batch.Code,
      particulars: batch.Particulars ?? batch.Details,
    },
    bank: call.query.get("bank"),
    userNumber: call.query.get("userNumber"),
  };
}

async function paymentsOf(
  tx: Tx,
  { Details }: StoredBatch,
  members: readonly StoredPayment[],
): Promise<OrderedPayment[]> {
  const ids = unique(members.map((member) => member.Invoice?.InvoiceID));
  const billById = new Map(
    (await fetch(tx, invoice, "InvoiceID", ids)).map((record) => [record.InvoiceID, record]),
  );
  const contactIds = unique([...billById.values()].map(({ Contact }) => Contact?.ContactID));
  const payeeById = new Map(
    (await fetch(tx, contact, "ContactID", contactIds)).map((record) => [record.ContactID, record]),
  );
  return members.map((member) => {
    const bill = billById.get(member.Invoice?.InvoiceID ?? "");
    const payee = payeeById.get(bill?.Contact?.ContactID ?? "");
    const number = bill?.InvoiceNumber ?? "";
    const payeeDefaults = payee?.BatchPayments ?? {};
    const references = [member.Details, member.Reference, bill?.Reference, number];
    return {
      id: member.PaymentID.replaceAll("-", ""),
      name: payeeDefaults.BankAccountName || payee?.Name || "",
      account: accountOfPayee(member, payee),
      address: payee && placeOf(payee),
      amount: member.Amount,
      advice: {
        reference: member.Reference || payeeDefaults.Reference || undefined,
        code: member.Code || payeeDefaults.Code,
        particulars: member.Particulars,
      },
      text: member.Details || payeeDefaults.Details || number || Details || "",
      creditorReference: creditorReferenceIn(references),
    };
  });
}

/** Returns the account that a payment goes to: its own, or else the contact's; empty for none. */
export const accountOfPayee = (
  { BankAccountNumber }: StoredPayment,
  { BatchPayments, BankAccountDetails }: Partial<Contact> = {},
): string => BankAccountNumber || BatchPayments?.BankAccountNumber || BankAccountDetails || "";

/** Returns town and country of the first address that has both. */
function placeOf({ Addresses }: Pick<Partial<Contact>, "Addresses">): OrderedPayment["address"] {
  const { City: town, Country } = addressFor(Addresses, toLetters) ?? {};
  const country = countryCode(Country);
  return town && country ? { town, country } : undefined;
}
