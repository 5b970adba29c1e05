/** The count of an item in a stocktake, beside what the books have of it. */
import { money, quantity, resource, type Shape, text } from "./field.ts";

export const stockCount = resource(
  "StockCount",
  () => ({
    Code: text({ max: 30, required: true, key: true }),
    Name: text({ max: 50 }),
    Book: quantity({ help: "on hand in the books" }),
    Counted: quantity(),
    Difference: quantity(),
    Value: money({ help: "of the difference, at average cost" }),
    AccountCode: text({ max: 10, help: "where the value is booked" }),
  }),
  {
    plural: "StockCounts",
    id: "Code",
    batchMax: 500,
    columns: ["Code", "Name", "Book", "Counted", "Difference", "Value", "AccountCode"],
    noun: "stock count",
    summary: "items counted, beside what the books have of them",
  },
);

export type StockCount = Shape<typeof stockCount>;

/** Name of the contact of the bills and credit notes that adjust stock. */
export const stockAdjustments = "Stock adjustments";
