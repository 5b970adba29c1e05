/** What may be asked beside the path: query parameters and headers, by what a resource can do. */
import type { Field, Resource } from "../../resources/field.ts";
import type { DescribedRoute } from "./document.ts";
import { type Schema, sentSchema } from "./schemas.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const day = { type: "string", format: "date" } as const;

const query = (name: string, description: string, schema: Schema = text): Schema => ({
  name,
  in: "query",
  description,
  schema,
});
const header = (name: string, description: string, schema: Schema = text): Schema => ({
  name,
  in: "header",
  description,
  schema,
});

/** Those that mean the same wherever they stand. */
export const parameters: Readonly<Record<string, Schema>> = {
  tenant: header("xero-tenant-id", "the organisation; the token's own when not given"),
  where: query("where", 'a condition, such as Status=="AUTHORISED" AND Total>=100'),
  order: query("order", "fields with ASC or DESC, such as Date DESC, Total"),
  page: query("page", "from 1, and 0 is the first as well; with line items", {
    type: "integer",
    minimum: 0,
  }),
  pageSize: query("pageSize", "100 when not given", {
    type: "integer",
    minimum: 1,
    maximum: 1000,
  }),
  searchTerm: query("searchTerm", "text that one of the searched fields contains"),
  count: query("count", "false leaves itemCount out, which large books take long to count", flag),
  summaryOnly: query("summaryOnly", "leave out what stands in lists", flag),
  createdByMyApp: query("createdByMyApp", "only what this app has created", flag),
  includeArchived: query("includeArchived", "also records that are no longer in use", flag),
  unitdp: query("unitdp", "digits of unit amounts; anything but 4 means 2", { enum: [2, 4] }),
  summarizeErrors: query(
    "SummarizeErrors",
    "false keeps the good records of a batch and answers the others with their faults",
    { ...flag, default: true },
  ),
  modifiedSince: header("If-Modified-Since", "only records created or changed since, in UTC"),
  idempotencyKey: header("Idempotency-Key", "a repeat within 6 minutes gets the first answer", {
    ...text,
    minLength: 1,
    maxLength: 128,
  }),
  dryRun: header("X-Dry-Run", "check and compute everything, keep nothing", flag),
};

type ParameterName = keyof typeof parameters;

/** The parameters of one operation, as references to those above or in full. */
export function parametersOf(route: DescribedRoute): Schema[] {
  const { method, path, resource } = route;
  const listed = method === "GET" && path === `/${resource?.plural}` ? resource : undefined;
  const names: ParameterName[] = ["tenant", ...(listed === undefined ? [] : ofLists(listed))];
  if (method !== "GET") names.push("idempotencyKey");
  if (method === "PUT" || method === "POST") {
    names.push("dryRun");
    if (resource?.summarizeErrors === true) names.push("summarizeErrors");
  }
  if (resource?.unitdp === true) names.push("unitdp");
  return [
    ...names.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...Object.entries(route.parameters ?? {}).map(([name, field]) => ofField(name, field)),
    ...(listed?.parameters ?? []).map(({ name, field, test }) =>
      query(
        name,
        test === undefined || test === "in" ? `any of these ${field}` : `${field} ${test}`,
      ),
    ),
    ...(listed?.offsetBy === undefined
      ? []
      : [query("offset", `records after this ${listed.offsetBy}`, { type: "integer" })]),
  ];
}

/** A parameter that a route describes as a field. */
function ofField(name: string, field: Field): Schema {
  const schema = field.kind === "date" ? day : sentSchema(name, field);
  const required = field.required === true ? { required: true } : {};
  return { ...query(name, field.help ?? "", schema), ...required };
}

function ofLists(resource: Resource): ParameterName[] {
  const can: readonly (readonly [ParameterName, unknown])[] = [
    ["where", resource.where],
    ["order", resource.order],
    ["page", resource.paged],
    ["pageSize", resource.paged],
    ["searchTerm", resource.search],
    ["count", resource.paged],
    ["summaryOnly", resource.summaryOnly],
    ["createdByMyApp", resource.createdByMyApp],
    ["includeArchived", resource.includeArchived],
    ["modifiedSince", resource.modifiedSince],
  ];
  return can.flatMap(([name, is]) => (is === undefined || is === false ? [] : [name]));
}
