/** Pages of plans: those that the service keeps, and one with all that it would do. */
import { choiceText, labelOf } from "../../../output/field-labels.ts";
import { html, type Markup } from "../../../output/markup.ts";
import { accountIn, changesIn, nounIn } from "../../../output/plan-summary.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { NotFoundError } from "../../../resources/errors.ts";
import { type Plan, type PlannedRecord, plan, planStates } from "../../../resources/plan.ts";
import { counted } from "../../../resources/scalar.ts";
import { linkFrom } from "../../frame/breadcrumbs.ts";
import {
  badge,
  type Content,
  type Fact,
  facts,
  filterForm,
  isolated,
  link,
  numberedPager,
  pageIn,
  pagePart,
  type Tone,
  table,
} from "../../frame/components.ts";
import type { Page } from "../../frame/page-context.ts";
import type { BooksContext } from "../context.ts";
import { ignoreForbidden } from "../ledger/postings.ts";
import { day, money, sideMarkup, timeText } from "../shown-values.ts";
import { decisionsOn, plansAsked, plansPath, saidOfDecision } from "./decision-forms.ts";

const rowsMax = 100;
/** Maximum number of records that are shown field by field. */
const recordsMax = 500;

const tones: Readonly<Record<NonNullable<Plan["State"]>, Tone>> = {
  WAITING: "open",
  APPROVED: "open",
  APPLIED: "done",
  WITHDRAWN: "void",
  OUTDATED: "late",
};

const stateBadge = ({ State = "WAITING" }: Plan): Markup =>
  badge(choiceText("State", State), tones[State]);

/** Number of plans that wait; undefined where the reader may not see them. */
export async function countWaitingPlans({ client }: BooksContext): Promise<number | undefined> {
  const waiting = client.list(plan, { parameters: { state: "WAITING" }, limit: 1, count: true });
  const first = await Array.fromAsync(waiting).catch(ignoreForbidden);
  return first && (waiting.itemCount ?? first.length);
}

export async function showPlans(ctx: BooksContext): Promise<Page> {
  const state = planStates.find((name) => name === ctx.query.get("state"));
  const page = pageIn(ctx);
  const parameters = { ...(state !== undefined && { state }) };
  const list = ctx.client.list(plan, { parameters, page, limit: rowsMax, count: true });
  const plans = await Array.fromAsync(list);
  const values = planStates.map((name) => [name, choiceText("State", name)] as const);
  const field = { kind: "choice", name: "state", label: "State", values, none: "Any" } as const;
  return {
    title: "Plans",
    body: html`<p class="soft">What people and agents would do to the books, and what became of it.</p>
${filterForm(ctx, plansPath, [field], { state })}
${table({
  caption: "Plans",
  isCards: true,
  columns: [
    { heading: "Plan" },
    { heading: "State" },
    { heading: "What it does", label: "What it does" },
    { heading: "By", label: "By" },
    { heading: "Made", label: "Made" },
    { heading: "Amount", figures: true, label: "Amount" },
  ],
  rows: plans.map((kept) => [
    link(linkFrom(ctx, `${plansPath}/${kept.Number}`), String(kept.Number)),
    stateBadge(kept),
    html`${isolated(kept.Summary ?? "")}<br><span class="soft">${isolated(kept.Command ?? "")}</span>`,
    html`${isolated(kept.MadeBy ?? "")}<br><span class="soft">${isolated(makersOf(kept))}</span>`,
    timeText(kept.MadeAtUTC ?? 0, ctx.numberMarks.timezone),
    money(ctx, kept.Amount ?? (0 as Cents)),
  ]),
  empty: "No plan is kept here.",
})}${numberedPager(ctx, plansPath, { state }, { page, last: Math.ceil((list.itemCount ?? 0) / rowsMax) })}`,
  };
}

/** The app and the agent by which a plan was made. */
const makersOf = ({ AppName, Agent }: Plan) =>
  [AppName, Agent].filter((name) => name !== undefined).join(", ");

/** Reads a plan. @throws NotFoundError */
export async function planAt({ client }: BooksContext, key: string): Promise<Plan> {
  const [kept] = await client.at(plan, `${plansAsked}/${encodeURIComponent(key)}`);
  if (kept !== undefined) return kept;
  throw new NotFoundError("NotFound", "There is no such plan here.");
}

export async function showPlan(ctx: BooksContext, key = ""): Promise<Page> {
  const keptPlan = await planAt(ctx, key);
  const { Number: number, Records = [] } = keptPlan;
  const more = Records.length - recordsMax;
  return {
    title: `Plan ${number}`,
    heading: html`Plan ${number ?? ""} ${stateBadge(keptPlan)}`,
    body: html`${saidOfDecision(ctx)}<p>It ${isolated(keptPlan.Summary ?? "")}.</p>
${decisionsOn(ctx, keptPlan)}
${facts(factsOf(ctx, keptPlan))}
${Records.slice(0, recordsMax).map((record, at) => recordPart(ctx, record, at))}
${more > 0 ? html`<p>And ${counted(more, "more record")}: <code>acct plan show ${number ?? ""}</code> has all.</p>` : ""}
${effectsOf(ctx, keptPlan)}`,
  };
}

function factsOf(ctx: BooksContext, kept: Plan): Fact[] {
  const { Command, MadeBy, MadeAtUTC = 0, AppName, Agent, Needs, ApproveBy, Undoes } = kept;
  const { Approvals = [], AppliedAtUTC, Reason, Amount = 0 as Cents } = kept;
  const at = (ms: number) => timeText(ms, ctx.numberMarks.timezone);
  const toldFacts: readonly (readonly [string, string | undefined])[] = [
    ["Made by", MadeBy],
    ["App", AppName],
    ["Agent, in its own words", Agent],
    ["Command, as it says", Command],
    ["Needs a person", Needs],
    ["To be approved by", ApproveBy],
    ["Takes back the operation", Undoes],
    ["Refused", Reason],
  ];
  return [
    ["Amount", money(ctx, Amount)],
    ["Made", at(MadeAtUTC)],
    ...toldFacts.flatMap(([label, text]): Fact[] => (text ? [[label, isolated(text)]] : [])),
    ...Approvals.map(
      ({ User = "", ApprovedAtUTC = 0 }): Fact => [
        "Approved",
        html`${isolated(User)}, ${at(ApprovedAtUTC)}`,
      ],
    ),
    ...(AppliedAtUTC === undefined ? [] : [["Applied", at(AppliedAtUTC)] as const]),
  ];
}

const changeWords = { CREATED: "New", CHANGED: "Changed:", REMOVED: "Removed:" } as const;

/** A record with every field that is set, or for a changed one that differs. */
function recordPart(ctx: BooksContext, record: PlannedRecord, at: number): Markup {
  const { Change, RecordID, Name = RecordID } = record;
  const isChanged = Change === "CHANGED";
  const rows = changesIn(record, ctx.organisation.BaseCurrency).map(
    ({ path, from, to, isBankDetail }): Content[] => {
      const field = html`${labelled(path)}${isBankDetail ? html` ${badge("bank details", "late")}` : ""}`;
      const before = isolated(from ?? "(none)");
      return isChanged
        ? [field, before, isolated(to ?? "(none)")]
        : [field, isolated(to ?? from ?? "")];
    },
  );
  const headings = isChanged ? ["Field", "Before", "After"] : ["Field", "Value"];
  const title = `${changeWords[Change]} ${nounIn(record)} ${Name}`;
  return pagePart(
    `record-${at + 1}`,
    html`${changeWords[Change]} ${nounIn(record)} ${isolated(Name)}`,
    table({
      caption: title,
      columns: headings.map((heading) => ({ heading })),
      rows,
      empty: "None of its fields differs.",
    }),
  );
}

/** Label of a path, with the labels of all its segments: `Line items 2, Account`. */
const labelled = (path: string): string =>
  path
    .split(".")
    .map((segment) => segment.replace(/^\w+/, labelOf))
    .join(", ");

function effectsOf(ctx: BooksContext, kept: Plan): readonly Content[] {
  const { Journals = [], Accounts = [], Taxes = [], Messages = [] } = kept;
  const figure = (heading: string) => ({ heading, figures: true });
  const lines = Journals.flatMap(({ Date: date, Lines = [] }) =>
    Lines.map((line, at): Content[] => [
      at === 0 ? day(date) : "",
      isolated(accountIn(line)),
      isolated(line.Description ?? ""),
      line.NetAmount >= 0 ? money(ctx, line.NetAmount) : "",
      line.NetAmount < 0 ? money(ctx, -line.NetAmount as Cents) : "",
    ]),
  );
  const shownTable = (
    title: string,
    columns: Parameters<typeof table>[0]["columns"],
    rows: Content[][],
  ) =>
    rows.length === 0 ? "" : pagePart(idOf(title), title, table({ caption: title, columns, rows }));
  return [
    shownTable(
      "Journals",
      [
        { heading: "Date" },
        { heading: "Account" },
        { heading: "Description" },
        figure("Debit"),
        figure("Credit"),
      ],
      lines,
    ),
    shownTable(
      "Trial balance",
      [{ heading: "Account" }, figure("Change")],
      Accounts.map((account) => [isolated(accountIn(account)), sideMarkup(ctx, account.Change)]),
    ),
    shownTable(
      "Tax",
      [{ heading: "Rate" }, figure("Net"), figure("Tax")],
      Taxes.map(({ TaxName, TaxType = "", Net, Tax }) => [
        isolated(TaxName ?? TaxType),
        money(ctx, Net),
        money(ctx, Tax),
      ]),
    ),
    shownTable(
      "Email",
      [{ heading: "To" }, { heading: "Subject" }],
      Messages.map(({ To = "", Subject = "" }) => [isolated(To), isolated(Subject)]),
    ),
  ];
}

const idOf = (title: string) => title.toLowerCase().replaceAll(" ", "-");
