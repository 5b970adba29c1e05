/** Suggestions for reconciling the lines of a bank account: loads the data for the matcher. */

import { evidenceText, obstacleText } from "../../ledger/bank-matching/evidence.ts";
import { conditionOf, ruleFits, statementLineOf } from "../../ledger/bank-matching/line-records.ts";
import { learntText } from "../../ledger/bank-matching/line-rules.ts";
import { matchLines } from "../../ledger/bank-matching/match.ts";
import type * as matching from "../../ledger/bank-matching/matching-types.ts";
import { lockedUntil } from "../../ledger/locks.ts";
import { negated } from "../../ledger/reports/report-rows.ts";
import type { Account } from "../../resources/account.ts";
import type { BankMatchInput } from "../../resources/bank-match.ts";
import { amountText } from "../../resources/common.ts";
import type { Cents, Percent } from "../../resources/decimal.ts";
import type { PaymentTarget } from "../../resources/field.ts";
import { bankStatementLine } from "../../resources/index.ts";
import { headOf } from "../../store/chain/stored.ts";
import { fetch, list } from "../../store/mapping/records.ts";
import {
  type ContactRow,
  contactNames,
  type MoneyRow,
  type OpenRow,
  openDocuments,
  unreconciledMoney,
} from "../../store/queries/bank-facts.ts";
import { loadLearntFacts } from "../../store/records/bank-matches.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { compareText, fold } from "../../wire/fold.ts";
import { kindOfType, payableTypes } from "../documents/document-registry.ts";
import { type Chart, loadChart } from "../lookups/chart-of-accounts.ts";
import type { OrganisationContext } from "../request/context.ts";
import { activeRules, type StoredRule } from "./rules.ts";
import type { StoredLine } from "./stored-statement.ts";

/** The unreconciled lines of a bank account, with the suggestions for each. */
export interface BankSuggestions {
  readonly lines: readonly StoredLine[];
  readonly suggestions: ReadonlyMap<string, readonly Proposal[]>;
}

/** A suggestion, with the match request that accepts it. */
export interface Proposal {
  readonly match: BankMatchInput;
  readonly isCertain: boolean;
  readonly evidence: string;
  readonly obstacles: string;
  readonly ruleId: string | undefined;
  /** Amount that needs an account chosen by a person, with the sign of the line. */
  readonly difference: Cents | undefined;
}

export interface SuggestQuery {
  readonly account: Account;
  /** Number of days after the due date for which a matching name supports a document. */
  readonly days: number;
  /**
   * Ids of the lines to answer; lines of the same amounts, which may claim the same documents, are
   * loaded too.
   */
  readonly lines?: readonly string[] | undefined;
  /** Code of the account for bank charges. */
  readonly charges?: string | undefined;
}

/** Accounts whose suggestions are kept in memory. */
const keptMax = 8;
const suggestedBy = new Map<string, BankSuggestions>();

/**
 * Suggestions as `suggest`, for a reader; those of a whole account where they are kept. They are
 * kept until anything in its book is written: the key has the hash of the last link of the chain,
 * which covers all of it.
 */
export async function suggestToReader(
  tx: Tx,
  context: OrganisationContext,
  query: SuggestQuery,
): Promise<BankSuggestions> {
  const { hash } = await headOf(tx);
  const { account, days, charges } = query;
  const key = JSON.stringify([hash, account.AccountID, days, charges]);
  const suggested = suggestedBy.get(key) ?? (await suggest(tx, context, query));
  if (query.lines !== undefined && !suggestedBy.has(key)) return suggested;
  suggestedBy.delete(key);
  suggestedBy.set(key, suggested);
  for (const oldest of [...suggestedBy.keys()].slice(0, -keptMax)) suggestedBy.delete(oldest);
  return suggested;
}

export async function suggest(
  tx: Tx,
  { organisation }: OrganisationContext,
  { account, days, lines: asked, charges }: SuggestQuery,
): Promise<BankSuggestions> {
  const chart = await loadChart(tx);
  const amounts =
    asked === undefined
      ? undefined
      : (await fetch(tx, bankStatementLine, "BankStatementLineID", asked)).map(
          ({ Amount }) => Amount,
        );
  const lines = await openLines(tx, account, amounts);
  const money = await unreconciledMoney(tx, account.AccountID);
  const documents = await openDocuments(tx, payableTypes());
  const rules = await activeRules(tx);
  const learnt = await loadLearntFacts(tx);
  const baseCurrency = organisation.BaseCurrency;
  const otherAccounts = chart.accounts.filter(
    ({ Type, Status, AccountID }) =>
      Type === "BANK" && Status === "ACTIVE" && AccountID !== account.AccountID,
  );
  const ownAccounts = await Promise.all(
    otherAccounts.map(async (account) => {
      const accountInfo = accountFacts(account, baseCurrency);
      const lines = await openLines(tx, account, amounts?.map(negated));
      return {
        ...accountInfo,
        name: account.Name,
        lines: lines.map((line) => statementLineOf(line, accountInfo.currency)),
      };
    }),
  );
  const ownFacts = accountFacts(account, baseCurrency);
  const contacts = await contactNames(tx);
  const foldedNames = new Set(contacts.map(({ name }) => fold(name)));
  const results = matchLines({
    account: ownFacts,
    lines: lines.map((line) => statementLineOf(line, ownFacts.currency)),
    documents: documents.flatMap(documentFacts),
    transactions: money.map(transactionOf),
    contacts: contacts.map(contactFacts),
    rules: await withBooked(tx, account, rules, chart),
    ownAccounts,
    learnt: [
      ...learnt.contacts.map((contact) => ({ kind: "contact" as const, ...contact })),
      ...learntAccounts(learnt.accounts),
    ],
    days,
    lockDate: lockedUntil(organisation),
  });
  const context: ProposalContext = {
    kindById: new Map(money.map(({ id, kind }) => [id, kind])),
    documentById: new Map(
      documents.map(({ id, type }) => [
        id,
        kindOfType(type)?.resource.document.paidAs ?? "Invoice",
      ]),
    ),
    charges,
    currency: ownFacts.currency,
    strangerByLine: new Map(
      lines
        .filter(({ Payee }) => Payee === undefined || !foldedNames.has(fold(Payee)))
        .map(({ BankStatementLineID, Payee = "" }) => [BankStatementLineID, Payee]),
    ),
  };
  return {
    lines,
    suggestions: new Map(
      results.map(({ lineId, suggestions }) => [
        lineId,
        suggestions.flatMap((suggestion) => proposalOf(lineId, suggestion, context)),
      ]),
    ),
  };
}

/** Returns the unreconciled lines of an account, or of some amounts, oldest first. */
async function openLines(
  tx: Tx,
  { AccountID }: Account,
  amounts: readonly Cents[] | undefined,
): Promise<StoredLine[]> {
  if (amounts?.length === 0) return [];
  const [from, to] = [Math.min(...(amounts ?? [])), Math.max(...(amounts ?? []))];
  const wanted = amounts && new Set(amounts);
  const { records: found } = await list(tx, bankStatementLine, {
    ranges: amounts === undefined ? [] : [{ field: "Amount", from, to }],
    in: [
      { field: "BankAccount.AccountID", values: [AccountID] },
      { field: "Status", values: ["UNRECONCILED"] },
    ],
  });
  const records = wanted === undefined ? found : found.filter(({ Amount }) => wanted.has(Amount));
  return records.toSorted(
    (a, b) => compareText(a.Date, b.Date) || compareText(a.LineKey, b.LineKey),
  );
}

function accountFacts({ AccountID, BankAccountNumber, CurrencyCode }: Account, base: string) {
  return {
    id: AccountID,
    numbers: BankAccountNumber === undefined ? [] : [BankAccountNumber],
    currency: CurrencyCode ?? base,
  };
}

/** Returns the facts of an open document; none for kinds that are settled when they are made. */
function documentFacts(row: OpenRow) {
  const { id, type, number, reference, contactId, date, dueDate, due, currency } = row;
  const posts = kindOfType(type)?.posts;
  if (posts === undefined || posts === "CASHREC" || posts === "CASHPAID") return [];
  // Fields are written out: a rest pattern over thousands of rows takes longer than the matching.
  return {
    id,
    type: posts,
    number: number ?? undefined,
    reference: reference ?? undefined,
    contactId,
    date,
    dueDate: dueDate ?? undefined,
    due,
    currency,
  };
}

function contactFacts({ id, name, account, status }: ContactRow) {
  return {
    id,
    name,
    accounts: account === null ? [] : [account],
    isArchived: status !== "ACTIVE",
  };
}

function transactionOf(row: MoneyRow): matching.BookTransaction {
  const { id, date, amount, reference, contactId, number, otherAccountId } = row;
  return {
    id,
    date,
    amount,
    reference: reference ?? undefined,
    contactId: contactId ?? undefined,
    numbers: number === null ? [] : [number],
    transferAccountId: otherAccountId ?? undefined,
  };
}

function learntAccounts(
  rows: Awaited<ReturnType<typeof loadLearntFacts>>["accounts"],
): matching.LearntFact[] {
  const countByKey = new Map<string, { text: string; accountCode: string; count: number }>();
  for (const { payee, description, code, count } of rows) {
    const text = learntText({ payee: payee ?? undefined, text: description ?? "" });
    const key = JSON.stringify([text, code]);
    const counted = countByKey.get(key) ?? { text, accountCode: code, count: 0 };
    countByKey.set(key, { ...counted, count: counted.count + count });
  }
  return [...countByKey.values()].map((count) => ({ kind: "account", ...count }));
}

/** Rules as they are matched, with the amounts that those with fixed amounts have booked. */
async function withBooked(
  tx: Tx,
  account: Account,
  rules: readonly StoredRule[],
  chart: Chart,
): Promise<matching.BankRule[]> {
  const asking = rules.filter(asksForAmount);
  const reconciled = asking.length === 0 ? [] : await reconciledLines(tx, account);
  return rules.map((rule) => {
    if (!asksForAmount(rule)) return ruleOf(rule, chart, undefined);
    const fittingLines = reconciled.filter((line) => ruleFits(rule.Conditions, line));
    return ruleOf(rule, chart, [...new Set(fittingLines.map(({ Amount }) => Amount))]);
  });
}

/** Whether a rule has a fixed amount that is not said to be certain. */
const asksForAmount = ({ Lines = [] }: StoredRule) =>
  Lines.some(({ Amount, IsCertain }) => Amount !== undefined && IsCertain !== true);

async function reconciledLines(tx: Tx, { AccountID }: Account): Promise<StoredLine[]> {
  const { records } = await list(tx, bankStatementLine, {
    in: [
      { field: "BankAccount.AccountID", values: [AccountID] },
      { field: "Status", values: ["RECONCILED"] },
    ],
  });
  return records;
}

function ruleOf(
  rule: StoredRule,
  chart: Chart,
  booked: readonly Cents[] | undefined,
): matching.BankRule {
  const { TransferAccount, Lines = [] } = rule;
  // The last share takes the remainder.
  const isRest = ({ Percent, Amount }: (typeof Lines)[number]) =>
    Percent === undefined && Amount === undefined;
  const split = [...Lines.filter((line) => !isRest(line)), ...Lines.filter(isRest)];
  return {
    id: rule.BankRuleID,
    name: rule.Name,
    booked,
    conditions: rule.Conditions.map((condition) =>
      conditionOf(condition, (code) => chart.account(code)?.AccountID),
    ),
    outcome:
      TransferAccount === undefined
        ? {
            kind: "transaction",
            contactId: rule.Contact?.ContactID,
            split: split.map(({ AccountCode = "", TaxType, Percent, Amount, Tracking }) => ({
              accountCode: AccountCode,
              taxType: TaxType,
              tracking: Tracking?.map(({ Name = "", Option = "" }) => ({
                name: Name,
                option: Option,
              })),
              percent: Percent as Percent | undefined,
              amount: Amount,
            })),
          }
        : { kind: "transfer", accountId: TransferAccount.AccountID ?? "" },
  };
}

interface ProposalContext {
  readonly kindById: ReadonlyMap<string, MoneyRow["kind"]>;
  /** Payment targets by the id of the document. */
  readonly documentById: ReadonlyMap<string, PaymentTarget>;
  readonly charges: string | undefined;
  /** Currency of the bank account. */
  readonly currency: string;
  /** Payees that are no contact, by the id of the line; empty where there is none. */
  readonly strangerByLine: ReadonlyMap<string, string>;
}

/**
 * Returns the proposal of a suggestion: none where its record is gone; uncertain where input is
 * needed.
 */
function proposalOf(
  lineId: string,
  suggestion: matching.Suggestion,
  context: ProposalContext,
): Proposal[] {
  const match = matchOf(suggestion.action, context);
  if (match === undefined) return [];
  const { action, evidence, obstacles } = suggestion;
  const difference = openDifference(action, context);
  const reasons: string[] = obstacles.map((obstacle) => obstacleText[obstacle]);
  if (difference !== undefined && !obstacles.includes("amount")) {
    reasons.push(`no account is known for ${amountText(difference, context.currency)}`);
  }
  if (action.kind === "spendOrReceive" && action.contactId === undefined) {
    const stranger = context.strangerByLine.get(lineId);
    if (stranger === "") reasons.push("neither the line nor the rule names a contact");
    else if (stranger !== undefined) reasons.push(`there is no contact ${stranger}`);
  }
  return [
    {
      match,
      isCertain: reasons.length === 0,
      evidence: evidenceText(evidence, context.currency),
      obstacles: reasons.join("; "),
      ruleId: "ruleId" in action ? action.ruleId : undefined,
      difference,
    },
  ];
}

/** Returns the account for the difference between a line and its documents, where one is known. */
function accountOf(
  { kind, accountCode }: matching.Difference,
  { charges }: ProposalContext,
): string | undefined {
  return accountCode ?? (kind === "charges" ? charges : undefined);
}

/** Returns the difference for which no account is known. */
function openDifference(action: matching.MatchAction, context: ProposalContext): Cents | undefined {
  if (action.kind !== "pay" || action.difference === undefined) return undefined;
  const { amount } = action.difference;
  return amount === 0 || accountOf(action.difference, context) !== undefined ? undefined : amount;
}

function matchOf(
  action: matching.MatchAction,
  context: ProposalContext,
): BankMatchInput | undefined {
  const { kindById, documentById } = context;
  switch (action.kind) {
    case "reconcile": {
      const Kind = kindById.get(action.transactionId);
      return Kind && { Records: [{ Kind, RecordID: action.transactionId }] };
    }
    case "pay": {
      const { difference } = action;
      const AccountCode = difference && accountOf(difference, context);
      const Lines =
        difference === undefined || difference.amount === 0 || AccountCode === undefined
          ? []
          : [{ AccountCode, Amount: difference.amount }];
      return {
        Documents: action.documents.map(({ documentId, amount }) => ({
          Kind: documentById.get(documentId) ?? "Invoice",
          DocumentID: documentId,
          Amount: Math.abs(amount) as Cents,
        })),
        ...(Lines.length === 0 ? {} : { Lines }),
      };
    }
    case "transfer":
      return { TransferAccount: { AccountID: action.accountId } };
    case "spendOrReceive":
      return {
        ...(action.contactId === undefined ? {} : { Contact: { ContactID: action.contactId } }),
        Lines: action.shares.map(({ accountCode, taxType, tracking, amount }) => ({
          AccountCode: accountCode,
          Amount: amount,
          ...(taxType === undefined ? {} : { TaxType: taxType }),
          ...(tracking === undefined || tracking.length === 0
            ? {}
            : { Tracking: tracking.map(({ name, option }) => ({ Name: name, Option: option })) }),
        })),
      };
  }
}
