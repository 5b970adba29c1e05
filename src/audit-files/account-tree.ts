/**
 * Path of an account in the account tree of plain-text bookkeeping (hledger, beancount).
 *
 * The class of the account is the root and its type the branch, so that a section of a report is a
 * branch of the tree.
 */

import type { AccountType } from "../ledger/regions/region.ts";
import { UnavailableError } from "../resources/errors.ts";

export interface AccountPath {
  readonly root: "assets" | "liabilities" | "equity" | "revenues" | "expenses";
  /**
   * Level between the root and the account; undefined where the account is directly below the root.
   */
  readonly branch?: string;
  /** Type code of the account in hledger: asset, cash, liability, equity, revenue, expense. */
  readonly type: "A" | "C" | "L" | "E" | "R" | "X";
}

const paths: Readonly<Record<AccountType, AccountPath>> = {
  BANK: { root: "assets", branch: "bank", type: "C" },
  CURRENT: { root: "assets", branch: "current", type: "A" },
  INVENTORY: { root: "assets", branch: "inventory", type: "A" },
  PREPAYMENT: { root: "assets", branch: "prepayments", type: "A" },
  FIXED: { root: "assets", branch: "fixed", type: "A" },
  NONCURRENT: { root: "assets", branch: "non-current", type: "A" },
  CURRLIAB: { root: "liabilities", branch: "current", type: "L" },
  LIABILITY: { root: "liabilities", branch: "other", type: "L" },
  TERMLIAB: { root: "liabilities", branch: "non-current", type: "L" },
  PAYG: { root: "liabilities", branch: "payg", type: "L" },
  EQUITY: { root: "equity", type: "E" },
  REVENUE: { root: "revenues", branch: "revenue", type: "R" },
  SALES: { root: "revenues", branch: "sales", type: "R" },
  OTHERINCOME: { root: "revenues", branch: "other", type: "R" },
  DIRECTCOSTS: { root: "expenses", branch: "direct costs", type: "X" },
  EXPENSE: { root: "expenses", branch: "expense", type: "X" },
  OVERHEADS: { root: "expenses", branch: "overheads", type: "X" },
  DEPRECIATN: { root: "expenses", branch: "depreciation", type: "X" },
  PAYGLIABILITY: { root: "liabilities", branch: "payg", type: "L" },
  SUPERANNUATIONEXPENSE: { root: "expenses", branch: "superannuation", type: "X" },
  SUPERANNUATIONLIABILITY: { root: "liabilities", branch: "superannuation", type: "L" },
  WAGESEXPENSE: { root: "expenses", branch: "wages", type: "X" },
  WAGESPAYABLELIABILITY: { root: "liabilities", branch: "wages", type: "L" },
};

/**
 * Path of an account by its type.
 *
 * @throws UnavailableError `UnknownType` for an account type that only another service has
 */
export function accountPathOf({ type, name }: NamedAccount): AccountPath {
  const path = paths[type as AccountType] as AccountPath | undefined;
  if (path !== undefined) return path;
  throw new UnavailableError(
    "UnknownType",
    `The account ${name} is of a type ${type}, and where that belongs is not known.`,
  );
}

/** Facts of an account that both the chart and a journal line give. */
export interface NamedAccount {
  readonly id: string;
  readonly code: string | undefined;
  readonly name: string;
  readonly type: string;
}

/**
 * Unique names of accounts: names that a format would make equal, for instance because it drops the
 * only character that differs, get a number.
 */
export class AccountNames {
  readonly #write: (account: NamedAccount, path: AccountPath) => string;
  readonly #byId = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(write: (account: NamedAccount, path: AccountPath) => string) {
    this.#write = write;
  }

  /** Name of an account. @returns the name, and whether this is its first use */
  of(account: NamedAccount): { name: string; isNew: boolean } {
    const knownName = this.#byId.get(account.id);
    if (knownName !== undefined) return { name: knownName, isNew: false };
    const written = this.#write(account, accountPathOf(account));
    let name = written;
    for (let next = 2; this.#taken.has(name.toLowerCase()); next += 1) name = `${written}-${next}`;
    this.#taken.add(name.toLowerCase());
    this.#byId.set(account.id, name);
    return { name, isNew: true };
  }
}
