/**
 * Forms that offer ways to reconcile a bank statement line: each says what it does, and asks for
 * what the service would otherwise refuse it for.
 */
import { obstacleText } from "../../../ledger/bank-matching/evidence.ts";
import { html, type Markup } from "../../../output/markup.ts";
import type { Account } from "../../../resources/account.ts";
import {
  type BankMatchInput,
  type BankSuggestion,
  bankMatch,
} from "../../../resources/bank-match.ts";
import type { BankStatementLine } from "../../../resources/bank-statement.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { RefusedError, refusal } from "../../../resources/errors.ts";
import { type Invoice, invoice } from "../../../resources/invoice.ts";
import { readId, readScalar } from "../../../resources/scalar.ts";
import { linkFrom } from "../../frame/breadcrumbs.ts";
import { type Content, isolated, link } from "../../frame/components.ts";
import { recordAddress } from "../catalogue.ts";
import type { BooksContext } from "../context.ts";
import { titleOf } from "../ledger/account-ledger.ts";
import { day, money } from "../shown-values.ts";

/** Data that the offers for a statement line are made from. */
export interface Offering {
  readonly ctx: BooksContext;
  readonly bank: Account;
  readonly accounts: readonly Account[];
  readonly documents: ReadonlyMap<string, Invoice>;
  /** Lock date: the last day on which nothing can be posted. */
  readonly locked: string | undefined;
  /**
   * Creates a form for the line with its hidden fields; undefined for readers who may not change
   * the books.
   */
  readonly form?: ((what: string, content: Content) => Markup) | undefined;
}

/** Input that the form of an offer asks for. */
type Lacking = "account" | "contact" | "transferAmount";

interface Offer {
  readonly input: BankMatchInput;
  /**
   * Part of the line, in cents with its sign, to be posted to an account that the form asks for.
   */
  readonly difference?: Cents | undefined;
  readonly lacks?: Lacking | undefined;
}

/** Invoices and bills in the suggestions, by id. */
export async function documentsOf(
  { client }: BooksContext,
  suggestions: readonly BankSuggestion[],
): Promise<ReadonlyMap<string, Invoice>> {
  const ids = suggestions.flatMap(({ Documents = [] }) =>
    Documents.flatMap(({ Kind = "Invoice", DocumentID }) =>
      Kind === "Invoice" && DocumentID !== undefined ? [DocumentID] : [],
    ),
  );
  const documents = new Map<string, Invoice>();
  if (ids.length === 0) return documents;
  const query = {
    parameters: { IDs: [...new Set(ids)].join(",") },
    fields: ["InvoiceID", "InvoiceNumber", "Type", "Contact", "CurrencyCode", "AmountDue"],
  };
  for await (const each of client.list(invoice, query)) documents.set(each.InvoiceID, each);
  return documents;
}

export function offersOf(
  offering: Offering,
  line: BankStatementLine,
  suggestions: readonly BankSuggestion[],
): Markup {
  const { locked, form } = offering;
  const isLocked = locked !== undefined && line.Date <= locked;
  const offers = suggestions.flatMap((suggestion) =>
    offersIn(offering, line, suggestion)
      .filter(({ input: { Records = [] } }) => !isLocked || Records.length > 0)
      .filter(
        ({ input, lacks }) =>
          !isArchived(suggestion) || ((input.Lines ?? []).length === 0 && !lacks),
      )
      .map((offer) => ({ suggestion, offer })),
  );
  const note = isLocked
    ? html`<p class="soft">The books are locked up to ${day(locked)}: nothing can be posted on the day of this line.</p>`
    : "";
  if (offers.length === 0) return html`${note}<p class="soft">Nothing in the books fits.</p>`;
  const items = offers.map(({ suggestion: { Evidence, Obstacles, IsCertain }, offer }) => {
    const why = [Evidence, Obstacles].filter((text) => text !== undefined && text !== "");
    const fields = html`<input type="hidden" name="match" value="${JSON.stringify(offer.input)}">${
      offer.difference === undefined
        ? ""
        : html`<input type="hidden" name="difference" value="${offer.difference}">`
    }${lackingField(offering, line, offer)}<button class="act${IsCertain ? "" : " other"}">Reconcile</button>`;
    return html`<li><div>${partsOf(offering, offer, line).map((one, at) => html`${at === 0 ? "" : " + "}${one}`)}<br><span class="soft">${isolated(why.join("; "))}</span></div>
${form === undefined ? "" : form("match", fields)}</li>`;
  });
  return html`${note}<ul class="offers">${items}</ul>`;
}

/** Whether the contact of a suggestion is archived: only its open documents can then be matched. */
const isArchived = ({ Obstacles = "" }: BankSuggestion) =>
  Obstacles.split("; ").includes(obstacleText.archived);

/**
 * Offers for a suggestion; one with a difference is offered as partial payment, or with an account
 * for the difference.
 */
function offersIn(
  { bank, accounts }: Offering,
  line: BankStatementLine,
  suggestion: BankSuggestion,
): readonly Offer[] {
  const { Difference } = suggestion;
  const entries = Object.entries(suggestion).filter(([name]) => name in bankMatch.fields);
  const input: BankMatchInput = Object.fromEntries(entries);
  const { Documents = [], Lines = [], TransferAccount, Contact } = input;
  if (Difference !== undefined) {
    const toAccount: Offer = { input, difference: Difference, lacks: "account" };
    const partly =
      Difference > 0 === line.Amount > 0 ? undefined : payLess(Documents, Math.abs(Difference));
    return partly === undefined
      ? [toAccount]
      : [{ input: { ...input, Documents: partly } }, toAccount];
  }
  const other = accounts.find(({ AccountID }) => AccountID === TransferAccount?.AccountID);
  if (other !== undefined && other.CurrencyCode !== bank.CurrencyCode) {
    return [{ input, lacks: "transferAmount" }];
  }
  const isNobodys = Lines.length > 0 && Documents.length === 0 && !Contact && !line.Payee;
  return [{ input, lacks: isNobodys ? "contact" : undefined }];
}

/** Reduces the amount of the last document by `cents`; undefined if nothing would be left of it. */
function payLess(documents: NonNullable<BankMatchInput["Documents"]>, cents: number) {
  const last = documents.at(-1);
  const left = (last?.Amount ?? 0) - cents;
  return left <= 0 ? undefined : [...documents.slice(0, -1), { ...last, Amount: left as Cents }];
}

function lackingField(
  { accounts, bank, ctx }: Offering,
  { BankStatementLineID: id }: BankStatementLine,
  { lacks, difference = 0 as Cents, input }: Offer,
): Content {
  switch (lacks) {
    case "account":
      return html`<label>${money(ctx, Math.abs(difference) as Cents, bank.CurrencyCode)} to <select name="account" required><option value="">Choose an account</option>${optionsOf(postable(accounts))}</select></label> `;
    case "contact":
      return html`<label>Contact <input name="contact" required maxlength="255" id="offer-contact-${id}"></label> `;
    case "transferAmount": {
      const other = accounts.find(
        ({ AccountID }) => AccountID === input.TransferAccount?.AccountID,
      );
      return html`<label>${other?.CurrencyCode ?? ""} on the other account <input name="amount" required inputmode="decimal" maxlength="20" size="9"></label> `;
    }
    default:
      return "";
  }
}

const optionsOf = (accounts: readonly Account[]) =>
  accounts.map((each) => html`<option value="${each.Code ?? ""}">${titleOf(each)}</option>`);

const active = (accounts: readonly Account[]) =>
  accounts.filter(({ Status, Code }) => Status === "ACTIVE" && Code !== undefined);

const postable = (accounts: readonly Account[]) =>
  active(accounts).filter(({ Type, SystemAccount }) => Type !== "BANK" && !SystemAccount);

/** Parts of a match in words, with links to existing records. */
function partsOf(
  { ctx, bank, accounts, documents }: Offering,
  { input, difference }: Offer,
  { Payee }: BankStatementLine,
): Content[] {
  const { Documents = [], Records = [], Lines = [], TransferAccount, Contact } = input;
  const named = (code: string | undefined) => {
    const account = accounts.find(({ Code, AccountID }) => code === Code || code === AccountID);
    return account === undefined ? (code ?? "") : titleOf(account);
  };
  return [
    ...Documents.map(({ Kind = "Invoice", DocumentID, Number: number, Amount }) => {
      const invoice = documents.get(DocumentID ?? "");
      const words = [
        invoice?.InvoiceNumber ?? number ?? spacedKind(Kind),
        invoice?.Contact?.Name,
      ].filter((each) => each !== undefined && each !== "");
      const address = recordAddress(Kind, DocumentID, invoice);
      const text = words.join(", ");
      const name = address === undefined ? isolated(text) : link(linkFrom(ctx, address), text);
      if (Amount === undefined) return name;
      const currency = invoice?.CurrencyCode ?? bank.CurrencyCode;
      const left = ((invoice?.AmountDue ?? 0) - Amount) as Cents;
      const due = left > 0 ? html`, leaves ${money(ctx, left, currency)} due` : "";
      return html`${name} pays ${money(ctx, Amount, currency)}${due}`;
    }),
    ...Records.map(({ Kind, RecordID }) => {
      const text = `The ${spacedKind(Kind ?? "Payment").toLowerCase()} that the book has`;
      const address = recordAddress(Kind ?? "Payment", RecordID);
      return address === undefined ? text : link(linkFrom(ctx, address), text);
    }),
    ...Lines.map(({ AccountCode, Amount }) => {
      const sum = Amount === undefined ? "" : html` ${money(ctx, Amount, bank.CurrencyCode)}`;
      const who = Contact?.Name ?? (Documents.length > 0 ? undefined : Payee);
      return html`${isolated(named(AccountCode))}${sum}${who === undefined ? "" : html`, ${isolated(who)}`}`;
    }),
    ...(TransferAccount === undefined
      ? []
      : [
          html`Transfer with ${isolated(named(TransferAccount.Code ?? TransferAccount.AccountID))}`,
        ]),
    ...(difference === undefined
      ? []
      : [html`${money(ctx, Math.abs(difference) as Cents, bank.CurrencyCode)} to an account`]),
  ];
}

const spacedKind = (kind: string) => kind.replace(/(?<=[a-z])(?=[A-Z])/g, " ");

// --- by hand ---------------------------------------------------------------------------------------

export function manualForm(
  { bank, accounts, locked, form }: Offering,
  line: BankStatementLine,
): Content {
  if (form === undefined) return "";
  const id = line.BankStatementLineID;
  const banks = active(accounts).filter(
    ({ Type, AccountID }) => Type === "BANK" && AccountID !== bank.AccountID,
  );
  const submit = (text: string) => html`<button class="act other">${text}</button>`;
  const posting = html`${form(
    "document",
    html`<div class="field"><label for="number-${id}">Number of the invoice or bill</label><input id="number-${id}" name="number" required maxlength="255"></div>
${submit("Pay it")}`,
  )}
${form(
  "account",
  html`<div class="field"><label for="account-${id}">Account</label><select id="account-${id}" name="account" required><option value="">Choose one</option>${optionsOf(postable(accounts))}</select></div>
<div class="field"><label for="contact-${id}">Contact</label><input id="contact-${id}" name="contact" required maxlength="255" value="${line.Payee ?? ""}"></div>
${submit(line.Amount < 0 ? "Money spent" : "Money received")}`,
)}
${
  banks.length === 0
    ? ""
    : form(
        "transfer",
        html`<div class="field"><label for="transfer-${id}">Own account</label><select id="transfer-${id}" name="account" required><option value="">Choose one</option>${optionsOf(banks)}</select></div>
${submit("Transfer")}`,
      )
}`;
  return html`<details><summary>It is something else</summary>
${locked !== undefined && line.Date <= locked ? "" : posting}
${form("ignore", submit("Ignore the line"))}
</details>`;
}

// --- what a form says ------------------------------------------------------------------------------

export function matchIn(what: string, form: URLSearchParams): BankMatchInput {
  const said = (name: string) => form.get(name)?.trim() ?? "";
  const contactName = said("contact");
  const Contact = contactName === "" ? {} : { Contact: { Name: contactName } };
  switch (what) {
    case "match": {
      const input = readMatch(said("match"));
      const difference = Number(said("difference")) as Cents;
      const own = Number.isSafeInteger(difference) && difference !== 0;
      const amount = readScalar.money(undefined, said("amount").replaceAll(",", ""));
      if ("fault" in amount) {
        throw refusal("Form", `The amount ${amount.fault}.`);
      }
      const { value: moved } = amount;
      return {
        ...input,
        ...Contact,
        ...(own
          ? {
              Lines: [...(input.Lines ?? []), { AccountCode: said("account"), Amount: difference }],
            }
          : {}),
        ...(moved === undefined ? {} : { TransferAmount: moved as Cents }),
      };
    }
    case "document":
      return { Documents: [{ Number: said("number") }] };
    case "account":
      return { Lines: [{ AccountCode: said("account") }], ...Contact };
    case "transfer":
      return { TransferAccount: { Code: said("account") } };
    default:
      throw unreadable();
  }
}

const unreadable = (options?: ErrorOptions) =>
  new RefusedError("StaleForm", "The form cannot be read.", [], options);

/**
 * Parses a suggestion that the page sent back.
 *
 * @throws RefusedError for text that no page has sent
 */
function readMatch(text: string): BankMatchInput {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (cause) {
    throw unreadable({ cause });
  }
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return input;
  throw unreadable();
}

/** BankStatementLineID in a form. */
export const lineIn = (form: URLSearchParams) => readId(form.get("line") ?? "") ?? "";
