/**
 * Reconciling: each line of the bank beside what it may be in the books.
 *
 * The one page that changes anything. What a person chooses is what the page showed: a suggestion is
 * sent back as it stood there, and the service decides whether it still holds.
 */
import { allOf, compare } from "../../client/condition.ts";
import { html, type Markup } from "../../output/html/markup.ts";
import type { Account } from "../../resources/account.ts";
import {
  type BankMatchInput,
  type BankSuggestion,
  bankMatch,
  bankSuggestion,
} from "../../resources/bank-match.ts";
import { type BankStatementLine, bankStatementLine } from "../../resources/bank-statement.ts";
import type { Cents } from "../../resources/decimal.ts";
import { type AcctError, NotFoundError, RefusedError } from "../../resources/errors.ts";
import { pathOf } from "../../resources/field.ts";
import { type Invoice, invoice } from "../../resources/invoice.ts";
import { readId } from "../../resources/scalar.ts";
import { recordAddress } from "../catalogue.ts";
import { accountsOf, titleOf } from "../ledger/account.ts";
import { type Content, isolated, link, part } from "../parts.ts";
import { addressWith, linkFrom, trailFields, withTrailOf } from "../trail.ts";
import { accountAddress, day, money } from "../values.ts";
import type { Page, Shown, Visit } from "../visit.ts";
import { waitingAt } from "./accounts.ts";

/** Lines beside each other on a page, the oldest first. */
const linesMax = 15;
/** Lines that were reconciled last, which may be taken back. */
const undoMax = 5;

const linesPath = pathOf(bankStatementLine);
const linePath = (id: string) => `${linesPath}/${encodeURIComponent(id)}`;

/** What went wrong with one line. */
interface Fault {
  readonly line: string;
  readonly messages: readonly string[];
}

export async function showReconcile(visit: Visit, code = ""): Promise<Page> {
  return pageOf(visit, code, undefined);
}

async function pageOf(visit: Visit, code: string, fault: Fault | undefined): Promise<Page> {
  const accounts = await accountsOf(visit);
  const bank = bankNamed(accounts, code);
  const waiting = await waitingAt(visit, bank.AccountID);
  const lines = await linesOf(visit, bank, "UNRECONCILED", "Date ASC", linesMax);
  const mayChange = visit.site.allows("POST", `${linesPath}/{BankStatementLineID}/Match`);
  const beside: Beside = { visit, bank, accounts, mayChange, fault };
  const suggestions = await suggestionsFor(visit, bank, lines);
  const documents = await documentsOf(visit, [...suggestions.values()].flat());
  const pairs = lines.map((line) =>
    pairOf(beside, line, suggestions.get(line.BankStatementLineID) ?? [], documents),
  );
  const title = `Reconcile ${titleOf(bank)}`;
  return {
    title,
    heading: isolated(title),
    status: fault === undefined ? 200 : 400,
    body: html`${doneOf(visit)}
<p class="soft">${waitingText(waiting)}${
      mayChange ? "" : " You may look at them, and not change them."
    } ${link(linkFrom(visit, accountAddress(bank.Code ?? bank.AccountID) ?? "/accounts"), "Postings of the account")}</p>
${pairs}
${await doneLately(beside)}`,
  };
}

const waitingText = (count: number | undefined) =>
  count === undefined || count === 0
    ? "Every line of the bank is explained."
    : `${count} ${count === 1 ? "line waits" : "lines wait"} to be explained, the oldest first.`;

function bankNamed(accounts: readonly Account[], code: string): Account {
  const id = readId(code);
  const found = accounts.find(({ Code, AccountID }) => Code === code || AccountID === id);
  if (found?.Type === "BANK") return found;
  throw new NotFoundError("NotFound", `There is no bank account ${code.slice(0, 60)}.`);
}

async function linesOf(
  { site }: Visit,
  { AccountID }: Account,
  status: string,
  order: string,
  limit: number,
): Promise<BankStatementLine[]> {
  const where = allOf([
    `BankAccount.AccountID==guid("${AccountID}")`,
    compare(bankStatementLine.fields, "Status", "==", status),
  ]);
  const found: BankStatementLine[] = [];
  const asked = { where, order, limit, count: false };
  for await (const line of site.client.list(bankStatementLine, asked)) found.push(line);
  return found;
}

/** What stands around the lines of a page. */
interface Beside {
  readonly visit: Visit;
  readonly bank: Account;
  readonly accounts: readonly Account[];
  readonly mayChange: boolean;
  readonly fault: Fault | undefined;
}

// --- a line --------------------------------------------------------------------------------------

function pairOf(
  beside: Beside,
  line: BankStatementLine,
  suggestions: readonly BankSuggestion[],
  documents: ReadonlyMap<string, Invoice>,
): Markup {
  const { visit, bank, mayChange, fault } = beside;
  const id = line.BankStatementLineID;
  const own = fault?.line === id ? fault : undefined;
  const offers = offersOf(beside, line, suggestions, documents);
  return html`<section class="pair">
<div>
<h2>${day(line.Date)}, ${money(visit, Math.abs(line.Amount) as Cents, bank.CurrencyCode)} ${line.Amount < 0 ? "out" : "in"}</h2>
${told(line).map((text) => html`<p>${isolated(text)}</p>`)}
<p>${link(linkFrom(visit, `/bank-statement-lines/${id}`), "All that the bank says")}</p>
</div>
<div>
${own === undefined ? "" : html`<div class="wrong" role="alert">${own.messages.map((each) => html`<p>${each}</p>`)}</div>`}
${offers}
${mayChange ? byHand(beside, line) : ""}
</div>
</section>
`;
}

const told = ({ Payee, Description, OtherAccount, References = [] }: BankStatementLine) =>
  [Payee, Description, OtherAccount, ...References].filter(
    (each): each is string => each !== undefined && each !== "",
  );

/** What the lines of a page may be, by line. They are asked for together, which costs as one. */
async function suggestionsFor(
  { site }: Visit,
  { Code, AccountID }: Account,
  lines: readonly BankStatementLine[],
): Promise<ReadonlyMap<string, BankSuggestion[]>> {
  if (lines.length === 0) return new Map();
  const ids = lines.map((line) => line.BankStatementLineID);
  const asked = { account: Code ?? AccountID, lines: ids.join(",") };
  const found = await site.client.at(bankSuggestion, `${linesPath}/Suggestions`, asked);
  return Map.groupBy(found, (each) => each.BankStatementLineID);
}

function offersOf(
  { visit, bank, accounts, mayChange }: Beside,
  line: BankStatementLine,
  suggestions: readonly BankSuggestion[],
  documents: ReadonlyMap<string, Invoice>,
): Markup {
  if (suggestions.length === 0) return html`<p class="soft">Nothing in the books fits.</p>`;
  const items = suggestions.map((each) => {
    const input = inputOf(each);
    const what = partsOf({ visit, bank, accounts }, input, documents);
    const why = [each.Evidence, each.Obstacles].filter((text) => text !== undefined && text !== "");
    return html`<li><div>${what.map((one, at) => html`${at === 0 ? "" : " + "}${one}`)}<br><span class="soft">${isolated(why.join("; "))}</span></div>
${
  mayChange
    ? html`<form method="post" action="${actionOf(visit, bank)}">${hidden(visit, line, "match")}<input type="hidden" name="match" value="${JSON.stringify(input)}"><button class="act${each.IsCertain ? "" : " other"}">Reconcile</button></form>`
    : ""
}</li>`;
  });
  return html`<ul class="offers">${items}</ul>`;
}

/** What of a suggestion is sent to accept it. */
function inputOf(suggestion: BankSuggestion): BankMatchInput {
  const {
    BankStatementLineID: _line,
    IsCertain: _certain,
    Evidence: _evidence,
    Obstacles: _obstacles,
    BankRuleID: _rule,
    ...input
  } = suggestion;
  return input as BankMatchInput;
}

/** The invoices and bills that suggestions name, by id. */
async function documentsOf(
  { site }: Visit,
  suggestions: readonly BankSuggestion[],
): Promise<ReadonlyMap<string, Invoice>> {
  const ids = suggestions.flatMap(({ Documents = [] }) =>
    Documents.flatMap(({ Kind = "Invoice", DocumentID }) =>
      Kind === "Invoice" && DocumentID !== undefined ? [DocumentID] : [],
    ),
  );
  const found = new Map<string, Invoice>();
  if (ids.length === 0) return found;
  const asked = {
    parameters: { IDs: [...new Set(ids)].join(",") },
    fields: ["InvoiceID", "InvoiceNumber", "Type", "Contact", "DueDate", "CurrencyCode"],
  };
  for await (const each of site.client.list(invoice, asked)) found.set(each.InvoiceID, each);
  return found;
}

/** The parts of a match in words, with links to the records that the book has. */
function partsOf(
  { visit, bank, accounts }: Pick<Beside, "visit" | "bank" | "accounts">,
  { Documents = [], Records = [], Lines = [], TransferAccount, Contact }: BankMatchInput,
  documents: ReadonlyMap<string, Invoice>,
): Content[] {
  const named = (code: string | undefined) => {
    const found = accounts.find(({ Code }) => Code === code);
    return found === undefined ? (code ?? "") : titleOf(found);
  };
  return [
    ...Documents.map(({ Kind = "Invoice", DocumentID, Number: number, Amount }) => {
      const found = documents.get(DocumentID ?? "");
      const words = [
        found?.InvoiceNumber ?? number ?? spacedKind(Kind),
        found?.Contact?.Name,
      ].filter((each) => each !== undefined && each !== "");
      const address = recordAddress(Kind, DocumentID, found);
      const text = words.join(", ");
      const sum =
        Amount === undefined
          ? ""
          : html` ${money(visit, Amount, found?.CurrencyCode ?? bank.CurrencyCode)}`;
      return html`${address === undefined ? isolated(text) : link(linkFrom(visit, address), text)}${sum}`;
    }),
    ...Records.map(({ Kind, RecordID }) => {
      const text = `The ${spacedKind(Kind ?? "Payment").toLowerCase()} that the book has`;
      const address = recordAddress(Kind ?? "Payment", RecordID);
      return address === undefined ? text : link(linkFrom(visit, address), text);
    }),
    ...Lines.map(({ AccountCode, Amount }) => {
      const sum = Amount === undefined ? "" : html` ${money(visit, Amount, bank.CurrencyCode)}`;
      const who = Contact?.Name === undefined ? "" : html`, ${isolated(Contact.Name)}`;
      return html`${isolated(named(AccountCode))}${sum}${who}`;
    }),
    ...(TransferAccount === undefined
      ? []
      : [html`Transfer with ${isolated(named(TransferAccount.Code))}`]),
  ];
}

const spacedKind = (kind: string) => kind.replace(/(?<=[a-z])(?=[A-Z])/g, " ");

// --- by hand ---------------------------------------------------------------------------------------

const actionOf = ({ site }: Visit, { Code, AccountID }: Account) =>
  `${site.base}/bank/${encodeURIComponent(Code ?? AccountID)}/reconcile`;

/** What every form says: that it is ours, which line it is about, and the way here. */
function hidden(visit: Visit, line: BankStatementLine, what: string): Markup {
  const fields = [
    ["token", visit.site.formToken],
    ["line", line.BankStatementLineID],
    ["do", what],
    ...trailFields(visit),
  ] as const;
  return html`${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

function byHand({ visit, bank, accounts }: Beside, line: BankStatementLine): Markup {
  const id = line.BankStatementLineID;
  const action = actionOf(visit, bank);
  const others = accounts.filter(
    ({ Status, AccountID, Code }) =>
      Status === "ACTIVE" && AccountID !== bank.AccountID && Code !== undefined,
  );
  const options = (of: readonly Account[]) =>
    of.map((each) => html`<option value="${each.Code ?? ""}">${titleOf(each)}</option>`);
  const banks = others.filter(({ Type }) => Type === "BANK");
  const postable = others.filter(({ Type, SystemAccount }) => Type !== "BANK" && !SystemAccount);
  const submit = (text: string) => html`<button class="act other">${text}</button>`;
  return html`<details><summary>It is something else</summary>
<form class="by-hand" method="post" action="${action}">${hidden(visit, line, "document")}
<div class="field"><label for="number-${id}">Number of the invoice or bill</label><input id="number-${id}" name="number" required maxlength="255"></div>
${submit("Pay it")}</form>
<form class="by-hand" method="post" action="${action}">${hidden(visit, line, "account")}
<div class="field"><label for="account-${id}">Account</label><select id="account-${id}" name="account" required><option value="">Choose one</option>${options(postable)}</select></div>
<div class="field"><label for="contact-${id}">Contact</label><input id="contact-${id}" name="contact" maxlength="255" value="${line.Payee ?? ""}"></div>
${submit(line.Amount < 0 ? "Money spent" : "Money received")}</form>
${
  banks.length === 0
    ? ""
    : html`<form class="by-hand" method="post" action="${action}">${hidden(visit, line, "transfer")}
<div class="field"><label for="transfer-${id}">Own account</label><select id="transfer-${id}" name="account" required><option value="">Choose one</option>${options(banks)}</select></div>
${submit("Transfer")}</form>`
}
<form class="by-hand" method="post" action="${action}">${hidden(visit, line, "ignore")}${submit("Ignore the line")}</form>
</details>`;
}

/** The lines that were explained last, each of which may be taken back. */
async function doneLately(beside: Beside): Promise<Content> {
  const { visit, bank, mayChange } = beside;
  const reconciled = await linesOf(visit, bank, "RECONCILED", "UpdatedDateUTC DESC", undoMax);
  const ignored = await linesOf(visit, bank, "IGNORED", "UpdatedDateUTC DESC", undoMax);
  const lately = [...reconciled, ...ignored]
    .toSorted((a, b) => b.UpdatedDateUTC - a.UpdatedDateUTC)
    .slice(0, undoMax);
  if (lately.length === 0) return "";
  const items = lately.map((line) => {
    const about = told(line)[0] ?? "";
    const state = line.Status === "IGNORED" ? "ignored" : "reconciled";
    return html`<li><div>${link(linkFrom(visit, `/bank-statement-lines/${line.BankStatementLineID}`), line.Date)} ${money(visit, line.Amount, bank.CurrencyCode)} ${isolated(about)} <span class="soft">${state}</span></div>
${
  mayChange
    ? html`<form method="post" action="${actionOf(visit, bank)}">${hidden(visit, line, "undo")}<button class="act other">Undo<span class="unseen"> ${line.Date} ${about}</span></button></form>`
    : ""
}</li>`;
  });
  return part("lately", "Explained last", html`<ul class="offers">${items}</ul>`);
}

function doneOf({ query }: Visit): Content {
  const words = dones[query.get("done") ?? ""];
  return words === undefined ? "" : html`<p class="said" role="status">${words}</p>`;
}

const dones: Readonly<Record<string, string>> = {
  match: "The line is reconciled.",
  ignore: "The line is ignored.",
  undo: "It was taken back: the line waits again.",
};

// --- what is done --------------------------------------------------------------------------------

/** Answers a form: what was chosen is done, and the page shown as it is then. */
export async function act(visit: Visit, code = ""): Promise<Shown> {
  const { client } = visit.site;
  const form = visit.form ?? new URLSearchParams();
  const line = readId(form.get("line") ?? "") ?? "";
  const what = form.get("do") ?? "";
  try {
    if (what === "ignore") await client.perform(bankStatementLine, line, "Ignore");
    else if (what === "undo") await client.perform(bankStatementLine, line, "Unmatch");
    else {
      const input = matchIn(what, form);
      await client.act(bankStatementLine, `${linePath(line)}/Match`, { takes: bankMatch, input });
    }
  } catch (error) {
    if (!(error instanceof RefusedError || error instanceof NotFoundError)) throw error;
    return pageOf(visit, code, { line, messages: messagesOf(error) });
  }
  const done = what === "ignore" || what === "undo" ? what : "match";
  const [path = ""] = visit.here.split("?", 1);
  return { seeOther: withTrailOf(visit, addressWith(path, [["done", done]])) };
}

function messagesOf(error: AcctError): readonly string[] {
  const messages = error.details.map(({ message }) => message);
  return messages.length === 0 ? [error.message] : messages;
}

function matchIn(what: string, form: URLSearchParams): BankMatchInput {
  const said = (name: string) => form.get(name)?.trim() ?? "";
  const contactName = said("contact");
  const unreadable = new RefusedError("ValidationException", "The form cannot be read.");
  switch (what) {
    case "match":
      return readMatch(said("match"));
    case "document":
      return { Documents: [{ Number: said("number") }] };
    case "account":
      return {
        Lines: [{ AccountCode: said("account") }],
        ...(contactName === "" ? {} : { Contact: { Name: contactName } }),
      };
    case "transfer":
      return { TransferAccount: { Code: said("account") } };
    default:
      throw unreadable;
  }
}

/** A suggestion as the page showed it. @throws RefusedError for what no page of ours has sent */
function readMatch(text: string): BankMatchInput {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (cause) {
    throw new RefusedError("ValidationException", "The form cannot be read.", [], { cause });
  }
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return input;
  throw new RefusedError("ValidationException", "The form cannot be read.");
}
