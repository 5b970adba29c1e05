/** Why a plan needs the approval of a person, by the policy of who made it. */
import { amountText } from "../../resources/common.ts";
import { AuthError } from "../../resources/errors.ts";
import { nounOf, pathOf, type Resource } from "../../resources/field.ts";
import { resources } from "../../resources/index.ts";
import type { Plan, PlannedRecord } from "../../resources/plan.ts";
import { requestsOf } from "../../store/operations/log.ts";
import { loadAppliedAmount } from "../../store/records/kept-plans.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { RequestContext } from "../request/context.ts";
import { amountsOf } from "./amounts.ts";
import type { Bounds } from "./policy.ts";

const dayMs = 24 * 3_600_000;

type Lead = Readonly<Record<string, unknown>>;
const leadIn = (json: string | undefined): Lead => JSON.parse(json ?? "{}");

/**
 * Returns why a person has to approve a plan; undefined where nobody has to.
 *
 * @throws AuthError for what the caller may not even propose
 */
export async function needsOf(
  call: RequestContext,
  tx: Tx,
  bounds: Bounds,
  plan: Plan,
): Promise<string | undefined> {
  const { Records = [], Requests = [], Messages = [], Undoes } = plan;
  const routes = Requests.map(({ Method, Path }) => call.routeAt(Method, Path));
  checkKinds(bounds, Records, new Set(routes.map(requestedBy)));
  const routeMatches = (pattern: RegExp) => routes.some((route) => pattern.test(route?.path ?? ""));
  const reasons: readonly (readonly [boolean, string])[] = [
    [bounds.may !== "apply", "its maker may only plan"],
    [Records.some(changesBankDetails), "it changes bank details"],
    [Messages.length > 0 || routeMatches(/\/Email$/), "it sends email"],
    [routeMatches(/^\/Reports$/), "it publishes a tax return"],
    [routeMatches(/^\/(Setup|Extensions\/OpeningBalances)/), "it sets opening balances"],
    [movesLocks(call, Records), "it closes a period"],
    [Undoes !== undefined && !(await isOwnRecord(call, tx, Undoes)), "it undoes what another did"],
    ...(await amountsBeyond(call, tx, bounds, plan)),
  ];
  const needs = reasons.filter(([isSo]) => isSo).map(([, words]) => words);
  return needs.length === 0 ? undefined : needs.join("; ");
}

/** Amounts beyond the bounds: of a document, of the plan, and of what the app applied today. */
async function amountsBeyond(call: RequestContext, tx: Tx, bounds: Bounds, plan: Plan) {
  const { perDocument = Infinity, perPlan = Infinity, perDay = Infinity } = bounds;
  const { largest, total } = amountsOf(plan);
  const startOfDayMs = call.now() - (call.now() % dayMs);
  const appliedAmount = await loadAppliedAmount(tx, call.principal.app, startOfDayMs);
  const { BaseCurrency } = await organisationOf(tx);
  const inBase = (amount: number) => amountText(amount, BaseCurrency);
  return [
    [largest > perDocument, `a document is of ${inBase(largest)}, beyond ${inBase(perDocument)}`],
    [total > perPlan, `it is of ${inBase(total)}, beyond ${inBase(perPlan)}`],
    [
      appliedAmount + total > perDay,
      `with it ${inBase(appliedAmount + total)} are applied today, beyond ${inBase(perDay)}`,
    ],
  ] as const;
}

/** Name of what a route writes: of a part such as options, that which it is part of. */
function requestedBy(route: ReturnType<RequestContext["routeAt"]>): string | undefined {
  const isAbove = (owner: Resource) => route?.path.startsWith(`${pathOf(owner)}/`);
  return (route?.resource ?? resources.find(isAbove))?.name;
}

/** @throws AuthError for records of a kind that the policy does not name */
function checkKinds(
  { kinds }: Bounds,
  records: readonly PlannedRecord[],
  requested: ReadonlySet<string | undefined>,
) {
  if (kinds === undefined) return;
  for (const { Resource, Change, Before, After } of records) {
    // What a request changes besides, such as the invoice of a payment, is no kind of its own.
    if (Change === "CHANGED" && !requested.has(Resource)) continue;
    const resource = resources.find(({ name }) => name === Resource);
    const noun = resource === undefined ? Resource : nounOf(resource, leadIn(After ?? Before));
    if (kinds.includes(noun)) continue;
    const message = `By your policy you write ${kinds.join(", ")}, and no ${noun}.`;
    throw new AuthError("Policy", message, 403);
  }
}

const withBankDetails: readonly string[] = [
  ...["Contact", "Account", "Organisation", "BrandingTheme", "PaymentService", "Employee"],
  ...["Payment", "BatchPayment"],
];

/** Whether a record names another bank account, or another place where customers pay. */
function changesBankDetails({ Resource, Before, After }: PlannedRecord): boolean {
  if (!withBankDetails.includes(Resource)) return false;
  if (Resource === "PaymentService") return true;
  const [was, is] = [leadIn(Before), leadIn(After)];
  return Object.keys({ ...was, ...is }).some(
    (name) =>
      /^Bank(Account(Details|Number|Name)|Details)|^BatchPayments$/.test(name) &&
      JSON.stringify(was[name] ?? "") !== JSON.stringify(is[name] ?? ""),
  );
}

/**
 * Whether a plan moves a lock date on.
 *
 * @throws AuthError `AgentNever` where an agent moves one back or takes it away
 */
function movesLocks({ principal }: RequestContext, records: readonly PlannedRecord[]): boolean {
  return records.some(({ Resource, Before, After }) => {
    if (Resource !== "Organisation") return false;
    const [was, is] = [leadIn(Before), leadIn(After)];
    const moved = ["PeriodLockDate", "EndOfYearLockDate"].filter((name) => was[name] !== is[name]);
    const isEarlier = moved.some((name) => String(is[name] ?? "") < String(was[name] ?? ""));
    if (isEarlier && principal.isAgent) {
      throw new AuthError("AgentNever", "No agent opens a period that is closed.", 403);
    }
    return moved.length > 0;
  });
}

async function isOwnRecord({ principal }: RequestContext, tx: Tx, id: string): Promise<boolean> {
  return (await requestsOf(tx, [id])).every(({ app }) => app === principal.app);
}
