/**
 * Why something is refused: the rule behind a sentence, where it is from, and what to do.
 *
 * Refusals are made where their facts are; this registry knows each kind by its sentence. The first
 * row that fits is meant, so that narrow rows stand before wide ones.
 */
/** A rule in one sentence, and where it is from. */
export interface Rule {
  readonly text: string;
  readonly source: string;
}

export interface RefusalRule extends Rule {
  readonly fits: RegExp;
  /** What to do, in a sentence. */
  readonly remedy: string;
}

const service = (heading: string) => `service document, ${heading}`;
const accounting = (what: string) => `accounting practice: ${what}`;

/** By the name of the rule. */
export const refusalRules = {
  LockDate: {
    fits: /lock date|is locked until|period that is locked|which is locked/i,
    text: "Nothing is made, changed or taken back with a date on or before a lock date.",
    source: accounting("a period that was closed stays as it was reported"),
    remedy:
      "Date it after the lock; acct organisation show has the lock dates, and an adviser may move them (acct close).",
  },
  TaxOnAccount: {
    fits: /TaxType code .* cannot be used with account code/,
    text: "A tax rate stands on accounts of the classes that it is meant for alone.",
    source: service("Errors, rule 4"),
    remedy:
      "Choose another tax rate or another account; acct tax-rate list shows on which accounts a rate can stand.",
  },
  TaxAmount: {
    fits: /tax amount .* does not match/i,
    text: "The tax of a bank transaction is what its rate makes of the line, to the cent.",
    source: service("Invoice LineItem, TaxAmount"),
    remedy: "Leave the tax amount out, or give what the sentence expects.",
  },
  LineAmount: {
    fits: /line total .* does not match|LineAmount|larger than the service takes/i,
    text: "The amount of a line is quantity times price less discount, rounded to the cent.",
    source: service("Invoice LineItem, LineAmount"),
    remedy: "Give two of quantity, price and amount, and leave the third out.",
  },
  Discount: {
    fits: /discount/i,
    text: "A line has a rate of discount or an amount of it, on sales alone, and no more than the line.",
    source: service("Invoice LineItem, DiscountRate"),
    remedy: "Give one of the two, between nothing and the amount of the line.",
  },
  AmountOutstanding: {
    fits: /exceeds the amount outstanding|exceeds the remaining credit|remaining credit|more than (?:is|what is) due/i,
    text: "No more is paid or credited than is open: the total less what was paid, credited and withheld.",
    source: service("Payment, Amount"),
    remedy:
      "Give what is due or less; acct explain NUMBER due shows what it is made of. What was paid beyond is an overpayment.",
  },
  AuthorisedOnly: {
    fits: /only be (?:made against|allocated to) Authorised documents|cannot be allocated; approve it|Only approved/i,
    text: "Only an approved document, which is in the books, can be paid or credited.",
    source: service("States and transitions"),
    remedy:
      "Approve it first (acct invoice approve NUMBER); what is void or paid takes nothing more.",
  },
  Applied: {
    fits: /has a payment or credit note allocated|allocated or refunded; take that back|delete the allocation first|was refunded on|has settled is gone/i,
    text: "A document that is paid or credited is not changed or voided while it is.",
    source: service("States and transitions, Invoice"),
    remedy:
      "Take payments and allocations back first (acct payment reverse, acct credit-note unallocate).",
  },
  Reconciled: {
    fits: /reconciled|bank statement line/i,
    text: "What is matched with a line of the bank's statement stays as it is while it is.",
    source: accounting("bank reconciliation"),
    remedy: "Take the match back first (acct bank unmatch LINE).",
  },
  Status: {
    fits: /status|cannot be changed|can only be voided|not of valid status|is (?:deleted|void|disposed|archived|DRAFT|SUBMITTED|VOIDED|DELETED|IGNORED|RECONCILED)\b|was deleted|is deleted already|exists already; PUT/i,
    text: "Each kind of record has states, and goes from one to the next by the steps that there are.",
    source: service("States and transitions"),
    remedy:
      "Look at its state first (acct … show); what is approved is voided and not deleted, what is void stays so.",
  },
  ApprovedFields: {
    fits: /of an approved document cannot|keeps its|cannot become|is given by the service/i,
    text: "What is posted of a document that is in the books is not changed in place.",
    source: accounting("a journal is reversed, never edited"),
    remedy: "Void it and make it anew, or correct it with a credit note.",
  },
  Unique: {
    fits: /must be unique|unique (?:Code|Name)|exists already|already (?:exists|assigned|in use)|is taken|already\.$|bear the number/i,
    text: "Numbers, codes and names by which records are found are there once.",
    source: service("Endpoints, Common request rules"),
    remedy: "Choose another, or change the record that has it.",
  },
  Balanced: {
    fits: /total debits .* must equal total credits|out of balance/i,
    text: "Debits and credits of a journal are equal.",
    source: accounting("double entry"),
    remedy: "Mend the line that is off by the difference.",
  },
  SettlementDay: {
    fits: /^(?:A refund|An allocation) is dated on or after /,
    text: "What settles a document is dated on or after both: the later day of the two documents.",
    source: service("Allocations, Date"),
    remedy: "Give it that day or a later one (--date).",
  },
  NegativeTotal: {
    fits: /total .* (?:cannot|must not) be negative|must be above zero|must not be (?:zero|negative|below)|less than zero/i,
    text: "A document comes to nothing or more, and money that moves to more than nothing.",
    source: service("Invoice, Total"),
    remedy: "What is to be given back is a credit note or a refund.",
  },
  Stock: {
    fits: /not enough|on hand|gone out with sales|tracked item|inventory account/i,
    text: "No more leaves the stock than there is, at its average cost; its account is moved by its items alone.",
    source: service("Item, QuantityOnHand"),
    remedy: "Enter the purchase first; acct explain item CODE quantity shows what moved the stock.",
  },
  Currency: {
    fits: /currency|exchange rate|CurrencyRate|is in [A-Z]{3}, the credit/i,
    text: "A document has one currency, which the organisation keeps, and is paid in that or in the base currency.",
    source: accounting("foreign currencies"),
    remedy:
      "Add the currency or its rate first (acct currency add, acct currency rate), or use an account in it.",
  },
  OneContact: {
    fits: /is of another contact|Contact/,
    text: "A document is of one contact, by whom it is known, and is credited by documents of the same.",
    source: service("Invoice, Contact"),
    remedy:
      "Name a contact that there is (acct contact list), or make it first (acct contact create).",
  },
  SystemAccount: {
    fits: /system account|not a valid code for this document|Account type is invalid|is not a bank account/i,
    text: "Accounts that the books post to by themselves take no lines of documents, and payments go to bank accounts or accounts that take them.",
    source: accounting("control accounts agree with their documents"),
    remedy:
      "Choose another account (acct account list); acct account update CODE --enable-payments-to-account lets one take payments.",
  },
  HasTransactions: {
    fits: /has transactions|stands in a budget|is needed:|cannot be erased/i,
    text: "What the books rest on is not removed.",
    source: accounting("records are kept as long as the law demands"),
    remedy: "Archive it instead.",
  },
  ReturnOrder: {
    fits: /overlaps those published|leaves out days|the next one begins on/i,
    text: "Returns follow each other without a gap and without an overlap, so that every day is in one.",
    source: accounting("a published return never changes; what comes late is in the next"),
    remedy: "Begin on the day that the sentence names.",
  },
  Country: {
    fits: /organisations in|United (?:Kingdom|States)|New Zealand only|Canadian|country|registered for|flat rate|makes a /i,
    text: "Some records and returns are of one country alone.",
    source: service("TaxRate"),
    remedy: "Leave it out; acct organisation show has the country of the books.",
  },
  Deposit: {
    fits: /overpayment (?:has|bears)|prepayment has|is no credit|Items can be on/i,
    text: "An overpayment is one line without tax, since it only waits for its invoice; a prepayment has lines and tax.",
    source: service("Prepayment"),
    remedy: "Use a prepayment where there is tax on it.",
  },
  Transfer: {
    fits: /transfer/i,
    text: "A transfer moves money between two bank accounts of the books.",
    source: accounting("transfers between own accounts are neither income nor cost"),
    remedy: "Name two different bank accounts that are in use.",
  },
  Plan: {
    fits: /plan\b/i,
    text: "A plan does what it shows, once, for books that still are as it found them.",
    source: "docs/plans.md",
    remedy: "Make the plan anew, or have it approved by the person it names.",
  },
  IdempotencyKey: {
    fits: /Idempotency-Key/i,
    text: "A key stands for one request, whose answer is given again where it is repeated.",
    source: service("Endpoints, Common request rules"),
    remedy: "Use a new key for another request.",
  },
  Parameter: {
    fits: /^The (?:parameter|header)|fromDate must not|where|order by/i,
    text: "A request says what it asks for in the words and forms that are described.",
    source: service("Endpoints, Common request rules"),
    remedy: "acct … --help lists the flags and what they take.",
  },
  NoSuch: {
    fits: /there is no|does not exist|is gone|has no (?:option|line|contact)|not found|is not (?:sold|bought)/i,
    text: "What a record names must be in the books, and in use.",
    source: service("Endpoints, Common request rules"),
    remedy: "List what there is (acct … list), or make it first.",
  },
  Required: {
    fits: /required|must be specified|needs? (?:a|at least)|must contain|must be named|must be identified|mandatory|at least one|has a (?:Name|Cost|PurchaseDate)|Say /i,
    text: "A record has everything without which it cannot be kept or posted.",
    source: service("Resources and their fields"),
    remedy: "Give what the sentence names.",
  },
  Limit: {
    fits: /at most|too (?:large|long|many)|characters|limit|decimal places|bytes/i,
    text: "Fields, files and requests have bounds, within which every figure stays exact.",
    source: service("Limits"),
    remedy: "Make it smaller, or send it in parts.",
  },
  Depreciation: {
    fits: /depreciat|asset/i,
    text: "An asset depreciates from its start to its residual value, once for each month.",
    source: accounting("depreciation over the useful life, IAS 16.50"),
    remedy: "acct asset show NUMBER has its terms; acct asset rollback takes months back.",
  },
} as const satisfies Readonly<Record<string, RefusalRule>>;

export type RefusalRuleName = keyof typeof refusalRules;

/** What stands for a refusal of no kind in the registry, by how it ended. */
export const plainRules = {
  usage: {
    text: "A command is told in words that it knows, before anything is sent.",
    source: "docs/reference.md",
    remedy: "acct NOUN VERB --help lists arguments and flags with examples.",
  },
  notFound: {
    text: "What is named must be there.",
    source: service("Errors, status 404"),
    remedy: "List what there is (acct … list).",
  },
  permission: {
    text: "An app has the scopes that it was given, and a person the role in the organisation.",
    source: service("Errors, status 401 and 403"),
    remedy:
      "Sign in again (acct auth login), or ask somebody who may give you the role (acct user list).",
  },
  refused: {
    text: "The service keeps only what is whole and agrees with the books.",
    source: service("Errors, status 400"),
    remedy: "Mend what the sentence names, and send it again; nothing of it was kept.",
  },
  unavailable: {
    text: "The service could not be reached, or had too much to do; nothing is known to have been done.",
    source: service("Errors, status 503"),
    remedy: "Try again later; with the same --idempotency-key nothing is done twice.",
  },
} as const satisfies Readonly<Record<string, Rule & { readonly remedy: string }>>;

/** How a command ended. */
export type PlainRuleName = keyof typeof plainRules;

export interface FoundRule extends Rule {
  readonly id: string;
  readonly remedy: string;
}

/**
 * The rule of a refusal: that of its code, or else of its sentence without what it quotes; that of how
 * it ended where the registry has none.
 */
export function ruleOf(
  message: string,
  ended: PlainRuleName = "refused",
  code?: string | undefined,
): FoundRule {
  const id = ended === "refused" || ended === "notFound" ? named(message, ended, code) : undefined;
  if (id === undefined) {
    const plain = ended.charAt(0).toUpperCase() + ended.slice(1);
    return { id: plain, ...plainRules[ended] };
  }
  const { text, source, remedy } = refusalRules[id];
  return { id, text, source, remedy };
}

const names = Object.keys(refusalRules) as RefusalRuleName[];
const quoted = /(?<![\p{L}\p{N}])(?:'[^']*'|"[^"]*")(?![\p{L}\p{N}])/gu;

function named(message: string, ended: PlainRuleName, code: string | undefined) {
  const own = names.find((name) => name === code);
  // What is not there is named last in the sentence, and its name may hold any words.
  if (own !== undefined || ended === "notFound" || message.startsWith("There is no "))
    return own ?? "NoSuch";
  const said = message.replace(quoted, "…");
  return names.find((name) => refusalRules[name].fits.test(said));
}
