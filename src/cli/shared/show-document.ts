/** Shows one document as its paper is, with accounts, taxes and payments by name. */
import type { Client } from "../../client/client.ts";
import { localDay } from "../../ledger/dates/timezones.ts";
import { documentText } from "../../output/documents/document-text.ts";
import {
  type Printable,
  type PrintedKind,
  printedKinds,
} from "../../output/documents/printed-kinds.ts";
import { lineDetails } from "../../output/documents/printed-lines.ts";
import { statusText } from "../../output/field-labels.ts";
import { type Marks, marksOf } from "../../output/figures.ts";
import { overdueOf } from "../../output/list-table.ts";
import { account } from "../../resources/account.ts";
import { AuthError } from "../../resources/errors.ts";
import type { FieldValues, Resource, Shape } from "../../resources/field.ts";
import { type Organisation, organisation } from "../../resources/organisation.ts";
import { payment } from "../../resources/payment.ts";
import { counted } from "../../resources/scalar.ts";
import { taxRate } from "../../resources/tax-rate.ts";
import { anyOf, compare } from "../../wire/query/condition.ts";
import type { Context } from "../context/context.ts";
import { documentLines, type ShownDocument } from "../render/document-lines.ts";

/** Shows a document as its paper is; field by field in other formats, or with `--columns`. */
export async function showDocument<R extends Resource>(
  ctx: Context,
  resource: R,
  record: Shape<R>,
): Promise<void> {
  const { Type = resource.name.toUpperCase() } = record as FieldValues;
  const kind = printedKinds[String(Type)];
  const isOnScreen = ctx.flags.output === "table" && ctx.flags.columns === undefined;
  const [own] =
    kind && isOnScreen ? await (await ctx.client()).at(organisation, "/Organisation") : [];
  if (kind === undefined || own === undefined) return ctx.out.record(resource, record);
  await ctx.out.page(async (view) => {
    const shownRecord = { ...{ resource, record, own }, isOnTerminal: view.width !== undefined };
    return documentLines(await shownDocument(ctx, kind as PrintedKind, shownRecord), view);
  });
}

interface OwnDocument {
  readonly resource: Resource;
  readonly record: object;
  readonly own: Organisation;
  /** Whether figures have separators; they are exact in a pipe. */
  readonly isOnTerminal: boolean;
}

export const exactMarks: Marks = { thousands: "", decimal: ".", minus: "-" };

async function shownDocument(
  ctx: Context,
  kind: PrintedKind,
  { resource, record, own, isOnTerminal }: OwnDocument,
): Promise<ShownDocument> {
  const client = await ctx.client();
  const document = record as unknown as Printable;
  const { Status, Handle, Type } = record as FieldValues;
  const numberMarks = isOnTerminal ? marksOf(own.CountryCode, "-") : exactMarks;
  const read = { organisation: own, marks: numberMarks, ...(await namesOf(client, document)) };
  const { organisation: ours, facts, number, ...text } = documentText(kind, document, read);
  const today = localDay(ctx.clock(), own.Timezone);
  const days = overdueOf(resource, record as FieldValues, today);
  const lateText = days === undefined ? [] : [`${counted(days, "day")} late`];
  const [theirs, ...others] = text.parties;
  const isReceived = String(Type).startsWith("ACCPAY");
  return {
    ...text,
    number: [number, Handle && `(${Handle})`].filter(Boolean).join(" "),
    parties:
      isReceived && theirs !== undefined
        ? [{ ...theirs, label: "From" }, { ...ours, label: "To" }, ...others]
        : [ours, ...text.parties],
    facts: [
      ...facts
        .filter(({ value }) => value !== number)
        .map((fact) => ({
          ...fact,
          value: fact.isDue ? [fact.value, ...lateText].join(", ") : fact.value,
        })),
      ...filesOf(document),
    ],
    status: [statusText(resource.name, String(Status)).toLowerCase(), ...lateText].join(", "),
    details: (document.LineItems ?? []).map((line) => lineDetails(line, { ...read, document })),
  };
}

/** Returns the names of the attached files as a fact. */
function filesOf(document: Printable & { readonly Attachments?: readonly { FileName: string }[] }) {
  const names = (document.Attachments ?? []).map(({ FileName }) => FileName);
  return names.length === 0 ? [] : [{ label: "Files", value: names.join(", ") }];
}

/** Returns tax rates by type, and names of the accounts of lines by code and of payments by id. */
async function namesOf(client: Client, document: Printable) {
  const { LineItems = [], Payments = [] } = document as Printable & {
    readonly Payments?: readonly { readonly PaymentID: string }[];
  };
  const rates = await readList(client.list(taxRate, {}));
  const accountCodes = new Set(LineItems.flatMap(({ AccountCode }) => AccountCode ?? []));
  const ofLines = [...accountCodes].map((code) => compare(account.fields, "Code", "==", code));
  const used = await readList(client.list(account, { where: anyOf(ofLines) }), ofLines.length);
  const ids = Payments.map(({ PaymentID }) =>
    compare(payment.fields, "PaymentID", "==", PaymentID),
  );
  const paid = await readList(client.list(payment, { where: anyOf(ids) }), ids.length);
  return {
    rateByTaxType: new Map(rates.map((rate) => [rate.TaxType ?? "", rate] as const)),
    accounts: new Map([
      ...used.map(({ Code = "", Name }) => [Code, `${Code} ${Name}`] as const),
      ...paid.map(
        ({ PaymentID, Account }) =>
          [PaymentID, [Account?.Code, Account?.Name].filter(Boolean).join(" ")] as const,
      ),
    ]),
  };
}

/** Collects a list; nothing where none is wanted, or the role may not read it. */
async function readList<T>(list: AsyncIterable<T>, wantedCount = 1): Promise<T[]> {
  if (wantedCount === 0) return [];
  try {
    return await Array.fromAsync(list);
  } catch (error) {
    if (error instanceof AuthError) return [];
    throw error;
  }
}
