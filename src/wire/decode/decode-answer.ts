/**
 * Decodes answers of a service, ours or any other of this API.
 *
 * All variants are accepted (dates as `/Date()/` or ISO text, numbers as text, keys missing or
 * null); an unreadable value is an error and not ignored, because a book that silently lacks an
 * amount is worse.
 */

import { TooMuchError } from "../../resources/bounds.ts";
import { type Cents, readDecimal } from "../../resources/decimal.ts";
import type { Detail } from "../../resources/errors.ts";
import { nameOfRule } from "../../resources/refusal-rules.ts";
import {
  type Collection,
  nameOf,
  type OutcomeStatus,
  type Pagination,
  type WriteOutcome,
} from "../codec.ts";
import { readTimestamp } from "../dates.ts";
import { ServiceFailedError } from "../errors.ts";
import { membersOf, readJson, Unreadable } from "../json.ts";
import type { Cell, Report, ReportContact, Row, RowType } from "../report.ts";
import { type Decoded, decodeAnswered } from "./decode.ts";
import { rewordFaults } from "./lock-words.ts";

export interface DecodedAnswer {
  /** The decoded records, with read-only fields. */
  readonly records: Decoded[];
  /** The outcome of each record of a write, in the same order. */
  readonly outcomes: readonly WriteOutcome[];
  readonly pagination?: Pagination;
}

function member(value: unknown, name: string): unknown {
  const members = membersOf(value);
  if (members === undefined) return undefined;
  if (Object.hasOwn(members, name)) return members[name];
  const wantedName = name.toLowerCase();
  const key = Object.keys(members).find((key) => key.toLowerCase() === wantedName);
  return key === undefined ? undefined : members[key];
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function parseDocument(bodyText: string): unknown {
  try {
    return readJson(bodyText);
  } catch (error) {
    if (error instanceof TooMuchError) throw badAnswer(error.message);
    if (!(error instanceof Unreadable)) throw error;
    throw badAnswer(`The service's answer cannot be read: ${error.message}.`);
  }
}

function badAnswer(message: string, details: readonly Detail[] = []): ServiceFailedError {
  return new ServiceFailedError("AnswerUnreadable", message, details);
}

/**
 * Decodes a JSON answer with records: under the name of the collection, or a single bare record.
 * @throws ServiceFailedError `AnswerUnreadable` for invalid JSON, or a value that cannot be read
 */
export function decodeAnswer(collection: Collection, bodyText: string): DecodedAnswer {
  const root = parseDocument(bodyText);
  const members = recordsIn(collection, root);
  const faults: Detail[] = [];
  const records = members.map((node, index) => {
    const { value, faults: own } = decodeAnswered(collection.fields, node);
    for (const { message, field } of own) {
      const record = nameOf(collection, value) ?? `record ${index + 1}`;
      faults.push({ message: `${record}: ${message}`, field, record });
    }
    return value;
  });
  const [first] = faults;
  if (first !== undefined) {
    throw badAnswer(
      `The service's answer holds a value that cannot be read: ${first.message}`,
      faults,
    );
  }
  const pagination = paginationIn(member(root, "pagination"));
  return {
    records,
    outcomes: members.map(outcomeOf),
    pagination,
  };
}

function recordsIn(collection: Collection, root: unknown): readonly unknown[] {
  if (Array.isArray(root)) return root;
  for (const name of [collection.plural, ...(collection.aliases ?? []), collection.name]) {
    const list = member(root, name);
    if (Array.isArray(list)) return list;
    if (membersOf(list) !== undefined) return [list];
  }
  // The answer to deleting an allocation is the bare object.
  const members = membersOf(root);
  const isEnvelope = members === undefined || member(members, "ProviderName") !== undefined;
  const isKnown = Object.keys(members ?? {}).some((name) => Object.hasOwn(collection.fields, name));
  return isKnown && !isEnvelope ? [root] : [];
}

const statuses: readonly OutcomeStatus[] = ["OK", "ERROR", "WARNING"];

function outcomeOf(node: unknown): WriteOutcome {
  const errors = rewordFaults(faultsIn(member(node, "ValidationErrors")));
  const warnings = messagesIn(member(node, "Warnings"));
  const outcomeStatus = statuses.find((status) => status === member(node, "StatusAttributeString"));
  const isFlagged =
    member(node, "HasErrors") === true || member(node, "HasValidationErrors") === true;
  const status = outcomeStatus ?? (isFlagged || errors.length > 0 ? "ERROR" : "OK");
  return { status, errors, ...(warnings.length === 0 ? {} : { warnings }) };
}

function faultsIn(value: unknown): readonly Detail[] {
  return listIn(value).flatMap((value) => {
    const [message, rule] = [member(value, "Message"), member(value, "Rule")];
    return typeof message === "string" ? [{ message, rule: nameOfRule(rule) }] : [];
  });
}

function messagesIn(value: unknown): readonly string[] {
  return listIn(value)
    .map((value) => member(value, "Message"))
    .filter((message) => typeof message === "string");
}

function paginationIn(value: unknown): Pagination | undefined {
  const [page, pageSize, pageCount, itemCount] = ["page", "pageSize", "pageCount", "itemCount"].map(
    (name) => Number(member(value, name) ?? Number.NaN),
  ) as [number, number, number, number];
  const isCount = (number: number) => Number.isSafeInteger(number) && number >= 0;
  if (![page, pageSize, pageCount].every(isCount)) return undefined;
  return { page, pageSize, pageCount, ...(isCount(itemCount) ? { itemCount } : {}) };
}

// --- reports ---------------------------------------------------------------------------------

/** Maximum nesting of rows in sections; a report has two levels. */
const rowDepthMax = 8;

/**
 * Decodes a JSON answer with reports.
 * @throws ServiceFailedError `AnswerUnreadable`
 */
export function decodeReports(bodyText: string): Report[] {
  return listIn(member(parseDocument(bodyText), "Reports")).map((node) => ({
    ReportID: textIn(node, "ReportID"),
    ReportName: textIn(node, "ReportName"),
    ReportType: textIn(node, "ReportType"),
    ReportTitles: listIn(member(node, "ReportTitles")).map(String),
    ...notesIn(node),
    ReportDate: textIn(node, "ReportDate"),
    UpdatedDateUTC: readTimestamp(textIn(node, "UpdatedDateUTC")) ?? 0,
    Rows: rowsIn(node, 1),
    ...returnIn(node),
    ...(Array.isArray(member(node, "Contacts"))
      ? { Contacts: listIn(member(node, "Contacts")).map(contactIn) }
      : {}),
  }));
}

function notesIn(node: unknown): Pick<Report, "ReportNotes"> {
  const notes = member(node, "ReportNotes");
  return Array.isArray(notes) ? { ReportNotes: listIn(notes).map(String) } : {};
}

/** Decodes the fields of a tax return, which has no rows. */
function returnIn(node: unknown): Pick<Report, "Attributes" | "Fields"> {
  const textMembers = <N extends string>(name: string, names: readonly N[]) =>
    listIn(member(node, name)).map(
      (value) =>
        Object.fromEntries(names.map((one) => [one, textIn(value, one)])) as Record<N, string>,
    );
  const Attributes = textMembers("Attributes", ["Name", "Description", "Value"]);
  const Fields = textMembers("Fields", ["FieldID", "Description", "Value"]);
  return {
    ...(Attributes.length > 0 ? { Attributes } : {}),
    ...(Fields.length > 0 ? { Fields } : {}),
  };
}

/**
 * Decodes a contact of a 1099 report.
 * @throws ServiceFailedError when a box holds no amount
 */
function contactIn(node: unknown): ReportContact {
  const Boxes: [string, Cents][] = [];
  const Texts: [string, string][] = [];
  for (const [name, value] of Object.entries((node ?? {}) as Record<string, unknown>)) {
    if (!/^Box\d+$/.test(name)) {
      Texts.push([name, textIn(node, name)]);
      continue;
    }
    const amount = readDecimal(String(value), 2);
    if (amount === undefined) throw badAnswer(`The service's report has no amount in ${name}.`);
    Boxes.push([name, amount as Cents]);
  }
  return { Boxes, Texts };
}

function textIn(node: unknown, name: string): string {
  const value = member(node, name);
  return value === undefined || value === null || typeof value === "object" ? "" : String(value);
}

const rowTypes: readonly RowType[] = ["Header", "Section", "Row", "SummaryRow"];

function rowsIn(node: unknown, depth: number): readonly Row[] {
  if (depth > rowDepthMax) throw badAnswer("The service's report nests its rows too deep.");
  return listIn(member(node, "Rows")).map((row) => {
    const rowType = textIn(row, "RowType");
    const title = member(row, "Title");
    const cells = member(row, "Cells");
    return {
      RowType: rowTypes.find((type) => type === rowType) ?? "Row",
      ...(typeof title === "string" ? { Title: title } : {}),
      ...(Array.isArray(cells) ? { Cells: cells.map(cellOf) } : {}),
      ...(Array.isArray(member(row, "Rows")) ? { Rows: rowsIn(row, depth + 1) } : {}),
    };
  });
}

function cellOf(node: unknown): Cell {
  const attributes = member(node, "Attributes");
  const value = member(node, "Value");
  return {
    ...(value === undefined || value === null ? {} : { Value: textIn(node, "Value") }),
    ...(Array.isArray(attributes)
      ? {
          Attributes: attributes.map((attribute) => ({
            Value: textIn(attribute, "Value"),
            Id: textIn(attribute, "Id"),
          })),
        }
      : {}),
  };
}
