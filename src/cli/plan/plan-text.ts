/** Formats a plan for people: records created and changed, postings, and effect on the book. */
import { localMinute } from "../../ledger/dates/timezones.ts";
import { currencyOf } from "../../output/list-table.ts";
import { calledTogether } from "../../resources/called.ts";
import { amountText, inDigitsOf } from "../../resources/common.ts";
import { type Field, type FieldValues, nounOf, type Resource } from "../../resources/field.ts";
import { resources } from "../../resources/index.ts";
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

/** Summarises a plan in one line: `creates 1 invoice, changes 2 contacts, posts 1 journal`. */
export function planSummary({ Records = [], Journals = [], Messages = [] }: Plan): string {
  const parts = (["CREATED", "CHANGED", "REMOVED"] as const).flatMap((change) => {
    const kinds = Map.groupBy(
      Records.filter(({ Change }) => Change === change),
      nounIn,
    );
    if (kinds.size === 0) return [];
    const names = [...kinds].map(([noun, { length }]) => counted(length, noun));
    return [`${verbs[change]} ${names.join(" and ")}`];
  });
  if (Journals.length > 0) parts.push(`posts ${counted(Journals.length, "journal")}`);
  if (Messages.length > 0) parts.push(`sends ${counted(Messages.length, "email")}`);
  return parts.length === 0 ? "changes nothing that is shown" : parts.join(", ");
}

const verbs = { CREATED: "creates", CHANGED: "changes", REMOVED: "removes" } as const;
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
      summary ? kindLines(Records) : Records.flatMap((record) => recordLines(record, currency)),
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
    ...keptLines(plan),
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
function keptLines({
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
function kindLines(records: readonly PlannedRecord[]): string[] {
  const kinds = Map.groupBy(records, (record) => `${signs[record.Change]} ${nounIn(record)}`);
  return [...kinds.values()].map((kindRecords) => {
    const [first] = kindRecords as [PlannedRecord];
    if (kindRecords.length === 1) return recordHead(first);
    const names = calledTogether(kindRecords.map(({ Name, RecordID }) => Name ?? RecordID));
    return safeLine(
      `${signs[first.Change]} ${counted(kindRecords.length, nounIn(first))} ${names}`.trimEnd(),
    );
  });
}

function recordLines(record: PlannedRecord, base: string | undefined): string[] {
  const resource = resourceNamed(record.Resource);
  const lines = Map.groupBy(fieldLines(resource, record, base), (line) => bankDetails.test(line));
  return [
    recordHead(record),
    ...(lines.get(true) ?? []).map((line) => `  ! ${safeLine(line)}`),
    ...(lines.get(false) ?? []).map((line) => `    ${safeLine(line)}`),
  ];
}

/** Fields by which money goes to another account: they stand first, and are marked. */
const bankDetails = /^(Bank(AccountDetails|AccountNumber|AccountName|Details)|BatchPayments)\b/;

function recordHead(record: PlannedRecord): string {
  const { RecordID, Name = RecordID, Change } = record;
  return safeLine(`${signs[Change]} ${nounIn(record)} ${Name}`);
}

function nounIn({ Resource, Before, After }: PlannedRecord): string {
  const resource = resourceNamed(Resource);
  return resource === undefined ? Resource : nounOf(resource, JSON.parse(After ?? Before ?? "{}"));
}

/**
 * Lists fields: for a created or deleted record all that are set, for an updated one the changes.
 */
function fieldLines(
  resource: Resource | undefined,
  { Change, Before, After }: PlannedRecord,
  base: string | undefined,
): string[] {
  const [was, is] = [leavesOf(resource, Before, base), leavesOf(resource, After, base)];
  if (Change !== "CHANGED") {
    return [...(Change === "REMOVED" ? was : is)].map(([path, text]) => `${path}: ${text}`);
  }
  const paths = new Set([...was.keys(), ...is.keys()]);
  return [...paths].flatMap((path) => {
    const [from, to] = [was.get(path), is.get(path)];
    return from === to ? [] : [`${path}: ${from ?? "(none)"} → ${to ?? "(none)"}`];
  });
}

/** Returns the set values of a record, by path: `LineItems 2.AccountCode`. */
function leavesOf(
  resource: Resource | undefined,
  json: string | undefined,
  baseCurrency: string | undefined,
): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>();
  const members = JSON.parse(json ?? "{}", exact) as FieldValues;
  const own = resource && currencyOf(resource.fields, { BaseCurrency: baseCurrency, ...members });
  const digits = (text: string, field: Field | undefined) =>
    field?.kind === "unitAmount" || (field?.kind === "money" && field.currency !== "other")
      ? inDigitsOf(field.currency === "base" ? baseCurrency : own, text)
      : text;
  const gather = (value: unknown, path: string, field: Field | undefined): void => {
    if (value === undefined || value === null || value === "") return;
    if (Array.isArray(value)) {
      value.forEach((value, at) => {
        if (!isBare(value)) gather(value, `${path} ${at + 1}`, field);
      });
    } else if (typeof value === "object") {
      for (const [name, each] of Object.entries(value as FieldValues)) {
        // A referenced record is shown by its names alone, since it has an entry of its own.
        const isNamed = field?.kind !== "ref" || field.by.includes(name) || name === "Name";
        const memberField = fieldsOf(field)?.[name];
        if (isNamed && name !== "UpdatedDateUTC") gather(each, `${path}.${name}`, memberField);
      }
    } else if (!(field?.readOnly === true && value === false))
      leaves.set(path, digits(String(value), field));
  };
  for (const [name, value] of Object.entries(members)) {
    if (name !== "UpdatedDateUTC") gather(value, name, resource?.fields[name]);
  }
  return leaves;
}

const fieldsOf = (field: Field | undefined) =>
  field !== undefined && "fields" in field ? field.fields : undefined;

/** Whether a value is an address or phone without content. */
function isBare(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const names = Object.keys(value);
  return names.length === 1 && /^(Address|Phone)Type$/.test(names[0] ?? "");
}

/** JSON reviver that keeps numbers as written. */
const exact = ((_: string, value: unknown, { source }: { readonly source?: string }) =>
  typeof value === "number" ? source : value) as Parameters<typeof JSON.parse>[1];

function accountOf({
  AccountName = "",
  AccountCode,
}: {
  AccountName?: string | undefined;
  AccountCode?: string | undefined;
}) {
  return safeLine(AccountCode ? `${AccountName} (${AccountCode})` : AccountName);
}

const resourceNamed = (name: string): Resource | undefined =>
  resources.find((resource) => resource.name === name);
