/**
 * What people type for a command that is called otherwise: the words of their trade, or of another
 * program. A word alone stands for itself in any place; after a noun it may mean something else.
 */
export const hints: Readonly<Record<string, string>> = {
  approve: "invoice approve",
  backup: "book backup",
  balance: "report trial-balance",
  charge: "invoice create",
  chart: "account list",
  client: "contact list",
  company: "organisation show",
  convert: "quote invoice",
  copy: "invoice copy",
  credit: "credit-note create",
  customer: "contact list",
  deposit: "bank-transaction create",
  email: "invoice email",
  estimate: "quote create",
  expense: "bill create",
  file: "attachment add",
  ledger: "journal list",
  lock: "organisation update",
  login: "auth login",
  logout: "auth logout",
  note: "history add",
  offer: "quote create",
  order: "purchase-order create",
  paid: "payment list",
  pay: "payment apply",
  pdf: "invoice pdf",
  person: "user list",
  pnl: "report pl",
  product: "item list",
  profit: "report pl",
  purchase: "bill create",
  rate: "currency rate",
  receive: "bank-transaction create",
  recurring: "repeating-invoice list",
  refund: "credit-note refund",
  remind: "invoice remind",
  restore: "book restore",
  sale: "invoice create",
  send: "invoice email",
  service: "item list",
  spend: "bank-transaction create",
  supplier: "contact list",
  tax: "tax-rate list",
  token: "auth token",
  transfer: "bank-transfer create",
  vendor: "contact list",
  verify: "book verify",
  void: "invoice void",
  whoami: "auth status",

  "bill cancel": "bill void",
  "bill pay": "payment apply",
  "bill print": "bill pdf",
  "bill refund": "credit-note create",
  "bill remove": "bill delete",
  "book close": "organisation update",
  "book lock": "organisation update",
  "contact delete": "contact archive",
  "contact remove": "contact archive",
  "credit-note pay": "credit-note refund",
  "invoice cancel": "invoice void",
  "invoice credit": "credit-note create",
  "invoice pay": "payment apply",
  "invoice print": "invoice pdf",
  "invoice refund": "credit-note create",
  "invoice remove": "invoice delete",
  "invoice reminder": "invoice remind",
  "invoice send": "invoice email",
  "organisation lock": "organisation update",
  "payment add": "payment apply",
  "payment create": "payment apply",
  "payment new": "payment apply",
  "payment void": "payment reverse",
  "quote convert": "quote invoice",
  "report balance": "report balance-sheet",
  "report profit": "report pl",
};

/** What a word means after the words before it; a plural is what its singular is. */
export function hintFor(path: readonly string[], word: string): string | undefined {
  const typed = word.toLowerCase();
  const words = [typed, typed.replace(/ies$/, "y"), typed.replace(/s$/, "")];
  for (const each of words) {
    const key = [...path, each].join(" ");
    if (Object.hasOwn(hints, key)) return hints[key];
  }
  return undefined;
}
