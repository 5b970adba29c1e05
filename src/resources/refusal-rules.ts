/**
 * Registry of the rules behind refusals, each with its source and remedy.
 *
 * A refusal names its rule where it is thrown, and answers contain the name (`Rule` beside
 * `Message`).
 */

/** A rule in one sentence, with its source. */
export interface Rule {
  readonly text: string;
  readonly source: string;
}

export interface RefusalRule extends Rule {
  /** Remedy in one sentence. */
  readonly remedy: string;
}

const service = (heading: string) => `service document, ${heading}`;
const accounting = (practice: string) => `accounting practice: ${practice}`;

/** Rules by name. */
export const refusalRules = {
  LockDate: {
    text: "Nothing is made, changed or taken back with a date on or before a lock date.",
    source: accounting("a period that was closed stays as it was reported"),
    remedy:
      "Date it after the lock; acct organisation show has the lock dates, and an adviser may move them (acct close).",
  },
  TaxOnAccount: {
    text: "A tax rate stands on accounts of the classes that it is meant for alone.",
    source: service("Errors, rule 4"),
    remedy:
      "Choose another tax rate or another account; acct tax-rate list shows on which accounts a rate can stand.",
  },
  TaxAmount: {
    text: "A line that bears no tax has none; the tax of a bank transaction is what its rate makes of the line, to the cent.",
    source: service("Invoice LineItem, TaxAmount"),
    remedy: "Leave the tax amount out, or give what the sentence expects.",
  },
  LineAmount: {
    text: "The amount of a line is quantity times price less discount, rounded to the cent.",
    source: service("Invoice LineItem, LineAmount"),
    remedy: "Give two of quantity, price and amount, and leave the third out.",
  },
  Discount: {
    text: "A line has a rate of discount or an amount of it, on sales alone, and no more than the line.",
    source: service("Invoice LineItem, DiscountRate"),
    remedy: "Give one of the two, between nothing and the amount of the line.",
  },
  AmountOutstanding: {
    text: "No more is paid or credited than is open: the total less what was paid, credited and withheld.",
    source: service("Payment, Amount"),
    remedy:
      "Give what is due or less; acct explain NUMBER due shows what it is made of. What was paid beyond is an overpayment.",
  },
  AuthorisedOnly: {
    text: "Only an approved document, which is in the books, can be paid or credited.",
    source: service("States and transitions"),
    remedy:
      "Approve it first (acct invoice approve NUMBER); what is void or paid takes nothing more.",
  },
  Applied: {
    text: "A document that is paid or credited is not changed or voided while it is.",
    source: service("States and transitions, Invoice"),
    remedy:
      "Take payments and allocations back first (acct payment reverse, acct credit-note unallocate).",
  },
  Reconciled: {
    text: "What is matched with a line of the bank's statement stays as it is while it is.",
    source: accounting("bank reconciliation"),
    remedy: "Take the match back first (acct bank unmatch LINE).",
  },
  Status: {
    text: "Each kind of record has states, and goes from one to the next by the steps that there are.",
    source: service("States and transitions"),
    remedy:
      "A draft is deleted, what is approved is voided, and what is void stays so: acct … show has its state.",
  },
  ApprovedFields: {
    text: "What is posted of a document that is in the books is not changed in place.",
    source: accounting("a journal is reversed, never edited"),
    remedy: "Void it and make it anew, or correct it with a credit note.",
  },
  Unique: {
    text: "Numbers, codes and names by which records are found are there once.",
    source: service("Endpoints, Common request rules"),
    remedy: "Choose another, or change the record that has it.",
  },
  ContactName: {
    text: "Contacts are told apart by their names: no two in use share one.",
    source: service("Contact, Name"),
    remedy:
      "Use the contact that there is (acct contact show NAME), or give this one another name.",
  },
  Ambiguous: {
    text: "What is named is one record: where several are meant by a name, none is taken.",
    source: "docs/reference.md",
    remedy: "Name it by its id, or say more of it; --allow-duplicate makes one like another.",
  },
  Balanced: {
    text: "Debits and credits of a journal are equal.",
    source: accounting("double entry"),
    remedy: "Mend the line that is off by the difference.",
  },
  SettlementDay: {
    text: "What settles a document is dated on or after both: the later day of the two documents.",
    source: service("Allocations, Date"),
    remedy: "Give it that day or a later one (--date).",
  },
  NegativeTotal: {
    text: "A document comes to nothing or more, and money that moves to more than nothing.",
    source: service("Invoice, Total"),
    remedy: "What is to be given back is a credit note or a refund.",
  },
  Stock: {
    text: "No more leaves the stock than there is, at its average cost; its account is moved by its items alone.",
    source: service("Item, QuantityOnHand"),
    remedy: "Enter the purchase first; acct explain item CODE quantity shows what moved the stock.",
  },
  Currency: {
    text: "A document has one currency, which the organisation keeps, and is paid in that or in the base currency.",
    source: accounting("foreign currencies"),
    remedy:
      "Add the currency or its rate first (acct currency add, acct currency rate), or use an account in it.",
  },
  OneContact: {
    text: "A document is of one contact, by whom it is known, and is credited by documents of the same.",
    source: service("Invoice, Contact"),
    remedy:
      "Name a contact that there is (acct contact list), or make it first (acct contact create).",
  },
  SystemAccount: {
    text: "Accounts that the books post to by themselves take no lines of documents, and payments go to bank accounts or accounts that take them.",
    source: accounting("control accounts agree with their documents"),
    remedy:
      "Choose another account (acct account list); acct account update CODE --enable-payments-to-account lets one take payments.",
  },
  HasTransactions: {
    text: "What the books rest on is not removed.",
    source: accounting("records are kept as long as the law demands"),
    remedy: "Archive it instead.",
  },
  ReturnOrder: {
    text: "Returns follow each other without a gap and without an overlap, so that every day is in one.",
    source: accounting("a published return never changes; what comes late is in the next"),
    remedy: "Begin on the day that the sentence names.",
  },
  Country: {
    text: "Some records and returns are of one country alone.",
    source: service("TaxRate"),
    remedy: "Leave it out; acct organisation show has the country of the books.",
  },
  Deposit: {
    text: "An overpayment is one line without tax, since it only waits for its invoice; a prepayment has lines and tax.",
    source: service("Prepayment"),
    remedy: "Use a prepayment where there is tax on it.",
  },
  Transfer: {
    text: "A transfer moves money between two bank accounts of the books.",
    source: accounting("transfers between own accounts are neither income nor cost"),
    remedy: "Name two different bank accounts that are in use.",
  },
  Plan: {
    text: "A plan does what it shows, once, for books that still are as it found them.",
    source: "docs/plans.md",
    remedy: "Make the plan anew, or have it approved by the person it names.",
  },
  PolicyPlanOnly: {
    text: "Who may only plan changes nothing: a plan is made, and a person decides on it.",
    source: "docs/agents.md",
    remedy: "Make a plan, POST /Extensions/Plans; acct policy show says what a policy allows.",
  },
  Policy: {
    text: "A policy says whether an app, a person or an agent reads, plans or applies, and which kinds.",
    source: "docs/agents.md",
    remedy: "Ask somebody who runs the server: acct policy set allows more.",
  },
  AgentNever: {
    text: "An agent approves nothing, opens no closed period, erases nobody and changes no receiver of events.",
    source: "docs/agents.md",
    remedy: "A person who is signed in does it.",
  },
  IdempotencyKey: {
    text: "A key stands for one request, whose answer is given again where it is repeated.",
    source: service("Endpoints, Common request rules"),
    remedy: "Use a new key for another request.",
  },
  Parameter: {
    text: "A request says what it asks for in the words and forms that are described.",
    source: service("Endpoints, Common request rules"),
    remedy: "acct … --help lists the flags and what they take.",
  },
  NotFound: {
    text: "What a record names must be in the books, and in use.",
    source: service("Endpoints, Common request rules"),
    remedy: "List what there is (acct … list), or make it first.",
  },
  Required: {
    text: "A record has everything without which it cannot be kept or posted.",
    source: service("Resources and their fields"),
    remedy: "Give what the sentence names.",
  },
  Limit: {
    text: "Fields, files and requests have bounds, within which every figure stays exact.",
    source: service("Limits"),
    remedy: "Make it smaller, or send it in parts.",
  },
  Depreciation: {
    text: "An asset depreciates from its start to its residual value, once for each month.",
    source: accounting("depreciation over the useful life, IAS 16.50"),
    remedy: "acct asset show NUMBER has its terms; acct asset rollback takes months back.",
  },
  Form: {
    text: "A value has the form that its field demands, and says what it can mean alone.",
    source: service("Resources and their fields"),
    remedy: "Write it as the sentence says.",
  },
  Series: {
    text: "Journals of a series follow each other from its first day to its last.",
    source: "docs/reference.md",
    remedy: "Mend its days (--repeat, --until, --reverse-on).",
  },
  Opening: {
    text: "A book begins with balances that agree with their documents, account by account.",
    source: accounting("opening balances"),
    remedy: "Mend what the sentence names, and give all balances again (acct opening set).",
  },
  File: {
    text: "A file is read whole, in a form that is known, or not at all.",
    source: "docs/importing.md",
    remedy: "Mend the file, or say how it is meant; nothing of it was kept.",
  },
  BankStatement: {
    text: "Lines of a bank go to the account that they are of, each once, with balances that they make.",
    source: "docs/bank.md",
    remedy: "Name the account, or give the file that is of it.",
  },
  PayeeAccount: {
    text: "A payment by file goes to and from an account number that has its form and its check digits.",
    source: "ISO 13616; Inland Revenue, bank account number validation",
    remedy:
      "Set it: acct contact update NAME --bank-account-details NUMBER; of your own account, acct account update CODE --bank-account-number NUMBER.",
  },
  PaymentFile: {
    text: "A file of payments holds what its bank takes: outgoing payments, in its currency, its letters and its widths.",
    source: "docs/paying-suppliers.md",
    remedy: "Mend what the sentence names, or choose another format (--format).",
  },
  PaidOnce: {
    text: "A batch is written for the bank once, so that nobody is paid twice.",
    source: "docs/paying-suppliers.md",
    remedy:
      "Where the bank did not take the first file, --again writes it once more; acct batch-payment history has all of them.",
  },
  EInvoice: {
    text: "An e-invoice is read to the cent, and written as its profile demands.",
    source: "EN 16931",
    remedy: "Mend what the sentence names, or ask the supplier for another form of it.",
  },
  Body: {
    text: "A request arrives whole, in a form and a coding that are known.",
    source: service("Endpoints, Common request rules"),
    remedy: "Send it again as the sentence says.",
  },
  NotOffered: {
    text: "A service has the methods that it has; what acct adds to the public ones is its own service's.",
    source: "docs/services.md",
    remedy: "Do without, or work on a service that has it.",
  },
  ReadOnly: {
    text: "Where nothing may be changed, nothing is.",
    source: "docs/trust.md",
    remedy: "Take away what the sentence names, if changes are meant.",
  },
  Book: {
    text: "A book is whole, adds up, and is the one that is meant.",
    source: "docs/backups.md",
    remedy: "acct book verify says what is wrong, acct doctor what can be done.",
  },
  Backup: {
    text: "A backup is what its list says, without gaps.",
    source: "docs/backups.md",
    remedy: "Begin a new backup, or go back to a day that is whole.",
  },
  Signature: {
    text: "A seal is proved by the signature of a key that is on the list.",
    source: "docs/trust.md",
    remedy: "Have it signed by a key on the list, or ask whoever made the seal.",
  },
  SignIn: {
    text: "A sign-in is of an app and a person who are known, in a way that proves it.",
    source: "OAuth 2.0, RFC 6749 and 7636",
    remedy: "Sign in again (acct auth login).",
  },
  People: {
    text: "People, apps and passwords of a server keep to its rules.",
    source: "docs/serving.md",
    remedy: "Choose what the sentence asks for.",
  },
  Webhook: {
    text: "Events go to a receiver that has an address outside and proves that it has the key.",
    source: "docs/services.md",
    remedy: "Mend the receiver or its address; acct webhook list shows how each stands.",
  },
  Undo: {
    text: "What was done is undone once, and after what rests on it.",
    source: "docs/undo.md",
    remedy: "Do what the sentence names first.",
  },
} as const satisfies Readonly<Record<string, RefusalRule>>;

export type RuleName = keyof typeof refusalRules;

/** Rules of refusals by error code. */
const ruleOfCode = {
  AllocationAmount: "AmountOutstanding",
  AmountTooLarge: "Limit",
  BackupChanged: "Backup",
  BackupLost: "Backup",
  BadAddress: "Webhook",
  BadAmount: "File",
  BadDate: "File",
  BadEncoding: "File",
  BadFile: "File",
  BadSignIn: "SignIn",
  Balance: "BankStatement",
  BodyIncomplete: "Body",
  BodyTooLarge: "Limit",
  BookDamaged: "Book",
  BookExists: "Unique",
  CopyDiffers: "Book",
  Cost: "Stock",
  CurrencyRate: "Currency",
  DateNotTaken: "NotOffered",
  DateRange: "Parameter",
  DoesNotAddUp: "Book",
  Duplicate: "Ambiguous",
  Entities: "File",
  FileExists: "Unique",
  Frozen: "ApprovedFields",
  IntentToReceive: "Webhook",
  LogDamaged: "Backup",
  NameTaken: "Unique",
  NoBook: "Book",
  NoDataProcessedException: "Body",
  NoDryRun: "NotOffered",
  NoLine: "NotFound",
  NoPlan: "Plan",
  NoSubscription: "Webhook",
  NotABook: "Book",
  NotAList: "Backup",
  NotEInvoice: "EInvoice",
  NotEmpty: "Backup",
  NotImplemented: "NotOffered",
  NotInUse: "Webhook",
  NotOverdue: "Status",
  NotPublished: "ReturnOrder",
  NotSigned: "Signature",
  NotStatement: "File",
  NotUndone: "Undo",
  NotUnique: "Unique",
  NothingToDo: "Status",
  OpeningBalance: "Opening",
  OpeningDocument: "Opening",
  OpeningSet: "Opening",
  OrganisationExists: "Unique",
  OtherAccount: "BankStatement",
  OtherBook: "Book",
  OtherCurrency: "Currency",
  Overflow: "Limit",
  PaymentAccount: "SystemAccount",
  PaymentAmount: "AmountOutstanding",
  Periods: "Parameter",
  PkceMissing: "SignIn",
  PlanChanged: "Plan",
  PlanOutdated: "Plan",
  PostDataInvalidException: "Body",
  Quantity: "Stock",
  QuantityOnHand: "Stock",
  QueryParseException: "Parameter",
  RestedOn: "Undo",
  RowsRefused: "File",
  Served: "Book",
  SetDamaged: "Backup",
  SignatureInvalid: "Signature",
  Simpler: "Parameter",
  Spreadsheet: "File",
  StaleForm: "Form",
  TaxComponents: "Form",
  Timezone: "Form",
  TooLarge: "Limit",
  TooManyPostings: "Limit",
  TooMuch: "Limit",
  Totals: "EInvoice",
  TotalsOnly: "EInvoice",
  Truncated: "File",
  Unbalanced: "Balanced",
  Undone: "Undo",
  UnsupportedCoding: "Body",
} as const satisfies Readonly<Record<string, RuleName>>;

export type RefusalCode = RuleName | keyof typeof ruleOfCode;

/** Rule of a refusal by its code; undefined for codes of other programs. */
export function ruleOfRefusal(code: string): RuleName | undefined {
  return nameOfRule(code) ?? ruleOfCode[code as keyof typeof ruleOfCode];
}

/** Validates the name of a rule in an answer; undefined where there is no such rule. */
export function nameOfRule(name: unknown): RuleName | undefined {
  return typeof name === "string" && Object.hasOwn(refusalRules, name)
    ? (name as RuleName)
    : undefined;
}

/** Rules for refusals outside the registry, by the outcome of the command. */
export const plainRules = {
  usage: {
    text: "A command is told in words that it knows, before anything is sent.",
    source: "docs/reference.md",
    remedy: "acct NOUN VERB --help lists arguments and flags with examples.",
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

/** Outcome of a command without a registered rule. */
export type PlainRuleName = keyof typeof plainRules | "notFound";

export interface FoundRule extends Rule {
  readonly id: string;
  readonly remedy: string;
}

/**
 * Finds a rule with its text; without a name, the rule of the outcome.
 *
 * @param name  undefined where the error names no rule
 */
export function ruleNamed(name: RuleName | undefined, ended: PlainRuleName = "refused"): FoundRule {
  if (name === undefined && ended !== "notFound") {
    return { id: ended.charAt(0).toUpperCase() + ended.slice(1), ...plainRules[ended] };
  }
  const id = name ?? "NotFound";
  return { id, ...refusalRules[id] };
}
