/**
 * The description of the API in the words of OpenAPI 3.1.
 *
 * Nothing is written twice: paths and methods come from the table of routes, schemas and parameters
 * from the descriptions of the resources. A new resource appears by itself.
 */
import packageJson from "../../../package.json" with { type: "json" };
import type { Resource } from "../../resources/field.ts";
import { historyRecord } from "../../resources/history.ts";
import { resources } from "../../resources/index.ts";
import type { Route } from "../request/route.ts";
import { parameters, parametersOf } from "./parameters.ts";
import {
  answerName,
  commonSchemas,
  requiredOf,
  type Schema,
  schemaRef,
  schemasOf,
} from "./schemas.ts";

/** As much of a route as is described. */
export type DescribedRoute = Pick<
  Route,
  "method" | "path" | "resource" | "takes" | "answers" | "parameters"
>;

const jsonType = "application/json";

/**
 * @param routes   the table of routes
 * @param baseUrl  where the API is, `http://127.0.0.1:9320/api.xro/2.0`
 */
export function describeApi(routes: readonly DescribedRoute[], baseUrl: string): Schema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = paths[route.path] ?? { parameters: inPath(route.path) };
    path[route.method.toLowerCase()] = operation(route);
    paths[route.path] = path;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "acct",
      version: packageJson.version,
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
      schemas: Object.assign({}, commonSchemas, ...described(routes).map(schemasOf)),
      responses,
    },
  };
}

/** Every resource that a route answers with, each once. */
function described(routes: readonly DescribedRoute[]): Resource[] {
  const found = routes.flatMap(({ resource, takes, answers }) => [resource, takes, answers]);
  return [...new Set([...resources, ...found.filter((each) => typeof each === "object")])];
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

function operation(route: DescribedRoute): Schema {
  const { method, path, resource } = route;
  const tag = path.split("/")[1] ?? "";
  const writes = method === "PUT" || method === "POST";
  return {
    operationId: operationId(method, path),
    tags: [tag],
    ...(resource === undefined ? {} : { summary: `${method} ${path}: ${resource.summary}` }),
    parameters: parametersOf(route),
    ...(writes ? { requestBody: requestBody(route) } : {}),
    responses: {
      "200": { description: "done", content: answered(route) },
      ...(method === "GET" ? {} : { "204": { description: "done, with nothing to say" } }),
      "400": { $ref: "#/components/responses/Refused" },
      "401": { $ref: "#/components/responses/Unauthorized" },
      "403": { $ref: "#/components/responses/Unauthorized" },
      "404": { $ref: "#/components/responses/NotFound" },
      "503": { $ref: "#/components/responses/Unavailable" },
    },
  };
}

/** `getInvoicesByInvoiceIDHistory` */
function operationId(method: string, path: string): string {
  const words = path
    .slice(1)
    .split("/")
    .map((segment) => segment.replace(/^\{(\w+)\}$/, "By$1").replace(/\W/g, ""));
  return method.toLowerCase() + words.join("");
}

/** What the body of an answer holds. */
function answered({ answers }: DescribedRoute): Schema {
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
  const one = isNew ? { allOf: [record, { required: requiredOf(takes) }] } : record;
  const several = {
    type: "object",
    properties: { [takes.plural]: { type: "array", items: one, maxItems: takes.batchMax } },
    required: [takes.plural],
  };
  return {
    required: takes === resource || takes === historyRecord,
    content: { [jsonType]: { schema: { anyOf: [several, one] } }, ...xml },
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
