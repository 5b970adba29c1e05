/** Pages of journals: the list in the order of their numbers, and one journal with its postings. */

import { html } from "../../../output/markup.ts";
import {
  type AccountTransaction,
  accountTransaction,
} from "../../../resources/account-transaction.ts";
import { NotFoundError } from "../../../resources/errors.ts";
import { type Journal, journal, numberOfJournal, sourceWords } from "../../../resources/journal.ts";
import { addressWith, linkBeside } from "../../frame/breadcrumbs.ts";
import { alert, cardTable, facts, filterForm, isolated } from "../../frame/components.ts";
import type { Page } from "../../frame/page-context.ts";
import type { BooksContext } from "../context.ts";
import { codeNames, day, money } from "../shown-values.ts";
import { basisField } from "./account-ledger.ts";
import { type Basis, journalLink, ledgerPath, postingTable, sourceOf } from "./postings.ts";

/** Number of journals per page, the maximum that the service returns at a time. */
const journalsMax = 100;

const basisOf = ({ query }: BooksContext): Basis =>
  query.get("basis") === "cash" ? "cash" : "accrual";
const onBasis = (basis: Basis) => ({ paymentsOnly: basis === "cash" ? "true" : "false" });

export async function showJournals(ctx: BooksContext): Promise<Page> {
  const basis = basisOf(ctx);
  const text = ctx.query.get("after")?.trim() ?? "";
  const after = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  const faults = text === "" || /^\d{1,9}$/.test(text) ? [] : ["A journal has a whole number."];
  const { client } = ctx;
  const journals: Journal[] = [];
  const list = client.list(journal, {
    parameters: onBasis(basis),
    offset: after,
    limit: journalsMax,
  });
  for await (const record of list) journals.push(record);
  const lastNumber = journals.at(-1)?.JournalNumber ?? after;
  const isLast = journals.length < journalsMax;
  const to = (number: number) =>
    linkBeside(
      ctx,
      addressWith("/journals", [
        ["after", number === 0 ? undefined : String(number)],
        ["basis", basis === "cash" ? "cash" : undefined],
      ]),
    );
  return {
    title: "Journals",
    body: html`${faults.map(alert)}
${filterForm(ctx, "/journals", [{ kind: "text", name: "after", label: "After number" }, basisField], { after: text, basis })}
${cardTable({
  caption: "Journals",
  columns: [
    { heading: "Journal" },
    { heading: "Date" },
    { heading: "What" },
    { heading: "Reference" },
    { heading: "Accounts" },
    { heading: "Amount", figures: true },
  ],
  rows: journals.map((journal) => [
    journalLink(ctx, journal.JournalNumber, basis),
    day(journal.JournalDate),
    sourceWords[journal.SourceType ?? "CONVERSION"] ?? journal.SourceType ?? "",
    isolated(journal.Reference),
    isolated(
      [
        ...new Set(
          journal.JournalLines.map(({ AccountCode, AccountName }) => AccountCode ?? AccountName),
        ),
      ].join(", "),
    ),
    money(ctx, debitsOf(journal)),
  ]),
})}
${
  after === 0 && isLast
    ? ""
    : html`<nav class="pager" aria-label="Pages">
${after === 0 ? "" : html`<a class="act other" rel="prev" href="${to(Math.max(0, after - journalsMax))}">Earlier numbers</a>`}
${isLast ? "" : html`<a class="act other" rel="next" href="${to(lastNumber)}">Later numbers</a>`}
</nav>`
}`,
  };
}

const debitsOf = ({ JournalLines }: Journal) =>
  JournalLines.reduce((sum, { NetAmount }) => sum + Math.max(0, NetAmount), 0) as never;

export async function showJournal(ctx: BooksContext, key = ""): Promise<Page> {
  const basis = basisOf(ctx);
  const number = String(numberOfJournal(key) ?? key);
  const rows = await postingsOf(ctx, number, basis);
  const [first] = rows;
  if (first === undefined) {
    throw new NotFoundError("NotFound", `There is no journal ${number.slice(0, 20)}.`);
  }
  const title = `Journal ${number}`;
  const on = basis === "cash" ? " on cash basis" : "";
  return {
    title: `${title}${on}`,
    body: html`${facts([
      ["Date", day(first.Date)],
      ["Made by", sourceOf(ctx, first)],
      ...(first.Contact === undefined ? [] : [["Contact", isolated(first.Contact)] as const]),
      ...(first.Reference === undefined ? [] : [["Reference", isolated(first.Reference)] as const]),
    ])}
${postingTable(ctx, rows, { caption: title, isByJournal: false, names: await codeNames(ctx), basis })}
${await neighbourLinks(ctx, Number(number), basis)}`,
  };
}

async function postingsOf(
  { client }: BooksContext,
  number: string,
  basis: Basis,
): Promise<readonly AccountTransaction[]> {
  if (!/^\d{1,9}$/.test(number) || Number(number) < 1) return [];
  const rows: AccountTransaction[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.at(accountTransaction, ledgerPath, {
      ...onBasis(basis),
      journal: String(Number(number)),
      undone: "true",
      ...(cursor === undefined ? {} : { after: cursor }),
    });
    rows.push(...page);
    cursor = page.at(-1)?.Next;
  } while (cursor !== undefined);
  return rows;
}

async function neighbourLinks(ctx: BooksContext, number: number, basis: Basis) {
  const to = (otherNumber: number) =>
    linkBeside(
      ctx,
      addressWith(`/journals/${otherNumber}`, [["basis", basis === "cash" ? "cash" : undefined]]),
    );
  const isLast = (await postingsOf(ctx, String(number + 1), basis)).length === 0;
  return html`<nav class="pager" aria-label="Journals beside this one">
${number > 1 ? html`<a class="act other" rel="prev" href="${to(number - 1)}">Journal ${number - 1}</a>` : ""}
${isLast ? "" : html`<a class="act other" rel="next" href="${to(number + 1)}">Journal ${number + 1}</a>`}
</nav>`;
}
