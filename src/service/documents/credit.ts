/** Credits: what may be applied to invoices, or refunded. */
import type { OpenCredit } from "../../ledger/allocation.ts";
import type { PostedJournal } from "../../ledger/journal.ts";
import { idOf, openOf } from "./family.ts";
import { type CreditRules, kindOf } from "./kinds.ts";
import { owedOf, type StoredDocument } from "./stored.ts";

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
  };
}

/** Whether a journal is that by which a document was approved. */
export const isApproval = ({ basis, sourceId }: PostedJournal, id: string) =>
  basis === "accrual" && sourceId === id;

export const postingsOf = ({ postings }: PostedJournal) => postings;
