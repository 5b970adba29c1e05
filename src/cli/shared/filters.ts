/**
 * Filters of a list: derives flags from the resource's description, and queries from their values.
 *
 * Each filterable field has a flag. A field with a list parameter is queried by that parameter; all
 * others become conditions of `where`. One function per kind of field defines the flag's parser and
 * its condition.
 */
import type { Client } from "../../client/client.ts";
import { choiceLabelled } from "../../output/field-labels.ts";
import { account } from "../../resources/account.ts";
import { contact } from "../../resources/contact.ts";
import { NotFoundError, UsageError } from "../../resources/errors.ts";
import type {
  Field,
  FieldOf,
  Fields,
  Kind,
  ListParameter,
  Resource,
} from "../../resources/field.ts";
import { type Organisation, organisation } from "../../resources/organisation.ts";
import { allOf, anyOf, compare } from "../../wire/query/condition.ts";
import type { Context, Flag, ParseContext } from "../context/context.ts";
import { ownFlag } from "../framework/command.ts";
import { fieldFlag, readField, takenOf, toKebab } from "../framework/flags.ts";
import { hasOrder } from "../values/date-flags.ts";
import {
  isOfFinancialYear,
  type Period,
  parsePeriod,
  periodForms,
} from "../values/period-words.ts";
import { saysTime } from "../values/value.ts";

/** Date field that `--from`, `--to` and `--period` filter, of records of one day. */
const mainDate = "Date";

/** Returns the fields of the day, or of the first and the last, by which a list is filtered. */
export const datesOf = ({ fields }: Resource): readonly string[] =>
  [[mainDate], ["FromDate", "ToDate"]].find((names) =>
    names.every((name) => fields[name]?.filter === true),
  ) ?? [];

type StoredScalar = string | number | boolean;
/** A range of values, of which either end may be open. */
interface Range {
  readonly from?: StoredScalar;
  readonly to?: StoredScalar;
}

interface FilterKind {
  /** Differences between the filter flag and the flag of the field. */
  readonly flag: { readonly commas?: boolean; readonly form?: string };
  readonly read: (field: Field, text: string, name: string, context: ParseContext) => unknown;
  readonly where: (fields: Fields, path: string, value: never, field: Field) => string;
}

const anyOfList: FilterKind = {
  flag: { commas: true, form: "several with commas" },
  read: (field, text, name, context) => {
    const values = text.split(",").flatMap((text) => text.trim() || []);
    if (values.length === 0) throw new UsageError("BadValue", `${name} must not be empty.`);
    return values.map((text) => readField(field, text, name, context));
  },
  where: (fields, path, values: readonly StoredScalar[]) =>
    anyOf(values.map((value) => compare(fields, path, "==", value))),
};

const withinRange: FilterKind = {
  flag: { form: "or a range FROM..TO, either end open" },
  read: (field, text, name, context): Range => {
    const bounds = text.split("..").map((end) => end.trim());
    const [from = "", to = from] = bounds;
    if (bounds.length > 2 || (from === "" && to === "")) {
      throw new UsageError("BadValue", `${name} takes one value or FROM..TO, not "${text}".`);
    }
    const [first, last] = [from, to].map((boundText) =>
      boundText === "" ? undefined : (readField(field, boundText, name, context) as StoredScalar),
    );
    if (first !== undefined && last !== undefined && first > last) {
      throw new UsageError("BadValue", `${name} ${text} ends before it begins.`);
    }
    return {
      ...(first === undefined ? {} : { from: first }),
      ...(last === undefined ? {} : { to: last }),
    };
  },
  where: (fields, path, { from, to }: Range) => {
    if (from !== undefined && from === to) return compare(fields, path, "==", from);
    const bounds = [
      from === undefined ? undefined : compare(fields, path, ">=", from),
      to === undefined ? undefined : compare(fields, path, "<=", to),
    ];
    return allOf(bounds) ?? "";
  },
};

const yesOrNo: FilterKind = {
  flag: {},
  read: () => true,
  where: (fields, path, value: boolean) => compare(fields, path, "==", value),
};

const namedRecord: FilterKind = {
  flag: {},
  read: (field, text, name, context) => readField(field, text, name, context),
  where: (fields, path, value: Record<string, string>) =>
    anyOf(
      Object.entries(value).map(([key, held]) => compare(fields, `${path}.${key}`, "==", held)),
    ),
};

const filterKinds = {
  id: anyOfList,
  text: anyOfList,
  choice: anyOfList,
  boolean: yesOrNo,
  integer: withinRange,
  date: withinRange,
  timestamp: withinRange,
  money: withinRange,
  unitAmount: withinRange,
  quantity: withinRange,
  percent: withinRange,
  rate: withinRange,
  ref: namedRecord,
  one: undefined,
  many: undefined,
  texts: undefined,
} satisfies Record<Kind, FilterKind | undefined>;

export interface FilterOptions {
  /** Fields without a filter flag. */
  readonly omit?: readonly string[];
  /** Shorter flag names, by field. */
  readonly rename?: Readonly<Record<string, string>>;
}

/** Returns the filter flags of a resource. */
export function filterFlags(resource: Resource, options: FilterOptions = {}): Flag[] {
  return Object.entries(resource.fields).flatMap(([name, field]) => {
    const kind = filterKinds[field.kind];
    if (field.filter !== true || kind === undefined || options.omit?.includes(name)) return [];
    const flag = takenOf(field, name);
    const flagName = options.rename?.[name] ?? toKebab(name);
    const words = [field.kind === "choice" ? flag?.limit : undefined, kind.flag.form];
    return [
      {
        name: flagName,
        also: flagName === toKebab(name) ? [] : [toKebab(name)],
        key: name,
        help: words.filter((word) => word !== undefined).join("; "),
        placeholder: flag?.placeholder,
        negatable: flag?.placeholder === undefined,
        repeat: false,
        required: false,
        values: flag?.values,
        commas: kind.flag.commas ?? false,
        live: flag?.live,
        read: (text, context) => {
          const words = field.kind === "choice" ? unlabelled(resource, name, field, text) : text;
          return kind.read(field, words, `--${flagName}`, context);
        },
      },
    ];
  });
}

/** Replaces labels of values, `awaiting payment`, with the words of the API. */
const unlabelled = (
  { name }: Resource,
  field: string,
  { values }: FieldOf<"choice">,
  text: string,
): string =>
  text
    .split(",")
    .map((text) => choiceLabelled(name, field, values, text))
    .join(",");

export interface Filters {
  readonly parameters: Readonly<Record<string, string>>;
  readonly where: string | undefined;
}

/**
 * Converts filter values to list parameters and conditions.
 *
 * @param values  by field, as parsed by the flags
 * @throws NotFoundError when a named record does not exist, since an empty list would hide that
 */
export async function filtersOf(
  client: Client,
  resource: Resource,
  values: Readonly<Record<string, unknown>>,
): Promise<Filters> {
  const parameters: Record<string, string> = {};
  const conditions: string[] = [];
  for (const [name, field] of Object.entries(resource.fields)) {
    const kind = filterKinds[field.kind];
    const value = values[name];
    if (kind === undefined || field.filter !== true || value === undefined) continue;
    const path = field.kind === "ref" && field.to === "Contact" ? `${name}.ContactID` : name;
    const condition =
      path === name
        ? await resolveReference(client, field, value)
        : [await contactId(client, value as ContactKey)];
    const parameter = parameterOf(resource, path, "in");
    const listedValues = parameter === undefined ? undefined : joinWithCommas(condition);
    if (parameter !== undefined && listedValues !== undefined) {
      parameters[parameter.name] = listedValues;
    } else if (isSpan(condition) && parameterOf(resource, path, "from") !== undefined) {
      Object.assign(parameters, boundsOf(resource, path, condition));
    } else {
      const conditionOf = path === name ? kind.where : anyOfList.where;
      conditions.push(conditionOf(resource.fields, path, condition as never, field));
    }
  }
  return { parameters, where: allOf(conditions) };
}

/**
 * Resolves a reference to an existing record.
 *
 * @param value  other values are returned unchanged
 * @throws NotFoundError
 */
async function resolveReference(client: Client, field: Field, value: unknown): Promise<unknown> {
  if (field.kind !== "ref") return value;
  const { resources } = await import("../../resources/index.ts");
  const to = resources.find(({ name }) => name === field.to);
  const [[key, text] = []] = Object.entries(value as Readonly<Record<string, string>>);
  if (to === undefined || key === undefined || text === undefined) return value;
  if (key === to.id || to === account) {
    const record = (await client.find(to, text)) as Readonly<Record<string, string>>;
    return record[key] === undefined ? { [to.id]: record[to.id] } : { [key]: record[key] };
  }
  const condition = compare(to.fields, key, "==", text);
  for await (const _ of client.list(to, { where: condition, limit: 1 })) return value;
  throw new NotFoundError("NotFound", `There is no ${to.noun} ${text}.`);
}

function parameterOf({ parameters }: Resource, path: string, test: ListParameter["test"]) {
  return parameters?.find((each) => each.field === path && (each.test ?? "in") === test);
}

function isSpan(value: unknown): value is Range {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns list parameters for the ends of a range, where the list has them for the field. */
function boundsOf(resource: Resource, path: string, range: Range): Record<string, string> {
  const bounds: Record<string, string> = {};
  for (const test of ["from", "to"] as const) {
    const parameter = parameterOf(resource, path, test);
    const bound = range[test];
    if (parameter !== undefined && bound !== undefined) bounds[parameter.name] = String(bound);
  }
  return bounds;
}

/**
 * Returns the filter for a period of dates: list parameters, or a condition where there are none.
 */
export function filtersOfPeriod(resource: Resource, period: Partial<Period>): Filters {
  if (parameterOf(resource, mainDate, "from") !== undefined) {
    return { parameters: boundsOf(resource, mainDate, period), where: undefined };
  }
  const [first = "", last = first] = datesOf(resource);
  const { fields } = resource;
  const { from, to } = period;
  const condition = allOf([
    from && compare(fields, first, ">=", from),
    to && compare(fields, last, "<=", to),
  ]);
  return { parameters: {}, where: condition };
}

/** Joins values with commas for one parameter; undefined when a value contains a comma. */
function joinWithCommas(values: unknown): string | undefined {
  if (!Array.isArray(values)) return undefined;
  return values.some((value) => String(value).includes(",")) ? undefined : values.join(",");
}

/** A contact parsed from a flag: an id, or another name. */
export interface ContactKey {
  readonly ContactID?: string;
  readonly Name?: string;
}

/**
 * Returns the id of a contact named by name, number or id.
 *
 * @throws NotFoundError
 */
export async function contactId(client: Client, key: ContactKey): Promise<string> {
  if (key.ContactID !== undefined) return key.ContactID;
  const party = await client.find(contact, key.Name ?? "", { fields: ["ContactID"] });
  return party.ContactID;
}

export interface PeriodOptions {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly period?: string | undefined;
}

const firstDay = fieldFlag("from", { kind: "date" }, { help: "from this day on" });
const lastDay = fieldFlag("to", { kind: "date" }, { help: "up to this day, itself included" });
const isRange = (days: string) => days.includes("..");
/** Both days, which `--from 2026-03-01..2026-03-31` gives at once, or a period. */
export const periodFlags: readonly Flag[] = [
  {
    ...firstDay,
    also: ["from-date"],
    read: (text, context) => (isRange(text) ? text : firstDay.read(text, context)),
  },
  { ...lastDay, also: ["to-date"] },
  ownFlag("period", periodForms, { placeholder: "PERIOD" }),
];

const moment = (name: string, key: string, help: string): Flag => ({
  ...fieldFlag(name, { kind: "timestamp" }, { help }),
  key,
  also: [key],
  placeholder: "DATE",
});
const untilMoment = moment("to", "until", "up to this day, itself included");
const dayMs = 86_400_000;

/**
 * Flags for a span of moments, `since` included and `until` not, in milliseconds of UTC; a day given as
 * the end is included.
 */
export const momentFlags: readonly Flag[] = [
  moment("from", "since", "from this day on"),
  {
    ...untilMoment,
    read: (text, context) => Number(untilMoment.read(text, context)) + (saysTime(text) ? 0 : dayMs),
  },
];

/**
 * Returns the period that the flags give.
 *
 * @returns its given ends
 * @throws UsageError when a period and an end are given, or the end is before the start
 */
export async function periodOf(ctx: Context, options: PeriodOptions): Promise<Partial<Period>> {
  const { from, to, period } = options;
  if (from !== undefined && isRange(from)) {
    if (to === undefined && period === undefined) return periodIn(ctx, from);
    throw new UsageError("BadFlags", `--from ${from} says both ends; leave --to and --period out.`);
  }
  if (period === undefined) {
    if (from !== undefined && to !== undefined && from > to) {
      throw new UsageError("BadPeriod", `--from ${from} is after --to ${to}.`);
    }
    return { from, to };
  }
  if (from !== undefined || to !== undefined) {
    throw new UsageError("BadFlags", "--period says both ends; leave --from and --to out.");
  }
  // Only financial years need the year end of the organisation.
  const ownRecord = isOfFinancialYear(period)
    ? (await (await ctx.client()).at(organisation, "/Organisation"))[0]
    : undefined;
  return periodIn(ctx, period, ownRecord);
}

/** Parses a period, with the settings of the organisation. */
export async function periodIn(
  ctx: Context,
  text: string,
  ownRecord: Partial<Organisation> = {},
): Promise<Period> {
  const { FinancialYearEndDay: day = 31, FinancialYearEndMonth: month = 12 } = ownRecord;
  const order = hasOrder(text) ? await ctx.dayOrder() : undefined;
  return parsePeriod(text, {
    today: await ctx.today(),
    yearEnd: { day, month },
    order: () => order,
    tell: ctx.out.say,
  });
}
