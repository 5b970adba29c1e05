/**
 * /Journals: the ledger journals, read-only, oldest first.
 *
 * A list continues after a number (`offset`), and supports neither pages nor `where`. The cash
 * ledger, with `paymentsOnly=true`, has its own journals and numbers.
 */
import type { Basis, PostedJournal, Posting } from "../../ledger/journal.ts";
import type { Account } from "../../resources/account.ts";
import type { Cents } from "../../resources/decimal.ts";
import { NotFoundError } from "../../resources/errors.ts";
import {
  account,
  journal,
  taxRate,
  trackingCategory,
  trackingOption,
} from "../../resources/index.ts";
import {
  type Journal,
  type JournalLine,
  numberOfJournal,
  sourceTypes,
} from "../../resources/journal.ts";
import { readId } from "../../resources/scalar.ts";
import { journalNumbered, journalsAfter, journalWithId } from "../../store/ledger/journal-list.ts";
import { list } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { answer } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import { modifiedSince } from "../request/read-records.ts";

/** Maximum number of journals in one answer. */
const journalsMax = 100;
const offsetMax = 999_999_999;

/** GET /Journals: at most 100 with numbers above `offset`, posted since `If-Modified-Since`. */
export async function readJournals(call: RequestContext): Promise<ServiceResponse> {
  const query = {
    basis: basisOf(call),
    after: call.query.integer("offset", 0, offsetMax) ?? 0,
    since: modifiedSince(call),
    limit: journalsMax,
  };
  const journals = await call.read(async (tx) => {
    const journals = await journalsAfter(tx, query);
    return journals.length === 0 ? [] : journalAnswers(journals, await namesIn(tx));
  });
  return answer(call, journal, journals, "list");
}

/** GET /Journals/{JournalID}, or by number; the answer omits the source. */
export async function readJournal(call: RequestContext, key: string): Promise<ServiceResponse> {
  const basis = basisOf(call);
  const journals = await call.read(async (tx) => {
    const id = readId(key);
    const number = numberOfJournal(key);
    const postedJournal =
      id !== undefined
        ? await journalWithId(tx, id)
        : number !== undefined
          ? await journalNumbered(tx, basis, number)
          : undefined;
    if (postedJournal === undefined) {
      throw new NotFoundError("NotFound", `There is no journal ${key.slice(0, 60)}.`);
    }
    return journalAnswers([postedJournal], await namesIn(tx));
  });
  const records = journals.map(({ SourceID, SourceType, ...rest }) => rest);
  return answer(call, journal, records, "single");
}

function basisOf({ query }: RequestContext): Basis {
  return query.boolean("paymentsOnly") === true ? "cash" : "accrual";
}

/** Records that journals refer to by id, including deleted ones, which the ledger outlives. */
interface JournalReferences {
  readonly accountById: ReadonlyMap<string, Account>;
  /** Names of tax rates by TaxType. */
  readonly rateNameByType: ReadonlyMap<string, string>;
  /** Tracking categories by TrackingOptionID. */
  readonly options: ReadonlyMap<string, JournalLine["TrackingCategories"]>;
}

async function namesIn(tx: Tx): Promise<JournalReferences> {
  const { records: accounts } = await list(tx, account);
  const { records: rates } = await list(tx, taxRate);
  const { records: categories } = await list(tx, trackingCategory);
  const { records: options } = await list(tx, trackingOption);
  const categoryNames = new Map(categories.map((each) => [each.TrackingCategoryID, each.Name]));
  return {
    accountById: new Map(accounts.map((account) => [account.AccountID, account])),
    rateNameByType: new Map(rates.map((rate) => [rate.TaxType ?? "", rate.Name])),
    options: new Map(
      options.map(({ TrackingOptionID, TrackingCategoryID, Name: Option }) => {
        const Name = categoryNames.get(TrackingCategoryID);
        return [TrackingOptionID, [{ Name, Option, TrackingCategoryID, TrackingOptionID }]];
      }),
    ),
  };
}

function journalAnswers(journals: readonly PostedJournal[], names: JournalReferences): Journal[] {
  return journals.map((journal) => ({
    JournalID: journal.id,
    JournalDate: journal.date,
    JournalNumber: journal.number,
    CreatedDateUTC: journal.createdAt,
    Reference: journal.reference ?? "",
    ...sourceOf(journal),
    JournalLines: journal.postings.map((posting, ord) => lineOf(journal.id, ord, posting, names)),
  }));
}

/** Returns the source of a journal; conversion balances have none that a caller could read. */
function sourceOf({
  sourceId,
  sourceType,
}: PostedJournal): Pick<Journal, "SourceID" | "SourceType"> {
  const SourceType = sourceTypes.find((type) => type === sourceType);
  return SourceType === undefined ? {} : { SourceID: sourceId, SourceType };
}

function lineOf(
  journalId: string,
  lineIndex: number,
  posting: Posting,
  names: JournalReferences,
): JournalLine {
  const { account: id, amount, taxAmount = 0, taxType, option1, option2 } = posting;
  const account = names.accountById.get(id);
  if (account === undefined) throw new Error(`Journal ${journalId} names no account of the chart.`);
  const { Code, Name, Type } = account;
  return {
    JournalLineID: lineId(journalId, lineIndex),
    AccountID: id,
    AccountCode: Code,
    AccountType: Type,
    AccountName: Name,
    Description: posting.description ?? "",
    NetAmount: amount,
    GrossAmount: (amount + taxAmount) as Cents,
    TaxAmount: taxAmount as Cents,
    TaxType: taxType,
    TaxName: taxType === undefined ? undefined : names.rateNameByType.get(taxType),
    TrackingCategories: [option1, option2].flatMap((option) =>
      option === undefined ? [] : (names.options.get(option) ?? [{ TrackingOptionID: option }]),
    ),
  };
}

/**
 * Returns the id of a posting, which is not stored: it is derived from the journal's id and the
 * posting's position.
 *
 * @source RFC 9562, section 5.5: version 5, the journal as the namespace
 */
function lineId(journalId: string, lineIndex: number): string {
  const bytes = process
    .getBuiltinModule("node:crypto")
    .createHash("sha1")
    .update(Buffer.from(journalId.replaceAll("-", ""), "hex"))
    .update(String(lineIndex))
    .digest()
    .subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}
