/**
 * `acct item stocktake`, `acct item adjust`: stock as it was counted, and adjusted.
 *
 * The service has no route for adjustments. As usual with the public API they are documents with a
 * total of zero: a bill of what is more, a credit note of what is less, each with the cost on
 * another account. So they are undone, planned, explained and verified as documents are.
 */

import { share } from "../../ledger/money.ts";
import { amountText, smallestAmount } from "../../resources/common.ts";
import { creditNote } from "../../resources/credit-note.ts";
import {
  type Cents,
  multiplyDivide,
  type Quantity,
  type UnitAmount,
  writeDecimal,
} from "../../resources/decimal.ts";
import { type Detail, RefusedError, UsageError } from "../../resources/errors.ts";
import { quantity, text } from "../../resources/field.ts";
import { invoice } from "../../resources/invoice.ts";
import { type Item, item } from "../../resources/item.ts";
import { counted } from "../../resources/scalar.ts";
import { type StockCount, stockAdjustments, stockCount } from "../../resources/stock-count.ts";
import { fold } from "../../wire/fold.ts";
import { compare } from "../../wire/query/condition.ts";
import { homeAt } from "../connection/load-letterhead.ts";
import { silent, tryAsPlan } from "../connection/try-as-plan.ts";
import type { Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirm } from "../framework/confirm.ts";
import type { TableFile } from "../import/readers/row-sheet.ts";
import type { LineItemInput } from "../values/line-flag.ts";
import { parseValue } from "../values/value.ts";
import { findOrCreateContact } from "./quick-entry.ts";

const countColumns = {
  Code: { names: ["Code", "ItemCode", "Item", "SKU"], field: text({ max: 30 }) },
  Counted: { names: ["Counted", "Count", "Quantity", "QuantityOnHand"], field: quantity() },
};

const accountFlag = { placeholder: "NAME|CODE", live: "account", refers: "account" } as const;
const dateHelp = "the day it is booked; today when not given";
const asZero =
  "It is booked as a bill of what is more and a credit note of what is less, with a total of zero and one number " +
  `(ST-1), of the contact ${stockAdjustments}.`;

/** The count of an item, and where it was given. */
interface Count {
  readonly where: string;
  readonly code: string;
  readonly counted: Quantity;
}

/** The change of an item's stock. */
interface Change {
  readonly item: Item;
  /** Negative for goods that leave. */
  readonly quantity: Quantity;
  /** With the sign of the quantity. */
  readonly value: Cents;
  readonly account: string;
}

export const stocktakeCommand = command("stocktake", "bring the stock to what was counted")
  .writes()
  .answers(stockCount)
  .optionalArgument("FILE", "CSV of Code and Counted; items that are not in it stay as they are")
  .flag("count", "an item and how much of it was counted", {
    placeholder: "ITEM=QUANTITY",
    repeat: true,
    read: countOf,
  })
  .flag("account", "where the difference is booked; cost of goods sold when not given", accountFlag)
  .field("date", { kind: "date" }, { help: dateHelp })
  .note("It shows what the books have, the difference and its value at average cost, and asks.")
  .note(asZero)
  .example("acct item stocktake --count LAMP=28 --dry-run")
  .example("acct item stocktake --count LAMP=28 --account 310 --yes")
  .action(async (ctx, file, { count = [], account, date }) => {
    const counts = [
      ...(file === undefined
        ? []
        : await countsIn({ path: file, tell: (sentence) => ctx.out.say(sentence) })),
      ...count,
    ];
    if (counts.length === 0) {
      throw new UsageError(
        "MissingValue",
        "Say what was counted: a FILE, or --count ITEM=QUANTITY.",
      );
    }
    const itemByCode = await itemsOf(ctx);
    const smallest = smallestAmount(await baseOf(ctx));
    const faults: Detail[] = [];
    const seenCodes = new Set<string>();
    const changes = counts.flatMap(({ where, code, counted: found }): Change[] => {
      const of = itemByCode.get(fold(code));
      const fault = countFault(code, of, found, seenCodes.has(fold(code)));
      seenCodes.add(fold(code));
      if (fault !== undefined || of === undefined) {
        faults.push({ record: where, message: fault ?? "" });
        return [];
      }
      const change = (found - (of.QuantityOnHand ?? 0)) as Quantity;
      const value = valueAtAverage(of, change, smallest);
      if (value === undefined) faults.push({ record: where, message: noCost(of) });
      return [
        { item: of, quantity: change, value: value ?? (0 as Cents), account: on(of, account) },
      ];
    });
    refuseAll(faults);
    await ctx.out.records(stockCount, changes.map(countRow));
    await post(ctx, changes, { date, reason: "Stocktake", isAsked: true });
  });

export const adjustCommand = command(
  "adjust",
  "change the quantity or the value of an item in stock",
)
  .writes()
  .answers(stockCount)
  .key(item)
  .field("quantity", { kind: "quantity" }, { help: "how many more, or fewer: -2" })
  .field(
    "value",
    { kind: "money" },
    {
      help: "how much more or less they are worth, -30.00; with --quantity: what came in costs",
    },
  )
  .flag("account", "where it is booked; cost of goods sold when not given", accountFlag)
  .flag("reason", "what for; it stands on the document", { placeholder: "TEXT" })
  .field("date", { kind: "date" }, { help: dateHelp })
  .note(asZero)
  .example("acct item adjust LAMP --quantity -2 --account 310 --reason broken")
  .example("acct item adjust LAMP --value -30.00 --account 310 --reason 'Chipped glaze'")
  .action(async (ctx, code, { quantity: more, value, account, reason = "Adjustment", date }) => {
    const of = await (await ctx.client()).find(item, code);
    const stock = { quantity: of.QuantityOnHand ?? 0, pool: of.TotalCostPool ?? 0 };
    const change = (more ?? 0) as Quantity;
    const isValueAlone = more === undefined && value !== undefined;
    if (!more && !value) {
      throw new UsageError("MissingValue", "Say what changes: --quantity or --value, not 0.");
    }
    if (change < 0 && value !== undefined) {
      throw new UsageError(
        "BadFlags",
        "--value with --quantity is what came in; what leaves goes at average cost.",
      );
    }
    const quantityAfter = (stock.quantity + change) as Quantity;
    const base = await baseOf(ctx);
    const worth = value ?? valueAtAverage(of, change, smallestAmount(base));
    const fault =
      countFault(of.Code, of, quantityAfter, false) ??
      (worth === undefined ? noCost(of) : undefined) ??
      (change > 0 && (worth ?? 0) < 0
        ? `What came in of ${of.Code} cannot cost less than 0.`
        : undefined) ??
      (isValueAlone && (stock.quantity === 0 || stock.pool + value < 0)
        ? `The ${quantityText(stock.quantity as Quantity)} on hand of ${of.Code} cost ${amountText(stock.pool, base)}; ${amountText(value, base)} leaves less than 0.`
        : undefined);
    refuseAll(fault === undefined ? [] : [{ record: of.Code, message: fault }]);
    const changed = { item: of, quantity: change, value: worth as Cents, account: on(of, account) };
    await ctx.out.records(stockCount, [countRow(changed)]);
    await post(ctx, isValueAlone ? revalue(changed) : [changed], { date, reason, isAsked: false });
  });

/**
 * Parses `MUG=42`.
 *
 * @throws UsageError `BadValue`
 */
function countOf(said: string): Count {
  const [, code = "", amount = ""] = /^(.+)=([^=]+)$/.exec(said) ?? [];
  if (code === "") {
    throw new UsageError("BadValue", `--count takes ITEM=QUANTITY, such as MUG=42, not "${said}".`);
  }
  const quantityRead = parseValue(quantity(), amount, { name: `--count ${code}` });
  return { where: `--count ${said}`, code: code.trim(), counted: quantityRead as Quantity };
}

async function countsIn(file: TableFile): Promise<Count[]> {
  const { readTable } = await import("../import/readers/row-sheet.ts");
  const rows = await readTable(file, countColumns, ["Code", "Counted"]);
  return rows.map(({ row, Code = "", Counted = 0 as Quantity }) => ({
    where: `${file.path}, row ${row}`,
    code: Code.trim(),
    counted: Counted as Quantity,
  }));
}

/** @throws RefusedError with every fault, when there is one */
function refuseAll(faults: readonly Detail[]): void {
  const [first] = faults;
  if (first === undefined) return;
  const andMore = faults.length === 1 ? "" : ` (and ${faults.length - 1} more)`;
  throw new RefusedError("BadFile", `${first.record}: ${first.message}${andMore}`, faults);
}

async function itemsOf(ctx: Context): Promise<ReadonlyMap<string, Item>> {
  const allItems = await Array.fromAsync((await ctx.client()).list(item, {}));
  return new Map(allItems.map((record) => [fold(record.Code), record]));
}

async function baseOf(ctx: Context): Promise<string> {
  return (await homeAt(ctx, await ctx.client())).currency ?? "";
}

const quantityText = (of: Quantity) => writeDecimal(of, 4).replace(/\.?0+$/, "");

/** Returns why a quantity cannot be that of an item. */
function countFault(
  code: string,
  of: Item | undefined,
  newQuantity: Quantity,
  isSeen: boolean,
): string | undefined {
  if (of === undefined) return `There is no item ${code}; acct item list shows them.`;
  if (!of.IsTrackedAsInventory) return `${of.Code} is not kept in stock.`;
  if (isSeen) return `${of.Code} is counted twice.`;
  const book = quantityText((of.QuantityOnHand ?? 0) as Quantity);
  return newQuantity < 0
    ? `${of.Code} would be below zero: ${quantityText(newQuantity)}; the books have ${book}.`
    : undefined;
}

const noCost = ({ Code }: Item) =>
  `Nothing of ${Code} is on hand, so that its cost is not known; say it with acct item adjust ${Code} --quantity … --value …`;

/** Returns the value of a change at average cost; undefined where that is not known. */
function valueAtAverage(item: Item, change: Quantity, smallest: 1 | 100): Cents | undefined {
  const { QuantityOnHand: book = 0, TotalCostPool: pool = 0, PurchaseDetails } = item;
  if (change === 0) return 0 as Cents;
  if (book + change === 0) return -pool as Cents;
  if (book > 0) return share(pool, change, book, smallest);
  const price = PurchaseDetails?.UnitPrice;
  return price === undefined
    ? undefined
    : ((Math.round(multiplyDivide(change, price, 1_000_000) / smallest) * smallest) as Cents);
}

const on = ({ PurchaseDetails }: Item, account: string | undefined) =>
  account ?? PurchaseDetails?.COGSAccountCode ?? "";

const countRow = ({ item: of, quantity: change, value, account }: Change): StockCount => ({
  Code: of.Code,
  ...(of.Name === undefined ? {} : { Name: of.Name }),
  Book: (of.QuantityOnHand ?? 0) as Quantity,
  Counted: ((of.QuantityOnHand ?? 0) + change) as Quantity,
  Difference: change,
  Value: value,
  AccountCode: account,
});

/** Returns a change of value alone: all goods come in at the new value, and leave at the old one. */
function revalue({ item: of, value, account }: Change): Change[] {
  const { QuantityOnHand: book = 0, TotalCostPool: pool = 0 } = of;
  return [
    { item: of, account, quantity: book as Quantity, value: (pool + value) as Cents },
    { item: of, account, quantity: -book as Quantity, value: -pool as Cents },
  ];
}

interface Posting {
  readonly date: string | undefined;
  readonly reason: string;
  /** Whether it is asked about without a terminal too, where --yes must be given. */
  readonly isAsked: boolean;
}

/** Books changes as a bill and a credit note with a total of zero. */
async function post(
  ctx: Context,
  changes: readonly Change[],
  { date, reason, isAsked }: Posting,
): Promise<void> {
  const differing = changes.filter(({ quantity: change }) => change !== 0);
  if (differing.length === 0) {
    ctx.out.say("The count is what the books have; there is nothing to book.");
    return;
  }
  const day = date ?? (await ctx.today());
  const net = differing.reduce((sum, { value }) => sum + value, 0);
  const { dryRun, plan, input, yes } = ctx.flags;
  const makeEntries = async (at: Context) => {
    const number = await nextAdjustmentNumber(at);
    const ContactID = await findOrCreateContact(at, stockAdjustments, at.out.say);
    const documentHead = {
      ...{ Contact: { ContactID }, Date: day, DueDate: day },
      ...({ Status: "AUTHORISED", LineAmountTypes: "NoTax" } as const),
    };
    const client = await at.client();
    const [more, less] = [1, -1].map((sign) => linesOf(differing, sign as 1 | -1, reason));
    if (more !== undefined && more.length > 0) {
      await client.create(invoice, {
        ...documentHead,
        Type: "ACCPAY",
        ...{ InvoiceNumber: number, LineItems: more },
      });
    }
    if (less !== undefined && less.length > 0) {
      await client.create(creditNote, {
        ...documentHead,
        Type: "ACCPAYCREDIT",
        ...{ CreditNoteNumber: number, LineItems: less },
      });
    }
    return number;
  };
  const isTrial = dryRun && plan === undefined;
  await tryAsPlan(ctx, async (at) => void (await makeEntries(isTrial ? at : silent(at))));
  if (isTrial) return;
  if (isAsked || (input && !yes)) {
    const items = counted(new Set(differing.map((change) => change.item.Code)).size, "item");
    await confirm(
      ctx,
      `Book ${items} of ${amountText(net as Cents, await baseOf(ctx))} on ${day}?`,
    );
  }
  ctx.out.say(`Booked as ${await makeEntries(ctx)}.`);
}

/** Returns the lines of goods of one sign, and of their cost on other accounts. */
function linesOf(changes: readonly Change[], sign: 1 | -1, reason: string): LineItemInput[] {
  const ofSign = changes.filter(({ quantity: change }) => Math.sign(change) === sign);
  const goods = ofSign.map(({ item: of, quantity: change, value }) => ({
    ItemCode: of.Code,
    Description: `${of.Code}: ${reason}`,
    Quantity: (sign * change) as Quantity,
    LineAmount: (sign * value) as Cents,
  }));
  const costs = [...Map.groupBy(ofSign, ({ account }) => account)].map(([AccountCode, of]) => ({
    Description: reason,
    Quantity: 10_000 as Quantity,
    UnitAmount: (of.reduce((sum, { value }) => sum - sign * value, 0) * 100) as UnitAmount,
    AccountCode,
  }));
  return [...goods, ...costs];
}

/** Returns the number after those of earlier adjustments, `ST-1` for the first. */
async function nextAdjustmentNumber(ctx: Context): Promise<string> {
  const client = await ctx.client();
  let lastNumber = 0;
  const bills = compare(invoice.fields, "Contact.Name", "==", stockAdjustments);
  const notes = compare(creditNote.fields, "Contact.Name", "==", stockAdjustments);
  const numbers = [
    ...(await Array.fromAsync(client.list(invoice, { where: bills }))).map(
      (record) => record.InvoiceNumber,
    ),
    ...(await Array.fromAsync(client.list(creditNote, { where: notes }))).map(
      (record) => record.CreditNoteNumber,
    ),
  ];
  for (const number of numbers)
    lastNumber = Math.max(lastNumber, Number(/^ST-(\d+)$/.exec(number ?? "")?.[1] ?? 0));
  return `ST-${lastNumber + 1}`;
}
