/** Table of ledger postings, for a record or a journal. */

import { html, type Markup } from "../../../output/markup.ts";
import {
  type AccountTransaction,
  accountTransaction,
} from "../../../resources/account-transaction.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { AuthError, NotFoundError, RefusedError } from "../../../resources/errors.ts";
import { pathOf } from "../../../resources/field.ts";
import { sourceWords } from "../../../resources/journal.ts";
import { addressWith, linkFrom } from "../../frame/breadcrumbs.ts";
import { type Content, isolated, link, table } from "../../frame/components.ts";
import { recordAddress, sourceAddress } from "../catalogue.ts";
import type { BooksContext } from "../context.ts";
import { accountAddress, type CodeNames, day, money } from "../shown-values.ts";

export type Basis = "accrual" | "cash";

export const ledgerPath = pathOf(accountTransaction);

/** Maximum number of postings on the page of a record. */
const rowsMax = 200;

/**
 * Postings of a record, grouped by journal; undefined where there are none, or without permission.
 */
export async function showPostings(
  ctx: BooksContext,
  query: Readonly<Record<string, string>>,
  names: CodeNames,
): Promise<Markup | undefined> {
  const { client, allows } = ctx;
  if (!allows("GET", ledgerPath)) return undefined;
  const parameters = { ...query, pageSize: String(rowsMax) };
  const rows = await client.at(accountTransaction, ledgerPath, parameters).catch(ignoreForbidden);
  if (rows === undefined || rows.length === 0) return undefined;
  return html`${postingTable(ctx, rows, { caption: "Journals", isByJournal: true, names })}${
    rows.at(-1)?.Next === undefined ? "" : html`<p class="soft">There are more.</p>`
  }`;
}

/**
 * Turns errors of missing permission or of an operation the service lacks into undefined, so that a
 * page omits that part; rethrows others.
 */
export function ignoreForbidden(error: unknown): undefined {
  const isUnseen =
    error instanceof AuthError ||
    error instanceof NotFoundError ||
    (error instanceof RefusedError && error.code === "NotOffered");
  if (!isUnseen) throw error;
}

interface PostingTableOptions {
  readonly caption: string;
  /** Whether each posting is shown with a link to its journal. */
  readonly isByJournal: boolean;
  readonly names: CodeNames;
  readonly basis?: Basis;
}

export function postingTable(
  ctx: BooksContext,
  rows: readonly AccountTransaction[],
  { caption, isByJournal, names, basis }: PostingTableOptions,
): Markup {
  const sum = (column: "Debit" | "Credit") =>
    rows.reduce((total, row) => total + (row[column] ?? 0), 0) as Cents;
  const lead = (row: AccountTransaction): Content[] =>
    isByJournal ? [journalLink(ctx, row.JournalNumber, basis), day(row.Date)] : [];
  return table({
    caption,
    columns: [
      ...(isByJournal ? [{ heading: "Journal" }, { heading: "Date" }] : []),
      { heading: "Account" },
      { heading: "Description" },
      { heading: "Tax" },
      { heading: "Tracking" },
      { heading: "Debit", figures: true },
      { heading: "Credit", figures: true },
    ],
    rows: [
      ...rows.map((row) => [
        ...lead(row),
        accountLink(ctx, row, basis),
        isolated(row.Description ?? ""),
        isolated(names.TaxType.get(row.TaxType ?? "") ?? row.TaxType ?? ""),
        isolated(row.Tracking ?? ""),
        amountOrNothing(ctx, row.Debit),
        amountOrNothing(ctx, row.Credit),
      ]),
      {
        kind: "total" as const,
        cells: [
          "Total",
          ...(isByJournal ? ["", ""] : []),
          "",
          "",
          "",
          money(ctx, sum("Debit")),
          money(ctx, sum("Credit")),
        ],
      },
    ],
  });
}

export const amountOrNothing = (ctx: BooksContext, cents: Cents | undefined): Content =>
  cents === undefined ? "" : money(ctx, cents);

/** Link to the ledger of the account for the month of the posting. */
function accountLink(
  ctx: BooksContext,
  row: AccountTransaction,
  basis: Basis | undefined,
): Content {
  const { AccountCode, AccountID, AccountName, Date: date } = row;
  const address = accountAddress(AccountCode ?? AccountID) ?? "/accounts";
  const to = addressWith(address, [
    ["from", `${date.slice(0, 7)}-01`],
    ["basis", basis === "cash" ? "cash" : undefined],
  ]);
  return link(linkFrom(ctx, to), [AccountCode, AccountName].filter(Boolean).join(" "));
}

export function journalLink(
  ctx: BooksContext,
  number: number | undefined,
  basis: Basis | undefined,
): Content {
  if (number === undefined) return "";
  const to = addressWith(`/journals/${number}`, [["basis", basis === "cash" ? "cash" : undefined]]);
  return link(linkFrom(ctx, to), `Journal ${number}`);
}

/** Source of a posting: a link to its record, or its name if it has no page. */
export function sourceOf(ctx: BooksContext, row: AccountTransaction): Content {
  const { Source, SourceID, DocumentID, DocumentKind, DocumentType, Number: number } = row;
  const words = sourceWords[Source] ?? Source;
  const type = DocumentType === undefined ? {} : { Type: DocumentType };
  const isOwnEntry = DocumentID === SourceID;
  const ofDocument =
    DocumentKind === undefined ? undefined : recordAddress(DocumentKind, DocumentID, type);
  // An allocation has no page of its own, so its document is linked instead.
  const ownAddress = isOwnEntry || !/PAYMENT$/.test(Source) ? ofDocument : undefined;
  const address = ownAddress ?? sourceAddress(Source, SourceID);
  const text = number === undefined ? words : `${words} ${number}`;
  return address === undefined ? text : link(linkFrom(ctx, address), text);
}
