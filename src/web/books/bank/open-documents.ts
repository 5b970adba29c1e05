/** Open documents that a bank statement line may pay, refund or take off. */
import type { paidKinds } from "../../../resources/bank-match.ts";
import type { BankStatementLine } from "../../../resources/bank-statement.ts";
import { type Cents, readDecimal, scaleOf } from "../../../resources/decimal.ts";
import type { DocumentResource } from "../../../resources/field.ts";
import { creditNote, invoice, overpayment, prepayment } from "../../../resources/index.ts";
import { readId } from "../../../resources/scalar.ts";
import { allOf, anyOf, compare } from "../../../wire/query/condition.ts";
import type { BooksContext } from "../context.ts";
import { ignoreForbidden } from "../ledger/postings.ts";
import { termCondition } from "../records/term.ts";

type PaidKind = (typeof paidKinds)[number];

export interface OpenDocument {
  readonly kind: PaidKind;
  readonly id: string;
  readonly type: string;
  readonly number: string;
  readonly contactId: string;
  readonly contact: string;
  readonly date: string;
  readonly dueDate: string | undefined;
  readonly currency: string;
  /** What is open in the document's currency; below zero where it is taken off the others. */
  readonly open: Cents;
}

interface KindOfDocument {
  readonly kind: PaidKind;
  readonly resource: DocumentResource;
  /** Field with the open amount. */
  readonly amount: "AmountDue" | "RemainingCredit";
  /** Types that money in pays or refunds; the others are of money out. */
  readonly typesIn: readonly string[];
  readonly typesOut: readonly string[];
}

const kinds: readonly KindOfDocument[] = [
  {
    kind: "Invoice",
    resource: invoice,
    amount: "AmountDue",
    typesIn: ["ACCREC"],
    typesOut: ["ACCPAY"],
  },
  {
    kind: "CreditNote",
    resource: creditNote,
    amount: "RemainingCredit",
    typesIn: ["ACCPAYCREDIT"],
    typesOut: ["ACCRECCREDIT"],
  },
  {
    kind: "Prepayment",
    resource: prepayment,
    amount: "RemainingCredit",
    typesIn: ["SPEND-PREPAYMENT"],
    typesOut: ["RECEIVE-PREPAYMENT"],
  },
  {
    kind: "Overpayment",
    resource: overpayment,
    amount: "RemainingCredit",
    typesIn: ["SPEND-OVERPAYMENT"],
    typesOut: ["RECEIVE-OVERPAYMENT"],
  },
];

/** Documents of each kind that are read; more are found by searching. */
const readMax = 12;

type Direction = Pick<BankStatementLine, "Amount">;

/**
 * Open documents, those of the contact of the line first and then the oldest. Credit notes of the
 * other direction are among them: they are taken off.
 *
 * @param term     text in a number or name, or an amount; empty for none
 * @param contacts  ids of the contacts whose documents come first
 */
export async function openDocuments(
  ctx: BooksContext,
  line: Direction,
  term: string,
  contacts: readonly string[],
): Promise<OpenDocument[]> {
  const ofContacts = contacts.map((id) => compare(invoice.fields, "Contact.ContactID", "==", id));
  const first = ofContacts.length === 0 ? [] : await readAll(ctx, line, term, anyOf(ofContacts));
  const otherDocuments = first.length < readMax ? await readAll(ctx, line, term, undefined) : [];
  return [...new Map([...first, ...otherDocuments].map((each) => [each.id, each])).values()].slice(
    0,
    readMax,
  );
}

async function readAll(ctx: BooksContext, line: Direction, term: string, of: string | undefined) {
  const documentLists = await Promise.all(kinds.map((kind) => readKind(ctx, line, kind, term, of)));
  return documentLists.flat();
}

async function readKind(
  { client }: BooksContext,
  line: Direction,
  kind: KindOfDocument,
  term: string,
  of: string | undefined,
): Promise<OpenDocument[]> {
  const { resource, amount, typesIn, typesOut } = kind;
  const { fields } = resource;
  const isNote = kind.kind === "CreditNote";
  const types = isNote ? [...typesIn, ...typesOut] : line.Amount > 0 ? typesIn : typesOut;
  const cents = readDecimal(term.replaceAll(",", ""), scaleOf.money);
  const searched =
    term === ""
      ? undefined
      : anyOf([
          termCondition(resource, term),
          ...(cents === undefined ? [] : [compare(fields, amount, "==", cents)]),
        ]);
  const condition = allOf([
    anyOf(types.map((type) => compare(fields, "Type", "==", type))),
    compare(fields, "Status", "==", "AUTHORISED"),
    searched,
    of,
  ]);
  const query = { where: condition, order: "Date ASC", limit: readMax, count: false };
  const read = async () => {
    const unpaid: OpenDocument[] = [];
    for await (const record of client.list(resource, query)) {
      const document = documentOf(kind, line, record);
      if (document.open !== 0) unpaid.push(document);
    }
    return unpaid;
  };
  return (await read().catch(ignoreForbidden)) ?? [];
}

/** Documents by `Kind:id`, as a form names them; others are left out. */
export async function documentsNamed(
  { client }: BooksContext,
  line: Direction,
  names: readonly string[],
): Promise<OpenDocument[]> {
  const reads = names.slice(0, readMax * 2).map(async (name) => {
    const [word = "", key = ""] = name.split(":");
    const kind = kinds.find((kind) => kind.kind === word);
    const id = readId(key);
    if (kind === undefined || id === undefined) return [];
    const record = await client.find(kind.resource, id).catch(ignoreForbidden);
    return record === undefined ? [] : [documentOf(kind, line, record)];
  });
  return (await Promise.all(reads)).flat();
}

function documentOf(kind: KindOfDocument, line: Direction, record: object): OpenDocument {
  const each = record as Readonly<Record<string, string | number | undefined>>;
  const contact = (record as { readonly Contact?: { ContactID?: string; Name?: string } }).Contact;
  const type = String(each.Type ?? "");
  const isTakenOff = !(line.Amount > 0 ? kind.typesIn : kind.typesOut).includes(type);
  const openAmount = Number(each[kind.amount] ?? 0);
  const number = each.InvoiceNumber ?? each.CreditNoteNumber ?? each.Handle ?? "";
  return {
    kind: kind.kind,
    id: String(each[kind.resource.id]),
    type,
    number: String(number),
    contactId: contact?.ContactID ?? "",
    contact: contact?.Name ?? "",
    date: String(each.Date ?? ""),
    dueDate: each.DueDate === undefined ? undefined : String(each.DueDate),
    currency: String(each.CurrencyCode ?? ""),
    open: (isTakenOff ? -openAmount : openAmount) as Cents,
  };
}
