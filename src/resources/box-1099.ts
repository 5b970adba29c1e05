/** Box of a 1099 report that payments for an account are assigned to. */
import { choice, id, integer, resource, text } from "./field.ts";

export const box1099 = resource(
  "Box",
  () => ({
    AccountID: id({ readOnly: true, always: true }),
    AccountCode: text({ max: 50, required: true, key: true, help: "code or id of the account" }),
    Name: text({ readOnly: true }),
    Form: choice(["NEC", "MISC", "NONE"], { required: true, help: "NONE takes the account off" }),
    Box: integer({ min: 1, max: 14 }),
  }),
  {
    plural: "Boxes",
    id: "AccountID",
    collection: ["GET", "PUT"],
    batchMax: 100,
    columns: ["AccountCode", "Name", "Form", "Box"],
    noun: "1099-box",
    summary: "accounts on 1099 reports",
  },
);
