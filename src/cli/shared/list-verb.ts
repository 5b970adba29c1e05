/**
 * The verb `list` of all nouns.
 *
 * People want the newest records first and rarely all, so a list stops after a page unless more is
 * requested, and says so. Records are requested page by page and written as they arrive.
 */

import type { Client, ListQuery, Records } from "../../client/client.ts";
import { fieldsSummed } from "../../output/list-table.ts";
import { currency } from "../../resources/currency.ts";
import { rateOfOne } from "../../resources/decimal.ts";
import { AuthError, UsageError } from "../../resources/errors.ts";
import { fieldAt, fieldNamed, type Resource, type Shape } from "../../resources/field.ts";
import { pluralOf, wordsOf } from "../../resources/scalar.ts";
import { allOf, compare } from "../../wire/query/condition.ts";
import type { Command, Context, Flag } from "../context/context.ts";
import { command, ownFlag } from "../framework/command.ts";
import { fieldFlag } from "../framework/flags.ts";
import { formats } from "../render/formats/index.ts";
import { checkDrawn } from "../render/out.ts";
import {
  datesOf,
  type FilterOptions,
  type Filters,
  filterFlags,
  filtersOf,
  filtersOfPeriod,
  type PeriodOptions,
  periodFlags,
  periodOf,
} from "./filters.ts";

/** Maximum count of records shown without a limit flag. */
const shownMax = 100;

export interface ListOptions extends PeriodOptions {
  readonly search?: string | undefined;
  readonly where?: string | undefined;
  readonly order?: string | undefined;
  readonly modifiedSince?: number | undefined;
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly all?: boolean | undefined;
  readonly count?: boolean | undefined;
  readonly chart?: boolean | undefined;
  readonly anyStatus?: boolean | undefined;
  /** Filter values, by field. */
  readonly [field: string]: unknown;
}

export interface ListCommandOptions<R extends Resource> extends FilterOptions {
  readonly summary?: string;
  readonly examples?: readonly string[];
  /** Filter that always applies. */
  readonly only?: string;
  /** Modifies the query by the given options. */
  readonly query?: (query: ListQuery, options: ListOptions) => ListQuery;
  readonly resource: R;
  /** Further help notes. */
  readonly notes?: readonly string[];
  /** Further flags. */
  readonly flags?: readonly Flag[];
  /** Returns list parameters for the given options, which may need lookups. */
  readonly parameters?: (ctx: Context, options: ListOptions) => Promise<Record<string, string>>;
  /** Name of the records, where they are a subset of the resource. */
  readonly called?: { readonly name: string; readonly plural: string };
}

/** Declares `acct NOUN list`. */
export function listCommand<R extends Resource>(options: ListCommandOptions<R>): Command {
  const { resource, notes = [], examples = [] } = options;
  let builder = command("list", options.summary ?? `list ${resource.summary}`)
    .alias("ls")
    .answers(resource)
    .flags<ListOptions>(() => [
      ...(options.flags ?? []),
      ...filterFlags(resource, options),
      ...listFlags(resource),
    ]);
  for (const note of notes) builder = builder.note(note);
  for (const example of examples) builder = builder.example(example);
  return builder.action((ctx, flags) => list(ctx, options, flags));
}

function listFlags(resource: Resource): Flag[] {
  const count = (name: string, help: string): Flag => ({
    ...fieldFlag(name, { kind: "integer", min: 1, max: 1_000_000_000 }, { help, name }),
    help,
  });
  const text = (name: string, placeholder: string, help: string): Flag => ({
    ...fieldFlag(name, { kind: "text" }, { help }),
    placeholder,
  });
  return [
    ...(datesOf(resource).length > 0 ? periodFlags : []),
    ...(resource.search === undefined
      ? []
      : [text("search", "TEXT", "anywhere in its names and numbers")]),
    ...(resource.where === true
      ? [text("where", "CONDITION", `in the service's words, such as '${filterExample(resource)}'`)]
      : []),
    ...(resource.order === true
      ? [text("order", "FIELDS", `'FIELD [ASC|DESC], ...'; '${resource.listOrder}' when not given`)]
      : []),
    ...(deadStatuses(resource).length === 0 ? [] : [ownFlag("any-status", anyStatus(resource))]),
    ...(resource.modifiedSince === true
      ? [
          {
            ...fieldFlag("modified-since", { kind: "timestamp" }, { help: "changed since" }),
            key: "modifiedSince",
            placeholder: "DATE",
          },
        ]
      : []),
    ...(resource.paged === undefined ? [] : [count("page", "one page alone, 100 records, from 1")]),
    count("limit", `at most so many; ${shownMax} when not given`),
    ownFlag("all", "every one"),
    ownFlag("count", "only how many there are"),
    ...(resource.chart === undefined ? [] : [ownFlag("chart", chartHelp)]),
  ];
}

const chartHelp = "what they come to by month, as bars instead of the list; all of them";

/** Statuses of records that a list omits unless requested. */
const dead: readonly string[] = ["VOIDED", "DELETED"];

function statusesOf({ fields: { Status } }: Resource): readonly string[] {
  return Status?.kind === "choice" && Status.filter === true ? Status.values : [];
}

const deadStatuses = (resource: Resource) =>
  statusesOf(resource).filter((status) => dead.includes(status));

/** Returns the help text `also those that are voided or deleted; otherwise --status names them`. */
function anyStatus(resource: Resource): string {
  const words = deadStatuses(resource).map((status) => status.toLowerCase());
  return `also what is ${words.toSorted().reverse().join(" or ")}; --status shows it too`;
}

/**
 * Returns the filter that omits voided and deleted records: the status parameter with all other
 * statuses, or else a condition. A query with a status or record names overrides it.
 */
function withoutDead(resource: Resource, options: ListOptions): Partial<Filters> {
  const gone = deadStatuses(resource);
  const saysStatus = options.Status !== undefined || /\bStatus\b/i.test(options.where ?? "");
  const saysWhich = Object.entries(resource.fields).some(
    ([name, { key }]) => options[name] !== undefined && (key === true || name === resource.id),
  );
  if (gone.length === 0 || saysStatus || saysWhich || options.anyStatus === true) return {};
  const parameter = resource.parameters?.find(({ field }) => field === "Status");
  if (parameter !== undefined) {
    const liveStatuses = statusesOf(resource).filter((status) => !gone.includes(status));
    return { parameters: { [parameter.name]: liveStatuses.join(",") } };
  }
  return { where: allOf(gone.map((status) => compare(resource.fields, "Status", "!=", status))) };
}

/** Returns an example of a filter condition, on a filterable field, for help. */
function filterExample({ fields }: Resource): string {
  const filters = Object.entries(fields).filter(([, field]) => field.filter === true);
  const amount = filters.find(([, field]) => field.kind === "money");
  if (amount !== undefined) return `${amount[0]}>=100`;
  const words = filters.find(([, field]) => field.kind === "text");
  return `${words?.[0] ?? ""}.StartsWith("A")`;
}

async function list<R extends Resource>(
  ctx: Context,
  { resource, called, only, parameters, query = (sameQuery) => sameQuery }: ListCommandOptions<R>,
  options: ListOptions,
): Promise<void> {
  const { all = false, limit, page } = options;
  if (all && (limit !== undefined || page !== undefined)) {
    throw new UsageError("BadFlags", "--all asks for every record; leave --limit and --page out.");
  }
  if (options.chart === true) {
    checkDrawn({ format: ctx.flags.output, columns: undefined });
    if (limit !== undefined || page !== undefined || options.count === true) {
      const message = "--chart draws every record; leave --limit, --page and --count out.";
      throw new UsageError("BadFlags", message);
    }
  }
  const client = await ctx.client();
  const filters = await filtersOf(client, resource, options);
  const period = filtersOfPeriod(resource, await periodOf(ctx, options));
  const fixedQuery = await parameters?.(ctx, options);
  const live = withoutDead(resource, options);
  const conditions = allOf([
    // The user's condition comes first, so that character positions in error messages match it.
    options.where && parenthesise(options.where),
    only,
    filters.where,
    period.where,
  ]);
  const limitUsed = all || page !== undefined ? limit : (limit ?? shownMax);
  const isLaidOut = formats[ctx.flags.output].isLaidOut === true;
  const shownResource = isLaidOut ? { ...resource, ...called } : resource;
  const withCurrency = options.count === true ? undefined : withCurrencyColumn(ctx, shownResource);
  const listQuery: ListQuery = {
    parameters: { ...filters.parameters, ...period.parameters, ...live.parameters, ...fixedQuery },
    where: allOf([conditions, live.where]),
    order: options.order ?? resource.listOrder,
    searchTerm: options.search,
    modifiedSince: options.modifiedSince,
    fields: fieldsOfShownColumns(ctx, withCurrency ?? resource, [
      ...(withCurrency ? ["CurrencyRate"] : []),
      // The currency decides the decimal places of amounts.
      ...(resource.fields.CurrencyCode === undefined ? [] : ["CurrencyCode"]),
      ...(isLaidOut ? fieldsSummed(resource) : []),
    ]),
    page,
    limit: limitUsed,
    count: false,
  };
  if (options.count === true) return countOf(ctx, client, resource, query(listQuery, options));
  if (options.chart === true) return chartList(ctx, client, resource, query(listQuery, options));
  const startedAt = ctx.clock();
  const records = client.list(resource, query(listQuery, options));
  if (withCurrency === undefined) await ctx.out.records(shownResource, records);
  else if (limitUsed === undefined || limitUsed > shownMax) {
    // Records are written as they arrive, so the columns are fixed before the first row.
    await ctx.out.records((await hasCurrencies(client)) ? withCurrency : shownResource, records);
  } else {
    const page: Shape<R>[] = await Array.fromAsync(records);
    await ctx.out.records(isForeign(page) ? withCurrency : shownResource, page);
  }
  const isLong = ctx.clock() - startedAt > longMs && ctx.flags.input;
  if (isLong && !all) sayLookedThrough(ctx, resource, conditions);
  if (limit === undefined && page === undefined && records.more) ctx.out.say(hintOfMore(records));
}

/** Draws the totals of all selected records as a chart; below it, where there is room, the list. */
async function chartList<R extends Resource>(
  ctx: Context,
  client: Client,
  resource: R,
  { limit: _limit, page: _page, ...asked }: ListQuery,
): Promise<void> {
  const { fieldsCharted, listCharts } = await import("../../output/chart/list-chart.ts");
  const { listTable } = await import("../../output/list-table.ts");
  const { columnsShown } = await import("../../output/columns.ts");
  const fields = [resource.id, ...(fieldsCharted(resource) ?? [])];
  const charts = await listCharts(resource, client.list(resource, { ...asked, fields }));
  if (charts.length === 0) {
    ctx.out.say(`No ${wordsOf(resource.plural).toLowerCase()} found.`);
    return;
  }
  const [only] = charts;
  await ctx.out.chart({
    titles: charts.length === 1 && only !== undefined ? [only.title] : [],
    charts,
    table: async () => {
      const summed = { today: await ctx.today() };
      const columns = columnsShown(resource, ctx.flags.columns);
      return listTable(resource, columns, client.list(resource, asked), { summed });
    },
  });
}

/**
 * Returns the resource with the currency column before the amounts, where a table shows amounts.
 */
function withCurrencyColumn<R extends Resource>({ flags }: Context, resource: R): R | undefined {
  const { columns, fields } = resource;
  const amount = columns.findIndex((column) => fields[column]?.kind === "money");
  const isOpen = formats[flags.output].isLaidOut && flags.columns === undefined;
  if (!isOpen || amount < 0 || fields.CurrencyCode === undefined) return undefined;
  return { ...resource, columns: columns.toSpliced(amount, 0, "CurrencyCode") };
}

/** Whether records are in several currencies, or in one other than the base currency. */
function isForeign(records: readonly object[]): boolean {
  const rows = records as readonly { CurrencyCode?: string; CurrencyRate?: number }[];
  const codes = new Set(rows.map(({ CurrencyCode }) => CurrencyCode));
  return codes.size > 1 || rows.some(({ CurrencyRate = rateOfOne }) => CurrencyRate !== rateOfOne);
}

/** Whether the organisation uses a second currency; true where the user may not read that. */
async function hasCurrencies(client: Client): Promise<boolean> {
  try {
    return (await Array.fromAsync(client.list(currency, { limit: 2 }))).length > 1;
  } catch (error) {
    if (error instanceof AuthError && error.status === 403) return true;
    throw error;
  }
}

/** Returns the top-level fields of the shown columns; undefined where whole records are written. */
function fieldsOfShownColumns(
  { flags }: Context,
  resource: Resource,
  besides: readonly string[],
): readonly string[] | undefined {
  if (formats[flags.output].holds === "records") return undefined;
  const columns = flags.columns ?? resource.columns;
  const first = columns.map((column) => fieldNamed(resource.fields, column.split(".")[0] ?? ""));
  // An unknown column is reported by the table writer.
  if (first.includes(undefined)) return undefined;
  const otherFields = besides.filter((name) => resource.fields[name] !== undefined);
  return [...new Set([resource.id, ...first, ...otherFields])] as string[];
}

/** Puts the user's condition in parentheses, to combine it with other conditions. */
function parenthesise(condition: string): string {
  return /\bor\b|\|\|/i.test(condition) ? `(${condition})` : condition;
}

/** Duration of a first page, in milliseconds, after which the reason is reported. */
const longMs = 1000;

/** Reports why a list was slow: its condition has fields without an index. */
function sayLookedThrough(
  ctx: Context,
  { fields, noun, indexed }: Resource,
  condition: string | undefined,
): void {
  if (indexed === undefined || condition === undefined) return;
  const words = condition.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/[A-Za-z][\w.]*/g) ?? [];
  const namedPaths = words.flatMap((word) => fieldAt(fields, word.split("."))?.path ?? []);
  const others = [...new Set(namedPaths)].filter((path) => !indexed.includes(path));
  if (others.length === 0) return;
  ctx.out.say(
    `This looked through the ${pluralOf(noun)} one by one, since no index serves ${others.join(", ")}; ` +
      "--contact, --status or --period narrows it first.",
  );
}

/** Prints the count of records; none is read where the service can count. */
async function countOf<R extends Resource>(
  ctx: Context,
  client: Client,
  resource: R,
  { limit: _limit, page: _page, ...asked }: ListQuery,
): Promise<void> {
  const counting = { ...asked, fields: [resource.id], count: true };
  const firstPage = client.list(resource, { ...counting, limit: 1 });
  for await (const _ of firstPage) break;
  let count = firstPage.itemCount ?? 0;
  if (resource.paged === undefined) {
    count = 0;
    for await (const _ of client.list(resource, counting)) count += 1;
  }
  await ctx.out.value({ Count: count }, String(count));
}

function hintOfMore({ itemCount }: Records<Resource>): string {
  const [of, count] =
    itemCount === undefined ? ["", ", --count says how many there are"] : [` of ${itemCount}`, ""];
  return `These are the first ${shownMax}${of}; --all shows every one, --limit N as many as you say${count}.`;
}
