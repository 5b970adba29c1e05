/** /Payments: money against approved documents; made and reversed, never changed. */

import type { Journal, PostedJournal } from "../../ledger/journal.ts";
import { isApproved } from "../../ledger/lifecycle.ts";
import { checkLock } from "../../ledger/locks.ts";
import { baseRate } from "../../ledger/money.ts";
import { paymentSideOf } from "../../ledger/posting.ts";
import type { Account } from "../../resources/account.ts";
import type { Cents } from "../../resources/decimal.ts";
import { writeDecimal } from "../../resources/decimal.ts";
import { text } from "../../resources/field.ts";
import { payment } from "../../resources/index.ts";
import type { Payment } from "../../resources/payment.ts";
import { addHistory } from "../../store/history.ts";
import { appendJournals, liveJournals } from "../../store/journals.ts";
import { type Kept, save } from "../../store/records.ts";
import type { Tx } from "../../store/store.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { answer } from "../answer.ts";
import { type Call, here } from "../call.ts";
import { type Chart, loadChart } from "../chart.ts";
import { isKeptByLedger } from "../documents/coding.ts";
import { Currencies, noRate } from "../documents/currencies.ts";
import {
  type Family,
  families,
  idOf,
  nameOf,
  openOf,
  type PaymentTarget,
} from "../documents/family.ts";
import { kindOf } from "../documents/kinds.ts";
import { settle, settleStatus, unsettle } from "../documents/settlement.ts";
import { fetchDocuments, type StoredDocument, saveDocuments } from "../documents/stored.ts";
import { type Reference, Targets } from "../documents/targets.ts";
import { type Batch, type Endpoint, locate, type Writing } from "../endpoint.ts";
import { Faults, refusal } from "../faults.ts";
import { grouped, unique } from "../grouped.ts";
import { withDefaults } from "../merge.ts";
import { readInputs, write } from "../write.ts";

/** A payment as the store keeps it. */
export type StoredPayment = Kept<typeof payment.fields>;

interface Work {
  readonly chart: Chart;
  /** What the payments of the batch may settle. */
  readonly currencies: Currencies;
  readonly targets: ReadonlyMap<PaymentTarget, Targets>;
  /** Live journals by the document they belong to: its approval, and what its payments recognised. */
  readonly live: Map<string, PostedJournal[]>;
  readonly journals: Journal[];
  readonly paid: Map<string, StoredDocument>;
}

const targetNames = ["Invoice", "CreditNote", "Prepayment", "Overpayment"] as const;

/** Which documents a payment may name as what. */
const targets: Readonly<Partial<Record<PaymentTarget, Family>>> = Object.fromEntries(
  Object.values(families).flatMap((family: Family) =>
    family.paidAs === undefined ? [] : [[family.paidAs, family]],
  ),
);

/** Spellings of the target and the account that stand beside them instead of inside. */
const flat = { InvoiceNumber: text(), CreditNoteNumber: text(), Code: text() } as const;

const accepted = { resource: payment, alsoAccepts: flat };

type PaymentInput = Partial<Payment> & {
  readonly [name in keyof typeof flat]?: string | undefined;
};

/** What was sent, with everything in the place where the description has it. */
function inputOf(input: Readonly<Record<string, unknown>>): Partial<Payment> {
  const { InvoiceNumber, CreditNoteNumber, Code, ...sent } = input as PaymentInput;
  if (InvoiceNumber) sent.Invoice ??= { InvoiceNumber };
  if (CreditNoteNumber) sent.CreditNote ??= { CreditNoteNumber };
  if (Code) sent.Account ??= { Code };
  return sent;
}

export const payments: Endpoint<StoredPayment, Work> = {
  resource: payment,

  async decorate(_call, _tx, records) {
    return records.map((record) => ({ ...record, HasAccount: true, HasValidationErrors: false }));
  },

  writing: async () => paymentWriting,
};

const paymentWriting: Writing<StoredPayment, Work> = {
  alsoAccepts: flat,

  async load({ call, tx, today, organisation, entries }) {
    const inputs = entries.map(({ input }) => inputOf(input));
    const found = new Map<PaymentTarget, Targets>();
    for (const [name, family] of Object.entries(targets) as [PaymentTarget, Family][]) {
      found.set(
        name,
        await Targets.load(
          tx,
          family,
          inputs.map((input) => input[name]),
        ),
      );
    }
    const ids = [...found.values()].flatMap((each) => each.ids);
    const chart = await loadChart(tx);
    const days = unique([today, ...inputs.map((input) => input.Date)]);
    const foreign = unique([
      ...[...found.values()].flatMap((each) => each.documents.map((one) => one.CurrencyCode)),
      ...chart.accounts.map((each) => each.CurrencyCode),
    ]);
    const asked = foreign.flatMap((currency) => days.map((date) => ({ currency, date })));
    return {
      chart,
      currencies: await Currencies.load(call, tx, organisation.BaseCurrency, asked),
      targets: found,
      live: grouped(
        ids.length === 0 ? [] : await liveJournals(tx, "document", ids),
        (journal) => journal.documentId,
      ),
      journals: [],
      paid: new Map(),
    };
  },

  decide(batch, work, entry) {
    if (entry.existing !== undefined) {
      throw refusal(["A payment cannot be changed; reverse it and make another."]);
    }
    const faults = new Faults();
    const input = inputOf(entry.input);
    const target = targetOf(input, work, faults);
    const account = accountOf(input, work.chart, faults);
    const record = drafted(batch, input);
    if (record.Status !== "AUTHORISED") faults.add("A new payment has the Status AUTHORISED.");
    if (record.Amount <= 0) faults.add("The Amount of a payment must be above zero.");
    if (target !== undefined) {
      checkTarget(target, record, faults);
      if (account !== undefined) setRate(target, account, record, work.currencies, faults);
    }
    faults.collect(() => checkLock(record.Date, batch.organisation));
    faults.check();
    if (target === undefined || account === undefined) return;
    const { family, paymentType } = kindOf(target);
    if (family.paidAs === undefined || paymentType === undefined) return;
    record.PaymentType = paymentType;
    Object.assign(record, { [family.paidAs]: target });
    record.Account = account;
    apply(batch.call, work, record, target);
    entry.record = record;
    entry.history.push({
      changes: "Created",
      details: `Payment of ${target.CurrencyCode} ${writeDecimal(record.Amount, 2)} on ${nameOf(family, target)} was made.`,
    });
  },

  async keep({ tx, call }, work, decided) {
    const records = decided.flatMap((entry) => entry.record ?? []);
    for (const [family, documents] of grouped([...work.paid.values()], familyOf)) {
      await saveDocuments(tx, family, documents);
    }
    await save(tx, payment, records);
    await appendJournals(tx, work.journals, call.now, call.newId);
    await addHistory(
      tx,
      records.map((record) => {
        const target = targetIn(record);
        const { family } = kindOf(target);
        return {
          id: call.newId(),
          resource: family.resource.name,
          recordId: idOf(family, target),
          at: call.now,
          changes: openOf(family, target) === 0 ? "Paid" : "Part paid",
          details: settledSentence(record, target),
          user: call.principal.user,
        };
      }),
    );
  },
};

/** The document that a payment settles. */
function targetIn(record: StoredPayment): StoredDocument {
  const name = targetNames.find((each) => record[each] !== undefined) ?? "Invoice";
  return record[name] as unknown as StoredDocument;
}

const familyOf = (document: StoredDocument): Family => kindOf(document).family;

/** In which direction the money of a payment goes. */
function settledSentence(
  { Amount, Date: date, Account }: StoredPayment,
  target: StoredDocument,
): string {
  const { posts } = kindOf(target);
  const [verb, to] =
    posts !== undefined && paymentSideOf(posts) === 1 ? ["received", "into"] : ["made", "from"];
  return `Payment of ${writeDecimal(Amount, 2)} was ${verb} on ${date} ${to} ${Account?.Name}.`;
}

function drafted({ call, today }: Batch<StoredPayment>, input: Partial<Payment>): StoredPayment {
  return {
    ...withDefaults<StoredPayment>(payment.fields, input),
    PaymentID: call.newId(),
    Date: input.Date ?? today,
    UpdatedDateUTC: call.now,
    CreatedByApp: call.principal.app,
    CreatedDateUTC: call.now,
    BaseAmount: 0 as Cents,
    HasAccount: true,
    HasValidationErrors: false,
  };
}

function checkTarget(target: StoredDocument, { Amount }: StoredPayment, faults: Faults): void {
  const { family, lifeCycle } = kindOf(target);
  if (!isApproved(lifeCycle, target.Status)) {
    faults.add("Payments can only be made against Authorised documents");
  } else if (Amount > openOf(family, target)) {
    faults.add("Payment amount exceeds the amount outstanding on this document");
  }
}

/** The currency of the account that a payment moves money on. */
const currencyOf = (account: Account, base: string) => account.CurrencyCode ?? base;

/**
 * The rate of a payment: of the document's currency, or of the bank account's where only that is
 * foreign; that of the day where none is given, and of the document where none is known.
 */
function setRate(
  target: StoredDocument,
  account: Account,
  record: StoredPayment,
  currencies: Currencies,
  faults: Faults,
): void {
  const { base } = currencies;
  const bank = currencyOf(account, base);
  const foreign = target.CurrencyCode === base ? bank : target.CurrencyCode;
  if (bank !== base && target.CurrencyCode !== base && bank !== target.CurrencyCode) {
    faults.add(
      `A document in ${target.CurrencyCode} cannot be paid from an account in ${bank}: one of the two must be in ${base}.`,
    );
    return;
  }
  if (foreign === base) {
    record.CurrencyRate ??= baseRate;
    if (record.CurrencyRate !== baseRate) {
      faults.add("CurrencyRate is for documents in a foreign currency only.");
    }
    return;
  }
  const rate =
    record.CurrencyRate ??
    currencies.rateOn(foreign, record.Date) ??
    (target.CurrencyCode === base ? undefined : target.CurrencyRate);
  if (rate === undefined) faults.add(noRate(foreign, record.Date));
  else if (rate <= 0) faults.add("CurrencyRate must be above zero.");
  record.CurrencyRate = rate ?? baseRate;
}

/** Posts a payment, and takes it off what is due. @throws RefusedError before anything changes */
function apply(call: Call, work: Work, record: StoredPayment, target: StoredDocument): void {
  const { family } = kindOf(target);
  const id = idOf(family, target);
  const live = work.live.get(id) ?? [];
  const settled = settle(record, target, work.chart, work.currencies.base, live);
  record.BaseAmount = settled.baseAmount;
  record.BankAmount = settled.bankAmount;
  target.AmountPaid = (target.AmountPaid + record.Amount) as Cents;
  target.BaseDue = (target.BaseDue - settled.baseAmount) as Cents;
  settleStatus(target, record.Date, call.now);
  work.journals.push(...settled.journals);
  // A later payment of the same batch goes on from what this one recognised.
  const posted = settled.journals.map((journal) => ({
    ...journal,
    id: "",
    number: 0,
    createdAt: call.now,
  }));
  work.live.set(id, [...live, ...posted]);
  work.paid.set(id, target);
}

function targetOf(input: Partial<Payment>, work: Work, faults: Faults): StoredDocument | undefined {
  const named = targetNames.filter((name) => input[name] !== undefined);
  const [name] = named;
  if (named.length !== 1 || name === undefined) {
    faults.add("A payment names exactly one Invoice, CreditNote, Prepayment or Overpayment.");
    return undefined;
  }
  const found = work.targets.get(name);
  if (found === undefined) {
    faults.add(`There is no such ${name}.`);
    return undefined;
  }
  return found.resolve(input[name] as Reference, "a payment", faults);
}

function accountOf(input: Partial<Payment>, chart: Chart, faults: Faults): Account | undefined {
  const key = input.Account?.AccountID ?? input.Account?.Code;
  if (!key) {
    faults.add("The Account of a payment must be named by AccountID or Code.");
    return undefined;
  }
  const account = chart.account(key);
  if (account === undefined || account.Status !== "ACTIVE") {
    faults.add(`There is no active account '${key}'.`);
  } else if (!takesPayments(account)) {
    faults.add("Account type is invalid for making a payment to/from");
  }
  return account;
}

/** A control account stands at its documents and an inventory account at its items, whatever is enabled. */
function takesPayments(account: Account): boolean {
  if (account.Type === "BANK") return true;
  if (account.Type === "INVENTORY" || isKeptByLedger(account)) return false;
  return account.EnablePaymentsToAccount;
}

/** POST /Payments makes one payment, or reverses the one it names. */
export async function writePayment(call: Call): Promise<ServiceResponse> {
  const [only] = readInputs(call, accepted, 1);
  const id = only?.PaymentID;
  if (typeof id === "string" && only?.Status === "DELETED") return reversePayment(call, id);
  return write(call, payments, "PUT");
}

/** POST /Payments/{id} with the Status DELETED (or an empty body) reverses a payment. */
export async function reversePayment(call: Call, key: string): Promise<ServiceResponse> {
  const { body } = call.request;
  const [sent] = body === undefined || body.length === 0 ? [] : readInputs(call, accepted, 1);
  if (sent?.Status !== undefined && sent.Status !== "DELETED") {
    throw refusal(["A payment cannot be changed; its Status can be set to DELETED."]);
  }
  return call.write(async (tx) => {
    const { organisation } = await here(call, tx);
    const found = await locate(tx, payments, key);
    if (sent?.PaymentID !== undefined && sent.PaymentID !== found.PaymentID) {
      throw refusal([
        `The PaymentID in the body, ${sent.PaymentID}, is not that of the address, ${found.PaymentID}.`,
      ]);
    }
    if (found.Status === "DELETED") throw refusal(["The payment is reversed already."]);
    if (found.BatchPaymentID !== undefined) {
      throw refusal(["A payment of a batch cannot be deleted by itself; delete the batch."]);
    }
    checkLock(found.Date, organisation);
    return answer(call, payment, [await reverse(call, tx, found)], "single");
  });
}

async function reverse(call: Call, tx: Tx, found: StoredPayment): Promise<StoredPayment> {
  const { family, document } = await settledBy(tx, found);
  const live = await liveJournals(tx, "source", [found.PaymentID]);
  await appendJournals(tx, unsettle(live), call.now, call.newId);
  document.AmountPaid = (document.AmountPaid - found.Amount) as Cents;
  document.BaseDue = (document.BaseDue + found.BaseAmount) as Cents;
  settleStatus(document, undefined, call.now);
  const record: StoredPayment = {
    ...found,
    Status: "DELETED",
    [family.paidAs ?? ""]: document,
    UpdatedDateUTC: call.now,
    HasAccount: true,
    HasValidationErrors: false,
  };
  await save(tx, family.resource, [document]);
  await save(tx, payment, [record]);
  const details = `Payment of ${writeDecimal(found.Amount, 2)} dated ${found.Date} was deleted.`;
  await addHistory(
    tx,
    [
      ["Payment", found.PaymentID, "Deleted"] as const,
      [family.resource.name, idOf(family, document), "Payment deleted"] as const,
    ].map(([resource, recordId, changes]) => ({
      id: call.newId(),
      resource,
      recordId,
      at: call.now,
      changes,
      details,
      user: call.principal.user,
    })),
  );
  return record;
}

/** The document that a payment of the store has settled. */
async function settledBy(
  tx: Tx,
  found: StoredPayment,
): Promise<{ family: Family; document: StoredDocument }> {
  for (const [name, family] of Object.entries(targets)) {
    const reference = found[name as PaymentTarget] as Reference | undefined;
    const id = reference?.[family.resource.id] as string | undefined;
    const [document] = id === undefined ? [] : await fetchDocuments(tx, family, [id]);
    if (document !== undefined) return { family, document };
  }
  throw new Error(`What the payment ${found.PaymentID} has settled is gone.`);
}
