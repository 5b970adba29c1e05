/**
 * Reconciliation of bank statement lines, and its reversal.
 *
 * Documents are paid as by `/Payments`, other money becomes a bank transaction, and money between
 * own accounts a transfer; all are marked as reconciled. Unreconciling reverses the records made
 * for the line, and marks records that existed before as unreconciled.
 */

import { areNear, rateBetween } from "../../ledger/money.ts";
import type { Account } from "../../resources/account.ts";
import type { BankMatchInput } from "../../resources/bank-match.ts";
import type { MatchKind } from "../../resources/bank-statement.ts";
import { bankTransactionTypes } from "../../resources/bank-transaction.ts";
import type { BankTransfer } from "../../resources/bank-transfer.ts";
import { amountText } from "../../resources/common.ts";
import {
  type Cents,
  type Rate,
  scaleOf,
  shortDecimal,
  type UnitAmount,
} from "../../resources/decimal.ts";
import { refusal, refusalFor } from "../../resources/errors.ts";
import { type DocumentResource, idOf, type Resource } from "../../resources/field.ts";
import {
  bankStatementLine,
  bankTransaction,
  bankTransfer,
  batchPayment,
  contact,
  creditNote,
  expenseClaim,
  invoice,
  overpayment,
  payment,
  prepayment,
} from "../../resources/index.ts";
import { wordsOf } from "../../resources/scalar.ts";
import { fetch, save } from "../../store/mapping/records.ts";
import { type MoneyRow, unreconciledMoney } from "../../store/queries/bank-facts.ts";
import {
  addMatches,
  type BankMatch,
  matchesOf,
  removeMatches,
} from "../../store/records/bank-matches.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { bankAccountNamed } from "../documents/bank.ts";
import type { AddFault } from "../documents/coding.ts";
import { loadContacts } from "../documents/load-references.ts";
import { documentByNumber, openOf, type StoredDocument } from "../documents/stored-documents.ts";
import { loadChart } from "../lookups/chart-of-accounts.ts";
import { rateOn } from "../lookups/currencies.ts";
import { bankTransfers } from "../records/bank-transfer.ts";
import { documentEndpointOf } from "../records/documents.ts";
import { contacts } from "../records/masters/contact.ts";
import { payments } from "../records/payment.ts";
import { reverse } from "../records/payment-writing.ts";
import type { OrganisationContext, RequestContext } from "../request/context.ts";
import type { Endpoint } from "../request/endpoint.ts";
import { Faults } from "../request/faults.ts";
import { enter } from "../request/history.ts";
import { writeOne } from "../request/write.ts";
import type { StoredLine } from "./stored-statement.ts";

type BankTransactionType = (typeof bankTransactionTypes)[number];

/** The transaction and organisation context of a reconciliation. */
export interface MatchRequest extends OrganisationContext {
  readonly call: RequestContext;
  readonly tx: Tx;
}

/** Reconciles a line. @throws RefusedError where its parts do not add up to its amount */
export async function reconcile(
  request: MatchRequest,
  line: StoredLine,
  input: BankMatchInput,
): Promise<StoredLine> {
  if (line.Status !== "UNRECONCILED")
    throw refusal("Reconciled", `The line is ${line.Status.toLowerCase()} already.`);
  const matching = new Matching(request, line);
  await matching.take(input);
  const { tx, call } = request;
  await addMatches(tx, matching.matches);
  const record: StoredLine = {
    ...line,
    Status: "RECONCILED",
    MatchedContactID: matching.contactId,
    MatchedAccountCode: matching.accountCode,
    UpdatedDateUTC: call.now(),
  };
  await save(tx, bankStatementLine, [record]);
  const names = matching.matches.map(
    ({ kind, number, amount }) =>
      `${number ?? wordsOf(kind).toLowerCase()} (${matching.text(amount)})`,
  );
  await enter(call, tx, bankStatementLine, line.BankStatementLineID, {
    changes: "Reconciled",
    details: `The line of ${line.Date} was reconciled with ${names.join(", ")}.`,
  });
  return record;
}

/** Unreconciles a line, or reverts that it was ignored. */
export async function unreconcile(request: MatchRequest, line: StoredLine): Promise<StoredLine> {
  const { tx, call } = request;
  if (line.Status === "UNRECONCILED") throw refusal("Reconciled", "The line is not reconciled.");
  const id = line.BankStatementLineID;
  const matches = (await matchesOf(tx, [id])).get(id) ?? [];
  await removeMatches(tx, id);
  for (const match of matches) {
    if (match.made) await takeBack(request, match);
    else await mark(request, line, match, false);
  }
  const flags = line.Flags ?? [];
  const record: StoredLine = {
    ...line,
    Status: "UNRECONCILED",
    // The `manual` flag keeps a line that a person unreconciled from automatic matching.
    Flags: flags.includes("manual") ? flags : [...flags, "manual"],
    MatchedContactID: undefined,
    MatchedAccountCode: undefined,
    UpdatedDateUTC: call.now(),
  };
  await save(tx, bankStatementLine, [record]);
  await enter(call, tx, bankStatementLine, id, {
    changes: "Unreconciled",
    details: `The line of ${line.Date} was ${line.Status.toLowerCase()}, and is not any more.`,
  });
  return record;
}

/** Gives a line that a person unreconciled back to automatic matching. */
export async function release({ tx, call }: MatchRequest, line: StoredLine): Promise<StoredLine> {
  if (!line.Flags?.includes("manual"))
    throw refusal("Status", "The line is not left to people: nobody took a match of it back.");
  const Flags = line.Flags.filter((flag) => flag !== "manual");
  const record: StoredLine = { ...line, Flags, UpdatedDateUTC: call.now() };
  await save(tx, bankStatementLine, [record]);
  await enter(call, tx, bankStatementLine, line.BankStatementLineID, {
    changes: "Released",
    details: `The line of ${line.Date} may be reconciled without a person again.`,
  });
  return record;
}

/** Ignores a line: it stays on the statement without any effect on the ledger. */
export async function ignore({ tx, call }: MatchRequest, line: StoredLine): Promise<StoredLine> {
  if (line.Status !== "UNRECONCILED")
    throw refusal("Reconciled", `The line is ${line.Status.toLowerCase()} already.`);
  const record: StoredLine = { ...line, Status: "IGNORED", UpdatedDateUTC: call.now() };
  await save(tx, bankStatementLine, [record]);
  await enter(call, tx, bankStatementLine, line.BankStatementLineID, {
    changes: "Ignored",
    details: `The line of ${line.Date} is left out of the reconciliation.`,
  });
  return record;
}

const paid = {
  Invoice: invoice,
  CreditNote: creditNote,
  Prepayment: prepayment,
  Overpayment: overpayment,
  ExpenseClaim: expenseClaim,
} as const satisfies Record<string, DocumentResource>;

const isReceived = (amount: number) => amount > 0;

type MatchedLine = NonNullable<BankMatchInput["Lines"]>[number] & { readonly Amount: Cents };

/** Returns the type of the bank transaction that a part of a line becomes. */
function transactionTypeOf({ Amount, KeptAs }: MatchedLine): BankTransactionType {
  const direction = isReceived(Amount) ? "RECEIVE" : "SPEND";
  if (KeptAs === undefined) return direction;
  return KeptAs === "Overpayment" ? `${direction}-OVERPAYMENT` : `${direction}-PREPAYMENT`;
}

/** @throws RefusedError for a part without an account, and for an advance against the line */
function checkKept(lines: readonly MatchedLine[], { Amount: ofLine }: StoredLine): void {
  for (const { KeptAs, AccountCode, Amount } of lines) {
    if (AccountCode === undefined && KeptAs !== "Overpayment") {
      throw refusal("Required", "Each of the Lines but an overpayment has an AccountCode.");
    }
    if (KeptAs !== undefined && isReceived(Amount) !== isReceived(ofLine)) {
      throw refusal("Deposit", "What is kept has the direction of the line.");
    }
  }
}

/** One line while its parts are found or created. */
class Matching {
  readonly matches: BankMatch[] = [];
  contactId: string | undefined;
  accountCode: string | undefined;
  readonly #request: MatchRequest;
  readonly #line: StoredLine;
  /** The part of the amount that is not matched yet. */
  #left: Cents;

  constructor(request: MatchRequest, line: StoredLine) {
    this.#request = request;
    this.#line = line;
    this.#left = line.Amount;
  }

  /** Currency of the bank account. */
  get #currency(): string {
    return this.#line.BankAccount.CurrencyCode ?? this.#request.organisation.BaseCurrency;
  }

  text = (amount: Cents): string => amountText(amount, this.#currency);

  async take(input: BankMatchInput): Promise<void> {
    const { Records = [], Documents = [], Lines = [], TransferAccount, TransferAmount } = input;
    if (Records.length + Documents.length + Lines.length === 0 && TransferAccount === undefined) {
      throw refusal(
        "Required",
        "Name what the line is: Records, Documents, Lines or a TransferAccount.",
      );
    }
    await this.#takeRecords(Records);
    const fixedSum = Lines.reduce((sum, { Amount = 0 }) => sum + Amount, 0);
    for (const document of Documents) {
      await this.#pay(document, Documents.length === 1 ? this.#left - fixedSum : undefined);
    }
    await this.#spendOrReceive(Lines, input.Contact);
    if (TransferAccount !== undefined) await this.#transfer(TransferAccount, TransferAmount);
    if (this.#left !== 0) {
      const explained = (this.#line.Amount - this.#left) as Cents;
      throw refusal(
        "LineAmount",
        `The line comes to ${this.text(this.#line.Amount)}, but what it is matched with to ${this.text(explained)}.`,
      );
    }
  }

  async #takeRecords(records: NonNullable<BankMatchInput["Records"]>): Promise<void> {
    if (records.length === 0) return;
    const { tx } = this.#request;
    const openRecords = await unreconciledMoney(tx, this.#line.BankAccount.AccountID ?? "");
    for (const { Kind, RecordID } of records) {
      const moneyRow = openRecords.find(
        ({ id, kind }) => id === RecordID && (Kind === undefined || kind === Kind),
      );
      if (moneyRow === undefined) {
        const noun =
          Kind === undefined
            ? "payment, bank transaction or transfer"
            : wordsOf(Kind).toLowerCase();
        throw refusal(
          "NotFound",
          `There is no ${noun} ${RecordID} on the account that is not reconciled yet.`,
        );
      }
      await this.#add(moneyRow, { isNew: false });
      this.contactId ??= moneyRow.contactId ?? undefined;
    }
  }

  async #add(
    { id, kind, amount, number }: Pick<MoneyRow, "id" | "kind" | "amount" | "number">,
    { isNew: made }: { readonly isNew: boolean },
  ): Promise<void> {
    const match: BankMatch = {
      lineId: this.#line.BankStatementLineID,
      kind,
      recordId: id,
      amount,
      number: number ?? undefined,
      made,
    };
    this.matches.push(match);
    this.#left = (this.#left - amount) as Cents;
    if (!made) await mark(this.#request, this.#line, match, true);
  }

  /** @param onBank  amount of the payment on the bank account, where that is known */
  async #pay(
    documentInput: NonNullable<BankMatchInput["Documents"]>[number],
    onBank: number | undefined,
  ): Promise<void> {
    const kind = documentInput.Kind ?? "Invoice";
    const resource = paid[kind];
    const document = await this.#document(resource, documentInput);
    const debt = openOf(resource, document);
    const base = this.#request.organisation.BaseCurrency;
    const bank = this.#currency;
    const isForeign = document.CurrencyCode !== bank && onBank !== undefined;
    const highest = isForeign || onBank === undefined ? debt : Math.min(debt, Math.abs(onBank));
    const Amount = documentInput.Amount ?? (highest as Cents);
    const rate = isForeign ? rateOf(Amount, onBank, document.CurrencyCode === base) : undefined;
    if (rate !== undefined) {
      await this.#checkRate(document.CurrencyCode === base ? bank : document.CurrencyCode, rate);
    }
    const input = {
      [kind]: { [resource.id]: idOf(resource, document) },
      Account: { AccountID: this.#line.BankAccount.AccountID },
      Date: this.#line.Date,
      Amount,
      IsReconciled: true,
      // The bank's own amount is kept: a rate of six decimals may miss it by some cents.
      ...(isForeign && { BankAmount: Math.abs(onBank) as Cents, CurrencyRate: rate }),
    };
    const madePayment = await this.#make(payments, payment, input);
    const amount = (madePayment.BankAmount ?? madePayment.Amount) as Cents;
    const isReceipt = receivedTypes.has(madePayment.PaymentType);
    const number =
      document.InvoiceNumber ?? (document as { CreditNoteNumber?: string }).CreditNoteNumber;
    await this.#add(
      {
        id: madePayment.PaymentID,
        kind: "Payment",
        amount: (isReceipt ? amount : -amount) as Cents,
        number: number ?? null,
      },
      { isNew: true },
    );
    this.contactId ??= document.Contact?.ContactID;
  }

  /** Refuses a rate far from the day's rate, which suggests a wrong match. */
  async #checkRate(currency: string, rate: Rate): Promise<void> {
    const fault = await rateFault(this.#request, this.#line, currency, rate);
    if (fault !== undefined) throw refusal("Currency", fault);
  }

  async #document(
    resource: DocumentResource,
    { DocumentID, Number: number }: NonNullable<BankMatchInput["Documents"]>[number],
  ): Promise<StoredDocument> {
    const { tx } = this.#request;
    if (DocumentID !== undefined) {
      const [document] = await fetch(tx, resource, resource.id, [DocumentID]);
      if (document !== undefined) return document as unknown as StoredDocument;
    } else if (number !== undefined && resource.document.number !== undefined) {
      const isReceipt = isReceived(this.#line.Amount);
      const type =
        resource === invoice
          ? isReceipt
            ? "ACCREC"
            : "ACCPAY"
          : isReceipt
            ? "ACCPAYCREDIT"
            : "ACCRECCREDIT";
      const document = await documentByNumber(tx, resource, number, type);
      if (document !== undefined) return document;
    }
    throw refusal(
      "NotFound",
      `There is no ${resource.noun} ${DocumentID ?? number ?? "without a number"}.`,
    );
  }

  async #spendOrReceive(
    lines: NonNullable<BankMatchInput["Lines"]>,
    reference: BankMatchInput["Contact"],
  ): Promise<void> {
    if (lines.length === 0) return;
    const unpriced = lines.filter(({ Amount }) => Amount === undefined);
    if (unpriced.length > 1) throw refusal("Form", "One of the Lines takes the rest, not several.");
    const fixedSum = lines.reduce((sum, { Amount = 0 }) => sum + Amount, 0);
    const amounts = lines.map((line) => ({
      ...line,
      Amount: line.Amount ?? ((this.#left - fixedSum) as Cents),
    }));
    checkKept(amounts, this.#line);
    const ContactID = await this.#contact(reference);
    const amountsByType = Map.groupBy(amounts, (lineAmount) => transactionTypeOf(lineAmount));
    for (const type of bankTransactionTypes) {
      const ofThisType = amountsByType.get(type) ?? [];
      if (ofThisType.length === 0) continue;
      const isReceipt = type.startsWith("RECEIVE");
      const transaction = await this.#make(documentEndpointOf("BankTransaction"), bankTransaction, {
        Type: type,
        Contact: { ContactID },
        BankAccount: { AccountID: this.#line.BankAccount.AccountID },
        Date: this.#line.Date,
        LineAmountTypes: "Inclusive",
        IsReconciled: true,
        LineItems: ofThisType.map(({ Amount, AccountCode, TaxType, Description, Tracking }) => ({
          Description:
            Description ?? this.#line.Description?.slice(0, 4000) ?? this.#line.Payee ?? "Bank",
          Quantity: 10_000,
          UnitAmount: (Math.abs(Amount) * 100) as UnitAmount,
          ...(AccountCode === undefined ? {} : { AccountCode }),
          ...(TaxType === undefined ? {} : { TaxType }),
          ...(Tracking === undefined ? {} : { Tracking }),
        })),
      });
      const total = transaction.Total as Cents;
      await this.#add(
        {
          id: idOf(bankTransaction, transaction),
          kind: "BankTransaction",
          amount: (isReceipt ? total : -total) as Cents,
          number: null,
        },
        { isNew: true },
      );
    }
    this.contactId ??= ContactID;
    const [only] = lines;
    if (lines.length === 1 && this.matches.length === 1 && only?.KeptAs === undefined) {
      this.accountCode = only?.AccountCode;
    }
  }

  /**
   * Returns the contact of the input, else of the documents, else of the payee, which may be
   * created.
   */
  async #contact(contactKey: BankMatchInput["Contact"]): Promise<string> {
    const { tx } = this.#request;
    if (contactKey === undefined && this.contactId !== undefined) return this.contactId;
    const reference =
      contactKey ?? (this.#line.Payee === undefined ? undefined : { Name: this.#line.Payee });
    if (reference === undefined) {
      throw refusal(
        "OneContact",
        "Name a contact: the line does not say whom the money is from or for.",
      );
    }
    const faults = new Faults();
    const knownContacts = await loadContacts(tx, [reference]);
    const match = knownContacts.find(reference);
    const isNew = match === undefined && !reference.ContactID && !reference.ContactNumber;
    if (isNew) {
      const newContact = await this.#make(contacts, contact, { Name: reference.Name });
      return String(newContact.ContactID);
    }
    const resolved = knownContacts.resolve(reference, faults);
    faults.check();
    return resolved?.ContactID ?? "";
  }

  /** @param onOther  amount that moved on the other account, in its currency */
  async #transfer(
    accountKey: NonNullable<BankMatchInput["TransferAccount"]>,
    onOther: Cents | undefined,
  ): Promise<void> {
    const faults = new Faults();
    const chart = await loadChart(this.#request.tx);
    const fault: AddFault = (rule, message) => faults.add(rule, message);
    const otherAccount = bankAccountNamed("TransferAccount", accountKey, chart, fault);
    faults.check();
    const ownAccount = { AccountID: this.#line.BankAccount.AccountID };
    const isReceipt = isReceived(this.#left);
    const far = { AccountID: otherAccount?.AccountID };
    const onOwn = Math.abs(this.#left) as Cents;
    await this.#checkTransfer(otherAccount, onOwn, onOther);
    const [Amount, ToAmount] = isReceipt ? [onOther, onOwn] : [onOwn, onOther];
    const transferRecord = await this.#make(bankTransfers, bankTransfer, {
      FromBankAccount: isReceipt ? far : ownAccount,
      ToBankAccount: isReceipt ? ownAccount : far,
      ...(Amount !== undefined && { Amount }),
      ...(ToAmount !== undefined && { ToAmount }),
      Date: this.#line.Date,
      [isReceipt ? "ToIsReconciled" : "FromIsReconciled"]: true,
    });
    const transfer = transferRecord as unknown as BankTransfer & { readonly ToAmount: Cents };
    const amount = (isReceipt ? transfer.ToAmount : -transfer.Amount) as Cents;
    await this.#add(
      { id: transfer.BankTransferID, kind: "BankTransfer", amount, number: null },
      { isNew: true },
    );
  }

  /** @param onOther  amount that moved on the other account, where that is known */
  async #checkTransfer(
    otherAccount: Account | undefined,
    onOwn: Cents,
    onOther: Cents | undefined,
  ): Promise<void> {
    const baseCurrency = this.#request.organisation.BaseCurrency;
    const ownCurrency = this.#currency;
    const far = otherAccount?.CurrencyCode ?? baseCurrency;
    if (onOther === undefined || onOther <= 0 || ownCurrency === far) return;
    if (far === baseCurrency) await this.#checkRate(ownCurrency, rateBetween(onOwn, onOther));
    else if (ownCurrency === baseCurrency) await this.#checkRate(far, rateBetween(onOther, onOwn));
  }

  async #make<S extends object, W>(
    endpoint: Endpoint<S, W>,
    resource: Resource,
    input: object,
  ): Promise<S> {
    const { call, tx } = this.#request;
    const { record, errors, history } = await writeOne({ call, tx }, endpoint, { input });
    if (record === undefined || errors.length > 0) throw refusalFor(errors);
    await enter(call, tx, resource, idOf(resource, record), ...history);
    return record;
  }
}

const receivedTypes = new Set<string | undefined>([
  "ACCRECPAYMENT",
  "APCREDITPAYMENT",
  "APPREPAYMENTPAYMENT",
  "APOVERPAYMENTPAYMENT",
]);

/** Returns the exchange rate between an amount of a document and the amount on the bank account. */
function rateOf(amount: Cents, onBank: number, isBase: boolean): Rate {
  const magnitude = Math.abs(onBank) as Cents;
  return isBase ? rateBetween(magnitude, amount) : rateBetween(amount, magnitude);
}

type At = Pick<MatchRequest, "call" | "tx">;

/** Returns the refusal of a rate; undefined near the rate of the day, or where that is unknown. */
async function rateFault(
  { call, tx }: At,
  { Date: date }: StoredLine,
  currency: string,
  rate: Rate,
): Promise<string | undefined> {
  const ofDay = await rateOn(call, tx, currency, date);
  if (ofDay === undefined || areNear(rate, ofDay)) return undefined;
  const [stated, known] = [rate, ofDay].map((rate) => shortDecimal(rate, scaleOf.rate));
  return `It would be at a rate of ${stated} ${currency}, but that of ${date} is ${known}; where the line is right, keep its rate first (acct currency rate).`;
}

/** Whether a foreign-currency document would be paid at a rate far from the day's rate. */
export async function isAtFarRate(
  request: MatchRequest,
  line: StoredLine,
  { Documents: [only] = [] }: BankMatchInput,
): Promise<boolean> {
  if (only?.DocumentID === undefined || only.Amount === undefined) return false;
  const resource: DocumentResource = paid[only.Kind ?? "Invoice"];
  const [document] = await fetch(request.tx, resource, resource.id, [only.DocumentID]);
  const { CurrencyCode: own = "" } = (document ?? {}) as { readonly CurrencyCode?: string };
  const baseCurrency = request.organisation.BaseCurrency;
  const bank = line.BankAccount.CurrencyCode ?? baseCurrency;
  const rate = rateOf(only.Amount, line.Amount, own === baseCurrency);
  const fault = await rateFault(request, line, own === baseCurrency ? bank : own, rate);
  return own !== bank && fault !== undefined;
}

/** Reverses the record that was made to reconcile a line. */
async function takeBack(request: MatchRequest, { kind, recordId }: BankMatch): Promise<void> {
  const { call, tx } = request;
  if (kind === "Payment") {
    const [record] = await fetch(tx, payment, "PaymentID", [recordId]);
    if (record !== undefined) await reverse(request, record);
    return;
  }
  if (kind === "BatchPayment") throw new Error("A batch payment is never made for a line.");
  const [endpoint, resource] =
    kind === "BankTransfer"
      ? ([bankTransfers, bankTransfer] as const)
      : ([documentEndpointOf("BankTransaction"), bankTransaction] as const);
  const [existing] = await fetch(tx, resource as Resource, resource.id, [recordId]);
  if (existing === undefined) return;
  const { errors, history } = await writeOne({ call, tx }, endpoint as Endpoint, {
    input: { Status: "DELETED" },
    existing,
  });
  if (errors.length > 0) throw refusalFor(errors);
  await enter(call, tx, resource, recordId, ...history);
}

/** Sets or clears the reconciled mark of a record. */
async function mark(
  { tx, call }: MatchRequest,
  line: StoredLine,
  { kind, recordId }: Pick<BankMatch, "kind" | "recordId">,
  isReconciled: boolean,
): Promise<void> {
  const resource = markedAs[kind];
  const [record] = await fetch(tx, resource, resource.id, [recordId]);
  if (record === undefined) return;
  const { FromBankAccount } = record as unknown as Partial<BankTransfer>;
  const ownSide = FromBankAccount?.AccountID === line.BankAccount.AccountID ? "From" : "To";
  const flag = kind === "BankTransfer" ? `${ownSide}IsReconciled` : "IsReconciled";
  const touched =
    resource.fields.UpdatedDateUTC === undefined ? {} : { UpdatedDateUTC: call.now() };
  await save(tx, resource, [{ ...(record as object), [flag]: isReconciled, ...touched }]);
}

const markedAs: Readonly<Record<MatchKind, Resource>> = {
  Payment: payment,
  BatchPayment: batchPayment,
  BankTransaction: bankTransaction,
  BankTransfer: bankTransfer,
};
