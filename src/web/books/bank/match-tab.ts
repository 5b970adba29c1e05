/**
 * Tab that matches a bank statement line with documents: which ones, what they come to, and what
 * becomes of the part that is over or short.
 */
import { html, type Markup } from "../../../output/markup.ts";
import type { BankMatchInput } from "../../../resources/bank-match.ts";
import { contact } from "../../../resources/contact.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { refusal } from "../../../resources/errors.ts";
import { compare } from "../../../wire/query/condition.ts";
import { linkFrom } from "../../frame/breadcrumbs.ts";
import { type Content, isolated, link } from "../../frame/components.ts";
import { recordAddress } from "../catalogue.ts";
import type { BooksContext } from "../context.ts";
import { day, money } from "../shown-values.ts";
import {
  accountOptions,
  choiceInput,
  inBank,
  type LineAt,
  type LineContext,
  said,
  tabForm,
  textInput,
} from "./line-context.ts";
import { type TaxRates, taxChoices, taxRatesOf } from "./new-tab.ts";
import { documentsNamed, type OpenDocument, openDocuments } from "./open-documents.ts";

/** What becomes of the part of a line that its documents leave. */
const rests = ["part", "overpayment", "deposit", "account"] as const;
type RestChoice = (typeof rests)[number];

const keyOf = ({ kind, id }: OpenDocument) => `${kind}:${id}`;
const nameOf = ({ number, kind }: OpenDocument) => (number === "" ? kind : number);

export async function matchTab(context: LineContext, at: LineAt): Promise<Markup> {
  const { ctx } = context;
  const { line, values } = at;
  const chosenOnes = await documentsNamed(ctx, line, values.getAll("doc"));
  const contacts = await contactsOf(ctx, at, chosenOnes);
  const term = said(values, "find");
  const foundDocuments = await openDocuments(ctx, line, term, contacts);
  const ids = new Set(chosenOnes.map(({ id }) => id));
  const likelyIds = new Set(
    at.suggestions.flatMap(({ Documents = [] }) => Documents.map(({ DocumentID }) => DocumentID)),
  );
  const others = foundDocuments
    .filter(({ id }) => !ids.has(id))
    .toSorted(
      (a, b) =>
        Number(contacts.includes(b.contactId)) - Number(contacts.includes(a.contactId)) ||
        Number(likelyIds.has(b.id)) - Number(likelyIds.has(a.id)),
    );
  const rows = [...chosenOnes, ...others].map((each) => choiceRow(context, each, ids.has(each.id)));
  const taxes = chosenOnes.length === 0 ? [] : await taxRatesOf(ctx);
  const sum = chosenOnes.length === 0 ? undefined : sumOf(context, at, chosenOnes, taxes);
  return tabForm(context, at, "match", {
    fields: html`${textInput({ name: "find", label: "Search by number, contact or amount", value: term })}
${rows.length === 0 ? html`<p class="soft">No open document fits.</p>` : html`<ul class="choices">${rows}</ul>`}
${sum?.shown ?? ""}`,
    sum: "Search and add up",
    sends: sum?.isWhole ? "Reconcile" : undefined,
  });
}

/** Contacts whose documents come first: of what is chosen, of suggestions, of the payee's name. */
async function contactsOf(
  { client }: BooksContext,
  { line: { Payee }, suggestions }: LineAt,
  chosenDocuments: readonly OpenDocument[],
): Promise<string[]> {
  const contactIds = [
    ...chosenDocuments.map(({ contactId }) => contactId),
    ...suggestions.flatMap(({ Contact }) => Contact?.ContactID ?? []),
  ].filter((id) => id !== "");
  if (contactIds.length > 0 || Payee === undefined) return [...new Set(contactIds)];
  const condition = compare(contact.fields, "Name", "==", Payee);
  return Array.fromAsync(
    client.list(contact, { where: condition, limit: 3, count: false }),
    ({ ContactID }) => ContactID,
  );
}

function choiceRow({ ctx }: LineContext, each: OpenDocument, isChosen: boolean): Markup {
  const id = `tab-doc-${each.id}`;
  const address = recordAddress(each.kind, each.id, { Type: each.type });
  const due = each.dueDate === undefined ? "" : html`, due ${day(each.dueDate)}`;
  const off = each.open < 0 ? html` <span class="soft">is taken off</span>` : "";
  return html`<li><input type="checkbox" id="${id}" name="doc" value="${keyOf(each)}"${isChosen ? html` checked` : ""}><label for="${id}">${isolated(`${nameOf(each)} ${each.contact}`.trim())} <span class="soft">${day(each.date)}${due}</span>${off}</label><span class="figure">${money(ctx, each.open, each.currency)}</span>${
    address === undefined
      ? ""
      : link(linkFrom(ctx, address), html`Show<span class="unseen"> ${nameOf(each)}</span>`)
  }</li>`;
}

// --- what it comes to --------------------------------------------------------------------------------

/** Documents against the line; `left` is above zero where the line is more than they are. */
function leftOf({ line }: Pick<LineAt, "line">, chosenDocuments: readonly OpenDocument[]) {
  const sum = chosenDocuments.reduce((total, { open }) => total + open, 0);
  return { sum, left: Math.abs(line.Amount) - sum };
}

/** A document in another currency takes the whole line. */
const isForeign = ({ bank, ctx }: LineContext, { currency }: OpenDocument) =>
  currency !== "" && currency !== (bank.CurrencyCode ?? ctx.organisation.BaseCurrency);

function sumOf(
  around: LineContext,
  at: LineAt,
  chosen: readonly OpenDocument[],
  taxes: TaxRates,
): { readonly shown: Content; readonly isWhole: boolean } {
  const whole = inBank(around, at.line.Amount);
  if (chosen.some((openDocument) => isForeign(around, openDocument))) {
    return chosen.length === 1
      ? {
          shown: html`<p class="foot" role="status">The whole line, ${whole}, pays it.</p>`,
          isWhole: true,
        }
      : {
          shown: html`<p class="foot" role="status">A document in another currency is matched alone.</p>`,
          isWhole: false,
        };
  }
  const { sum, left } = leftOf(at, chosen);
  const sideWord = left > 0 ? "over" : "short";
  const gap = left === 0 ? "it is settled" : html`${inBank(around, left)} ${sideWord}`;
  return {
    shown: html`<p class="foot" role="status">chosen ${money(around.ctx, sum as Cents, around.bank.CurrencyCode)} of ${whole}, ${gap}</p>${left === 0 ? "" : restFields(around, at, chosen, { left, taxes })}`,
    isWhole: true,
  };
}

function restFields(
  around: LineContext,
  at: LineAt,
  chosenDocuments: readonly OpenDocument[],
  { left, taxes }: { readonly left: number; readonly taxes: TaxRates },
): Markup {
  const { values } = at;
  const rest = restIn(values, chosenDocuments, left);
  const contactName = chosenDocuments[0]?.contact ?? "";
  const last = chosenDocuments.at(-1);
  const amount = inBank(around, left);
  const restChoices: readonly (readonly [RestChoice, Content] | undefined)[] = [
    last !== undefined && canPayPart(last, left)
      ? [
          "part",
          html`${isolated(nameOf(last))} is paid ${inBank(around, last.open + left)} of ${inBank(around, last.open)}, which leaves ${amount} due`,
        ]
      : undefined,
    left > 0
      ? ["overpayment", html`Keep ${amount} as an overpayment of ${isolated(contactName)}`]
      : undefined,
    left > 0
      ? ["deposit", html`Keep ${amount} as a deposit for a later document, on the account below`]
      : undefined,
    ["account", html`${amount} to the account below: a fee, a discount, a difference`],
  ];
  const radios = restChoices.flatMap((restChoice) => {
    if (restChoice === undefined) return [];
    const [value, label] = restChoice;
    const id = `tab-rest-${value}`;
    return [
      html`<div class="check"><input type="radio" id="${id}" name="rest" value="${value}" required${value === rest ? html` checked` : ""}><label for="${id}">${label}</label></div>`,
    ];
  });
  const isPosted = rest === "account" || rest === "deposit";
  const account = said(values, "account");
  const accountField = choiceInput(
    { name: "account", label: "Account", value: account, isNeeded: isPosted },
    "Choose an account",
    accountOptions(around, at, account),
  );
  const tax = said(values, "tax");
  return html`<fieldset><legend>What becomes of ${amount} that ${left > 0 ? "is over" : "is missing"}?</legend>${radios}
<div class="row">${accountField}${choiceInput({ name: "tax", label: "Tax", value: tax }, "Tax of the account", taxChoices(taxes, tax))}</div></fieldset>`;
}

const canPayPart = ({ open }: OpenDocument, left: number) => left < 0 && open + left > 0;

/** What was chosen for the rest; the payment of a part where nothing was and it can be. */
function restIn(
  values: URLSearchParams,
  chosenDocuments: readonly OpenDocument[],
  left: number,
): RestChoice | undefined {
  const named = rests.find((value) => value === said(values, "rest"));
  if (named !== undefined && (named === "account" || (named === "part") === left < 0)) return named;
  const lastDocument = chosenDocuments.at(-1);
  return lastDocument !== undefined && canPayPart(lastDocument, left) ? "part" : undefined;
}

/** The match that the tab says. @throws RefusedError where it leaves something open */
export async function matchFrom(context: LineContext, at: LineAt): Promise<BankMatchInput> {
  const { line, values } = at;
  const chosen = await documentsNamed(context.ctx, line, values.getAll("doc"));
  if (chosen.length === 0) throw refusal("Form", "Choose a document.");
  const named = chosen.map(({ kind, id }) => ({ Kind: kind, DocumentID: id }));
  if (chosen.some((openDocument) => isForeign(context, openDocument))) return { Documents: named };
  const { left } = leftOf(at, chosen);
  const rest = left === 0 ? undefined : restIn(values, chosen, left);
  if (left !== 0 && rest === undefined) {
    throw refusal("Form", "Say what becomes of the part that is over or short.");
  }
  const Documents = chosen.map(({ kind, id, open }, index) => ({
    Kind: kind,
    DocumentID: id,
    Amount: (Math.abs(open) + (rest === "part" && index === chosen.length - 1 ? left : 0)) as Cents,
  }));
  if (rest === undefined || rest === "part") return { Documents };
  const tax = said(values, "tax");
  const Lines = [
    {
      Amount: (line.Amount > 0 ? left : -left) as Cents,
      ...(rest === "overpayment" ? {} : { AccountCode: said(values, "account") }),
      ...(tax === "" || rest === "overpayment" ? {} : { TaxType: tax }),
      ...(rest === "overpayment" ? { KeptAs: "Overpayment" as const } : {}),
      ...(rest === "deposit" ? { KeptAs: "Prepayment" as const } : {}),
    },
  ];
  return { Documents, Lines };
}
