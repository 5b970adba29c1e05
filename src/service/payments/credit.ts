/** Credits: what may be applied to invoices, or refunded. */
import type { OpenCredit } from "../../ledger/allocation.ts";
import type { PostedJournal } from "../../ledger/journal.ts";
import { type Cents, writeDecimal } from "../../resources/decimal.ts";
import { allocationsOf } from "../../store/ledger/allocations.ts";
import type { Tx } from "../../store/store.ts";
import { documentResources, idOf, openOf } from "../documents/document-resources.ts";
import { isApplied } from "../documents/draft.ts";
import { paymentsOf } from "../documents/expand.ts";
import { type CreditRules, kindOf, kindOfType } from "../documents/kinds.ts";
import { owedOf, type StoredDocument } from "../documents/stored.ts";
import { grouped } from "../grouped.ts";
import { refusal } from "../request/faults.ts";

/** How a kind of document is applied to others. @throws Error for one that is no credit */
export function creditRules(document: StoredDocument): CreditRules {
  const { credits } = kindOf(document);
  if (credits === undefined) throw new Error(`A ${document.Type} is no credit.`);
  return credits;
}

/**
 * A credit as an allocation or a refund finds it.
 *
 * @param live     live journals of the credit
 * @param control  AccountID of the account that it is owed on, where it has no bank account
 */
export function openCredit(
  credit: StoredDocument,
  live: readonly PostedJournal[],
  control: string,
): OpenCredit {
  const { family } = kindOf(credit);
  const id = idOf(family, credit);
  const { standsOn, isCash, sourceType } = creditRules(credit);
  const accrual = live.filter(({ basis }) => basis === "accrual");
  const bank = credit.BankAccount?.AccountID ?? control;
  return {
    id,
    sourceType,
    standsOn,
    isCash,
    rate: credit.CurrencyRate,
    total: owedOf(credit),
    remaining: openOf(family, credit),
    openBase: credit.BaseDue,
    coded: accrual
      .filter((each) => isApproval(each, id))
      .flatMap(postingsOf)
      .filter(({ account, line }) => account !== bank || line !== undefined),
    released: accrual.filter((each) => !isApproval(each, id)).flatMap(postingsOf),
    recognisedTotal: recognisedOf(credit),
    recognised: live.filter(({ basis }) => basis === "cash").flatMap(postingsOf),
  };
}

/**
 * What prepayments and overpayments were used for, a sentence each that says what to take back
 * before one of them can be voided; by the id of the credit.
 */
export async function loadUses(
  tx: Tx,
  documents: readonly StoredDocument[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const uses = new Map<string, string[]>();
  const use = (id: string, sentence: string) => uses.set(id, [...(uses.get(id) ?? []), sentence]);
  const applied = documents.filter((each) => isApplied(each) && isBankCredit(each));
  for (const [family, credits] of grouped(applied, (each) => kindOf(each).family)) {
    const { noun } = family.resource;
    const ids = credits.map(bankCreditId);
    for (const each of await allocationsOf(tx, "credit", ids)) {
      const invoice = each.invoiceNumber ?? each.invoiceId;
      const amount = writeDecimal(each.amount, 2);
      use(
        each.creditId,
        `${amount} of this ${noun} is allocated to ${invoice}: delete the allocation first.`,
      );
    }
    for (const [id, payments] of await paymentsOf(tx, family, ids)) {
      for (const { Amount = 0, Date: date } of payments) {
        use(
          id,
          `${writeDecimal(Amount, 2)} of this ${noun} was refunded on ${date}: ` +
            "delete the payment first.",
        );
      }
    }
  }
  return uses;
}

/** @throws RefusedError with what a credit was used for, where it was */
export function checkUses(sentences: readonly string[] = []): void {
  if (sentences.length > 0) throw refusal([...sentences]);
}

const isBankCredit = (document: StoredDocument) =>
  kindOfType(document.Type)?.deletedAs === "VOIDED";

/** The id of a prepayment or an overpayment, by whichever name it was read. */
function bankCreditId(document: StoredDocument): string {
  return (
    idOf(documentResources.bankTransaction, document) ?? idOf(kindOf(document).family, document)
  );
}

/** Of what a document comes to, what the cash basis has recognised, in its currency. */
export function recognisedOf({ AmountPaid, CashCredited = 0 as Cents }: StoredDocument): Cents {
  return (AmountPaid + CashCredited) as Cents;
}

/** Whether a journal is that by which a document was approved. */
export const isApproval = ({ basis, sourceId }: PostedJournal, id: string) =>
  basis === "accrual" && sourceId === id;

export const postingsOf = ({ postings }: PostedJournal) => postings;
