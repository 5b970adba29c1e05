/**
 * The OpenAPI 3.1 document of the API.
 *
 * It is derived: paths and methods from the table of routes, schemas and parameters from the
 * resource descriptions. A new resource appears without further code.
 */
import { version } from "../../platform/version.ts";
import { type Field, pathOf, type Resource } from "../../resources/field.ts";
import { historyRecord } from "../../resources/history.ts";
import { resources } from "../../resources/index.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import type { ServiceDependencies } from "../request/context.ts";
import type { Route } from "../request/route.ts";
import {
  answerName,
  commonSchemas,
  requiredOf,
  type Schema,
  schemaRef,
  schemasOf,
  sentSchema,
} from "./schemas.ts";

/** The fields of a route that the document describes. */
export type DescribedRoute = Pick<
  Route,
  "method" | "path" | "resource" | "takes" | "answers" | "parameters" | "printed"
>;

const jsonType = "application/json";

/**
 * Makes the document.
 *
 * @param routes  the table of routes
 * @param baseUrl  base URL of the API, such as `http://127.0.0.1:9320/api.xro/2.0`
 */
export function describeApi(routes: readonly DescribedRoute[], baseUrl: string): Schema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes.flatMap(withPdfPath)) {
    const path = paths[route.path] ?? { parameters: inPath(route.path) };
    path[route.method.toLowerCase()] = operationSchema(route);
    paths[route.path] = path;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "acct",
      version,
      description:
        "Double-entry accounting. Answers are XML unless the Accept header asks for JSON, whose " +
        "schemas these are.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "from acct app token" },
      },
      parameters,
      schemas: Object.assign({}, commonSchemas, ...describedResources(routes).map(schemasOf)),
      responses,
    },
  };
}

/** Adds the `/pdf` path of a printed record, which `Accept: application/pdf` requests too. */
function withPdfPath(route: DescribedRoute): readonly DescribedRoute[] {
  const { method, path, resource, printed } = route;
  if (printed === undefined || resource?.printed !== true) return [route];
  return [route, { method, path: `${path}/pdf`, resource, answers: "file" }];
}

/** Returns every resource in the answers of routes, once each. */
function describedResources(routes: readonly DescribedRoute[]): Resource[] {
  const kinds = routes.flatMap(({ resource, takes, answers }) => [resource, takes, answers]);
  return [...new Set([...resources, ...kinds.filter((kind) => typeof kind === "object")])];
}

function inPath(path: string): Schema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
    description: /ID$/.test(name ?? "") ? "its GUID, or another key that names it" : "its name",
  }));
}

function operationSchema(route: DescribedRoute): Schema {
  const { method, path, resource } = route;
  const tag = path.split("/")[1] ?? "";
  const isWrite = method === "PUT" || method === "POST";
  return {
    operationId: operationId(method, path),
    tags: [tag],
    ...(resource === undefined ? {} : { summary: `${method} ${path}: ${resource.summary}` }),
    parameters: parametersOf(route),
    ...(isWrite ? { requestBody: requestBody(route) } : {}),
    responses: {
      "200": { description: "done", content: answerSchema(route) },
      ...(method === "GET" ? {} : { "204": { description: "done, with nothing to say" } }),
      "400": { $ref: "#/components/responses/Refused" },
      "401": { $ref: "#/components/responses/Unauthorized" },
      "403": { $ref: "#/components/responses/Unauthorized" },
      "404": { $ref: "#/components/responses/NotFound" },
      "503": { $ref: "#/components/responses/Unavailable" },
    },
  };
}

/** Returns the operation id: `getInvoicesByInvoiceIDHistory`. */
function operationId(method: string, path: string): string {
  const words = path
    .slice(1)
    .split("/")
    .map((segment) => segment.replace(/^\{(\w+)\}$/, "By$1").replace(/\W/g, ""));
  return method.toLowerCase() + words.join("");
}

/** Returns the content of an answer. */
function answerSchema({ answers }: DescribedRoute): Schema {
  if (answers === "file") return { "*/*": { schema: { type: "string", format: "binary" } } };
  const name =
    answers === undefined
      ? "Envelope"
      : answers === "reports"
        ? "ReportsAnswer"
        : answerName(answers);
  return { [jsonType]: { schema: schemaRef(name) }, "text/xml": { schema: { type: "string" } } };
}

function requestBody({ method, takes, resource }: DescribedRoute): Schema {
  if (takes === "file") {
    return { required: true, content: { "*/*": { schema: { type: "string", format: "binary" } } } };
  }
  const xml = { "text/xml": { schema: { type: "string" } } };
  if (takes === undefined) {
    return { content: { [jsonType]: { schema: { type: "object" } }, ...xml } };
  }
  const record = schemaRef(`${takes.name}Input`);
  const isNew = method === "PUT" && requiredOf(takes).length > 0;
  const element = isNew ? { allOf: [record, { required: requiredOf(takes) }] } : record;
  const listSchema = {
    type: "object",
    properties: { [takes.plural]: { type: "array", items: element, maxItems: takes.batchMax } },
    required: [takes.plural],
  };
  return {
    required: takes === resource || takes === historyRecord,
    content: { [jsonType]: { schema: { anyOf: [listSchema, element] } }, ...xml },
  };
}

const error = (description: string, name: string): Schema => ({
  description,
  content: { [jsonType]: { schema: schemaRef(name) } },
});

const responses = {
  Refused: error("the request or a record in it is refused; nothing was changed", "ApiException"),
  Unauthorized: error("the token is missing, wrong, expired or does not permit this", "Problem"),
  NotFound: {
    description: "no such record or address",
    content: { "application/problem+json": { schema: schemaRef("Problem") } },
  },
  Unavailable: {
    description: "too many calls, or an outage",
    headers: Object.fromEntries(
      [
        "Retry-After",
        "X-Rate-Limit-Problem",
        "X-MinLimit-Remaining",
        "X-DayLimit-Remaining",
        "X-AppMinLimit-Remaining",
      ].map((name) => [name, { schema: { type: "string" } }]),
    ),
    content: { "text/html": { schema: { type: "string" } } },
  },
} as const;

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

/** Parameters with the same meaning in all operations. */
const parameters: Readonly<Record<string, Schema>> = {
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
  stockCosts: query("stockCosts", "with the StockCost of lines, on pages", flag),
  unitdp: query("unitdp", "digits of unit amounts; anything but 4 means 2", { enum: [2, 4] }),
  handles: query("handles", "with the Handle of records, an extension", flag),
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

/** Returns the parameters of an operation, as references to shared ones or in full. */
function parametersOf(route: DescribedRoute): Schema[] {
  const { method, path, resource } = route;
  const listed =
    method === "GET" && resource !== undefined && path === pathOf(resource) ? resource : undefined;
  const names: ParameterName[] = ["tenant", ...(listed === undefined ? [] : ofLists(listed))];
  if (method !== "GET") names.push("idempotencyKey", "dryRun");
  if (method === "PUT" || method === "POST") {
    if (resource?.summarizeErrors === true) names.push("summarizeErrors");
  }
  if (resource?.unitdp === true) names.push("unitdp");
  if (resource?.fields.Handle !== undefined && !resource.extension) names.push("handles");
  return [
    ...names.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...Object.entries(route.parameters ?? {}).map(([name, field]) => parameterOfField(name, field)),
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

/** Returns the parameter that a route describes as a field. */
function parameterOfField(name: string, field: Field): Schema {
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
    ["stockCosts", resource.movesStock],
    ["modifiedSince", resource.modifiedSince],
  ];
  return can.flatMap(([name, is]) => (is === undefined || is === false ? [] : [name]));
}

/** Answers with the document as JSON, whatever format is requested. */
export async function answerDescription(
  { baseUrl }: Pick<ServiceDependencies, "baseUrl">,
  routes: readonly DescribedRoute[],
): Promise<ServiceResponse> {
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify(describeApi(routes, baseUrl)),
  };
}
