/**
 * How what became of a record is taken back, by its resource: the lawful way, made of the requests
 * that anybody may send.
 *
 * What was made is deleted while it is a draft, and voided once it stands in the ledger; what was
 * changed gets its former values; what was voided is made anew. History only grows.
 */
import { scaleOf, writeDecimal } from "../../resources/decimal.ts";
import type { FieldValues, Resource } from "../../resources/field.ts";
import {
  bankStatement,
  bankTransaction,
  brandingTheme,
  type ServedName,
  type trackingOption,
} from "../../resources/index.ts";
import type { Effect, LoggedChange } from "./operation-effects.ts";
import { create, inputOf, type Request, recordPath, remove, update } from "./reversal-requests.ts";

/** What a rule is told of a record. */
export interface Taking {
  readonly effect: Effect;
  /** What was changed, as it was, in the form of a body. */
  readonly former: FieldValues;
  /** The record as it is in the books now, decoded; undefined where it has no address or is gone. */
  readonly current: FieldValues | undefined;
  /** Ids of records that are reconciled with bank lines in the same operation. */
  readonly reconciled: ReadonlySet<string>;
  /** Of a bank statement that was removed: its lines, as they were. */
  readonly parts?: readonly FieldValues[] | undefined;
}

/** Requests that have to succeed one after the other. */
export type Requests = readonly Request[];

/** The ways to try, the best first; none where nothing is to be done. A text says why there is none. */
type ReversalRule = (taking: Taking) => readonly Requests[] | string;

/** The changes that need taking back. */
export type Reversible = Exclude<LoggedChange, "TOUCHED">;

interface Reversal extends Readonly<Record<Reversible, ReversalRule>> {
  /** What is taken back first, and made anew last: lower ranks rest on higher ones. */
  readonly rank: number;
  /** What corrects such a record where it cannot be taken back. */
  readonly instead?: string;
}

const nothing: ReversalRule = () => [];
const stays =
  (why: string): ReversalRule =>
  () =>
    why;

const isGone = (status: unknown) => status === "VOIDED" || status === "DELETED";
const isSettled = (status: unknown) => status === "AUTHORISED" || status === "PAID";

const without = (values: FieldValues, ...names: readonly string[]): FieldValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));

const only = (values: FieldValues, ...names: readonly string[]): FieldValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));

/** Gives a record its former values. */
const restores: ReversalRule = ({ effect: { resource, id }, former, current }) =>
  Object.keys(former).length === 0
    ? []
    : [[update(resource, id, { ...required(resource, current), ...former })]];

/** Fields that every body has to have. */
function required(resource: Resource, current: FieldValues = {}): FieldValues {
  const own = Object.entries(inputOf(resource, current));
  return Object.fromEntries(own.filter(([name]) => resource.fields[name]?.required === true));
}

/** The lines of a document as they were: those that are gone are made again, under new ids. */
function linesOf({ former: { LineItems }, current }: Taking): FieldValues {
  if (LineItems === undefined) return {};
  const own = (current?.LineItems ?? []) as readonly FieldValues[];
  const ids = new Set(own.map(({ LineItemID }) => LineItemID));
  const lines = (LineItems as readonly FieldValues[]).map((line) =>
    ids.has(line.LineItemID) ? line : without(line, "LineItemID"),
  );
  return { LineItems: lines };
}

/** Makes a record that was removed. */
const makesAgain: ReversalRule = ({ effect: { resource }, former }) => {
  const known = Object.entries(former).filter(([, value]) => value !== "");
  return [[create(resource, without(Object.fromEntries(known), resource.id))]];
};

/** Lines that one request takes. */
const linesMax = 5000;

/** Makes a bank statement that was removed, with the lines that went with it. */
const statementAgain: ReversalRule = (taking) => {
  const { effect, parts = [] } = taking;
  const own = makesAgain(taking)[0]?.[0] as Request;
  const lines = parts.map(({ LineKey, ...line }) => {
    const known = Object.entries(line).filter(
      ([name, value]) => lineFacts.has(name) && value !== "",
    );
    return { Key: LineKey, ...Object.fromEntries(known) };
  });
  const [first = [], ...rest] = chunked(lines);
  const body = { ...own.body, StatementLines: first, OnDuplicate: "add" };
  return [
    [
      { ...own, body, batch: effect.resource },
      ...rest.map((each) =>
        update(effect.resource, effect.id, { StatementLines: each, OnDuplicate: "add" }),
      ),
    ],
  ];
};

const lineFacts: ReadonlySet<string> = new Set(
  Object.keys(bankStatement.fields.StatementLines.fields),
);

function chunked<T>(all: readonly T[]): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < all.length; at += linesMax) chunks.push(all.slice(at, at + linesMax));
  return chunks;
}

const removes: ReversalRule = ({ effect: { resource, id }, current }) =>
  current === undefined ? [] : [[remove(resource, id)]];

const sets =
  (changes: FieldValues): ReversalRule =>
  ({ effect: { resource, id }, current }) =>
    isGone(current?.Status) ? [] : [[update(resource, id, changes)]];

/** A new record like one that ended, with its former values where some are known. */
function remade(
  { effect: { resource }, former, current }: Taking,
  changes: FieldValues,
  status: unknown = current?.Status,
): Request {
  const { number = "", unique } = resource.document ?? {};
  // A number that the other keeps is not given again.
  const isKept = unique !== undefined && !unique.freedBy.includes(String(status));
  const lines = former.LineItems as readonly FieldValues[] | undefined;
  const anew = lines && { LineItems: lines.map((line) => without(line, "LineItemID")) };
  const values = { ...inputOf(resource, current ?? {}), ...former, ...anew };
  const own = without(values, "SentToContact", ...(isKept ? [number] : []));
  return create(resource, { ...own, ...changes });
}

interface DocumentRules {
  readonly rank: number;
  /** The status in which one ends that is in another. */
  readonly end: (status: unknown) => string;
  readonly instead?: string;
  /** Where it is voided, if that is not by a change of itself. */
  readonly at?: (taking: Taking, Status: string) => Request;
}

/** Documents and journals: they end, and are made anew. */
function document({ rank, end, instead, at }: DocumentRules): Reversal {
  const ending = (taking: Taking): Request => {
    const { resource, id } = taking.effect;
    const Status = end(taking.current?.Status);
    return at?.(taking, Status) ?? update(resource, id, { Status });
  };
  return {
    rank,
    ...(instead === undefined ? {} : { instead }),
    CREATED: (taking) => (isGone(taking.current?.Status) ? [] : [[ending(taking)]]),
    CHANGED: (taking) => {
      const { effect, former, current, reconciled } = taking;
      const { resource, id } = effect;
      const known = { ...former, ...linesOf(taking) };
      const held = reconciled.has(id) ? without(known, "IsReconciled") : known;
      const follows = isSettled(held.Status) && isSettled(current?.Status);
      const values = follows ? without(held, "Status") : held;
      if (Object.keys(values).length === 0) return [];
      if (values.SentToContact === "false" || values.SentToContact === false) {
        return "it was marked as sent, which nothing takes back";
      }
      const back = [update(resource, id, values)];
      if (values.Status === undefined) return [back];
      // What was approved is no draft again: it ends, and a draft like it is made.
      const ended = end(current?.Status);
      return [back, [ending(taking), remade(taking, { Status: values.Status }, ended)]];
    },
    VOIDED: (taking) => {
      const { Status } = taking.former;
      if (taking.reconciled.has(taking.effect.id)) return [];
      return [[remade(taking, { Status: Status === "PAID" ? "AUTHORISED" : Status })]];
    },
    REMOVED: stays("it was removed for good"),
  };
}

const draftOrVoid = (status: unknown) =>
  status === "DRAFT" || status === "SUBMITTED" ? "DELETED" : "VOIDED";
const deleted = () => "DELETED";

const credit = "a credit note dated after it (acct credit-note create)";
const charge = "an invoice dated after it (acct invoice create), or a bill (acct bill create),";
const reversing = "a reversing journal dated after it (acct manual-journal create)";
const refund = "the money coming back, dated after it (acct bank-transaction create)";

/** The credit that money leaves is voided at its own address. */
function creditAt({ effect: { id }, current }: Taking): Request | undefined {
  const type = String(current?.Type ?? "");
  const path = type.endsWith("-PREPAYMENT")
    ? "/Prepayments"
    : type.endsWith("-OVERPAYMENT")
      ? "/Overpayments"
      : undefined;
  if (path === undefined) return undefined;
  return { method: "POST", path: `${path}/${id}`, body: { Status: "VOIDED" } };
}

const bankMoney: Reversal = {
  ...document({
    rank: 40,
    end: deleted,
    instead: refund,
    at: (taking, Status) =>
      creditAt(taking) ?? update(taking.effect.resource, taking.effect.id, { Status }),
  }),
};

/** The credits of bank transactions: what becomes of them becomes of these. */
const ofBankTransaction: Reversal = {
  rank: 41,
  CREATED: nothing,
  CHANGED: nothing,
  VOIDED: ({ current }) => {
    if (current === undefined) return "its bank transaction is not there";
    const own = without(inputOf(bankTransaction, current), "Status", "IsReconciled");
    return [[create(bankTransaction, own)]];
  },
  REMOVED: stays("it was removed for good"),
};

const active = { Status: "ACTIVE" } as const;

/** Of what is archived where it is in use, and removed otherwise. */
const deletedOrArchived: ReversalRule = ({ effect: { resource, id }, current }) =>
  // Accounts that the service makes for itself stay with what needs them.
  current === undefined || isGone(current.Status) || current.SystemAccount !== undefined
    ? []
    : [[remove(resource, id)], [update(resource, id, { Status: "ARCHIVED" })]];

/** What the construction industry scheme knew of a contact, where that was changed. */
function cisSettings(id: string, { CISEnabled, CISRate }: Effect["former"]): Request | undefined {
  if (CISEnabled === undefined && CISRate === undefined) return undefined;
  const known = CISRate === null ? "" : writeDecimal(Number(CISRate), scaleOf.percent);
  const rate = CISRate === undefined ? {} : { Rate: known };
  const enabled = CISEnabled === undefined ? {} : { CISEnabled: CISEnabled === 1 };
  return { method: "POST", path: `/Contacts/${id}/CISSettings`, body: { ...enabled, ...rate } };
}

/** Where an option stands that was written by itself, and not with its category. */
function optionPath({ effect: { id, path } }: Taking): string | undefined {
  const [options] = /^\/TrackingCategories\/[^/]+\/Options/i.exec(path) ?? [];
  return options && `${options}/${id}`;
}

/** Fields that the disposal of an asset sets. */
const ofDisposal = [
  "Status",
  "DisposalDate",
  "DisposalProceeds",
  "CapitalGain",
  "Gain",
  "DisposalJournalID",
] as const;

/** Fields of a bank statement that a person may type. */
const ofBalances = ["FromDate", "ToDate", "OpeningBalance", "ClosingBalance", "BalanceSource"];

const rules = {
  BankStatementLine: {
    rank: 0,
    CREATED: nothing,
    CHANGED: ({ effect: { resource, id }, former, current }) => {
      const unmatch = {
        method: "POST",
        path: `${recordPath(resource, id)}/Unmatch`,
        body: {},
      } as const;
      if (former.Status === "UNRECONCILED" && current?.Status !== "UNRECONCILED")
        return [[unmatch]];
      if (former.Status === "IGNORED") {
        return [[{ method: "POST", path: `${recordPath(resource, id)}/Ignore`, body: {} }]];
      }
      // What it was matched with stands in rows of its own (`row-reversals.ts`).
      return [];
    },
    VOIDED: nothing,
    // It is made again with its statement.
    REMOVED: nothing,
  },
  BankStatement: {
    rank: 1,
    CREATED: removes,
    CHANGED: (taking) => restores({ ...taking, former: only(taking.former, ...ofBalances) }),
    VOIDED: nothing,
    REMOVED: statementAgain,
  },
  OpeningBalance: {
    rank: 2,
    CREATED: removes,
    CHANGED: restores,
    VOIDED: nothing,
    REMOVED: makesAgain,
  },
  BatchPayment: {
    rank: 10,
    CREATED: sets({ Status: "DELETED" }),
    CHANGED: nothing,
    VOIDED: (taking) => [[remade(taking, {})]],
    REMOVED: nothing,
  },
  Payment: {
    rank: 30,
    instead: refund,
    CREATED: sets({ Status: "DELETED" }),
    CHANGED: nothing,
    VOIDED: (taking) =>
      taking.current?.BatchPaymentID !== undefined || taking.reconciled.has(taking.effect.id)
        ? []
        : [[lacking(remade(taking, {}), "Status", "BatchPaymentID", "IsReconciled")]],
    REMOVED: nothing,
  },
  BankTransfer: {
    rank: 31,
    instead: refund,
    CREATED: sets({ Status: "DELETED" }),
    CHANGED: nothing,
    VOIDED: (taking) =>
      taking.reconciled.has(taking.effect.id)
        ? []
        : [[lacking(remade(taking, {}), "Status", "FromIsReconciled", "ToIsReconciled")]],
    REMOVED: nothing,
  },
  BankTransaction: bankMoney,
  Prepayment: ofBankTransaction,
  Overpayment: ofBankTransaction,
  CreditNote: document({ rank: 42, end: draftOrVoid, instead: charge }),
  Invoice: document({ rank: 43, end: draftOrVoid, instead: credit }),
  ManualJournal: document({
    rank: 44,
    end: (status) => (status === "DRAFT" ? "DELETED" : "VOIDED"),
    instead: reversing,
  }),
  Receipt: document({ rank: 45, end: () => "VOIDED" }),
  LinkedTransaction: {
    rank: 46,
    CREATED: removes,
    CHANGED: restores,
    VOIDED: nothing,
    REMOVED: makesAgain,
  },
  Quote: document({ rank: 50, end: deleted }),
  PurchaseOrder: document({ rank: 51, end: deleted }),
  RepeatingInvoice: document({ rank: 52, end: deleted }),
  Asset: {
    rank: 53,
    CREATED: sets({ Status: "DELETED" }),
    // A disposal is taken back by its journal (`asset-actions.ts`).
    CHANGED: (taking) => restores({ ...taking, former: without(taking.former, ...ofDisposal) }),
    VOIDED: (taking) => [[remade(taking, {})]],
    REMOVED: nothing,
  },
  Budget: {
    rank: 60,
    CREATED: ({ current }) =>
      (current?.BudgetLines as readonly object[] | undefined)?.length
        ? []
        : "a budget stays; without amounts it says nothing",
    CHANGED: restores,
    VOIDED: nothing,
    REMOVED: nothing,
  },
  BankRule: {
    rank: 61,
    CREATED: sets({ Status: "DELETED" }),
    CHANGED: restores,
    VOIDED: (taking) => [[remade(taking, active)]],
    REMOVED: nothing,
  },
  ContactGroup: {
    rank: 62,
    CREATED: sets({ Status: "DELETED" }),
    CHANGED: restores,
    VOIDED: stays("a group that was deleted is made again by acct contact-group create"),
    REMOVED: nothing,
  },
  Contact: {
    rank: 70,
    CREATED: ({ effect: { resource, id }, current }) =>
      current === undefined || current.ContactStatus !== "ACTIVE"
        ? []
        : [[update(resource, id, { ContactStatus: "ARCHIVED" })]],
    CHANGED: ({ effect: { resource, id, former: columns }, former }) => {
      const values = without(former, "ContactStatus");
      const cis = cisSettings(id, columns);
      const changed = [
        ...(Object.keys(values).length === 0 ? [] : [update(resource, id, values)]),
        ...(cis === undefined ? [] : [cis]),
      ];
      if (former.ContactStatus === "ACTIVE") {
        const restore = { method: "POST", path: `${recordPath(resource, id)}/Restore`, body: {} };
        return [[restore as Request, ...changed]];
      }
      if (former.ContactStatus !== undefined) {
        return [[...changed, update(resource, id, { ContactStatus: former.ContactStatus })]];
      }
      return changed.length === 0 ? [] : [changed];
    },
    VOIDED: nothing,
    REMOVED: nothing,
  },
  Item: { rank: 71, CREATED: removes, CHANGED: restores, VOIDED: nothing, REMOVED: makesAgain },
  Employee: {
    rank: 72,
    CREATED: sets({ Status: "DELETED" }),
    CHANGED: restores,
    VOIDED: (taking) => [[remade(taking, active)]],
    REMOVED: nothing,
  },
  Account: {
    rank: 80,
    CREATED: deletedOrArchived,
    CHANGED: ({ effect: { resource, id }, former }) => {
      const { Status, ...values } = former;
      const status = Status === undefined ? [] : [update(resource, id, { Status })];
      const changed = Object.keys(values).length === 0 ? [] : [update(resource, id, values)];
      return status.length + changed.length === 0
        ? []
        : [Status === "ARCHIVED" ? [...changed, ...status] : [...status, ...changed]];
    },
    VOIDED: (taking) => [[lacking(remade(taking, {}), "Status")]],
    REMOVED: makesAgain,
  },
  TaxRate: {
    rank: 81,
    CREATED: ({ effect: { resource }, current }) =>
      current === undefined || current.Status !== "ACTIVE"
        ? []
        : [
            [
              {
                method: "POST",
                path: "/TaxRates",
                body: {
                  ...inputOf(resource, current),
                  TaxType: current.TaxType,
                  Status: "DELETED",
                },
              },
            ],
          ],
    CHANGED: ({ effect: { resource, id }, former, current = {} }) => [
      [
        {
          method: "POST",
          path: "/TaxRates",
          body: { ...inputOf(resource, current), TaxType: id, ...former },
        },
      ],
    ],
    VOIDED: (taking) => [[lacking(remade(taking, active), "TaxType")]],
    REMOVED: nothing,
  },
  TrackingCategory: {
    rank: 83,
    CREATED: removes,
    CHANGED: restores,
    VOIDED: stays("a tracking category that was deleted is made again by acct tracking create"),
    REMOVED: stays("a tracking category that was deleted is made again by acct tracking create"),
  },
  Option: {
    rank: 82,
    CREATED: (taking) => {
      const path = optionPath(taking);
      return path === undefined ? [] : [[{ method: "DELETE", path }]];
    },
    CHANGED: (taking) => {
      const path = optionPath(taking);
      const isRestored = path !== undefined && Object.keys(taking.former).length > 0;
      return isRestored ? [[{ method: "POST", path, body: taking.former }]] : [];
    },
    VOIDED: stays("an option that was deleted is made again by acct tracking option add"),
    REMOVED: stays("an option that was deleted is made again by acct tracking option add"),
  },
  Currency: {
    rank: 84,
    CREATED: stays("a currency stays; it does no harm where no document is in it"),
    CHANGED: nothing,
    VOIDED: nothing,
    REMOVED: nothing,
  },
  PaymentService: {
    rank: 85,
    CREATED: stays("a payment service stays with the books"),
    CHANGED: nothing,
    VOIDED: nothing,
    REMOVED: nothing,
  },
  BrandingTheme: {
    rank: 86,
    CREATED: nothing,
    CHANGED: ({ effect: { id, former } }) => {
      const values = Object.entries(former).map(([name, value]) => [name, value ?? ""]);
      const path = `${recordPath(brandingTheme, id)}/Settings`;
      return values.length === 0
        ? []
        : [[{ method: "POST", path, body: Object.fromEntries(values) }]];
    },
    VOIDED: nothing,
    REMOVED: nothing,
  },
  Organisation: {
    rank: 90,
    CREATED: nothing,
    CHANGED: ({ former }) => {
      const values = without(former, "ConversionDate");
      return Object.keys(values).length === 0
        ? []
        : [[{ method: "POST", path: "/Organisation/Settings", body: values }]];
    },
    VOIDED: nothing,
    REMOVED: nothing,
  },
  User: { rank: 99, CREATED: nothing, CHANGED: nothing, VOIDED: nothing, REMOVED: nothing },
  Journal: { rank: 99, CREATED: nothing, CHANGED: nothing, VOIDED: nothing, REMOVED: nothing },
  Operation: { rank: 99, CREATED: nothing, CHANGED: nothing, VOIDED: nothing, REMOVED: nothing },
} as const satisfies Record<ServedName | (typeof trackingOption)["name"], Reversal>;

function lacking({ body = {}, ...request }: Request, ...names: readonly string[]): Request {
  return { ...request, body: without(body, ...names) };
}

/** How records of a resource are taken back. */
export function reversalOf({ name }: Resource): Reversal {
  const reversal = (rules as Readonly<Record<string, Reversal>>)[name];
  if (reversal === undefined) throw new Error(`Nothing says how a ${name} is taken back.`);
  return reversal;
}
