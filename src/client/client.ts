import { NotFoundError, RefusedError, UnavailableError } from "../resources/errors.ts";
import { historyRecord } from "../resources/history.ts";
import { textOf } from "../wire/body.ts";
import { exportHeader, isRead, operationHeader, type Transport } from "../wire/http.ts";
import { answerOf, heldIn, pagesOf } from "../wire/pages.ts";
import { createFind } from "./find.ts";
import { type CheckFields, createMutations, type Writes } from "./mutations.ts";
import { createFiles } from "./record-files.ts";
import { type Requests, recordPath, requestsOver } from "./requests.ts";
import type {
  Client,
  ClientOptions,
  ListQuery,
  Records,
  Upload,
  WriteOptions,
  WriteResult,
} from "./types.ts";

export type { Client, ClientOptions, ListQuery, Records, Upload, WriteOptions, WriteResult };
export { recordPath };

export function createClient(given: Transport, options: ClientOptions = {}): Client {
  const transport = options.mayWrite === false ? readingOnly(given) : given;
  const calls = requestsOver(transport, options);
  const { get } = calls;
  const offering = offeringOf(calls, options);
  const writes = { ...calls, staysHere: unsentDryRun(calls, offering) };

  const client: Client = {
    ...createMutations(
      writes,
      (resource, key) => client.find(resource, key),
      checkFieldsKnown(offering),
    ),
    ...createFiles(writes),

    list: (resource, query) => pagesOf(calls, resource, query),

    offers: offering.offers,

    find: createFind(calls, (resource, query) => client.list(resource, query)),

    async at(resource, path, parameters = {}) {
      const options = { wanted: Object.keys(resource.fields) };
      const query = [...Object.entries(parameters), ...calls.form(resource, {})];
      const response = await calls.read(path, query, options);
      return (heldIn(response, resource) ?? (await answerOf(resource, await textOf(response.body))))
        .records;
    },

    async announceExport(exportName) {
      const headers = { [exportHeader]: encodeURIComponent(exportName.toWellFormed()) };
      await calls.read("/Organisation", [], { headers });
    },

    history: (resource, key) => client.at(historyRecord, `${recordPath(resource, key)}/History`),

    async onlineUrl(resource, key) {
      const body = await get(`${recordPath(resource, key)}/OnlineInvoice`);
      const { OnlineInvoices: [online] = [] } = JSON.parse(body) as {
        OnlineInvoices?: { OnlineInvoiceUrl?: string }[];
      };
      if (online?.OnlineInvoiceUrl === undefined) {
        throw new NotFoundError("NotFound", `The ${resource.noun} ${key} has no address online.`);
      }
      return online.OnlineInvoiceUrl;
    },

    async report(name, parameters = {}) {
      const [report] = await client.reports(name, parameters);
      if (report === undefined) throw new NotFoundError("NotFound", `There is no report ${name}.`);
      return report;
    },

    async reportAt(path, parameters = {}) {
      const { decodeReports } = await import("../wire/decode/decode-answer.ts");
      const [report] = decodeReports(await get(path, Object.entries(parameters)));
      if (report === undefined) throw new Error(`There is no report in the answer of ${path}.`);
      return report;
    },

    async reports(name, parameters = {}) {
      const { decodeReports } = await import("../wire/decode/decode-answer.ts");
      const { withFigureIds } = await import("./foreign-reports.ts");
      const path = `/Reports/${encodeURIComponent(name)}`;
      return decodeReports(await get(path, Object.entries(parameters))).map(withFigureIds);
    },

    within: (operation) =>
      createClient((request) => {
        if (isRead(request)) return given(request);
        return given({ ...request, headers: { ...request.headers, [operationHeader]: operation } });
      }, options),

    send: (request) => transport(request),

    close: async () => options.close?.(),
  };
  return client;
}

/** Wraps a transport to refuse writes of a command that is not declared to write. */
function readingOnly(transport: Transport): Transport {
  return async (request) => {
    const { method, path } = request;
    if (isRead(request)) return transport(request);
    throw new Error(`${method} ${path} is a write of a command that is not declared to write`);
  };
}

/** Returns a check that refuses extension fields which the service does not describe. */
function checkFieldsKnown({ describes }: ServiceOffers): CheckFields {
  return async ({ fields }, inputs) => {
    for (const input of inputs) {
      for (const name of Object.keys(input)) {
        if (fields[name]?.extension !== true || (await describes(name))) continue;
        throw new RefusedError(
          "NotOffered",
          `${name} is an extension of acct's own service, which this service does not have.`,
        );
      }
    }
  };
}

/**
 * Returns the test for a dry run that must not be sent, since the service would carry it out: only
 * acct's own service, which describes its extensions, rolls it back. A warning tells of the first.
 */
function unsentDryRun({ isDry, warn }: Requests, { offers }: ServiceOffers): Writes["staysHere"] {
  let isWarned = false;
  return async (options) => {
    if (!isDry(options) || (await offers("POST", "/Extensions/Plans"))) return false;
    if (!isWarned && isDry({}))
      warn?.("Not checked by the service: only what the command line can see.");
    isWarned = true;
    return true;
  };
}

interface ApiDescription {
  readonly components?: object;
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Extensions beyond the public API that a service offers. */
interface ServiceOffers {
  readonly offers: Client["offers"];
  /** Whether the service has a record field of that name. */
  describes(field: string): Promise<boolean>;
}

/** Requests the API description once; a service without one offers no extensions. */
export function offeringOf({ get }: Requests, { rollsBack }: ClientOptions): ServiceOffers {
  let description: Promise<ApiDescription> | undefined;
  const read = async (): Promise<ApiDescription> => {
    try {
      return JSON.parse(await get("/openapi.json")) as ApiDescription;
    } catch (error) {
      if (error instanceof UnavailableError) throw error;
      return {};
    }
  };
  return {
    async offers(method, path, schema) {
      if (rollsBack === true) return true;
      description ??= read();
      const operation = (await description).paths?.[path]?.[method.toLowerCase()];
      if (operation === undefined) return false;
      return schema === undefined || JSON.stringify(operation).includes(`/${schema}"`);
    },
    async describes(field) {
      if (rollsBack === true) return true;
      description ??= read();
      return JSON.stringify((await description).components ?? {}).includes(`"${field}":`);
    },
  };
}
