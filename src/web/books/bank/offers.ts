/**
 * Suggestions for a bank statement line in words, with a button where nothing is missing: what an
 * offer says is what its button does. One that leaves something to decide leads to the tab where
 * that is asked.
 */
import { obstacleText } from "../../../ledger/bank-matching/evidence.ts";
import { html, type Markup } from "../../../output/markup.ts";
import {
  type BankMatchInput,
  type BankSuggestion,
  bankMatch,
} from "../../../resources/bank-match.ts";
import { contact } from "../../../resources/contact.ts";
import { type Cents, scaleOf, writeDecimal } from "../../../resources/decimal.ts";
import { RefusedError } from "../../../resources/errors.ts";
import { type Invoice, invoice } from "../../../resources/invoice.ts";
import { wordsOf } from "../../../resources/scalar.ts";
import { anyOf, compare } from "../../../wire/query/condition.ts";
import { linkFrom } from "../../frame/breadcrumbs.ts";
import { type Content, isolated, link } from "../../frame/components.ts";
import { recordAddress } from "../catalogue.ts";
import type { BooksContext } from "../context.ts";
import { titleOf } from "../ledger/account-ledger.ts";
import { day, money } from "../shown-values.ts";
import {
  inBank,
  type LineAt,
  type LineContext,
  lineForm,
  type TabName,
  tabLink,
} from "./line-context.ts";

/** What the suggestions of a page refer to. */
export interface Named {
  /** Invoices and bills by id. */
  readonly documentById: ReadonlyMap<string, Invoice>;
  /** Names of contacts in lower case that a payee of the page is. */
  readonly contacts: ReadonlySet<string>;
}

/** Reads the documents in the suggestions, and which payees are contacts. */
export async function namedIn(ctx: BooksContext, lines: readonly LineAt[]): Promise<Named> {
  const suggestions = lines.flatMap((lineAt) => lineAt.suggestions);
  const ids = suggestions.flatMap(({ Documents = [] }) =>
    Documents.flatMap(({ Kind = "Invoice", DocumentID }) =>
      Kind === "Invoice" && DocumentID !== undefined ? [DocumentID] : [],
    ),
  );
  const payees = lines.flatMap(({ line: { Payee }, suggestions }) =>
    Payee !== undefined && suggestions.some(isOfPayee) ? [Payee] : [],
  );
  return {
    documentById: await documentsWith(ctx, [...new Set(ids)]),
    contacts: await contactsNamed(ctx, [...new Set(payees)]),
  };
}

async function documentsWith({ client }: BooksContext, ids: readonly string[]) {
  const documents = new Map<string, Invoice>();
  if (ids.length === 0) return documents;
  const query = {
    parameters: { IDs: ids.join(",") },
    fields: ["InvoiceID", "InvoiceNumber", "Type", "Contact", "Date", "CurrencyCode", "AmountDue"],
  };
  for await (const record of client.list(invoice, query)) documents.set(record.InvoiceID, record);
  return documents;
}

/** Names in lower case that contacts have. */
export async function contactsNamed({ client }: BooksContext, names: readonly string[]) {
  if (names.length === 0) return new Set<string>();
  const where = anyOf(names.map((name) => compare(contact.fields, "Name", "==", name)));
  const foundNames = client.list(contact, { where, fields: ["ContactID", "Name"], count: false });
  return new Set(await Array.fromAsync(foundNames, ({ Name }) => Name.toLowerCase()));
}

/** Whether a suggestion posts to the contact of the line's payee. */
const isOfPayee = ({ Lines = [], Documents = [], Contact }: BankSuggestion) =>
  Lines.length > 0 && Documents.length === 0 && Contact === undefined;

/** A way to reconcile a line. */
interface Offer {
  readonly suggestion: BankSuggestion;
  readonly input: BankMatchInput;
  /** What it leaves to decide, in words. */
  readonly asks?: string | undefined;
}

/** Offers of a line; what else may fit is found in its tabs. */
const offersMax = 3;

/** The offers of a line: the best as it is, the others folded. */
export function offersOf(around: LineContext, at: LineAt, namesById: Named): Markup {
  const offers = offersFor(around, at, namesById).slice(0, offersMax);
  const [first, ...others] = offers.map((offer) => offerMarkup(around, at, namesById, offer));
  const note = isLocked(around, at)
    ? html`<p class="soft">The books are locked up to ${day(around.locked ?? "")}: nothing can be posted on the day of this line.</p>`
    : "";
  if (first === undefined) return html`${note}<p class="soft">Nothing in the books fits.</p>`;
  const moreOffers =
    others.length === 0
      ? ""
      : html`<details class="others"><summary>${others.length === 1 ? "Another suggestion" : `${others.length} other suggestions`}</summary><ul class="offers">${others}</ul></details>`;
  return html`${note}<ul class="offers">${first}</ul>${moreOffers}`;
}

export const isLocked = ({ locked }: LineContext, { line }: Pick<LineAt, "line">): boolean =>
  locked !== undefined && line.Date <= locked;

function offersFor(context: LineContext, at: LineAt, recordNames: Named): readonly Offer[] {
  return at.suggestions
    .map((suggestion) => offerIn(context, at, recordNames, suggestion))
    .filter(({ input: { Records = [] } }) => !isLocked(context, at) || Records.length > 0)
    .filter(
      ({ suggestion, input: { Lines = [] }, asks }) =>
        !isArchived(suggestion) || (Lines.length === 0 && asks === undefined),
    );
}

/** Whether the contact of a suggestion is archived: only its open documents can then be matched. */
const isArchived = ({ Obstacles = "" }: BankSuggestion) =>
  Obstacles.split("; ").includes(obstacleText.archived);

/** The match that accepts a suggestion. */
export function inputOf(suggestion: BankSuggestion): BankMatchInput {
  const entries = Object.entries(suggestion).filter(([name]) => name in bankMatch.fields);
  return Object.fromEntries(entries);
}

function offerIn(
  context: LineContext,
  { line }: LineAt,
  { contacts }: Named,
  suggestion: BankSuggestion,
): Offer {
  const { Difference } = suggestion;
  const input = inputOf(suggestion);
  const { Documents = [], TransferAccount } = input;
  if (Difference !== undefined) {
    const isMore = Difference > 0 === line.Amount > 0;
    const partly = isMore ? undefined : payLess(Documents, Math.abs(Difference));
    if (partly !== undefined) return { suggestion, input: { ...input, Documents: partly } };
    return { suggestion, input, asks: isMore ? "Say what the rest is" : "Say where it goes" };
  }
  const other = context.accounts.find(({ AccountID }) => AccountID === TransferAccount?.AccountID);
  if (other !== undefined && other.CurrencyCode !== context.bank.CurrencyCode) {
    return { suggestion, input, asks: `Say how much in ${other.CurrencyCode ?? ""}` };
  }
  const payee = line.Payee?.toLowerCase() ?? "";
  const askedText = isOfPayee(suggestion) && !contacts.has(payee) ? "Say whose it is" : undefined;
  return { suggestion, input, asks: askedText };
}

/** Reduces the amount of the last document by `cents`; undefined if nothing would be left of it. */
function payLess(documents: NonNullable<BankMatchInput["Documents"]>, cents: number) {
  const last = documents.at(-1);
  const left = (last?.Amount ?? 0) - cents;
  return left <= 0 ? undefined : [...documents.slice(0, -1), { ...last, Amount: left as Cents }];
}

function offerMarkup(around: LineContext, at: LineAt, recordNames: Named, offer: Offer): Markup {
  const { suggestion, input, asks } = offer;
  const { Evidence, Obstacles, IsCertain } = suggestion;
  const id = at.line.BankStatementLineID;
  const why = [Evidence, Obstacles].filter((text) => text !== undefined && text !== "").join("; ");
  const parts = matchParts(around, at, recordNames, input);
  const over =
    suggestion.Difference !== undefined && asks !== undefined
      ? html` <span class="soft">${inBank(around, suggestion.Difference)} ${asks.startsWith("Say what") ? "over" : "short"}</span>`
      : "";
  const change = changeOf(input);
  const to = change && tabLink(around, id, ...change);
  const shown = html`<div class="offer">${parts.map((one, at) => html`${at === 0 ? "" : " + "}${one}`)}${over}<br><span class="soft">${IsCertain ? html`<strong>certain</strong> \u00b7 ` : ""}${isolated(why)}</span>${
    around.mayChange && asks === undefined && to !== undefined
      ? html` <a class="soft" href="${to}">change<span class="unseen"> this suggestion</span></a>`
      : ""
  }</div>`;
  const figure = html`<span class="figure">${sumOf(around, at, recordNames, input)}</span>`;
  if (!around.mayChange) return html`<li>${shown}${figure}</li>`;
  const acceptPart =
    asks === undefined
      ? lineForm(
          around,
          id,
          "match",
          html`<input type="hidden" name="match" value="${JSON.stringify(input)}"><button class="act ok${IsCertain ? "" : " other"}">OK<span class="unseen">, ${textOfLine(at)}</span></button>`,
        )
      : to === undefined
        ? ""
        : html`<a class="act other" href="${to}">${asks}</a>`;
  return html`<li>${acceptPart}${shown}${figure}</li>`;
}

/** What the documents of a match are open with, or what the line is of anything else. */
function sumOf(
  context: LineContext,
  { line }: LineAt,
  { documentById }: Named,
  input: BankMatchInput,
): Content {
  const { Documents = [], Lines = [] } = input;
  const openDocuments = Documents.map(({ DocumentID = "" }) => documentById.get(DocumentID));
  const [first] = openDocuments;
  if (first === undefined || Lines.length > 0 || openDocuments.includes(undefined))
    return inBank(context, line.Amount);
  const sum = openDocuments.reduce((total, invoice) => total + (invoice?.AmountDue ?? 0), 0);
  return money(context.ctx, sum as Cents, first.CurrencyCode);
}

const textOfLine = ({ line }: LineAt) =>
  html`${day(line.Date)} ${line.Payee ?? line.Description ?? ""}`;

type TabPresets = readonly [tab: TabName, presets: readonly (readonly [string, string])[]];

/** Tab in which a match can be changed, with what it says already. */
function changeOf(input: BankMatchInput): TabPresets | undefined {
  const { Documents = [], Lines = [], TransferAccount, Contact } = input;
  if (Documents.length > 0) {
    return [
      "match",
      Documents.map(({ Kind = "Invoice", DocumentID = "" }) => ["doc", `${Kind}:${DocumentID}`]),
    ];
  }
  if (TransferAccount !== undefined) {
    return ["transfer", [["other", TransferAccount.AccountID ?? ""]]];
  }
  if (Lines.length === 0) return undefined;
  const rows = Lines.flatMap(({ AccountCode = "", TaxType = "", Amount }, row) => [
    [`account-${row}`, AccountCode] as const,
    [`tax-${row}`, TaxType] as const,
    ...(Lines.length > 1
      ? [[`amount-${row}`, writeDecimal(Math.abs(Amount ?? 0), scaleOf.money)] as const]
      : []),
  ]);
  const whoField = Contact?.ContactID === undefined ? [] : [["who", Contact.ContactID] as const];
  return ["new", [["rows", String(Lines.length)], ...rows, ...whoField]];
}

/** Parts of a match in words, with links to existing records. */
export function matchParts(
  { ctx, bank, accounts }: LineContext,
  { line }: Pick<LineAt, "line">,
  { documentById }: Pick<Named, "documentById">,
  { Documents = [], Records = [], Lines = [], TransferAccount, Contact }: BankMatchInput,
): Content[] {
  const named = (code: string | undefined) => {
    const account = accounts.find(({ Code, AccountID }) => code === Code || code === AccountID);
    return account === undefined ? (code ?? "") : titleOf(account);
  };
  return [
    ...Documents.map(({ Kind = "Invoice", DocumentID, Number: number, Amount }) => {
      const invoice = documentById.get(DocumentID ?? "");
      const words = [
        invoice?.InvoiceNumber ?? number ?? wordsOf(Kind),
        invoice?.Contact?.Name,
      ].filter((text) => text !== undefined && text !== "");
      const address = recordAddress(Kind, DocumentID, invoice);
      const text = words.join(", ");
      const name = address === undefined ? isolated(text) : link(linkFrom(ctx, address), text);
      if (Amount === undefined) return name;
      const currency = invoice?.CurrencyCode ?? bank.CurrencyCode;
      const amountLeft = ((invoice?.AmountDue ?? 0) - Amount) as Cents;
      const dueNote = amountLeft > 0 ? html`, leaves ${money(ctx, amountLeft, currency)} due` : "";
      return html`${name} pays ${money(ctx, Amount, currency)}${dueNote}`;
    }),
    ...Records.map(({ Kind, RecordID }) => {
      const text = `The ${wordsOf(Kind ?? "Payment").toLowerCase()} that the book has`;
      const address = recordAddress(Kind ?? "Payment", RecordID);
      return address === undefined ? text : link(linkFrom(ctx, address), text);
    }),
    ...Lines.map(({ AccountCode, Amount }) => {
      const sum = Amount === undefined ? "" : html` ${money(ctx, Amount, bank.CurrencyCode)}`;
      const who = Contact?.Name ?? (Documents.length > 0 ? undefined : line.Payee);
      return html`${isolated(named(AccountCode))}${sum}${who === undefined ? "" : html`, ${isolated(who)}`}`;
    }),
    ...(TransferAccount === undefined
      ? []
      : [
          html`Transfer with ${isolated(named(TransferAccount.Code ?? TransferAccount.AccountID))}`,
        ]),
  ];
}

export const unreadable = (options?: ErrorOptions): RefusedError =>
  new RefusedError("StaleForm", "The form cannot be read.", [], options);

/**
 * Parses a match that the page sent back.
 *
 * @throws RefusedError for text that no page has sent
 */
export function readMatch(text: string): BankMatchInput {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (cause) {
    throw unreadable({ cause });
  }
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return input;
  throw unreadable();
}
