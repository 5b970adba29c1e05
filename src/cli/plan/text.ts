/** A plan for a person: what is made and changed, what is posted, and what that does to the books. */
import { scaleOf, writeDecimal } from "../../resources/decimal.ts";
import type { Resource } from "../../resources/field.ts";
import { resources } from "../../resources/index.ts";
import type { Plan, PlannedRecord } from "../../resources/plan.ts";
import { counted } from "../../resources/scalar.ts";
import { safeLine } from "../render/safe.ts";
import { Table } from "../render/table-layout.ts";

/** Records and journals that are shown one by one; the file and JSON have all. */
const shownMax = 40;

type Amount = number | undefined;
const amount = (value: Amount) =>
  value === undefined
    ? ""
    : writeDecimal(value as Parameters<typeof writeDecimal>[0], scaleOf.money);

/** One line: `creates 1 invoice, changes 2 contacts, posts 1 journal`. */
export function planSummary({ Records = [], Journals = [], Messages = [] }: Plan): string {
  const parts = (["CREATED", "CHANGED", "REMOVED"] as const).flatMap((change) => {
    const kinds = Map.groupBy(
      Records.filter(({ Change }) => Change === change),
      ({ Resource }) => Resource,
    );
    if (kinds.size === 0) return [];
    const names = [...kinds].map(([name, { length }]) => {
      const { noun = name, plural = name } = resourceNamed(name) ?? {};
      return length === 1 ? `1 ${noun}` : `${length} ${inWords(plural)}`;
    });
    return [`${verbs[change]} ${names.join(" and ")}`];
  });
  if (Journals.length > 0) parts.push(`posts ${counted(Journals.length, "journal")}`);
  if (Messages.length > 0) parts.push(`sends ${counted(Messages.length, "email")}`);
  return parts.length === 0 ? "changes nothing that is shown" : parts.join(", ");
}

const verbs = { CREATED: "creates", CHANGED: "changes", REMOVED: "removes" } as const;
const signs = { CREATED: "+", CHANGED: "~", REMOVED: "-" } as const;

export function planText(plan: Plan, width: number | undefined): string {
  const { Records = [], Journals = [], Accounts = [], Taxes = [], Messages = [] } = plan;
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
    ["", headLines(plan)],
    ["Records", cut(Records.flatMap(recordLines), Records.length)],
    [
      "Journals",
      cut(
        table(
          [
            ["Date", "left"],
            ["Account", "left"],
            ["Description", "left"],
            ["Debit", "right"],
            ["Credit", "right"],
          ],
          Journals.slice(0, shownMax).flatMap(({ Date: day, Lines = [] }) =>
            Lines.map((line, at) => [
              at === 0 ? day : "",
              accountOf(line),
              safeLine(line.Description ?? ""),
              line.NetAmount >= 0 ? amount(line.NetAmount) : "",
              line.NetAmount < 0 ? amount(-line.NetAmount) : "",
            ]),
          ),
        ),
        Journals.length,
      ),
    ],
    [
      "Trial balance",
      table(
        [
          ["Account", "left"],
          ["Change", "right"],
        ],
        Accounts.map((each) => [accountOf(each), amount(each.Change)]),
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
  const held = [undefined, Records, Journals, Accounts, Taxes, Messages];
  return sections
    .filter((_, at) => held[at]?.length !== 0)
    .map(([title, lines]) => [...(title === "" ? [] : [title]), ...lines].join("\n"))
    .join("\n\n");
}

/** What was changed, a line each. */
export function changedText({ Records = [] }: Plan): string {
  return cut(Records.slice(0, shownMax).map(recordHead), Records.length).join("\n");
}

function headLines(plan: Plan): string[] {
  const {
    Command = "",
    MadeBy = "",
    MadeAtUTC = 0,
    ApproveBy,
    Approvals = [],
    AppliedAtUTC,
  } = plan;
  const moment = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return [
    safeLine(`Plan of ${Command === "" ? plan.PlanID : Command}`),
    safeLine(`Made ${moment(MadeAtUTC)} by ${MadeBy}; it ${planSummary(plan)}.`),
    ...(ApproveBy === undefined || Approvals.length > 0
      ? []
      : [safeLine(`It waits for the approval of ${ApproveBy}.`)]),
    ...Approvals.map(({ User = "", ApprovedAtUTC = 0 }) =>
      safeLine(`Approved ${moment(ApprovedAtUTC)} by ${User}.`),
    ),
    ...(AppliedAtUTC === undefined ? [] : [`Applied ${moment(AppliedAtUTC)}.`]),
  ];
}

function cut(lines: readonly string[], count: number): readonly string[] {
  return count <= shownMax ? lines : [...lines, `… ${count} in all; -o json shows every one.`];
}

function recordLines(record: PlannedRecord, at: number): string[] {
  if (at >= shownMax) return [];
  const resource = resourceNamed(record.Resource);
  return [
    recordHead(record),
    ...fieldLines(resource, record).map((line) => `    ${safeLine(line)}`),
  ];
}

function recordHead({ Resource, RecordID, Name = RecordID, Change }: PlannedRecord): string {
  return safeLine(`${signs[Change]} ${resourceNamed(Resource)?.noun ?? Resource} ${Name}`);
}

type Values = Readonly<Record<string, unknown>>;

/** Of a new record the fields of its list; of another what differs. */
function fieldLines(
  resource: Resource | undefined,
  { Change, Before, After }: PlannedRecord,
): string[] {
  const [was, is] = [Before, After].map((json) =>
    json === undefined ? {} : (JSON.parse(json, exact) as Values),
  ) as [Values, Values];
  if (Change === "REMOVED") return [];
  if (Change === "CREATED") {
    const columns = (resource?.columns ?? []).map((path) => [path, valueAt(is, path)] as const);
    return columns.flatMap(([path, text]) => (text === "" ? [] : [`${path}: ${text}`]));
  }
  return Object.keys({ ...was, ...is }).flatMap((name) => {
    const [from, to] = [shown(was[name]), shown(is[name])];
    const isPassing = name === "UpdatedDateUTC" || resource?.fields[name]?.computed === true;
    return from === to || isPassing ? [] : [`${name}: ${from || "(none)"} → ${to || "(none)"}`];
  });
}

/** Numbers stay as they are written. */
const exact = ((_: string, value: unknown, { source }: { readonly source?: string }) =>
  typeof value === "number" ? source : value) as Parameters<typeof JSON.parse>[1];

function valueAt(record: Values, path: string): string {
  let value: unknown = record;
  for (const name of path.split(".")) value = (value as Values | undefined)?.[name];
  return shown(value);
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

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
  resources.find((each) => each.name === name);

const inWords = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
