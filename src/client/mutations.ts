/** Client calls that change records. A dry run that the service cannot roll back is not sent. */
import { billing } from "../resources/billing.ts";
import { email } from "../resources/email.ts";
import { emailPath } from "../resources/email-words.ts";
import { RefusedError, refusalFor } from "../resources/errors.ts";
import {
  extensionRoot,
  type Input,
  pathOf,
  type Resource,
  type Shape,
} from "../resources/field.ts";
import { historyRecord } from "../resources/history.ts";
import { invoice } from "../resources/invoice.ts";
import { repeatingRun } from "../resources/repeating-invoice.ts";
import { validate } from "../resources/validate.ts";
import { textOf } from "../wire/body.ts";
import { emailHeaders, notesHeader } from "../wire/http.ts";
import type { Query } from "../wire/pages.ts";
import { answerOf, type RecordsAnswer } from "../wire/pages.ts";
import { encodeInputs } from "../wire/plain.ts";
import { onlyRecord, type Requests, recordPath } from "./requests.ts";
import type { Client, WriteOptions, WriteResult } from "./types.ts";

type RecordCalls = Pick<Client, "create" | "update" | "writeMany" | "remove">;
type Actions = Pick<
  Client,
  "perform" | "act" | "makeFile" | "bill" | "note" | "revokeOnline" | "email" | "runRepeating"
>;

/** Refuses fields that the service does not know and would silently ignore. */
export type CheckFields = (resource: Resource, inputs: readonly object[]) => Promise<void>;

/** The request functions, and whether a write is a dry run that the service cannot roll back. */
export type Writes = Requests & {
  readonly staysHere: (options: WriteOptions) => Promise<boolean>;
};

/**
 * Builds the calls that write records.
 *
 * @param find  finds the current record that a dry run changes
 */
export function createMutations(
  calls: Writes,
  find: Client["find"],
  checkFields: CheckFields,
): RecordCalls & Actions {
  return { ...recordsOf(calls, find, checkFields), ...createActions(calls) };
}

function recordsOf(
  { write, staysHere, warn }: Writes,
  find: Client["find"],
  checkFields: CheckFields,
): RecordCalls {
  function warnAndUnwrap<R extends Resource>(resource: R, answer: RecordsAnswer<R>): Shape<R> {
    for (const text of answer.outcomes.flatMap(({ warnings = [] }) => warnings)) warn?.(text);
    return onlyRecord(resource, answer);
  }
  /** Refuses records whose answer says what the service alone can find, such as lines to import. */
  async function isTriedHere(resource: Resource, options: WriteOptions): Promise<boolean> {
    if (!(await staysHere(options))) return false;
    if (pathOf(resource).startsWith(`${extensionRoot}/`)) throw noDryRun();
    return true;
  }
  return {
    async create(resource, input, options = {}) {
      await checkFields(resource, [input]);
      if (await isTriedHere(resource, options)) {
        return recordIfWritten(resource, input, { creating: true });
      }
      const path = `${options.under ?? ""}${pathOf(resource)}`;
      const query: Query = Object.entries(options.parameters ?? {});
      const sentBody = encodeInputs(resource, [input]);
      const body = await write("PUT", resource, path, sentBody, options, query);
      return warnAndUnwrap(resource, await answerOf(resource, body));
    },

    async update(resource, key, input, options = {}) {
      await checkFields(resource, [input]);
      if (await isTriedHere(resource, options)) {
        const record = options.under === undefined ? await find(resource, key) : {};
        return recordIfWritten(resource, input, { creating: false, held: record });
      }
      const posted = resource.record.includes("POST")
        ? { path: `${options.under ?? ""}${recordPath(resource, key)}`, input }
        : { path: pathOf(resource), input: { ...input, [resource.id]: key } };
      const body = await write(
        "POST",
        resource,
        posted.path,
        encodeInputs(resource, [posted.input]),
        options,
      );
      return warnAndUnwrap(resource, await answerOf(resource, body));
    },

    async writeMany(method, resource, inputs, options = {}) {
      await checkFields(resource, inputs);
      if (await isTriedHere(resource, options)) {
        return inputs.map((input) => localOutcome(resource, input, method === "PUT"));
      }
      const query: Query = resource.summarizeErrors === true ? [["SummarizeErrors", "false"]] : [];
      const path = `${options.under ?? ""}${pathOf(resource)}`;
      const body = await write(
        method,
        resource,
        path,
        encodeInputs(resource, inputs),
        options,
        query,
      );
      return resultsOf(await answerOf(resource, body));
    },

    async remove(resource, key, options = {}) {
      if (await isTriedHere(resource, options)) return undefined;
      const path = `${options.under ?? ""}${recordPath(resource, key)}`;
      const body = await write("DELETE", resource, path, undefined, options);
      return body === "" ? undefined : (await answerOf(resource, body)).records[0];
    },
  };
}

function noDryRun(): RefusedError {
  return new RefusedError("NoDryRun", "This service cannot say beforehand what would be made.");
}

function resultsOf<R extends Resource>({ records, outcomes }: RecordsAnswer<R>): WriteResult<R>[] {
  return records.map((record, index) => {
    const { errors = [], warnings = [] } = outcomes[index] ?? {};
    return { record, errors, warnings };
  });
}

/** Builds the actions on records: transitions, notes, messages and runs. */
function createActions({ send, write, isDry, staysHere }: Writes): Actions {
  return {
    async perform(resource, key, action) {
      if (await staysHere({})) throw noDryRun();
      const path = `${recordPath(resource, key)}/${action}`;
      const body = await write("POST", resource, path, "{}", {});
      return onlyRecord(resource, await answerOf(resource, body));
    },

    async act(answers, path, { parameters = {}, takes, input = {} } = {}) {
      if (await staysHere({})) throw noDryRun();
      const sentBody = takes === undefined ? "{}" : encodeInputs(takes, [input]);
      const body = await write("POST", answers, path, sentBody, {}, Object.entries(parameters));
      // An action that returns no records answers with an empty body.
      return body === "" ? [] : (await answerOf(answers, body)).records;
    },

    async makeFile(resource, path, parameters, { dryRun }) {
      const query = Object.entries(parameters);
      // Services with this path support dry runs.
      const options = { dryRun: dryRun || isDry({}), unitDecimals: 2 } as const;
      const { headers, body } = await send("POST", resource, path, "{}", options, query);
      const [, name = "file"] =
        /filename="([^"]*)"/.exec(headers["content-disposition"] ?? "") ?? [];
      const notes = decodeURIComponent(headers[notesHeader] ?? "")
        .split("\n")
        .filter(Boolean);
      return { name, notes, bytes: Buffer.from(await textOf(body)) };
    },

    async bill(resource, key, action, input) {
      if (await staysHere({})) throw noDryRun();
      const path = `${recordPath(resource, key)}/${action}`;
      const body = await write("POST", invoice, path, encodeInputs(billing, [input]), {});
      return onlyRecord(invoice, await answerOf(invoice, body));
    },

    async note(resource, key, details) {
      if (await staysHere({})) return undefined;
      const sentBody = encodeInputs(historyRecord, [{ Details: details }]);
      const path = `${recordPath(resource, key)}/History`;
      const body = await write("PUT", historyRecord, path, sentBody, {});
      return (await answerOf(historyRecord, body)).records[0];
    },

    async revokeOnline(resource, key) {
      if (await staysHere({})) return;
      await write("DELETE", resource, `${recordPath(resource, key)}/OnlineInvoice`, undefined, {});
    },

    async email(resource, key, emailInput) {
      // A sent message cannot be rolled back, so a dry run does not request one.
      if (isDry({})) return undefined;
      const path = emailPath(resource).replace(/\{\w+\}/, encodeURIComponent(key));
      const sentBody = emailInput === undefined ? "{}" : encodeInputs(email, [emailInput]);
      const { headers, body } = await send("POST", resource, path, sentBody, { unitDecimals: 2 });
      const { status, to, file } = emailHeaders;
      if (headers[status] === "outbox") {
        const To = decodeURIComponent(headers[to] ?? "").split(", ");
        return { Status: "OUTBOX", To, File: headers[file] };
      }
      // An invoice's is empty, as in the public API.
      const text = await textOf(body);
      return text === "" ? undefined : (await answerOf(email, text)).records[0];
    },

    async runRepeating() {
      if (await staysHere({})) throw noDryRun();
      const path = "/RepeatingInvoices/Run";
      const body = await write("POST", repeatingRun, path, "{}", {});
      return (await answerOf(repeatingRun, body)).records;
    },
  };
}

/**
 * Returns the local result of a batch record that was not sent, with the faults found by its
 * description.
 */
function localOutcome<R extends Resource>(
  resource: R,
  input: Input<R>,
  isCreating: boolean,
): WriteResult<R> {
  const errors = validate(resource.fields, input, { creating: isCreating });
  // Values computed by the service are missing here, which the answer type does not express.
  const record = input as unknown as Shape<R>;
  return { record, errors, warnings: [] };
}

/**
 * Returns the record that an unsent write would give: the sent fields over the current ones.
 *
 * @throws RefusedError with every fault in `details`
 */
function recordIfWritten<R extends Resource>(
  resource: R,
  input: Input<R>,
  options: { readonly creating: boolean; readonly held?: object },
): Shape<R> {
  const { record, errors: faults } = localOutcome(resource, input, options.creating);
  const [first, ...others] = faults;
  if (first === undefined) return { ...options.held, ...record };
  const andMore = others.length === 0 ? "" : ` (and ${others.length} more)`;
  throw refusalFor(faults, `${first.message}${andMore}`);
}
