/** What bears no number and is named by its id: money received, spent, moved, or left over. */
import { type BankTransaction, bankTransaction } from "../../resources/bank-transaction.ts";
import { type BankTransfer, bankTransfer } from "../../resources/bank-transfer.ts";
import { type BatchPayment, batchPayment } from "../../resources/batch-payment.ts";
import { writeDecimal } from "../../resources/decimal.ts";
import type { Resource } from "../../resources/field.ts";
import { type ManualJournal, manualJournal } from "../../resources/manual-journal.ts";
import {
  type Overpayment,
  overpayment,
  type Prepayment,
  prepayment,
} from "../../resources/prepayment.ts";

/** What a person is shown beside the id; of records as their description has them. */
interface Moneyed {
  readonly resource: Resource;
  readonly textOf: (record: never) => readonly (string | undefined)[];
}

const left = ({ Date: day, Contact, RemainingCredit }: Prepayment | Overpayment) => [
  day,
  Contact?.Name,
  writeDecimal(RemainingCredit, 2),
  "left",
];

/** By what completion calls them. */
export const moneyed: Readonly<Record<string, Moneyed>> = {
  "bank-transaction": {
    resource: bankTransaction,
    textOf: ({ Date: day, Type, Contact, Total }: BankTransaction) => [
      day,
      Type,
      Contact?.Name,
      writeDecimal(Total, 2),
    ],
  },
  "bank-transfer": {
    resource: bankTransfer,
    textOf: ({ Date: day, Amount, Reference }: BankTransfer) => [
      day,
      writeDecimal(Amount, 2),
      Reference,
    ],
  },
  "batch-payment": {
    resource: batchPayment,
    textOf: ({ Date: day, Type, TotalAmount }: BatchPayment) => [
      day,
      Type,
      writeDecimal(TotalAmount, 2),
    ],
  },
  "manual-journal": {
    resource: manualJournal,
    textOf: ({ Date: day, Narration }: ManualJournal) => [day, Narration],
  },
  prepayment: { resource: prepayment, textOf: left },
  overpayment: { resource: overpayment, textOf: left },
};
