/** Converts a row to a statement line: counterparty, text, references, charges. */
import { type Cents, zeroCents } from "../../ledger/money.ts";
import type { DateOrder, LinePart, Party, References, StatementLine } from "../bank-statement.ts";
import { accountOf, cleanText, markOf, meaningful, originalPart } from "../bank-values.ts";
import { readDay } from "../days.ts";
import { cellAmount, type Row } from "./cells.ts";
import type { Form } from "./columns/bank-forms.ts";
import { plainHeading } from "./columns/headings.ts";
import type { Roles } from "./columns/roles.ts";
import type { FoundLine } from "./row-states.ts";

export interface StatementLineContext {
  readonly roles: Roles;
  readonly order: DateOrder;
  /** Currency of the account, or in the column heading. */
  readonly currency: string | undefined;
  readonly hasUniqueIds: boolean;
  /** Names of the account holder, normalised by `plainHeading`. */
  readonly holderNames: ReadonlySet<string>;
  readonly balanceByRow: ReadonlyMap<Row, Cents | undefined>;
  /** Rule of a known form for splitting texts. */
  readonly parted: Form["parted"];
}

/**
 * Texts that contain both counterparty and text: `Auftraggeber: Stadtwerke Buchungstext: Strom`.
 */
const partyInText =
  /^(?:auftraggeber|empfänger|zahlungspflichtiger|zahlungsempfänger)\s*:\s*(.*?)\s*(?:buchungstext|verwendungszweck)\s*:\s*(.*)$/i;
/** Masked card number in place of a name. */
const maskedCard = /\d{4}[- ]?[*x]{4}/i;

export function lineFrom(
  { row, day, amount, more }: FoundLine,
  context: StatementLineContext,
): StatementLine {
  const { roles, order, hasUniqueIds } = context;
  const of = (role: Parameters<Roles["text"]>[1]) => cleanText(roles.text(row, role));
  const memo = memoOf(row, context);
  const textParts = [
    memo?.text ?? roles.text(row, "text"),
    ...more.map((row) => roles.text(row, "text")),
  ].filter((text) => text !== "");
  const parted = of("payee") === undefined ? partyInText.exec(textParts.join(" ")) : null;
  const named = nameOf(row, amount, context) ?? memo?.payee ?? cleanText(parted?.[1]);
  const name =
    named !== undefined && maskedCard.test(named) ? (cardParty(row, roles) ?? named) : named;
  const party: Party = { ...(name === undefined ? {} : { name }), ...accountOf(of("account")) };
  const currency = of("currency")?.toUpperCase() ?? context.currency;
  return {
    date: readDay(day, order) as string,
    valueDate: readDay(of("valueDate") ?? "", order),
    amount,
    currency,
    id: hasUniqueIds ? of("id") : undefined,
    type: of("type"),
    isReturn: false,
    party: Object.keys(party).length > 0 ? party : undefined,
    references: { ...referencesOf(row, roles), ...memo?.references },
    text: cleanText(parted === null ? textParts.join(" ") : parted[2]) ?? "",
    parts: partsOf(row, roles, currency),
    source: row.cells.join("\t"),
    row: row.row,
    cells: row.cells,
    balance: context.balanceByRow.get(row),
  };
}

/**
 * Splits a text by the rule of a form into name and text, or text and reference; undefined where it
 * has one part.
 */
function memoOf(
  { cells }: Row,
  { roles, parted }: StatementLineContext,
):
  | { readonly payee?: string | undefined; readonly text: string; readonly references?: References }
  | undefined {
  if (parted === undefined) return undefined;
  const [first, ...others] = (cells[roles.place("text") ?? -1] ?? "").trim().split(parted.by);
  const restText = cleanText(others.join(" "));
  const text = cleanText(first) ?? "";
  if (others.length === 0) return undefined;
  if (parted.first === "payee") return { payee: text, text: restText ?? "" };
  return { text, ...(restText === undefined ? {} : { references: { document: restText } }) };
}

/**
 * Name of the counterparty: the payee of money out, the payer of money in; never the account
 * holder.
 */
function nameOf(
  row: Row,
  amount: Cents,
  { roles, holderNames }: StatementLineContext,
): string | undefined {
  const payee = cleanText(roles.text(row, "payee"));
  if (roles.place("payer") === undefined) return payee;
  const payer = cleanText(roles.text(row, "payer"));
  const [likely, other] = amount > 0 ? [payer, payee] : [payee, payer];
  if (likely !== undefined && !holderNames.has(plainHeading(likely))) return likely;
  return other !== undefined && likely !== undefined && !holderNames.has(plainHeading(other))
    ? other
    : undefined;
}

function cardParty(row: Row, roles: Roles): string | undefined {
  const words = roles.places("reference").map((columnIndex) => row.texts[columnIndex] ?? "");
  return words.find((text) => /\p{L}{3}/u.test(text) && !maskedCard.test(text));
}

const kinds: readonly (readonly [RegExp, keyof References])[] = [
  [/end to end|kundenreferenz/, "endToEnd"],
  [/mandat|machtiging/, "mandate"],
  [/glaubiger|creditor|incassant/, "creditor"],
  [/struct|betalingskenmerk|viite|kid/, "structured"],
  [/cheque|check/, "cheque"],
];
const otherKinds: readonly (keyof References)[] = [
  "customer",
  "document",
  "transaction",
  "instruction",
  "structured",
  "creditor",
  "mandate",
  "endToEnd",
  "cheque",
];

/** References of a row, each of the kind that its heading indicates, or of a kind still unused. */
function referencesOf(row: Row, roles: Roles): References {
  const references: Partial<Record<keyof References, string>> = {};
  for (const columnIndex of roles.places("reference")) {
    const text = meaningful(cleanText(row.texts[columnIndex]));
    if (text === undefined || maskedCard.test(text)) continue;
    const heading = plainHeading(roles.columns[columnIndex]?.heading ?? "");
    const kind = kinds.find(([word]) => word.test(heading))?.[1];
    const key =
      kind !== undefined && references[kind] === undefined
        ? kind
        : otherKinds.find((each) => references[each] === undefined);
    if (key === undefined) break;
    references[key] = text;
  }
  return references;
}

function partsOf(row: Row, roles: Roles, currency: string | undefined): LinePart[] {
  const parts: LinePart[] = [];
  const amountAt = (role: "fee" | "originalAmount") => {
    const text = roles.text(row, role);
    const mark = markOf(text);
    const amount =
      mark === "none" ? undefined : cellAmount(text, mark === "comma" ? "comma" : "point");
    return typeof amount === "number" && amount !== 0 ? amount : undefined;
  };
  const fee = amountAt("fee");
  if (fee !== undefined) parts.push({ kind: "charge", amount: Math.abs(fee) as Cents, currency });
  const original = roles.text(row, "originalAmount");
  const code =
    roles.text(row, "originalCurrency") ||
    (/\b[A-Z]{3}\b/.exec(original)?.[0] ??
      roles.columns[roles.place("originalAmount") ?? -1]?.meaning?.currency);
  const isAmount = markOf(original) !== "none" && /[1-9]/.test(original);
  if (isAmount && code !== undefined && /^[A-Z]{3}$/.test(code) && code !== currency) {
    parts.push(...originalPart(code, () => amountAt("originalAmount") ?? zeroCents));
  }
  return parts;
}
