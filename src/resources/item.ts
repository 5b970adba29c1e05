/** Items that are bought or sold; tracked items have a quantity and value on hand. */
import {
  boolean,
  choice,
  type Input,
  id,
  money,
  one,
  quantity,
  resource,
  type Shape,
  text,
  timestamp,
  unitAmount,
  usualAccess,
} from "./field.ts";
import { type Unit, units } from "./unit.ts";

const unitCodes = Object.keys(units) as Unit[];

const details = {
  UnitPrice: unitAmount(),
  AccountCode: text({ max: 10, help: "not for purchases of tracked items" }),
  COGSAccountCode: text({ max: 10, help: "cost of goods sold; tracked items, purchases only" }),
  TaxType: text({ max: 50 }),
} as const;

export const item = resource(
  "Item",
  () => ({
    ItemID: id({ always: true }),
    Code: text({ max: 30, required: true, key: true, filter: true }),
    Name: text({ max: 50, filter: true, oneLine: true }),
    IsSold: boolean({ default: true, always: true, filter: true }),
    IsPurchased: boolean({ default: true, always: true, filter: true }),
    Description: text({ max: 4000, verbatim: true, help: "as it stands on sales" }),
    PurchaseDescription: text({ max: 4000, verbatim: true }),
    UnitCode: choice(unitCodes, {
      extension: true,
      help: "unit of its quantities on e-invoices: HUR is an hour",
    }),
    PurchaseDetails: one(details),
    SalesDetails: one(details),
    IsTrackedAsInventory: boolean({ readOnly: true, always: true }),
    InventoryAssetAccountCode: text({
      max: 10,
      help: "makes the item tracked; account of type INVENTORY",
    }),
    TotalCostPool: money({ readOnly: true }),
    QuantityOnHand: quantity({ readOnly: true }),
    UpdatedDateUTC: timestamp({ readOnly: true, always: true }),
  }),
  {
    plural: "Items",
    id: "ItemID",
    keys: ["Code"],
    ...usualAccess,
    record: ["GET", "POST", "DELETE"],
    unitdp: true,
    columns: [
      "Code",
      "Name",
      "SalesDetails.UnitPrice",
      "PurchaseDetails.UnitPrice",
      "QuantityOnHand",
    ],
    listOrder: "Code ASC",
    noun: "item",
    example: "MUG",
    summary: "things bought and sold",
  },
);

export type Item = Shape<typeof item>;
export type ItemInput = Input<typeof item>;
