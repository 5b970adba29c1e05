/** Questions for one line of a document. */
import { UsageError } from "../../../resources/errors.ts";
import type { FieldOf, ScalarKind } from "../../../resources/field.ts";
import type { Item } from "../../../resources/item.ts";
import { lineItemFields } from "../../../resources/line-item.ts";
import type { TaxRate } from "../../../resources/tax-rate.ts";
import { plainValue } from "../../../wire/plain.ts";
import type { Choice } from "../../context/context.ts";
import { askInTurn, type Questions } from "../../framework/questions.ts";
import { safeLine } from "../../render/safe.ts";
import type { LineItemInput } from "../../values/line-flag.ts";
import { parseValue, type ScalarValue } from "../../values/value.ts";
import { type Draft, type DraftLine, itemDescription } from "../invoice/draft.ts";
import { type BookRecords, fits } from "./book-records.ts";

/** Whether an account is offered; a system account must be typed by its code. */
const isOffered = (account: { SystemAccount?: string | undefined; Type: string }) =>
  !account.SystemAccount && account.Type !== "BANK" && account.Type !== "INVENTORY";

/** The first answer of a line: end, unchanged, free text, or an item. */
type Start =
  | { readonly kind: "done" }
  | { readonly kind: "same" }
  | { readonly kind: "free"; readonly description?: string }
  | { readonly kind: "item"; readonly item: Item };

export interface LineOptions {
  /** Line number, from 1. */
  readonly number: number;
  /** The existing line, when it is edited. */
  readonly line?: DraftLine | undefined;
  /** Whether the user may end the lines instead. */
  readonly mayEnd?: boolean;
}

/**
 * Asks for one line.
 *
 * @returns undefined when the user ends the lines
 */
export async function askLine(
  ask: Questions,
  books: BookRecords,
  draft: Draft,
  options: LineOptions,
): Promise<DraftLine | undefined> {
  const inputBefore = options.line?.input ?? {};
  const line: { start: Start; input: LineItemInput; item?: Item | undefined } = {
    start: { kind: "done" },
    input: {},
  };
  const isLine = () => line.start.kind !== "done";
  // Stock items are bought on their inventory account alone.
  const stock = () => (draft.type === "ACCPAY" ? line.item?.InventoryAssetAccountCode : undefined);
  await askInTurn(ask, [
    {
      ask: async (ask) => {
        line.start = await askStart(ask, books, options);
        Object.assign(line, beginLine(line.start, draft.type, options.line));
      },
    },
    {
      when: () => isLine() && !(line.start.kind === "free" && line.start.description),
      ask: async (ask) => {
        const { Description } = line.input;
        line.input.Description = await askDescription(ask, options.number, Description);
      },
    },
    {
      when: isLine,
      ask: async (ask) => {
        const initial = line.input.Quantity ?? inputBefore.Quantity ?? oneUnit;
        line.input.Quantity = await askNumber(ask, quantity, "Quantity", initial);
      },
    },
    {
      when: isLine,
      ask: async (ask) => {
        const price = draft.types === "Inclusive" ? "Unit price, tax included" : "Unit price";
        line.input.UnitAmount = await askNumber(ask, unitAmount, price, line.input.UnitAmount);
      },
    },
    {
      when: () => isLine() && stock() === undefined,
      ask: async (ask) => {
        line.input.AccountCode = await askAccount(ask, books, line.input.AccountCode);
      },
    },
    {
      when: () => isLine() && draft.types !== "NoTax",
      ask: async (ask) => {
        const withAccount = { ...line.input, AccountCode: stock() ?? line.input.AccountCode };
        line.input.TaxType = await askTax(ask, books, draft, withAccount, line.item);
      },
    },
  ]);
  const { start, input, item } = line;
  if (start.kind === "done") return undefined;
  input.AccountCode = stock() ?? input.AccountCode;
  if (draft.types === "NoTax") input.TaxType = undefined;
  return { input, item };
}

const { Quantity: quantity, UnitAmount: unitAmount } = lineItemFields;
const oneUnit = parseValue(quantity, "1", { name: "Quantity" });

/** Returns the line fields that follow from the first answer. */
function beginLine(start: Start, type: Draft["type"], line: DraftLine | undefined): DraftLine {
  if (start.kind === "item") return { input: lineOf(start.item, type), item: start.item };
  const item = start.kind === "same" ? line?.item : undefined;
  const input = { ...line?.input, ItemCode: item?.Code };
  if (start.kind === "free" && start.description !== undefined) {
    input.Description = start.description;
  }
  return { input, item };
}

/** Returns a line with the defaults of an item. */
function lineOf(item: Item | undefined, type: Draft["type"]): LineItemInput {
  const details = type === "ACCREC" ? item?.SalesDetails : item?.PurchaseDetails;
  return {
    ItemCode: item?.Code,
    Description: item && itemDescription(item, type),
    UnitAmount: details?.UnitPrice,
    AccountCode: details?.AccountCode,
  };
}

async function askStart(
  ask: Questions,
  books: BookRecords,
  { number, line, mayEnd = false }: LineOptions,
): Promise<Start> {
  const items = await books.items();
  const doneChoice: Choice<Start> = { name: "No more lines", value: { kind: "done" } };
  const free: Choice<Start> = { name: "A line without an item", value: { kind: "free" } };
  const sameChoice: Choice<Start>[] =
    line === undefined
      ? []
      : [{ name: `As it is: ${lineName(line)}`, short: lineName(line), value: { kind: "same" } }];
  return ask.search<Start>({
    message: `Line ${number}, item or description`,
    source: (term) => {
      const choices = items
        .filter(({ Code, Name, Description }) => fits(term, Code, Name, Description))
        .map((item) => ({
          name: safeLine([item.Code, item.Name].filter((text) => text !== undefined).join("  ")),
          short: safeLine(item.Code),
          value: { kind: "item", item } as const,
        }));
      if (term === "") return [...(mayEnd ? [doneChoice] : []), ...sameChoice, ...choices, free];
      const isCode = (choice: Choice<Start>) => choice.short?.toLowerCase() === term.toLowerCase();
      return [
        ...choices.filter(isCode),
        ...choices.filter((choice) => !isCode(choice)),
        {
          name: `A line without an item: ${term}`,
          short: term,
          value: { kind: "free", description: term },
        },
      ];
    },
  });
}

function askDescription(
  ask: Questions,
  number: number,
  initial: string | undefined,
): Promise<string> {
  // A text of several lines is edited as one line, and stays as it was unless changed.
  const shownInitial = initial === undefined ? undefined : safeLine(initial);
  const { Description } = lineItemFields;
  return ask.text({
    message: `Description of line ${number}`,
    initial: shownInitial,
    read: (text) => {
      if (text === shownInitial && initial !== undefined) return initial;
      return parseValue(Description, text.trim(), { name: "The description" });
    },
  });
}

function askNumber<F extends FieldOf<"quantity" | "unitAmount">>(
  ask: Questions,
  field: F,
  message: string,
  initial: ScalarValue<F> | undefined,
): Promise<ScalarValue<F>> {
  const write = (value: unknown) => plainValue(field, value);
  const read = (text: string) => parseValue(field, text, { name: message });
  return ask.text({
    message,
    initial: initial === undefined ? undefined : write(initial),
    read,
    shown: (text) => write(read(text)),
  });
}

async function askAccount(
  ask: Questions,
  books: BookRecords,
  initial: string | undefined,
): Promise<string> {
  const accounts = await books.accounts();
  const code = await ask.search<string>({
    message: "Account",
    source: (term) => {
      const typed = term.toLowerCase();
      const isFirst = ({ Code = "" }) => Code.toLowerCase() === (typed || initial?.toLowerCase());
      const matches = accounts.filter(
        (each) =>
          (isOffered(each) && fits(term, each.Code, each.Name)) || (isFirst(each) && typed !== ""),
      );
      const orderedAccounts = [
        ...accounts.filter((each) => isFirst(each) && (typed === "" || matches.includes(each))),
        ...matches.filter((match) => !isFirst(match)),
      ];
      return orderedAccounts.map(({ Code = "", Name }) => ({
        name: safeLine(`${Code}  ${Name}`),
        short: safeLine(`${Code} ${Name}`),
        value: Code,
      }));
    },
  });
  return code;
}

/** Asks for the tax rate; offers the default of contact, item or account first. */
async function askTax(
  ask: Questions,
  books: BookRecords,
  { type, party }: Draft,
  line: LineItemInput,
  item: Item | undefined,
): Promise<string | undefined> {
  const rates = await books.taxRatesFor(line.AccountCode ?? "");
  const account = (await books.accounts()).find(({ Code }) => Code === line.AccountCode);
  const contact = party.kind === "known" ? party.contact : undefined;
  const usualTypes =
    type === "ACCREC"
      ? [contact?.AccountsReceivableTaxType, item?.SalesDetails?.TaxType]
      : [contact?.AccountsPayableTaxType, item?.PurchaseDetails?.TaxType];
  const initial = [line.TaxType, ...usualTypes, account?.TaxType].find((taxType) =>
    rates.some(({ TaxType }) => TaxType === taxType),
  );
  if (rates.length === 0) return initial;
  return ask.choose({ message: "Tax", choices: rates.map(taxChoice), initial });
}

function taxChoice(rate: TaxRate): Choice<string> {
  return { name: taxName(rate), value: rate.TaxType ?? "" };
}

/** Returns the name of a tax rate with its percentage, once: `15% GST on Income`. */
export function taxName({ Name, EffectiveRate }: Pick<TaxRate, "Name" | "EffectiveRate">): string {
  const percent = `${plainValue({ kind: "percent" }, EffectiveRate)}%`;
  return safeLine(Name.includes(percent) ? Name : `${Name} (${percent})`);
}

/** Returns the display name of a line. */
export function lineName({ input }: DraftLine): string {
  const { ItemCode, Description, Quantity, UnitAmount } = input;
  const lineText = Description ?? ItemCode ?? "";
  const price = plainValue(lineItemFields.UnitAmount, UnitAmount);
  return safeLine(`${lineText}, ${plainValue(lineItemFields.Quantity, Quantity)} at ${price}`);
}

/**
 * Returns a parser that refuses a text above the field's maximum length; an empty one is undefined.
 */
export function optionalText<F extends FieldOf<ScalarKind>>(
  field: F,
  name: string,
): (text: string) => ScalarValue<F> | undefined {
  return (text) => (text.trim() === "" ? undefined : parseValue(field, text.trim(), { name }));
}

/**
 * Requires a non-empty text.
 *
 * @throws UsageError
 */
export function requireText(text: string, valueName: string): string {
  if (text.trim() === "") throw new UsageError("MissingValue", `${valueName} is needed.`);
  return text.trim();
}
