/** Formats a plan for people: records created and changed, postings, and effect on the book. */
import { localMinute } from "../../ledger/dates/timezones.ts";
import { accountIn, changesIn, nounIn, planSummary } from "../../output/plan-summary.ts";
import { nameTogether } from "../../resources/called.ts";
import { amountText } from "../../resources/common.ts";
import type { Plan, PlannedRecord } from "../../resources/plan.ts";
import { counted } from "../../resources/scalar.ts";
import type { RenderOptions } from "../render/output.ts";
import { safeLine } from "../render/safe.ts";
import { Table } from "../render/table-layout.ts";
import { wrapWords } from "../render/wrap-words.ts";

/** Maximum count of changed records named after a plan was applied; the log has all. */
const namedMax = 40;

/** Facts shown with a plan beyond its content. */
export interface PlanTextOptions {
  /** Terminal width in columns; undefined truncates nothing. */
  readonly width?: number | undefined;
  /** Time zone of the organisation. */
  readonly timezone?: string | undefined;
  /** The base currency. */
  readonly currency?: string | undefined;
  /** Sentence that says whether this book made the plan unchanged. */
  readonly signature?: string | undefined;
  /** Whether to show a line a kind instead of records and journals. */
  readonly summary?: boolean | undefined;
}

const signs = { CREATED: "+", CHANGED: "~", REMOVED: "-" } as const;

/**
 * Formats a moment in the time zone of the organisation; in UTC, and marked so, where that is not
 * known.
 */
export const momentText = (at: number, timezone: string | undefined): string =>
  `${localMinute(at, timezone)}${timezone === undefined ? " UTC" : ""}`;

/** Returns the facts of a terminal and the organisation that a plan is shown with. */
export async function standingOf({ width, timezone, currency }: RenderOptions) {
  return { width, timezone: await timezone?.(), currency: await currency?.() };
}

/** Formats the whole plan, without truncation. */
export function planText(plan: Plan, options: PlanTextOptions = {}): string {
  const { Accounts = [], Taxes = [], Messages = [] } = plan;
  const { width, currency, summary = false } = options;
  const amount = (value: number | undefined) =>
    value === undefined ? "" : amountText(value, currency);
  const { Records = [] } = plan;
  const { Journals = [] } = summary ? {} : plan;
  const table = (columns: readonly (readonly [string, "left" | "right"])[], rows: string[][]) =>
    new Table(
      columns.map(([heading, align]) => ({
        heading,
        align,
        shrinks: align === "right" ? ("never" as const) : ("text" as const),
        status: false,
      })),
      { width },
    ).lines(rows);
  const sections: (readonly [title: string, lines: readonly string[]])[] = [
    ["", headLines(plan, options).flatMap((line) => wrapWords(line, width).split("\n"))],
    [
      "Records",
      summary ? linesByKind(Records) : Records.flatMap((record) => recordLines(record, currency)),
    ],
    [
      "Journals",
      table(
        [
          ["Date", "left"],
          ["Account", "left"],
          ["Description", "left"],
          ["Debit", "right"],
          ["Credit", "right"],
        ],
        Journals.flatMap(({ Date: day, Lines = [] }) =>
          Lines.map((line, at) => [
            at === 0 ? day : "",
            accountOf(line),
            safeLine(line.Description ?? ""),
            line.NetAmount >= 0 ? amount(line.NetAmount) : "",
            line.NetAmount < 0 ? amount(-line.NetAmount) : "",
          ]),
        ),
      ),
    ],
    [
      "Trial balance",
      table(
        [
          ["Account", "left"],
          ["Change", "right"],
        ],
        Accounts.map((account) => [accountOf(account), amount(account.Change)]),
      ),
    ],
    [
      "Tax",
      table(
        [
          ["Rate", "left"],
          ["Net", "right"],
          ["Tax", "right"],
        ],
        Taxes.map(({ TaxName, TaxType, Net, Tax }) => [
          safeLine(TaxName ?? TaxType ?? ""),
          amount(Net),
          amount(Tax),
        ]),
      ),
    ],
    ["Email", Messages.map(({ To, Subject }) => safeLine(`${To}: ${Subject}`))],
  ];
  const lists = [undefined, Records, Journals, Accounts, Taxes, Messages];
  return sections
    .filter((_, at) => lists[at]?.length !== 0)
    .map(([title, lines]) => [...(title === "" ? [] : [title]), ...lines].join("\n"))
    .join("\n\n");
}

/**
 * Lists changed records, one per line.
 *
 * @param shownPlan  the plan before it was applied, whose records distinguish bills from invoices
 */
export function changedText({ Records = [] }: Plan, shownPlan: Plan): string {
  const known = new Map(shownPlan.Records?.map((record) => [record.RecordID, record]));
  const head = (record: PlannedRecord) => recordHead({ ...known.get(record.RecordID), ...record });
  const more = Records.length - namedMax;
  const moreText = more > 0 ? [`and ${counted(more, "more record")}; acct log show has all`] : [];
  return [...Records.slice(0, namedMax).map(head), ...moreText].join("\n");
}

function headLines(plan: Plan, { signature, timezone }: PlanTextOptions): string[] {
  const { Command = "", MadeBy = "", MadeAtUTC = 0, ApproveBy, AppliedAtUTC } = plan;
  const { Approvals = [] } = plan;
  const moment = (at: number) => momentText(at, timezone);
  return [
    // The command line comes from the maker of the plan, and is not verified.
    safeLine(Command === "" ? `Plan ${plan.PlanID}` : `It says it was made by: ${Command}`),
    safeLine(`Made ${moment(MadeAtUTC)} by ${MadeBy}; it ${planSummary(plan)}.`),
    ...storedPlanLines(plan),
    ...(signature === undefined ? [] : [safeLine(`Signature: ${signature}.`)]),
    ...(ApproveBy === undefined || Approvals.length > 0
      ? []
      : [safeLine(`It needs the approval of ${ApproveBy}.`)]),
    ...Approvals.map(({ User = "", ApprovedAtUTC = 0 }) =>
      safeLine(`Approved ${moment(ApprovedAtUTC)} by ${User}.`),
    ),
    ...(AppliedAtUTC === undefined ? [] : [`Applied ${moment(AppliedAtUTC)}.`]),
  ];
}

/** Returns the head lines of a stored plan: its state, maker, reason for approval, and how to approve. */
function storedPlanLines({
  Number: number,
  State = "WAITING",
  AppName = "",
  Agent,
  Digest = "",
  Needs,
  Reason,
}: Plan): string[] {
  if (number === undefined) return [];
  const agent = Agent === undefined ? "" : `, an agent that calls itself ${Agent}`;
  const needs = Needs === undefined ? "" : ` It needs a person: ${Needs}.`;
  return [
    safeLine(`Plan ${number} is ${State.toLowerCase()}, made by ${AppName}${agent}.${needs}`),
    ...(Reason === undefined ? [] : [safeLine(`It was refused: ${Reason}`)]),
    ...(State === "WAITING"
      ? [`To approve what is shown: acct plan approve ${number} --digest=${Digest}`]
      : []),
  ];
}

/** Returns a line a kind, with the count and the first records by number. */
function linesByKind(records: readonly PlannedRecord[]): string[] {
  const kinds = Map.groupBy(records, (record) => `${signs[record.Change]} ${nounIn(record)}`);
  return [...kinds.values()].map((kindRecords) => {
    const [first] = kindRecords as [PlannedRecord];
    if (kindRecords.length === 1) return recordHead(first);
    const names = nameTogether(kindRecords.map(({ Name, RecordID }) => Name ?? RecordID));
    return safeLine(
      `${signs[first.Change]} ${counted(kindRecords.length, nounIn(first))} ${names}`.trimEnd(),
    );
  });
}

function recordLines(record: PlannedRecord, base: string | undefined): string[] {
  const lines = changesIn(record, base).map(({ path, from, to, isBankDetail }) => {
    const none = record.Change === "CHANGED" ? "(none)" : undefined;
    const values = [from ?? none, to ?? none].filter((value) => value !== undefined);
    return `  ${isBankDetail ? "!" : " "} ${safeLine(`${path}: ${values.join(" → ")}`)}`;
  });
  return [recordHead(record), ...lines];
}

function recordHead(record: PlannedRecord): string {
  const { RecordID, Name = RecordID, Change } = record;
  return safeLine(`${signs[Change]} ${nounIn(record)} ${Name}`);
}

const accountOf = (account: Parameters<typeof accountIn>[0]) => safeLine(accountIn(account));
