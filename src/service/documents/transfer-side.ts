/**
 * The two sides of a bank transfer as bank transactions: read by their ids, and never listed. They
 * are worked out from the transfer, so that nothing of it is kept twice.
 */
import { baseRate } from "../../ledger/money.ts";
import type { BankTransfer } from "../../resources/bank-transfer.ts";
import type { Cents, UnitAmount } from "../../resources/decimal.ts";
import { bankTransfer } from "../../resources/index.ts";
import { readId } from "../../resources/scalar.ts";
import { fetch, type Kept } from "../../store/mapping/records.ts";
import { attachmentsOf } from "../../store/records/attachments.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { Tx } from "../../store/store.ts";
import type { StoredDocument } from "./stored.ts";

/** The side that bears an id; undefined where no transfer has it. */
export async function transferSide(tx: Tx, key: string): Promise<StoredDocument | undefined> {
  const id = readId(key);
  if (id === undefined) return undefined;
  for (const side of ["From", "To"] as const) {
    const [found] = await fetch(tx, bankTransfer, `${side}BankTransactionID`, [id]);
    if (found === undefined) continue;
    const record = sideOf(found, side, (await organisationOf(tx)).BaseCurrency);
    return { ...record, HasAttachments: (await attachmentsOf(tx, id)).length > 0 };
  }
  return undefined;
}

function sideOf(
  transfer: Kept<typeof bankTransfer.fields>,
  side: "From" | "To",
  base: string,
): StoredDocument {
  const isFrom = side === "From";
  const { FromBankAccount: from, ToBankAccount: to } = transfer;
  const [own, other] = isFrom ? [from, to] : [to, from];
  const Total = isFrom ? transfer.Amount : transfer.ToAmount;
  const CurrencyCode = own.CurrencyCode ?? base;
  const Tracking: BankTransfer["FromTracking"] = transfer[`${side}Tracking`];
  const record = {
    BankTransactionID: transfer[`${side}BankTransactionID`],
    Type: isFrom ? "SPEND-TRANSFER" : "RECEIVE-TRANSFER",
    BankAccount: own,
    Date: transfer.Date,
    Reference: transfer.Reference,
    Status: transfer.Status,
    LineAmountTypes: "NoTax" as const,
    LineItems: [
      {
        Description: `Bank transfer from ${from.Name} to ${to.Name}`,
        UnitAmount: (Total * 100) as UnitAmount,
        AccountCode: other.Code,
        AccountID: other.AccountID,
        TaxType: "NONE",
        TaxAmount: 0 as Cents,
        LineAmount: Total,
        Tracking,
      },
    ],
    SubTotal: Total,
    TotalTax: 0 as Cents,
    Total,
    CurrencyCode,
    CurrencyRate: CurrencyCode === base ? baseRate : transfer.CurrencyRate,
    IsReconciled: transfer[`${side}IsReconciled`],
    AmountPaid: 0 as Cents,
    AmountCredited: 0 as Cents,
    BaseDue: 0 as Cents,
    UpdatedDateUTC: transfer.CreatedDateUTC,
    CreatedDateUTC: transfer.CreatedDateUTC,
  };
  return record;
}
