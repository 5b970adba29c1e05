/** Tools that read: each is a line of the program, and its answer in few words. */
import type { Field, Fields } from "../resources/field.ts";
import { handleOf, type RecordNoun, readHandle } from "./kinds.ts";
import { find, list } from "./lists.ts";
import { type Line, read } from "./program.ts";
import {
  type Desk,
  handle,
  kind,
  must,
  period,
  picked,
  rowsOf,
  type Tool,
  text,
  whole,
} from "./tool.ts";

/** Flags of reports that tools pass on, with underscores. */
const reportFlags = {
  period,
  from: text("a day"),
  to: text("a day"),
  date: text("the day of a balance"),
  periods: whole(1, 11),
  timeframe: { type: "string", enum: ["MONTH", "QUARTER", "YEAR"] },
  tracking_category: text("a column for each of its options"),
  tracking_option: text("only what carries it"),
  payments_only: { type: "boolean", description: "cash basis" },
};

const of = ({ program }: Desk, line: Line) => read(program, line);

const books: Tool = {
  name: "books",
  description:
    "The organisation: its currency, country, financial year and lock dates, what you may do, and the state of the company today.",
  takes: () => ({}),
  async run(desk) {
    const fields =
      "Name,LegalName,CountryCode,BaseCurrency,FinancialYearEndDay,FinancialYearEndMonth," +
      "SalesTaxBasis,SalesTaxPeriod,PeriodLockDate,EndOfYearLockDate,Timezone";
    const [organisation, actions, status] = await Promise.all([
      of(desk, { noun: ["organisation"], verb: "show", own: [`--columns=${fields}`] }),
      of(desk, { noun: ["organisation"], verb: "actions" }),
      of(desk, { noun: ["status"] }),
    ]);
    const may = (rowsOf(actions) as { Name: string; Status: string }[])
      .filter(({ Status }) => Status === "ALLOWED")
      .map(({ Name }) => Name);
    return { organisation: organisation as object, may, status: withoutHistory(status as object) };
  },
};

/** Leaves out the balances of months before. */
const withoutHistory = (status: object): object =>
  JSON.parse(JSON.stringify(status, (name, value) => (name === "History" ? undefined : value)));

const show: Tool = {
  name: "show",
  description: "One record by its handle: fields, lines, payments and what it is linked to.",
  takes: () => ({ handle: must(handle), columns: text("only these fields, with commas") }),
  async run(desk, given) {
    const { kind, key } = readHandle(desk.kinds, given.handle as string);
    const own = given.columns === undefined ? [] : [`--columns=${given.columns}`];
    const record = await of(desk, { noun: kind.noun, verb: "show", args: [key], own });
    return { handle: handleOf(kind, { ...keyed(kind, key), ...(record as object) }), record };
  },
};

/** The id of a record that is shown without its fields. */
const keyed = ({ resource }: RecordNoun, key: string) => ({ [resource.id]: key });

const report: Tool = {
  name: "report",
  description: "A report as rows of figures. explain takes a row as report:NAME/PERIOD#ROW.",
  takes: ({ reports }) => ({
    name: must({ type: "string", enum: reports }),
    subject: text("the account or contact of reports that take one"),
    ...reportFlags,
  }),
  async run(desk, given) {
    const { name, subject } = given as { name: string; subject?: string };
    const flags = picked(given, Object.keys(reportFlags));
    const args = subject === undefined ? [] : [subject];
    return reportOf(await of(desk, { noun: ["report"], verb: name, flags, args }));
  },
};

/** A report as the program prints it. */
interface Printed {
  readonly ReportName: string;
  readonly ReportTitles: readonly string[];
  readonly Columns?: readonly string[];
  readonly Sections?: readonly {
    readonly Title: string;
    readonly Rows?: readonly { readonly Cells: readonly unknown[] }[];
  }[];
}

/** Returns a report with its rows as lists of cells; postings, and returns, as records. */
function reportOf(answer: unknown): object {
  const { Sections, Columns, ReportTitles } = (answer ?? {}) as Printed;
  if (Sections === undefined) return { rows: answer };
  const sections = Sections.map(({ Title, Rows = [] }) => ({
    title: Title,
    rows: Rows.map(({ Cells }) => Cells),
  }));
  return { titles: ReportTitles, columns: Columns, sections };
}

const explain: Tool = {
  name: "explain",
  description:
    "Where a figure comes from: of a document, contact, item or account by its handle, or of a report by report:NAME/PERIOD#ROW; refusal explains the last one.",
  takes: () => ({
    of: must(text("invoice:INV-0042, account:090, report:pl/2026-03#Sales, refusal")),
    figure: text("total, tax, due, owed …; of an account none"),
    date: text("of a balance"),
  }),
  async run(desk, given) {
    const line = explained(desk, given.of as string, given.figure as string | undefined);
    return reportOf(
      await of(desk, { ...line, flags: { ...line.flags, ...picked(given, ["date"]) } }),
    );
  },
};

function explained(desk: Desk, what: string, figure: string | undefined): Line {
  const noun = ["explain"];
  if (what === "refusal") return { noun, verb: "refusal" };
  const [, name, period, row] = /^report:([^/#]+)(?:\/([^#]+))?#(.+)$/s.exec(what) ?? [];
  if (name !== undefined) return { noun, verb: name, flags: { period }, args: [row ?? ""] };
  const { kind, key } = readHandle(desk.kinds, what);
  if (kind.name === "account") return { noun, verb: "balance", args: [key] };
  const verb = kind.name === "contact" || kind.name === "item" ? kind.name : "document";
  return { noun, verb, args: figure === undefined ? [key] : [key, figure] };
}

const history: Tool = {
  name: "history",
  description:
    "What was done: to a record by its handle, else to the books by operations (log), or by administration (audit).",
  takes: () => ({
    handle,
    log: { type: "string", enum: ["operations", "audit"] },
    operation: text("number of an operation, to see what it wrote"),
    from: text("a day"),
    to: text("a day"),
    limit: whole(1, 50),
  }),
  async run(desk, given) {
    const { handle: on, log, operation } = given as Record<string, string | undefined>;
    if (on !== undefined) {
      return { entries: await of(desk, { noun: ["history"], verb: "list", own: [`--on=${on}`] }) };
    }
    if (operation !== undefined) {
      return { operation: await of(desk, { noun: ["log"], verb: "show", args: [operation] }) };
    }
    const noun = [log === "audit" ? "audit" : "log"];
    const flags = picked({ limit: 20, ...given }, ["from", "to", "limit"]);
    return { entries: await of(desk, { noun, verb: "list", flags }) };
  },
};

const bankSuggest: Tool = {
  name: "bank_suggest",
  description:
    "Open lines of statements of a bank account, each with what it may be: records, how sure, the evidence, and what speaks against it.",
  takes: () => ({
    account: must(text("code or name of the bank account")),
    line: text("one line alone, by its handle such as L-10"),
    until: text("lines up to this day"),
    limit: whole(1, 50),
  }),
  async run(desk, given) {
    const { account = "", line, until, limit = "10" } = given as Record<string, string>;
    const args = [account];
    const fields = "Handle,BankStatementLineID,Date,Amount,Payee,Description,References";
    const [lines, suggested] = await Promise.all([
      of(desk, {
        noun: ["bank"],
        verb: "lines",
        args,
        flags: { status: "UNRECONCILED", to: until },
        own: ["--all", `--columns=${fields}`],
      }),
      of(desk, { noun: ["bank"], verb: "suggest", args }),
    ]);
    const open = (rowsOf(lines) as BankLine[]).filter(
      ({ Handle }) => (line ?? Handle).replace(/^bank-line:/, "") === Handle,
    );
    const shown = open.slice(0, Number(limit)).map(({ BankStatementLineID: id, ...told }) => ({
      handle: `bank-line:${told.Handle}`,
      ...told,
      candidates: (rowsOf(suggested) as Partial<BankLine>[])
        .filter(({ BankStatementLineID }) => BankStatementLineID === id)
        .slice(0, 3)
        .map(({ BankStatementLineID: _, ...candidate }) => candidate),
    }));
    return { lines: shown, count: open.length, left_out: { count: open.length - shown.length } };
  },
};

interface BankLine {
  readonly BankStatementLineID: string;
  readonly Handle: string;
}

const closeCheck: Tool = {
  name: "close_check",
  description: "What stands against closing a month or a financial year, and what mends it.",
  takes: () => ({ period, year: { type: "boolean", description: "the financial year" } }),
  async run(desk, given) {
    const { period } = given as { period?: string };
    const args = period === undefined ? [] : [period];
    const own = given.year === true ? ["--year"] : [];
    // Shows the checks, and is kept from locking.
    const line: Line = { noun: ["close"], args, own, answersFirst: true };
    const checks = rowsOf(await of(desk, line)) as { Status: string; Name: string }[];
    const open = checks.filter(({ Status }) => Status !== "OK");
    const inOrder = checks.filter(({ Status }) => Status === "OK").map(({ Name }) => Name);
    return { open, in_order: inOrder };
  },
};

const schema: Tool = {
  name: "schema",
  description:
    "Fields of a kind as create and update take them, its filters for list, its verbs, and a record of these books.",
  takes: (desk) => ({ kind: must(kind(desk)) }),
  async run(desk, given) {
    const { noun, list: verb, resource } = desk.kinds.get(given.kind as string) as RecordNoun;
    const verbs = await desk.program.verbs(noun);
    const filters = verbs.find(({ name }) => name === verb)?.flags ?? [];
    return {
      fields: fieldsTaken(resource.fields, 1),
      filters: filters.map(({ name, values }) => name + (values ? ` ${values.join("|")}` : "")),
      verbs: verbs.map(({ name }) => name),
    };
  },
};

/** Says of each field what it takes, nested as far as `depth`. */
function fieldsTaken(fields: Fields, depth: number): object {
  const taken = Object.entries(fields).filter(([, { readOnly }]) => readOnly !== true);
  return Object.fromEntries(taken.map(([name, field]) => [name, fieldTaken(field, depth)]));
}

function fieldTaken(field: Field, depth: number): unknown {
  if (field.kind === "ref") return `{${field.by.join(" | ")}}${field.required ? ", required" : ""}`;
  const nested = "fields" in field && depth > 0 ? fieldsTaken(field.fields, depth - 1) : undefined;
  if (nested !== undefined) return field.kind === "many" ? [nested] : nested;
  const values =
    field.kind === "choice" && field.values.length <= 12 ? field.values.join("|") : field.kind;
  return [values, field.required && "required", field.help].filter(Boolean).join(", ");
}

const all: readonly Tool[] = [
  books,
  find,
  show,
  list,
  report,
  explain,
  history,
  bankSuggest,
  closeCheck,
  schema,
];

export const readTools: readonly Tool[] = all.map((tool) => ({ ...tool, reads: true }));
