/** Accounts in the order in which a statement line is likely to go to them. */

import type { Client } from "../../../client/client.ts";
import { learntText } from "../../../ledger/bank-matching/line-rules.ts";
import type { Account } from "../../../resources/account.ts";
import { type BankStatementLine, bankStatementLine } from "../../../resources/bank-statement.ts";
import { bankTransaction } from "../../../resources/index.ts";

/** How often accounts were used for money of a bank account, by code. */
export interface AccountUse {
  readonly in: ReadonlyMap<string, number>;
  readonly out: ReadonlyMap<string, number>;
  readonly byContact: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Codes by the text of the lines that became the transactions. */
  readonly byText: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Number of the last transactions and lines that are counted. */
const countedMax = 300;

/** Counts the accounts of the last money spent and received. */
export async function accountUse(client: Client): Promise<AccountUse> {
  const use = { in: new Map(), out: new Map(), byContact: new Map(), byText: new Map() } as const;
  const codesById = new Map<string, readonly string[]>();
  const list = { order: "Date DESC", limit: countedMax } as const;
  for await (const record of client.list(bankTransaction, {
    ...list,
    where: 'Status=="AUTHORISED"',
  })) {
    const { Type, Contact, LineItems = [], BankTransactionID } = record;
    const accountCodes = LineItems.flatMap(({ AccountCode }) => AccountCode ?? []);
    codesById.set(BankTransactionID, accountCodes);
    for (const code of accountCodes) {
      count(Type.startsWith("RECEIVE") ? use.in : use.out, code);
      count(countsUnder(use.byContact, (Contact?.Name ?? "").toLowerCase()), code);
    }
  }
  const reconciled = { ...list, where: 'Status=="RECONCILED"' };
  for await (const line of client.list(bankStatementLine, reconciled)) {
    const used = (line.Matches ?? []).flatMap(({ RecordID = "" }) => codesById.get(RecordID) ?? []);
    for (const code of used) count(countsUnder(use.byText, textOf(line)), code);
  }
  return use;
}

function count(countByCode: Map<string, number>, code: string): void {
  countByCode.set(code, (countByCode.get(code) ?? 0) + 1);
}

function countsUnder(all: Map<string, Map<string, number>>, key: string): Map<string, number> {
  const countByCode = all.get(key) ?? new Map<string, number>();
  all.set(key, countByCode);
  return countByCode;
}

const textOf = ({ Payee, Description = "" }: BankStatementLine): string =>
  learntText({ payee: Payee, text: Description });

/** System accounts that only the ledger posts to. */
const keptByLedger = ["DEBTORS", "CREDITORS", "RETAINEDEARNINGS", "TRACKINGTRANSFERS"];

/** Whether money of a line may be booked to an account. */
export const mayTake = ({ Type, Code, SystemAccount = "" }: Account): boolean =>
  Type !== "BANK" &&
  Code !== undefined &&
  !keptByLedger.includes(SystemAccount) &&
  !SystemAccount.endsWith("CURRENCYGAIN");

/** Accounts of bank fees, rounding and exchange, by name. */
const ofDifferences = /bank (fee|charge)|rounding|exchange|currency/i;

interface AccountPurpose {
  readonly contact?: string | undefined;
  /** Whether the account is of a difference between documents and line. */
  readonly difference?: number | undefined;
  /** Of a deposit, the codes of its usual accounts, the first one first. */
  readonly deposits?: readonly string[] | undefined;
}

/**
 * Orders accounts: of the contact, of lines with like text, those used in the direction of the
 * line, the rest by code. Money out never begins with income, a difference begins with fees, a
 * deposit with income in advance or prepayments.
 */
export function sortByUse(
  accounts: readonly Account[],
  use: AccountUse,
  line: BankStatementLine,
  { contact = "", difference, deposits }: AccountPurpose,
): Account[] {
  const countsOfContact = use.byContact.get(contact.toLowerCase());
  const countsOfText = use.byText.get(textOf(line));
  const countsOfDirection = line.Amount > 0 ? use.in : use.out;
  const against = line.Amount > 0 ? "EXPENSE" : "REVENUE";
  const weight = ({ Code = "", Class, Name, SystemAccount }: Account): number => {
    if (difference !== undefined) {
      return SystemAccount === "ROUNDING" || ofDifferences.test(Name) ? 1 : 0;
    }
    if (deposits !== undefined) return deposits.toReversed().indexOf(Code);
    if (Class === against) return -1;
    const counts = [countsOfContact, countsOfText, countsOfDirection].map((countByCode) =>
      Math.min(countByCode?.get(Code) ?? 0, 999),
    );
    return counts.reduce((sum, count) => sum * 1000 + count, 0);
  };
  return accounts.toSorted((a, b) => weight(b) - weight(a));
}
