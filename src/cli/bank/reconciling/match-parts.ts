/** What a match does to the book, part by part: documents paid, accounts, money kept, transfers. */

import type { Client } from "../../../client/client.ts";
import { lineTax } from "../../../ledger/tax.ts";
import { amount, type Marks, marksOf } from "../../../output/figures.ts";
import { type Account, account } from "../../../resources/account.ts";
import type { BankMatchInput, BankSuggestion } from "../../../resources/bank-match.ts";
import { bankRule } from "../../../resources/bank-rule.ts";
import type { BankStatementLine } from "../../../resources/bank-statement.ts";
import { smallestAmount } from "../../../resources/common.ts";
import { contact } from "../../../resources/contact.ts";
import type { Cents } from "../../../resources/decimal.ts";
import type { Resource } from "../../../resources/field.ts";
import {
  bankTransaction,
  bankTransfer,
  batchPayment,
  creditNote,
  expenseClaim,
  invoice,
  overpayment,
  payment,
  prepayment,
} from "../../../resources/index.ts";
import { organisation } from "../../../resources/organisation.ts";
import { type TaxRate, taxRate } from "../../../resources/tax-rate.ts";
import { safeLine } from "../../render/safe.ts";

/** A part of a match in words. */
export interface MatchPart {
  /** Number, handle or code: `INV-0218`; empty where there is none. */
  readonly number: string;
  /** Name of the contact or account. */
  readonly name: string;
  /** Amount in `currency`: unsigned for a document, otherwise signed like the statement line. */
  readonly amount: Cents;
  readonly currency: string;
  readonly isDocument?: true;
  /** What it does: `settles it`, `leaves 4.40 due`, `rule Rent`. */
  readonly effect: string;
}

/** A document that a line may pay, refund or take back. */
export interface KnownDocument {
  readonly Kind: NonNullable<NonNullable<BankMatchInput["Documents"]>[number]["Kind"]>;
  readonly DocumentID: string;
  readonly number: string;
  readonly contact: string;
  /** Amount due or left, in the currency of the document. */
  readonly due: Cents;
  readonly currency: string;
}

const documentKinds = {
  Invoice: invoice,
  CreditNote: creditNote,
  Prepayment: prepayment,
  Overpayment: overpayment,
  ExpenseClaim: expenseClaim,
} as const satisfies Record<KnownDocument["Kind"], Resource>;

const recordKinds: Readonly<Record<string, Resource>> = {
  Payment: payment,
  BatchPayment: batchPayment,
  BankTransaction: bankTransaction,
  BankTransfer: bankTransfer,
};

interface DocumentFields {
  readonly InvoiceNumber?: string;
  readonly CreditNoteNumber?: string;
  readonly Handle?: string;
  readonly Contact?: { readonly Name?: string };
  readonly AmountDue?: Cents;
  readonly RemainingCredit?: Cents;
  readonly CurrencyCode?: string;
}

/** Names and balances of the records in matches, each read once. */
export class MatchNames {
  readonly accounts: readonly Account[];
  readonly taxRates: readonly TaxRate[];
  /** The base currency. */
  readonly base: string;
  readonly country: string;
  readonly #client: Client;
  readonly #marks: Marks;
  readonly #documents = new Map<string, Promise<KnownDocument>>();
  readonly #names = new Map<string, Promise<string>>();

  private constructor(
    client: Client,
    read: Pick<MatchNames, "accounts" | "taxRates" | "base" | "country">,
    numberMarks: Marks,
  ) {
    this.#client = client;
    this.#marks = numberMarks;
    this.accounts = read.accounts;
    this.taxRates = read.taxRates;
    this.base = read.base;
    this.country = read.country;
  }

  static async of(client: Client): Promise<MatchNames> {
    const [own] = await client.at(organisation, "/Organisation");
    const where = 'Status=="ACTIVE"';
    const accounts = await Array.fromAsync(client.list(account, { where, order: "Code ASC" }));
    const taxRates = await Array.fromAsync(client.list(taxRate, { where }));
    const { BaseCurrency: base = "", CountryCode: country = "" } = own ?? {};
    return new MatchNames(client, { accounts, taxRates, base, country }, marksOf(country, "-"));
  }

  /** Amount with thousands separators. */
  money(cents: number, currency: string): string {
    return amount(cents as Cents, currency, this.#marks);
  }

  account(code: string | undefined): Account | undefined {
    return this.accounts.find(({ Code, AccountID }) => code === Code || code === AccountID);
  }

  /** `404 Bank Fees`; the code alone where it is no active account. */
  titleOf(code: string | undefined): string {
    const accountOfCode = this.account(code);
    return safeLine([accountOfCode?.Code ?? code, accountOfCode?.Name].filter(Boolean).join(" "));
  }

  document(Kind: KnownDocument["Kind"], id: string): Promise<KnownDocument> {
    return taken(this.#documents, id, async () => {
      const foundDocument = await this.#client.find(documentKinds[Kind] as typeof invoice, id);
      const fields = foundDocument as unknown as DocumentFields;
      return {
        Kind,
        DocumentID: id,
        number: fields.InvoiceNumber ?? fields.CreditNoteNumber ?? fields.Handle ?? Kind,
        contact: fields.Contact?.Name ?? "",
        due: fields.AmountDue ?? fields.RemainingCredit ?? (0 as Cents),
        currency: fields.CurrencyCode ?? this.base,
      };
    });
  }

  /** Name of a record by its id: a contact or a bank rule. */
  #nameOf(resource: typeof contact | typeof bankRule, id: string): Promise<string> {
    return taken(
      this.#names,
      id,
      async () => (await this.#client.find(resource as typeof contact, id)).Name,
    );
  }

  /** Handle of a record that the book has, with its contact. */
  async #record(kind: string | undefined, id: string): Promise<readonly [string, string]> {
    const resource = recordKinds[kind ?? "Payment"] ?? payment;
    const namesText = await taken(this.#names, id, async () => {
      const foundRecord = (await this.#client.find(resource as typeof payment, id)) as unknown as {
        readonly Handle?: string;
        readonly Contact?: { readonly Name?: string };
        readonly Invoice?: { readonly Contact?: { readonly Name?: string } };
      };
      const of = foundRecord.Contact?.Name ?? foundRecord.Invoice?.Contact?.Name ?? resource.noun;
      return `${foundRecord.Handle ?? ""}\n${of}`;
    });
    const [handle = "", name = ""] = namesText.split("\n");
    return [handle, name];
  }

  /** The parts of a match or suggestion of a line, in the order in which they are booked. */
  async parts(
    line: BankStatementLine,
    match: BankMatchInput & Partial<Pick<BankSuggestion, "BankRuleID" | "Difference">>,
  ): Promise<MatchPart[]> {
    const { Documents = [], Records = [], Lines = [], TransferAccount, Difference } = match;
    const own = line.CurrencyCode ?? this.base;
    const parts: MatchPart[] = [];
    for (const { Kind = "Invoice", DocumentID = "", Amount } of Documents) {
      const known = await this.document(Kind, DocumentID);
      parts.push(this.#documentPart(known, Amount ?? paidBy(known, line, own, Documents.length)));
    }
    for (const { Kind, RecordID = "" } of Records) {
      const [number, name] = await this.#record(Kind, RecordID);
      parts.push({ number, name, amount: line.Amount, currency: own, effect: "the book has it" });
    }
    const rule = match.BankRuleID;
    const ruleName = rule === undefined ? "" : `rule ${await this.#nameOf(bankRule, rule)}`;
    const contactName = await this.#contactOf(line, match, parts[0]?.name);
    let amountLeft = line.Amount - signedSum(parts, line) - sumOf(Lines);
    for (const line of Lines) {
      const cents = line.Amount ?? (amountLeft as Cents);
      if (line.Amount === undefined) amountLeft = 0;
      parts.push(this.#linePart(line, cents, own, { because: ruleName, contactName }));
    }
    if (TransferAccount !== undefined) {
      const otherAccount = this.account(TransferAccount.AccountID ?? TransferAccount.Code);
      const direction = line.Amount < 0 ? "transfer to it" : "transfer from it";
      const named = { number: otherAccount?.Code ?? "", name: otherAccount?.Name ?? "" };
      parts.push({ ...named, amount: line.Amount, currency: own, effect: ruleName || direction });
    }
    if (Difference !== undefined) {
      parts.push({
        number: "",
        name: "",
        amount: Difference,
        currency: own,
        effect: "to an account",
      });
    }
    return parts;
  }

  #documentPart(document: KnownDocument, paid: Cents): MatchPart {
    const { number, contact: name, due, currency } = document;
    const amountLeft = due - paid;
    const isCredit = document.Kind !== "Invoice";
    const effect =
      amountLeft === 0
        ? isCredit
          ? "pays it back"
          : "settles it"
        : `leaves ${this.money(amountLeft, currency)} ${isCredit ? "of it" : "due"}`;
    const nameParts = { number: safeLine(number), name: safeLine(name), isDocument: true } as const;
    return { ...nameParts, amount: paid, currency, effect };
  }

  #linePart(
    { AccountCode, KeptAs, TaxType }: NonNullable<BankMatchInput["Lines"]>[number],
    cents: Cents,
    currency: string,
    { because, contactName }: { readonly because: string; readonly contactName: string },
  ): MatchPart {
    const lineAccount = this.account(AccountCode);
    if (KeptAs === "Overpayment") {
      const effect = "kept as an overpayment";
      return { number: "", name: contactName, amount: cents, currency, effect };
    }
    const type = TaxType ?? lineAccount?.TaxType ?? "NONE";
    const rate = this.taxRates.find((taxRate) => taxRate.TaxType === type);
    const tax = lineTax(cents, rate?.EffectiveRate, "Inclusive", smallestAmount(currency));
    const taxed =
      tax === 0 ? "" : `net ${this.money(cents - tax, currency)}, tax ${this.money(tax, currency)}`;
    const depositText = KeptAs === undefined ? "" : `deposit of ${contactName}`;
    return {
      number: AccountCode ?? "",
      name: safeLine(lineAccount?.Name ?? ""),
      amount: cents,
      currency,
      effect: [because, depositText, taxed].filter(Boolean).join(", "),
    };
  }

  async #contactOf(
    { Payee }: BankStatementLine,
    { Contact }: BankMatchInput,
    ofDocument: string | undefined,
  ): Promise<string> {
    if (Contact?.Name !== undefined) return safeLine(Contact.Name);
    if (Contact?.ContactID !== undefined) return this.#nameOf(contact, Contact.ContactID);
    return ofDocument ?? safeLine(Payee ?? "");
  }
}

/**
 * Returns a suggestion of documents that are more than the line as a part payment of the last one;
 * undefined for others.
 */
export function asPart(
  { Amount }: BankStatementLine,
  { Difference, ...suggestion }: BankSuggestion,
): BankSuggestion | undefined {
  const { Documents = [] } = suggestion;
  const lastDocument = Documents.at(-1);
  if (Difference === undefined || Difference > 0 === Amount > 0) return undefined;
  const amountLeft = (lastDocument?.Amount ?? 0) - Math.abs(Difference);
  if (amountLeft <= 0) return undefined;
  const partPayment = { ...lastDocument, Amount: amountLeft as Cents };
  return { ...suggestion, IsCertain: false, Documents: [...Documents.slice(0, -1), partPayment] };
}

/** What a line pays of a document for which it names no amount. */
function paidBy(
  { due, currency }: KnownDocument,
  line: BankStatementLine,
  ownCurrency: string,
  count: number,
) {
  const isPart = count === 1 && currency === ownCurrency && Math.abs(line.Amount) < due;
  return (isPart ? Math.abs(line.Amount) : due) as Cents;
}

const sumOf = (lines: NonNullable<BankMatchInput["Lines"]>): number =>
  lines.reduce((sum, { Amount = 0 }) => sum + Amount, 0);

/** Sum of parts that are documents or records, with the sign of the line. */
const signedSum = (parts: readonly MatchPart[], { Amount }: BankStatementLine): number =>
  Math.sign(Amount) * parts.reduce((sum, matchPart) => sum + Math.abs(matchPart.amount), 0);

function taken<T>(cache: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const promise = read();
  cache.set(key, promise);
  return promise;
}
