/**
 * Rules for undoing changes of records, by resource: only with requests that any caller may send.
 *
 * A created record is deleted while it is a draft, and voided once it is posted; a changed one gets
 * its former values; a voided one is created again. History only grows.
 */
import { scaleOf, writeDecimal } from "../../resources/decimal.ts";
import type { FieldValues, Resource } from "../../resources/field.ts";
import {
  bankStatement,
  bankTransaction,
  brandingTheme,
  type OneTypeName,
  type ServedName,
  type trackingOption,
} from "../../resources/index.ts";
import type { Effect, LoggedChange } from "./operation-effects.ts";
import { create, inputOf, type Request, recordPath, remove, update } from "./reversal-requests.ts";

/** Input of an undo rule for a record. */
export interface UndoInput {
  readonly effect: Effect;
  /** Former values of the changed fields, in the form of a request body. */
  readonly former: FieldValues;
  /** The current record, decoded; undefined where it has no path or is gone. */
  readonly current: FieldValues | undefined;
  /** Ids of records that the same operation reconciled with bank lines. */
  readonly reconciled: ReadonlySet<string>;
  /** For a removed bank statement: its former lines. */
  readonly parts?: readonly FieldValues[] | undefined;
}

/** Requests that must succeed one after the other. */
export type Requests = readonly Request[];

/**
 * Returns alternative request lists, the best first; an empty list if nothing is to be done; or a
 * text that says why undo is impossible.
 */
type ReversalRule = (situation: UndoInput) => readonly Requests[] | string;

/** The kinds of changes that need an undo. */
export type Reversible = Exclude<LoggedChange, "TOUCHED">;

interface Reversal extends Readonly<Record<Reversible, ReversalRule>> {
  /** Order of undo: lower ranks depend on higher ones; they are undone first, recreated last. */
  readonly rank: number;
  /** The way to correct such a record where undo is impossible. */
  readonly instead?: string;
}

const nothing: ReversalRule = () => [];
const stays =
  (reason: string): ReversalRule =>
  () =>
    reason;

const isDeleted = (status: unknown) => status === "VOIDED" || status === "DELETED";
const isSettled = (status: unknown) => status === "AUTHORISED" || status === "PAID";

const omit = (values: FieldValues, ...names: readonly string[]): FieldValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));

const pick = (values: FieldValues, ...names: readonly string[]): FieldValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));

/** Restores the former values of a record. */
const restores: ReversalRule = ({ effect: { resource, id }, former, current }) =>
  Object.keys(former).length === 0
    ? []
    : [[update(resource, id, { ...requiredFields(resource, current), ...former })]];

/** Returns the fields that every request body must have. */
function requiredFields(resource: Resource, current: FieldValues = {}): FieldValues {
  const entries = Object.entries(inputOf(resource, current));
  return Object.fromEntries(entries.filter(([name]) => resource.fields[name]?.required === true));
}

/** Returns the former lines of a document: removed ones get new ids. */
function linesOf({ former: { LineItems }, current }: UndoInput): FieldValues {
  if (LineItems === undefined) return {};
  const currentLines = (current?.LineItems ?? []) as readonly FieldValues[];
  const currentLineIds = new Set(currentLines.map(({ LineItemID }) => LineItemID));
  const lines = (LineItems as readonly FieldValues[]).map((line) =>
    currentLineIds.has(line.LineItemID) ? line : omit(line, "LineItemID"),
  );
  return { LineItems: lines };
}

/** Creates a removed record again. */
const makesAgain: ReversalRule = ({ effect: { resource }, former }) => {
  const filledEntries = Object.entries(former).filter(([, value]) => value !== "");
  return [[create(resource, omit(Object.fromEntries(filledEntries), resource.id))]];
};

/** Maximum number of lines in a request. */
const linesMax = 5000;

/** Creates a removed bank statement again, with its lines. */
const statementAgain: ReversalRule = (situation) => {
  const { effect, parts = [] } = situation;
  const creation = makesAgain(situation)[0]?.[0] as Request;
  const lines = parts.map(({ LineKey, ...line }) => {
    const filledEntries = Object.entries(line).filter(
      ([name, value]) => lineFactFields.has(name) && value !== "",
    );
    return { Key: LineKey, ...Object.fromEntries(filledEntries) };
  });
  const [first = [], ...rest] = splitInChunks(lines);
  const body = { ...creation.body, StatementLines: first, OnDuplicate: "add" };
  return [
    [
      { ...creation, body, batch: effect.resource },
      ...rest.map((lineGroup) =>
        update(effect.resource, effect.id, { StatementLines: lineGroup, OnDuplicate: "add" }),
      ),
    ],
  ];
};

const lineFactFields: ReadonlySet<string> = new Set(
  Object.keys(bankStatement.fields.StatementLines.fields),
);

function splitInChunks<T>(list: readonly T[]): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < list.length; at += linesMax) chunks.push(list.slice(at, at + linesMax));
  return chunks;
}

const removes: ReversalRule = ({ effect: { resource, id }, current }) =>
  current === undefined ? [] : [[remove(resource, id)]];

const sets =
  (changes: FieldValues): ReversalRule =>
  ({ effect: { resource, id }, current }) =>
    isDeleted(current?.Status) ? [] : [[update(resource, id, changes)]];

/** Returns the request for a new record like an ended one, with former values where known. */
function createAgain(
  { effect: { resource }, former, current }: UndoInput,
  changes: FieldValues,
  status: unknown = current?.Status,
): Request {
  const { number = "", unique } = resource.document ?? {};
  // The number is left out where the ended record still holds it.
  const keepsNumber = unique !== undefined && !unique.freedBy.includes(String(status));
  const lines = former.LineItems as readonly FieldValues[] | undefined;
  const anew = lines && { LineItems: lines.map((line) => omit(line, "LineItemID")) };
  const values = { ...inputOf(resource, current ?? {}), ...former, ...anew };
  const newValues = omit(values, "SentToContact", ...(keepsNumber ? [number] : []));
  return create(resource, { ...newValues, ...changes });
}

interface DocumentRules {
  readonly rank: number;
  /** Returns the status that ends a document in the given status. */
  readonly end: (status: unknown) => string;
  readonly instead?: string;
  /** Makes the request that voids it, where that is not an update of the document itself. */
  readonly at?: (situation: UndoInput, Status: string) => Request;
}

/** Returns the rules of documents and journals: they are ended, and created again. */
function document({ rank, end, instead, at }: DocumentRules): Reversal {
  const endRequest = (situation: UndoInput): Request => {
    const { resource, id } = situation.effect;
    const Status = end(situation.current?.Status);
    return at?.(situation, Status) ?? update(resource, id, { Status });
  };
  return {
    rank,
    instead,
    CREATED: (situation) => (isDeleted(situation.current?.Status) ? [] : [[endRequest(situation)]]),
    CHANGED: (taking) => {
      const { effect, former, current, reconciled } = taking;
      const { resource, id } = effect;
      const formerFields = { ...former, ...linesOf(taking) };
      const document = reconciled.has(id) ? omit(formerFields, "IsReconciled") : formerFields;
      const isFollowing = isSettled(document.Status) && isSettled(current?.Status);
      const values = isFollowing ? omit(document, "Status") : document;
      if (Object.keys(values).length === 0) return [];
      if (values.SentToContact === "false" || values.SentToContact === false) {
        return "it was marked as sent, which nothing takes back";
      }
      const restore = [update(resource, id, values)];
      if (values.Status === undefined) return [restore];
      // An approved document cannot become a draft again: it is ended, and an equal draft is
      // created.
      const ended = end(current?.Status);
      return [restore, [endRequest(taking), createAgain(taking, { Status: values.Status }, ended)]];
    },
    VOIDED: (situation) => {
      const { Status } = situation.former;
      if (situation.reconciled.has(situation.effect.id)) return [];
      return [[createAgain(situation, { Status: Status === "PAID" ? "AUTHORISED" : Status })]];
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

/** Returns the request that voids the credit of a bank transaction at the credit's own path. */
function creditAt({ effect: { id }, current }: UndoInput): Request | undefined {
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
    at: (situation, Status) =>
      creditAt(situation) ?? update(situation.effect.resource, situation.effect.id, { Status }),
  }),
};

/** Rules for credits of bank transactions, which change together with their bank transaction. */
const ofBankTransaction: Reversal = {
  rank: 41,
  CREATED: nothing,
  CHANGED: nothing,
  VOIDED: ({ current }) => {
    if (current === undefined) return "its bank transaction is not there";
    const input = omit(inputOf(bankTransaction, current), "Status", "IsReconciled");
    return [[create(bankTransaction, input)]];
  },
  REMOVED: stays("it was removed for good"),
};

const active = { Status: "ACTIVE" } as const;

/** Rule for records that are archived if they are in use, and deleted otherwise. */
const deletedOrArchived: ReversalRule = ({ effect: { resource, id }, current }) =>
  // System accounts made by the service stay, since records need them.
  current === undefined || isDeleted(current.Status) || current.SystemAccount !== undefined
    ? []
    : [[remove(resource, id)], [update(resource, id, { Status: "ARCHIVED" })]];

/** Restores the CIS settings of a contact, where they were changed. */
function cisSettings(id: string, { CISEnabled, CISRate }: Effect["former"]): Request | undefined {
  if (CISEnabled === undefined && CISRate === undefined) return undefined;
  const rateText = CISRate === null ? "" : writeDecimal(Number(CISRate), scaleOf.percent);
  const rate = CISRate === undefined ? {} : { Rate: rateText };
  const enabled = CISEnabled === undefined ? {} : { CISEnabled: CISEnabled === 1 };
  return { method: "POST", path: `/Contacts/${id}/CISSettings`, body: { ...enabled, ...rate } };
}

/** Returns the path of a tracking option that was written by itself, not with its category. */
function optionPath({ effect: { id, path } }: UndoInput): string | undefined {
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

/** Fields of a bank statement that a person may enter. */
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
      const ignore = { ...unmatch, path: `${recordPath(resource, id)}/Ignore` };
      if (former.Status === "IGNORED") return [[ignore]];
      // A line that was released is left to people again once it is ignored and taken back.
      const isLeft = (record: FieldValues | undefined) =>
        (record?.Flags as readonly string[] | undefined)?.includes("manual") === true;
      if (isLeft(former) && !isLeft(current)) return [[ignore, unmatch]];
      // The matches of the line are rows of their own (`row-reversals.ts`).
      return [];
    },
    VOIDED: nothing,
    // A removed line is created again with its statement.
    REMOVED: nothing,
  },
  BankStatement: {
    rank: 1,
    CREATED: removes,
    CHANGED: (taking) => restores({ ...taking, former: pick(taking.former, ...ofBalances) }),
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
    VOIDED: (situation) => [[createAgain(situation, {})]],
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
        : [[omitting(createAgain(taking, {}), "Status", "BatchPaymentID", "IsReconciled")]],
    REMOVED: nothing,
  },
  BankTransfer: {
    rank: 31,
    instead: refund,
    CREATED: sets({ Status: "DELETED" }),
    CHANGED: nothing,
    VOIDED: (situation) =>
      situation.reconciled.has(situation.effect.id)
        ? []
        : [[omitting(createAgain(situation, {}), "Status", "FromIsReconciled", "ToIsReconciled")]],
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
  LinkedTransaction: {
    rank: 46,
    CREATED: removes,
    CHANGED: restores,
    VOIDED: nothing,
    REMOVED: makesAgain,
  },
  RepeatingInvoice: document({ rank: 52, end: deleted }),
  Asset: {
    rank: 53,
    CREATED: sets({ Status: "DELETED" }),
    // A disposal is undone through its journal (`asset-actions.ts`).
    CHANGED: (taking) => restores({ ...taking, former: omit(taking.former, ...ofDisposal) }),
    VOIDED: (situation) => [[createAgain(situation, {})]],
    REMOVED: nothing,
  },
  Budget: {
    rank: 60,
    CREATED: removes,
    CHANGED: restores,
    VOIDED: nothing,
    REMOVED: stays("a budget that was deleted is made again by acct budget import"),
  },
  BankRule: {
    rank: 61,
    CREATED: sets({ Status: "DELETED" }),
    CHANGED: restores,
    VOIDED: (situation) => [[createAgain(situation, active)]],
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
      const values = omit(former, "ContactStatus");
      const cis = cisSettings(id, columns);
      const settingChanges = [
        ...(Object.keys(values).length === 0 ? [] : [update(resource, id, values)]),
        ...(cis === undefined ? [] : [cis]),
      ];
      if (former.ContactStatus === "ACTIVE") {
        const restore = { method: "POST", path: `${recordPath(resource, id)}/Restore`, body: {} };
        return [[restore as Request, ...settingChanges]];
      }
      if (former.ContactStatus !== undefined) {
        return [[...settingChanges, update(resource, id, { ContactStatus: former.ContactStatus })]];
      }
      return settingChanges.length === 0 ? [] : [settingChanges];
    },
    VOIDED: nothing,
    REMOVED: nothing,
  },
  Item: { rank: 71, CREATED: removes, CHANGED: restores, VOIDED: nothing, REMOVED: makesAgain },
  Employee: {
    rank: 72,
    CREATED: sets({ Status: "DELETED" }),
    CHANGED: restores,
    VOIDED: (situation) => [[createAgain(situation, active)]],
    REMOVED: nothing,
  },
  Account: {
    rank: 80,
    CREATED: deletedOrArchived,
    CHANGED: ({ effect: { resource, id }, former }) => {
      const { Status, ...values } = former;
      const status = Status === undefined ? [] : [update(resource, id, { Status })];
      const fieldChanges = Object.keys(values).length === 0 ? [] : [update(resource, id, values)];
      return status.length + fieldChanges.length === 0
        ? []
        : [Status === "ARCHIVED" ? [...fieldChanges, ...status] : [...status, ...fieldChanges]];
    },
    VOIDED: (situation) => [[omitting(createAgain(situation, {}), "Status")]],
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
    VOIDED: (situation) => [[omitting(createAgain(situation, active), "TaxType")]],
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
    CREATED: (situation) => {
      const path = optionPath(situation);
      return path === undefined ? [] : [[{ method: "DELETE", path }]];
    },
    CHANGED: (situation) => {
      const path = optionPath(situation);
      const isRestored = path !== undefined && Object.keys(situation.former).length > 0;
      return isRestored ? [[{ method: "POST", path, body: situation.former }]] : [];
    },
    VOIDED: stays("an option that was deleted is made again by acct tracking option add"),
    REMOVED: stays("an option that was deleted is made again by acct tracking option add"),
  },
  Currency: {
    rank: 84,
    CREATED: ({ effect: { resource, id } }) => [[remove(resource, id)]],
    CHANGED: nothing,
    VOIDED: nothing,
    REMOVED: ({ effect: { resource, id } }) => [[create(resource, { Code: id })]],
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
    CREATED: removes,
    CHANGED: ({ effect: { id, former } }) => {
      const values = Object.entries(former).map(([name, value]) => [name, value ?? ""]);
      const path = `${recordPath(brandingTheme, id)}/Settings`;
      return values.length === 0
        ? []
        : [[{ method: "POST", path, body: Object.fromEntries(values) }]];
    },
    VOIDED: nothing,
    REMOVED: stays("a theme that was deleted is made again by acct branding create"),
  },
  Organisation: {
    rank: 90,
    CREATED: nothing,
    CHANGED: ({ former }) => {
      const values = omit(former, "ConversionDate");
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
} as const satisfies Record<
  Exclude<ServedName, OneTypeName> | (typeof trackingOption)["name"],
  Reversal
>;

/**
 * Rule for documents of one type: they are deleted, or else voided. An expense claim, which posts,
 * goes before its receipts, and takes with it what it has done to them.
 */
function reversalOfOneType({ fields }: Resource): Reversal {
  const { Status, Receipts, ExpenseClaim } = fields;
  if (Receipts !== undefined) return document({ rank: 45, end: draftOrVoid });
  const statuses = Status?.kind === "choice" ? Status.values : [];
  const own = document({ rank: 50, end: statuses.includes("DELETED") ? deleted : () => "VOIDED" });
  if (ExpenseClaim === undefined) return own;
  const isClaimed = ({ current, former }: UndoInput) =>
    current?.ExpenseClaim !== undefined || former.Status === "AUTHORISED";
  return { ...own, CHANGED: (situation) => (isClaimed(situation) ? [] : own.CHANGED(situation)) };
}

function omitting({ body = {}, ...request }: Request, ...names: readonly string[]): Request {
  return { ...request, body: omit(body, ...names) };
}

/** Returns the undo rules of a resource. */
export function reversalOf(resource: Resource): Reversal {
  const { name } = resource;
  if (resource.document?.type !== undefined) return reversalOfOneType(resource);
  const reversal = (rules as Readonly<Record<string, Reversal>>)[name];
  if (reversal === undefined) throw new Error(`Nothing says how a ${name} is taken back.`);
  return reversal;
}
