/** What a list of records is asked for: its filters and order in the address, and the query of them. */
import type { ListQuery } from "../../../client/client.ts";
import { addDays } from "../../../ledger/dates/calendar.ts";
import { choiceText, labelOf } from "../../../output/field-labels.ts";
import { contact } from "../../../resources/contact.ts";
import { type Cents, readDecimal, scaleOf } from "../../../resources/decimal.ts";
import { type Fields, fieldAt, type Resource } from "../../../resources/field.ts";
import { isDay, readId } from "../../../resources/scalar.ts";
import { allOf, compare } from "../../../wire/query/condition.ts";
import type { FilterField } from "../../frame/components.ts";
import { onlyOf, type RecordList } from "../catalogue.ts";
import type { BooksContext } from "../context.ts";
import { ignoreForbidden } from "../ledger/postings.ts";
import { isSearched, termCondition } from "./term.ts";

export interface ParsedQuery {
  /** Values of the form fields and of the order, as given in the query. */
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly faults: readonly string[];
}

/** Fields with the date that a list can be filtered by. */
const mainDates = ["Date", "PurchaseDate", "FromDate"] as const;
/** Fields with the amount that a list can be filtered by. */
const mainAmounts = ["Total", "Amount", "TotalAmount", "Cost"] as const;
const choiceFields = [
  "Status",
  "ContactStatus",
  "Type",
  "Class",
  "Direction",
  "PaymentType",
] as const;

const filterable = ({ fields }: Resource, names: readonly string[]) =>
  names.find((name) => fields[name]?.filter === true);

export function filtersOf({ resource, types }: RecordList): FilterField[] {
  const { fields } = resource;
  const choices = choiceFields.flatMap((name): FilterField[] => {
    const field = fields[name];
    if (field?.kind !== "choice" || field.filter !== true) return [];
    if (name === "Type" && types !== undefined) return [];
    const values = field.values.map((value) => [value, choiceText(name, value)] as const);
    const none = name === "Status" && deadIn(resource).length > 0 ? "All but what is gone" : "All";
    return [{ kind: "choice", name: parameterOf(name), label: labelOf(name), values, none }];
  });
  const date = filterable(resource, mainDates);
  const amount = filterable(resource, mainAmounts);
  return [
    ...(isSearched(resource) ? [{ kind: "search", name: "q", label: "Search" } as const] : []),
    ...choices,
    ...(resource === contact ? [kindField] : []),
    ...(resource.fields.DueDate?.filter === true ? [dueField] : []),
    ...(contactPathOf(resource) === undefined
      ? []
      : [{ kind: "text", name: "contact", label: "Contact" } as const]),
    ...(date === undefined
      ? []
      : [
          { kind: "date", name: "from", label: "From" } as const,
          { kind: "date", name: "to", label: "To" } as const,
        ]),
    ...(amount === undefined
      ? []
      : [
          { kind: "amount", name: "least", label: `${labelOf(amount)} from` } as const,
          { kind: "amount", name: "most", label: "to" } as const,
        ]),
  ];
}

/** Filter of contacts by whether documents were made for them. */
const kindField: FilterField = {
  kind: "choice",
  name: "kind",
  label: "Kind",
  values: [
    ["customers", "Customers"],
    ["suppliers", "Suppliers"],
  ],
  none: "All",
};

/** Values of the filter by due date for each bucket of an ageing, by days overdue. */
export const ageFilters = ["1-30", "31-60", "61-90", "91"] as const;

/** Filter of unpaid documents by due date. */
const dueField: FilterField = {
  kind: "choice",
  name: "due",
  label: "Due",
  values: [
    ["overdue", "Overdue"],
    ["week", "This week"],
    ...ageFilters.map((ages) => [ages, `${ages.replace(/^91$/, "91 or more")} days late`] as const),
  ],
  none: "Any day",
};

/** Number of days in the filter "This week", today included. */
const weekDays = 7;

function dueConditions({ fields }: Resource, due: string | undefined, today: string): string[] {
  if (due === undefined) return [];
  const isOpen = compare(fields, "AmountDue", ">", 0);
  if (due === "overdue") return [isOpen, compare(fields, "DueDate", "<", today)];
  const [least, most] = due.split("-").map(Number);
  if (least) {
    const firstDay = most === undefined ? undefined : addDays(today, -most);
    return [isOpen, ...rangeOf(fields, "DueDate", firstDay, addDays(today, -least))];
  }
  const lastDay = addDays(today, weekDays - 1);
  return [isOpen, ...rangeOf(fields, "DueDate", today, lastDay)];
}

/** Statuses of voided and deleted records, which a list shows only on request. */
const dead: readonly string[] = ["VOIDED", "DELETED"];

function deadIn({ fields: { Status } }: Resource): readonly string[] {
  if (Status?.kind !== "choice" || Status.filter !== true) return [];
  return Status.values.filter((status) => dead.includes(status));
}

/**
 * Query that excludes voided and deleted records, by the status parameter or else by a condition.
 */
function withoutDead(resource: Resource, due: string | undefined): Partial<ListQuery> {
  const { Status } = resource.fields;
  const deadOnes = deadIn(resource);
  if (deadOnes.length === 0 || Status?.kind !== "choice") return {};
  const parameter = resource.parameters?.find(({ field }) => field === "Status");
  if (parameter === undefined) {
    return { where: allOf(deadOnes.map((text) => compare(resource.fields, "Status", "!=", text))) };
  }
  const usable = Status.values.filter((text) => !dead.includes(text));
  // Documents due are approved and unpaid; an index on that status finds them.
  return { parameters: { [parameter.name]: due === undefined ? usable.join(",") : "AUTHORISED" } };
}

const parameterOf = (field: string) => (/Status$/.test(field) ? "status" : field.toLowerCase());

/** Path of the contact's id in a record, if the list can be filtered by it. */
function contactPathOf({ fields }: Resource): string | undefined {
  const field = fields.Contact;
  return field?.kind === "ref" && field.filter === true ? "Contact.ContactID" : undefined;
}

export function parsedOf({ query }: BooksContext, list: RecordList): ParsedQuery {
  const faults: string[] = [];
  const values: Record<string, string | undefined> = {};
  for (const field of filtersOf(list)) {
    const text = query.get(field.name)?.trim() ?? "";
    if (text === "") continue;
    const fault = faultIn(field, text);
    if (fault === undefined) values[field.name] = text;
    else faults.push(fault);
  }
  const order = query.get("order") ?? undefined;
  if (order !== undefined && isOrder(list, order)) values.order = order;
  return { values, faults };
}

function faultIn(field: FilterField, text: string): string | undefined {
  const { label } = field;
  const shownText = text.slice(0, 40);
  switch (field.kind) {
    case "date":
      return isDay(text) ? undefined : `${label} is a day such as 2026-03-31, not “${shownText}”.`;
    case "amount":
      return readDecimal(text.replaceAll(",", ""), scaleOf.money) === undefined
        ? `${label} is an amount such as 120.50, not “${shownText}”.`
        : undefined;
    case "choice":
      return field.values.some(([value]) => value === text)
        ? undefined
        : `${label} is none of those there are: “${shownText}”.`;
    default:
      return undefined;
  }
}

/** Query for the service; undefined where no record can match. */
export async function queryOf(
  ctx: BooksContext,
  list: RecordList,
  { values }: ParsedQuery,
): Promise<ListQuery | undefined> {
  const { resource } = list;
  const { fields } = resource;
  const parameters: Record<string, string> = {};
  const conditions: (string | undefined)[] = [onlyOf(list)];
  for (const name of choiceFields) {
    const value = values[parameterOf(name)];
    if (fields[name]?.filter !== true || value === undefined) continue;
    const parameter = resource.parameters?.find((parameter) => parameter.field === name);
    if (parameter === undefined) conditions.push(compare(fields, name, "==", value));
    else parameters[parameter.name] = value;
  }
  if (resource === contact && values.status !== undefined) parameters.includeArchived = "true";
  if (values.kind === "customers") conditions.push("IsCustomer==true");
  if (values.kind === "suppliers") conditions.push("IsSupplier==true");
  const contactPath = contactPathOf(resource);
  if (values.contact !== undefined && contactPath !== undefined) {
    const ids = await contactIds(ctx, values.contact);
    if (ids.length === 0) return undefined;
    const parameter = resource.parameters?.find((parameter) => parameter.field === contactPath);
    if (parameter === undefined) conditions.push(anyIdOf(fields, contactPath, ids));
    else parameters[parameter.name] = ids.join(",");
  }
  const liveQuery = values.status === undefined ? withoutDead(resource, values.due) : {};
  Object.assign(parameters, liveQuery.parameters);
  conditions.push(liveQuery.where, ...dueConditions(resource, values.due, ctx.today));
  conditions.push(...rangeOf(fields, filterable(resource, mainDates), values.from, values.to));
  const cents = (text: string | undefined) =>
    text === undefined
      ? undefined
      : (readDecimal(text.replaceAll(",", ""), scaleOf.money) as Cents);
  const amount = filterable(resource, mainAmounts);
  if (values.q !== undefined) conditions.push(termCondition(resource, values.q));
  conditions.push(...rangeOf(fields, amount, cents(values.least), cents(values.most)));
  const condition = allOf(conditions);
  return {
    parameters,
    where: condition,
    order: orderOf(list, values.order),
    fields: fieldsOf(list),
  };
}

function rangeOf(
  fields: Fields,
  name: string | undefined,
  from: string | number | undefined,
  to: string | number | undefined,
): string[] {
  if (name === undefined) return [];
  return [
    ...(from === undefined ? [] : [compare(fields, name, ">=", from)]),
    ...(to === undefined ? [] : [compare(fields, name, "<=", to)]),
  ];
}

function anyIdOf(fields: Fields, path: string, ids: readonly string[]): string {
  return `(${ids.map((id) => compare(fields, path, "==", id)).join(" OR ")})`;
}

/** Maximum number of contacts that a contact filter matches at a time. */
const contactsMax = 50;

/** Name of the contact if the filter is a ContactID; any other text is returned as it is. */
export async function contactName(
  { client }: BooksContext,
  key: string | undefined,
): Promise<string | undefined> {
  const id = readId(key ?? "");
  if (id === undefined) return key;
  return (await client.find(contact, id).catch(ignoreForbidden))?.Name ?? key;
}

/**
 * Ids of the contacts with exactly that name; where there are none, of those found by searching.
 */
async function contactIds({ client }: BooksContext, text: string): Promise<string[]> {
  const id = readId(text);
  if (id !== undefined) return [id];
  const parameters = { includeArchived: "true" };
  const read = async (query: ListQuery) => {
    const ids: string[] = [];
    const request = { ...query, parameters, limit: contactsMax, fields: ["ContactID"] };
    for await (const { ContactID } of client.list(contact, request)) ids.push(ContactID);
    return ids;
  };
  const exact = await read({ where: compare(contact.fields, "Name", "==", text) });
  return exact.length > 0 ? exact : read({ searchTerm: text });
}

/** Fields that the columns read, and those shown beside them. */
export function fieldsOf({ resource, columns }: RecordList): readonly string[] {
  const besides = ["CurrencyCode", "Type", "AmountDue", "Status", "DueDate"];
  const firstParts = columns.map((column) => column.split(".")[0] ?? "");
  return [...new Set([resource.id, ...firstParts, ...besides])].filter(
    (name) => resource.fields[name] !== undefined,
  );
}

// --- order -------------------------------------------------------------------------------------

/** Whether a list can be ordered by a column: stored values, and names of contacts. */
export function isOrderable({ resource }: RecordList, path: string): boolean {
  const field = fieldAt(resource.fields, path.split("."))?.field;
  if (resource.order !== true || field === undefined) return false;
  if (path.includes(".") && !resource.indexed?.includes(path)) return false;
  return field.computed !== true && !["many", "one", "ref", "texts"].includes(field.kind);
}

function isOrder(list: RecordList, order: string): boolean {
  const [path = "", way = "", more] = order.split(" ");
  return more === undefined && /^(ASC|DESC)$/.test(way) && isOrderable(list, path);
}

export function orderOf({ resource }: RecordList, order: string | undefined): string | undefined {
  return order ?? (resource.order === true ? resource.listOrder : undefined);
}
