/** What a plan does, as people read it: in a line, and by record with each field. */
import { nameTogether } from "../resources/called.ts";
import { inDigitsOf } from "../resources/common.ts";
import { type Field, type FieldValues, nounOf, type Resource } from "../resources/field.ts";
import { resources } from "../resources/index.ts";
import type { Plan, PlannedRecord } from "../resources/plan.ts";
import { counted } from "../resources/scalar.ts";
import { currencyOf } from "./list-table.ts";

/** Summarises a plan in one line: `creates 1 invoice, changes 2 contacts, posts 1 journal`. */
export function planSummary({
  Records = [],
  Journals = [],
  Messages = [],
  Requests = [],
}: Plan): string {
  const parts = (["CREATED", "CHANGED", "REMOVED"] as const).flatMap((change) => {
    const recordsByKind = Map.groupBy(
      Records.filter(({ Change }) => Change === change),
      nounIn,
    );
    if (recordsByKind.size === 0) return [];
    const names = [...recordsByKind].map(([noun, { length }]) => counted(length, noun));
    return [`${verbs[change]} ${names.join(" and ")}`];
  });
  if (Journals.length > 0) parts.push(`posts ${counted(Journals.length, "journal")}`);
  if (Messages.length > 0) parts.push(`sends ${counted(Messages.length, "email")}`);
  if (parts.length > 0) return parts.join(", ");
  return `changes no record: ${nameTogether(Requests.map(({ Method, Path }) => `${Method} ${Path}`))}`;
}

const verbs = { CREATED: "creates", CHANGED: "changes", REMOVED: "removes" } as const;
/** Returns the noun of a planned record, `invoice` or `bill`. */
export function nounIn({ Resource, Before, After }: PlannedRecord): string {
  const resource = resourceNamed(Resource);
  return resource === undefined ? Resource : nounOf(resource, JSON.parse(After ?? Before ?? "{}"));
}

/** A field that a plan sets, changes or takes away. */
interface FieldChange {
  /** `LineItems 2.AccountCode`. */
  readonly path: string;
  /** Value before, and after; undefined for none. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Whether money goes to another account by it. */
  readonly isBankDetail: boolean;
}

const bankDetails = /^(Bank(AccountDetails|AccountNumber|AccountName|Details)|BatchPayments)\b/;

/**
 * Returns what a plan changes in a record: all fields that are set of one that is made or removed.
 * Bank details come first.
 *
 * @param baseCurrency  currency of the organisation
 */
export function changesIn(
  { Resource, Before, After }: PlannedRecord,
  baseCurrency: string | undefined,
): FieldChange[] {
  const resource = resourceNamed(Resource);
  const [was, is] = [
    leavesOf(resource, Before, baseCurrency),
    leavesOf(resource, After, baseCurrency),
  ];
  const changes = [...new Set([...was.keys(), ...is.keys()])].map((path) => ({
    path,
    from: was.get(path),
    to: is.get(path),
    isBankDetail: bankDetails.test(path),
  }));
  const changed = changes.filter(({ from, to }) => from !== to);
  return changed.sort((a, b) => Number(b.isBankDetail) - Number(a.isBankDetail));
}

/** Returns the set values of a record, by path: `LineItems 2.AccountCode`. */
function leavesOf(
  resource: Resource | undefined,
  json: string | undefined,
  baseCurrency: string | undefined,
): ReadonlyMap<string, string> {
  const textByPath = new Map<string, string>();
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
        const memberField = fieldsOf(field)?.[name];
        const isNamed =
          field?.kind === "ref"
            ? field.by.includes(name) || name === "Name"
            : memberField?.kind !== "id";
        if (isNamed && name !== "UpdatedDateUTC") gather(each, `${path}.${name}`, memberField);
      }
    } else if (!(field?.readOnly === true && value === false))
      textByPath.set(path, digits(String(value), field));
  };
  for (const [name, value] of Object.entries(members)) {
    if (name !== "UpdatedDateUTC") gather(value, name, resource?.fields[name]);
  }
  return textByPath;
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

/** Returns an account of a plan, `Sales (200)`. */
export const accountIn = ({
  AccountName = "",
  AccountCode,
}: {
  AccountName?: string | undefined;
  AccountCode?: string | undefined;
}) => (AccountCode ? `${AccountName} (${AccountCode})` : AccountName);

const resourceNamed = (name: string): Resource | undefined =>
  resources.find((resource) => resource.name === name);
