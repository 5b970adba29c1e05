/** A transfer between two bank accounts; it can be created and deleted, but not changed. */

import { account } from "./account.ts";
import { attachments } from "./attachment.ts";
import { currencyCodes, hasAttachments, lineTracking } from "./common.ts";
import { exampleHandles } from "./examples.ts";
import {
  boolean,
  choice,
  date,
  id,
  money,
  rate,
  readOnly,
  ref,
  resource,
  type Shape,
  shortId,
  text,
  timestamp,
  usualAccess,
} from "./field.ts";

export const bankTransfer = resource(
  "BankTransfer",
  () => ({
    BankTransferID: id({ always: true }),
    Handle: shortId("TR"),
    FromBankAccount: ref("Account", ["AccountID", "Code"], account.fields, {
      required: true,
      filter: true,
      help: "the bank account that the money leaves",
    }),
    ToBankAccount: ref("Account", ["AccountID", "Code"], account.fields, {
      required: true,
      filter: true,
      help: "the bank account that the money comes to",
    }),
    Amount: money({ required: true, filter: true, help: "in the currency of the first account" }),
    Date: date({ always: true, filter: true, help: "today when not given" }),
    Reference: text({ max: 255, filter: true }),
    FromIsReconciled: boolean({ default: false, always: true }),
    ToIsReconciled: boolean({ default: false, always: true }),
    FromTracking: lineTracking,
    ToTracking: lineTracking,
    CurrencyCode: choice(currencyCodes, { ...readOnly, computed: true, help: "of the amount" }),
    CurrencyRate: rate({ ...readOnly, always: true }),
    FromBankTransactionID: id({ ...readOnly, always: true }),
    ToBankTransactionID: id({ ...readOnly, always: true }),
    HasAttachments: hasAttachments,
    Attachments: attachments,
    CreatedDateUTC: timestamp({ ...readOnly, always: true, twin: "CreatedDateUTCString" }),
    Status: choice(["AUTHORISED", "DELETED"], {
      default: "AUTHORISED",
      always: true,
      filter: true,
    }),
  }),
  {
    plural: "BankTransfers",
    id: "BankTransferID",
    ...usualAccess,
    summarizeErrors: false,
    changedAt: "CreatedDateUTC",
    attachments: true,
    sums: ["Amount"],
    columns: [
      "Handle",
      "BankTransferID",
      "Date",
      "FromBankAccount.Code",
      "ToBankAccount.Code",
      "Amount",
      "Reference",
      "Status",
    ],
    listOrder: "Date DESC, CreatedDateUTC DESC",
    alike: { fields: ["FromBankAccount", "ToBankAccount", "Date", "Amount", "Reference"] },
    noun: "bank transfer",
    example: exampleHandles.bankTransfer,
    summary: "money moved between bank accounts",
  },
);

export type BankTransfer = Shape<typeof bankTransfer>;
