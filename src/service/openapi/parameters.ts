/** What may be asked beside the path: query parameters and headers, by what a resource can do. */
import type { Resource } from "../../resources/field.ts";
import type { DescribedRoute } from "./document.ts";
import type { Schema } from "./schemas.ts";

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
  includeOnline: query("IncludeOnline", "show the file with the online invoice", flag),
  fromDate: query("fromDate", "first day", day),
  toDate: query("toDate", "last day", day),
  date: query("date", "as at this day", day),
  paymentsOnly: query("paymentsOnly", "cash basis", flag),
  periods: query("periods", "columns to compare with", { type: "integer", minimum: 1 }),
  timeframe: query("timeframe", "length of a column"),
  contactID: query("contactID", "the contact, a GUID"),
  reportYear: query("reportYear", "a calendar year; the last one when not given", {
    type: "integer",
  }),
  standardLayout: query("standardLayout", "leave layouts of the organisation's own aside", flag),
  trackingCategoryID: query("trackingCategoryID", "a column for each option of this category"),
  trackingOptionID: query("trackingOptionID", "only this option"),
  trackingCategoryID2: query("trackingCategoryID2", "combined with a second category"),
  trackingOptionID2: query("trackingOptionID2", "only this option of the second category"),
  trackingOptionID1: query("trackingOptionID1", "only lines with this option"),
  events: query("events", "INVOICE, CONTACT, CREDITNOTE, PAYMENT; all of them when not given"),
  after: query("after", "the last event that was taken", { type: "integer", minimum: 0 }),
  wait: query("wait", "seconds to wait for a delivery where there is none", {
    type: "integer",
    minimum: 0,
    maximum: 50,
  }),
};

type ParameterName = keyof typeof parameters;

/** The parameters of one operation, as references to those above or in full. */
export function parametersOf(route: DescribedRoute): Schema[] {
  const { method, path, resource } = route;
  const names: ParameterName[] = ["tenant"];
  if (method === "GET" && path === `/${resource?.plural}` && resource !== undefined) {
    names.push(...ofLists(resource));
  }
  if (method !== "GET") names.push("idempotencyKey");
  if (method === "PUT" || method === "POST") {
    names.push("dryRun");
    if (resource?.summarizeErrors === true) names.push("summarizeErrors");
  }
  if (resource?.unitdp === true) names.push("unitdp");
  if (route.takesFile === true && path.includes("/Attachments/")) names.push("includeOnline");
  if (path.startsWith("/Reports/")) names.push(...ofReport(path));
  if (path === "/WebhookListeners") names.push("events");
  if (path.endsWith("/Next")) names.push("after", "wait");
  const listed = method === "GET" && path === `/${resource?.plural}` ? resource : undefined;
  return [
    ...[...new Set(names)].map((name) => ({ $ref: `#/components/parameters/${name}` })),
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

/** Reports are no resources; what each is asked with is said here. */
const reports: readonly (readonly [RegExp, readonly ParameterName[]])[] = [
  [
    /ProfitAndLoss$/,
    [
      "fromDate",
      "toDate",
      "periods",
      "timeframe",
      "trackingCategoryID",
      "trackingOptionID",
      "trackingCategoryID2",
      "trackingOptionID2",
      "standardLayout",
      "paymentsOnly",
    ],
  ],
  [
    /BalanceSheet$/,
    [
      "date",
      "periods",
      "timeframe",
      "trackingOptionID1",
      "trackingOptionID2",
      "standardLayout",
      "paymentsOnly",
    ],
  ],
  [/TrialBalance$/, ["date", "paymentsOnly"]],
  [/Aged\w+ByContact$/, ["contactID", "date", "fromDate", "toDate"]],
  [/BankSummary$/, ["fromDate", "toDate"]],
  [/BudgetSummary$/, ["date", "periods", "timeframe"]],
  [/ExecutiveSummary$/, ["date"]],
  [/TenNinetyNine$/, ["reportYear"]],
  [/(GST|SalesTax)Return$/, ["fromDate", "toDate"]],
];

function ofReport(path: string): readonly ParameterName[] {
  return reports.find(([pattern]) => pattern.test(path))?.[1] ?? [];
}
