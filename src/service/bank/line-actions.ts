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
  unreconcile,
} from "./reconciliation.ts";
import type { StoredLine } from "./stored-statement.ts";
import { type Proposal, type SuggestQuery, suggest } from "./suggestions.ts";

export const bankStatementLines: Endpoint<StoredLine> = {
  resource: bankStatementLine,
  listOrder: "Date DESC",
  expand: async (_call, tx, records) => withMatches(tx, records),
  writer: readOnlyWriter,
};

async function withMatches(tx: Tx, lines: readonly StoredLine[]): Promise<StoredLine[]> {
  const chart = await loadChart(tx);
  const matches = await matchesOf(
    tx,
    lines.map((line) => line.BankStatementLineID),
  );
  return lines.map((line) => ({
    ...line,
    CurrencyCode: chart.currencyOf(line.BankAccount),
    Matches: matches.get(line.BankStatementLineID)?.map((match) => ({
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

const daysUsual = 14;

/** Maximum number of lines in one request for suggestions. */
const linesMax = 500;

function askedOf(call: RequestContext) {
  const one = call.query.get("line");
  const several = call.query.list("lines");
  const lines = one === undefined ? several : [one, ...(several ?? [])];
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
  return call.read(async (tx) => {
    const context = await organisationContext(call, tx);
    const account = await accountNamed(tx, key);
    if (account === undefined) return answer(call, bankSuggestion, [], "single");
    const query = { account, days, lines, charges };
    const { lines: open, suggestions } = await suggest(tx, context, query);
    const shown: object[] = [];
    for (const line of open) {
      const { BankStatementLineID } = line;
      if (lines !== undefined && !lines.includes(BankStatementLineID)) continue;
      for (const proposal of suggestions.get(BankStatementLineID) ?? []) {
        const isForeign = proposal.obstacles.split("; ").includes(obstacleText.currency);
        if (isForeign && (await isAtFarRate({ ...context, call, tx }, line, proposal.match)))
          continue;
        shown.push({ BankStatementLineID, ...suggestionAnswer(proposal) });
      }
    }
    return answer(call, bankSuggestion, shown, "single");
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
 * Reconciles the lines that need no decision, and in other accounts the opposite lines of the
 * transfers made so: the order of accounts does not matter.
 *
 * @returns the reconciled lines
 */
export async function reconcileCertain(call: RequestContext): Promise<ServiceResponse> {
  const { key, days, charges } = askedOf(call);
  return call.write(async (tx) => {
    const context = await organisationContext(call, tx);
    const account = await accountNamed(tx, key);
    if (account === undefined) return answer(call, bankStatementLine, [], "single");
    const request = { ...context, call, tx };
    const certain = await certainMatches(tx, context, { account, days, charges });
    const done: StoredLine[] = [];
    for (const { line, match } of certain) done.push(await reconcile(request, line, match));
    const made = new Set(
      (await withMatches(tx, done)).flatMap(({ Matches = [] }) =>
        Matches.flatMap(({ Made, RecordID = "" }) => (Made ? [RecordID] : [])),
      ),
    );
    const others = new Set(
      certain.flatMap(({ match: { TransferAccount } }) => TransferAccount?.AccountID ?? []),
    );
    for (const id of others) {
      const other = await accountNamed(tx, id);
      if (other === undefined) continue;
      for (const { line, match } of await certainMatches(tx, context, { account: other, days })) {
        const isOfThese = match.Records?.some(({ RecordID }) => made.has(RecordID ?? "")) ?? false;
        if (isOfThese) done.push(await reconcile(request, line, match));
      }
    }
    return answer(call, bankStatementLine, await withMatches(tx, done), "single");
  });
}

/** Returns the lines of an account that need no decision, each with its match. */
async function certainMatches(tx: Tx, context: OrganisationContext, query: SuggestQuery) {
  const { lines, suggestions } = await suggest(tx, context, query);
  return lines.flatMap((line) => {
    const proposal = suggestions.get(line.BankStatementLineID)?.find((each) => each.isCertain);
    return proposal === undefined ? [] : [{ line, match: proposal.match }];
  });
}
