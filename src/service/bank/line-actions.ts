/** Actions on bank statement lines: suggestions, and reconciliation. */

import { obstacleText } from "../../ledger/bank-matching/evidence.ts";
import type { Account } from "../../resources/account.ts";
import { type BankMatchInput, bankMatch, bankSuggestion } from "../../resources/bank-match.ts";
import { refusal } from "../../resources/errors.ts";
import { bankStatementLine } from "../../resources/index.ts";
import { readId } from "../../resources/scalar.ts";
import { validate } from "../../resources/validate.ts";
import { matchesOf } from "../../store/records/bank-matches.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { compareText } from "../../wire/fold.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { bankAccountNamed } from "../documents/bank.ts";
import { loadChart } from "../lookups/chart-of-accounts.ts";
import { answer } from "../request/answer.ts";
import {
  type OrganisationContext,
  organisationContext,
  type RequestContext,
} from "../request/context.ts";
import { type Endpoint, locate, readOnlyWriter } from "../request/endpoint.ts";
import { Faults } from "../request/faults.ts";
import { readOptional } from "../request/write.ts";
import {
  ignore,
  isAtFarRate,
  type MatchRequest,
  reconcile,
  release,
  unreconcile,
} from "./reconciliation.ts";
import type { StoredLine } from "./stored-statement.ts";
import { type Proposal, type SuggestQuery, suggest, suggestToReader } from "./suggestions.ts";

export const bankStatementLines: Endpoint<StoredLine> = {
  resource: bankStatementLine,
  listOrder: "Date DESC",
  expand: async (_call, tx, records) => withMatches(tx, records),
  writer: readOnlyWriter,
};

async function withMatches(tx: Tx, lines: readonly StoredLine[]): Promise<StoredLine[]> {
  const chart = await loadChart(tx);
  const matchesById = await matchesOf(
    tx,
    lines.map((line) => line.BankStatementLineID),
  );
  return lines.map((line) => ({
    ...line,
    CurrencyCode: chart.currencyOf(line.BankAccount),
    Matches: matchesById.get(line.BankStatementLineID)?.map((match) => ({
      Kind: match.kind,
      RecordID: match.recordId,
      Amount: match.amount,
      Number: match.number,
      Made: match.made,
    })),
  }));
}

type LineAction = (request: MatchRequest, line: StoredLine) => Promise<StoredLine>;

function lineAction(change: (call: RequestContext) => LineAction) {
  return async (call: RequestContext, key: string): Promise<ServiceResponse> => {
    const apply = change(call);
    return call.write(async (tx) => {
      const request = { ...(await organisationContext(call, tx)), call, tx };
      const line = await apply(request, await locate(call, tx, bankStatementLines, key));
      return answer(call, bankStatementLine, await withMatches(tx, [line]), "single");
    });
  };
}

export const matchLine = lineAction((call) => {
  const input = readOptional(call, { resource: bankMatch }) as BankMatchInput;
  const faults = new Faults();
  faults.addAll(validate(bankMatch.fields, input, { creating: true }));
  faults.check();
  return (request, line) => reconcile(request, line, input);
});

export const unmatchLine = lineAction(() => unreconcile);
export const ignoreLine = lineAction(() => ignore);
export const releaseLine = lineAction(() => release);

const daysUsual = 14;

/** Maximum number of lines in one request for suggestions. */
const linesMax = 500;

function askedOf(call: RequestContext) {
  const singleLine = call.query.get("line");
  const lineIds = call.query.list("lines");
  const lines = singleLine === undefined ? lineIds : [singleLine, ...(lineIds ?? [])];
  if ((lines?.length ?? 0) > linesMax)
    throw refusal("Limit", `At most ${linesMax} lines are asked for.`);
  return {
    key: call.query.get("account"),
    lines: lines?.flatMap((id) => readId(id) ?? []),
    days: call.query.integer("days", 0, 366) ?? daysUsual,
    charges: call.query.get("charges"),
  };
}

async function accountNamed(tx: Tx, key: string | undefined): Promise<Account | undefined> {
  const faults = new Faults();
  const chart = await loadChart(tx);
  const account = bankAccountNamed(
    "account",
    { Code: key, AccountID: key },
    chart,
    (rule, message) => faults.add(rule, message),
  );
  faults.check();
  return account;
}

/** Answers with suggestions for the lines of an account, or for one line. */
export async function readSuggestions(call: RequestContext): Promise<ServiceResponse> {
  const { key, lines, days, charges } = askedOf(call);
  const isOnlyCertain = call.query.boolean("certain") ?? false;
  return call.read(async (tx) => {
    const context = await organisationContext(call, tx);
    const account = await accountNamed(tx, key);
    if (account === undefined) return answer(call, bankSuggestion, [], "single");
    const query = { account, days, lines, charges };
    const { lines: open, suggestions } = await suggestToReader(tx, context, query);
    const answers: object[] = [];
    for (const line of open) {
      const { BankStatementLineID } = line;
      if (lines !== undefined && !lines.includes(BankStatementLineID)) continue;
      for (const proposal of suggestions.get(BankStatementLineID) ?? []) {
        if (isOnlyCertain && !proposal.isCertain) continue;
        const isForeign = proposal.obstacles.split("; ").includes(obstacleText.currency);
        if (isForeign && (await isAtFarRate({ ...context, call, tx }, line, proposal.match)))
          continue;
        answers.push({ BankStatementLineID, ...suggestionAnswer(proposal) });
      }
    }
    return answer(call, bankSuggestion, answers, "single");
  });
}

function suggestionAnswer({ match, isCertain, evidence, obstacles, ruleId, difference }: Proposal) {
  return {
    IsCertain: isCertain,
    Evidence: evidence,
    ...(obstacles === "" ? {} : { Obstacles: obstacles }),
    ...(ruleId === undefined ? {} : { BankRuleID: ruleId }),
    ...(difference === undefined ? {} : { Difference: difference }),
    ...match,
  };
}

/**
 * Reconciles the lines that need no decision, of one bank account or of all, and in other accounts
 * the opposite lines of the transfers made so: the order of accounts does not matter.
 *
 * @returns the reconciled lines
 */
export async function reconcileCertain(call: RequestContext): Promise<ServiceResponse> {
  const { key, days, charges } = askedOf(call);
  return call.write(async (tx) => {
    const context = await organisationContext(call, tx);
    const accounts = key === undefined ? await bankAccounts(tx) : [await accountNamed(tx, key)];
    const request = { ...context, call, tx };
    const reconciled: StoredLine[] = [];
    const certainOf = (account: Account | undefined) =>
      account === undefined ? [] : certainMatches(tx, context, { account, days, charges });
    const takeMatches = async (matches: readonly CertainMatch[]) => {
      for (const { line, match } of matches) reconciled.push(await reconcile(request, line, match));
    };
    // What is no transfer is decided on the same state of the book for all accounts.
    const first: CertainMatch[] = [];
    for (const account of accounts) first.push(...(await certainOf(account)));
    await takeMatches(undisputed(first.filter(({ match }) => match.TransferAccount === undefined)));
    const otherLineIds = new Set<string>();
    if (first.some(({ match }) => match.TransferAccount !== undefined)) {
      for (const account of accounts) {
        const transfers = (await certainOf(account)).filter(
          ({ match }) => match.TransferAccount !== undefined,
        );
        for (const { match } of transfers) otherLineIds.add(match.TransferAccount?.AccountID ?? "");
        await takeMatches(transfers);
      }
    }
    const madeRecordIds = new Set(
      (await withMatches(tx, reconciled)).flatMap(({ Matches = [] }) =>
        Matches.flatMap(({ Made, RecordID = "" }) => (Made ? [RecordID] : [])),
      ),
    );
    for (const id of otherLineIds) {
      const opposite = (await certainOf(await accountNamed(tx, id))).filter(({ match }) =>
        match.Records?.some(({ RecordID = "" }) => madeRecordIds.has(RecordID)),
      );
      await takeMatches(opposite);
    }
    return answer(call, bankStatementLine, await withMatches(tx, reconciled), "single");
  });
}

async function bankAccounts(tx: Tx): Promise<Account[]> {
  const { accounts } = await loadChart(tx);
  return accounts
    .filter(({ Type, Status }) => Type === "BANK" && Status === "ACTIVE")
    .toSorted((a, b) => compareText(a.AccountID, b.AccountID));
}

interface CertainMatch {
  readonly line: StoredLine;
  readonly match: BankMatchInput;
}

/** Leaves out matches of lines of two accounts that claim the same record or document. */
function undisputed(matches: readonly CertainMatch[]): CertainMatch[] {
  const claimedBy = ({ match: { Records = [], Documents = [] } }: CertainMatch) => [
    ...Records.map(({ RecordID }) => RecordID),
    ...Documents.map(({ DocumentID }) => DocumentID),
  ];
  const claimsById = Map.groupBy(matches.flatMap(claimedBy), (id) => id);
  const sides = (match: CertainMatch) => (isOfTransfer(match) ? 2 : 1);
  return matches.filter((match) =>
    claimedBy(match).every((id) => (claimsById.get(id)?.length ?? 0) <= sides(match)),
  );
}

/** Whether a line is a transfer of the book, of which each account has a side. */
const isOfTransfer = ({ match: { Records = [] } }: CertainMatch) =>
  Records.some(({ Kind }) => Kind === "BankTransfer");

/** Returns the lines of an account that need no decision, each with its match. */
async function certainMatches(
  tx: Tx,
  context: OrganisationContext,
  query: SuggestQuery,
): Promise<CertainMatch[]> {
  const { lines, suggestions } = await suggest(tx, context, query);
  return lines.flatMap((line) => {
    const proposal = suggestions.get(line.BankStatementLineID)?.find((each) => each.isCertain);
    return proposal === undefined ? [] : [{ line, match: proposal.match }];
  });
}
