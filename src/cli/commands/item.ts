/** `acct item`: products and services that are bought and sold. */

import { type ItemInput, item } from "../../resources/item.ts";
import type { Child } from "../context/context.ts";
import { flagLikeField } from "../framework/command.ts";
import { fieldsOf } from "../framework/flags.ts";
import { fieldsInOptions, fileFlag } from "../framework/input.ts";
import { listCommand } from "../shared/list-verb.ts";
import {
  createVerb,
  deleteCommand,
  historyCommand,
  importVerb,
  noteCommand,
  nounOf,
  showCommand,
  updateVerb,
} from "../shared/verbs.ts";
import { adjustCommand, stocktakeCommand } from "./item-stock.ts";

const fields = fieldsOf(item);

type ItemPrices = NonNullable<ItemInput["SalesDetails"]>;

/** Sales and purchase details of an item, each field with a flag of its own. */
interface DetailOptions {
  readonly unitPrice?: ItemPrices["UnitPrice"];
  readonly salesAccount?: ItemPrices["AccountCode"];
  readonly salesTax?: ItemPrices["TaxType"];
  readonly purchasePrice?: ItemPrices["UnitPrice"];
  readonly purchaseAccount?: ItemPrices["AccountCode"];
  readonly purchaseTax?: ItemPrices["TaxType"];
  readonly cogsAccount?: ItemPrices["COGSAccountCode"];
}

const { UnitPrice, TaxType, AccountCode } = item.fields.SalesDetails.fields;
const flags = [
  flagLikeField("unit-price", UnitPrice, { help: "what it sells for" }),
  flagLikeField("sales-account", AccountCode, {
    refers: "account",
    help: "where sales of it are booked",
  }),
  flagLikeField("sales-tax", TaxType, { refers: "tax-rate", help: "tax rate of its sales" }),
  flagLikeField("purchase-price", UnitPrice, { help: "what it is bought for" }),
  flagLikeField("purchase-account", AccountCode, {
    refers: "account",
    help: "where purchases are booked; untracked items",
  }),
  flagLikeField("purchase-tax", TaxType, { refers: "tax-rate", help: "tax rate of its purchases" }),
  flagLikeField("cogs-account", AccountCode, {
    refers: "account",
    help: "cost of goods sold; tracked items",
  }),
  fileFlag,
];

/**
 * Builds the two detail objects of an item from the flags; an object without any flag is left out.
 */
function inputFrom(options: DetailOptions): ItemInput {
  const SalesDetails = withoutUnset({
    UnitPrice: options.unitPrice,
    AccountCode: options.salesAccount,
    TaxType: options.salesTax,
  });
  const PurchaseDetails = withoutUnset({
    UnitPrice: options.purchasePrice,
    AccountCode: options.purchaseAccount,
    TaxType: options.purchaseTax,
    COGSAccountCode: options.cogsAccount,
  });
  return { ...fieldsInOptions(item, options), ...withoutUnset({ SalesDetails, PurchaseDetails }) };
}

function withoutUnset<T extends object>(values: T): T | undefined {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as T);
}

const noun = nounOf(item);

export const itemVerbs: readonly Child[] = [
  listCommand({ resource: item, examples: ["acct item list --code MUG,LAMP"] }),
  showCommand(noun),
  createVerb(noun, {
    summary: "make an item",
    fields,
    flags,
    said: inputFrom,
    notes: [
      "With an inventory account and a cost account the item is tracked: quantity and value on hand.",
    ],
    examples: [
      "acct item create --code TILE --name 'Glazed tile' --unit-price 49.90 --sales-account 200",
      "acct item create --code SHADE --inventory-asset-account-code 630 --cogs-account 310",
    ],
  }),
  updateVerb(noun, {
    summary: "change an item",
    fields,
    flags,
    said: inputFrom,
    // The service replaces details as a whole, so unchanged fields are sent with their old values.
    sent: async (_, item, input) => ({
      Code: item.Code,
      ...input,
      ...(input.SalesDetails && { SalesDetails: { ...item.SalesDetails, ...input.SalesDetails } }),
      ...(input.PurchaseDetails && {
        PurchaseDetails: { ...item.PurchaseDetails, ...input.PurchaseDetails },
      }),
    }),
    notes: ["What is not given stays as it is."],
    examples: ["acct item update MUG --unit-price 54.90"],
  }),
  deleteCommand(noun),
  stocktakeCommand,
  adjustCommand,
  historyCommand(noun),
  noteCommand(noun),
  importVerb("item"),
];
