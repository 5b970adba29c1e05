/**
 * The VAT201 return of South Africa.
 *
 * Sales at the standard rate are reported including tax, which the form extracts by a fraction. For
 * accommodation for more than 28 days tax is charged on 60 % of the value.
 *
 * @source South African Revenue Service, form VAT201
 */
import {
  difference,
  grossOf,
  netOf,
  type ReturnForm,
  shareOf,
  sumOf,
  type TaxedSum,
  type Treatment,
  taxOf,
  usualHead,
} from "./form.ts";

const standardRate = 150_000;

const sales = (boxes: Treatment["boxes"]): Treatment => ({ side: "sales", boxes });
const purchases = (boxes: Treatment["boxes"]): Treatment => ({ side: "purchases", boxes });

const treatments: ReturnForm["treatments"] = {
  OUTPUT3: sales({ 1: grossOf }),
  SROUTPUT2: sales({ "1A": grossOf }),
  ZERORATED: sales({ 2: netOf }),
  ZERORATEDOUTPUT: sales({ "2A": netOf }),
  EXEMPTOUTPUT: sales({ 3: netOf }),
  ACC28PLUS: sales({ 5: netOf }),
  ACCUPTO28: sales({ 7: netOf }),
  OUTPUT4: sales({ 10: grossOf }),
  SHOUTPUT: sales({ 10: grossOf }),
  OTHEROUTPUT: sales({ 12: taxOf }),
  CAPEXINPUT2: purchases({ 14: taxOf }),
  // A line of imports on a tax account consists of tax only.
  "GSTONCAPIMPORTS LIABILITY": purchases({ "14A": grossOf }),
  GSTONCAPIMPORTS: purchases({}),
  INPUT3: purchases({ 15: taxOf }),
  "IMINPUT LIABILITY": purchases({ "15A": grossOf }),
  IMINPUT: purchases({}),
  INPUT4: purchases({ 16: taxOf }),
  BADDEBT: purchases({ 17: taxOf }),
  OTHERINPUT: purchases({ 18: taxOf }),
  ZRINPUT: purchases({}),
  EXEMPTINPUT: purchases({}),
  NONE: purchases({}),
};

/** Key of a sum: a custom rate counts as the standard rate when it charges 15 %. */
function keyOf({ taxType, accountClass, rate }: TaxedSum): string {
  if (taxType in treatments || rate !== standardRate) return taxType;
  return accountClass === "REVENUE" ? "OUTPUT3" : "INPUT3";
}

export const za: ReturnForm = {
  tax: "VAT",
  source: "South African Revenue Service, form VAT201",
  declared: { collected: "13", paid: "19" },
  headLines: usualHead("VAT number", "Payments basis", "Invoice basis"),
  treatments,
  keyOf,
  boxes: [
    { id: "1", description: "Standard rate, without capital goods, with VAT" },
    { id: "1A", description: "Standard rate, capital goods alone, with VAT" },
    { id: "2", description: "Zero rate, without goods exported" },
    { id: "2A", description: "Zero rate, goods exported alone" },
    { id: "3", description: "Exempt and non-supplies" },
    { id: "4", description: "Output tax of 1 (x 15 / 115)", formula: shareOf("1", 15, 115) },
    { id: "4A", description: "Output tax of 1A (x 15 / 115)", formula: shareOf("1A", 15, 115) },
    { id: "5", description: "Accommodation exceeding 28 days, without VAT" },
    { id: "6", description: "Taxable value of 5 (x 60 %)", formula: shareOf("5", 60, 100) },
    { id: "7", description: "Accommodation not exceeding 28 days, without VAT" },
    { id: "8", description: "Total accommodation (6 + 7)", formula: sumOf("6", "7") },
    { id: "9", description: "Output tax of 8 (x 15 %)", formula: shareOf("8", 15, 100) },
    { id: "10", description: "Change in use and export of second-hand goods, with VAT" },
    { id: "11", description: "Output tax of 10 (x 15 / 115)", formula: shareOf("10", 15, 115) },
    { id: "12", description: "Other output tax and imported services", entered: true },
    {
      id: "13",
      description: "Total output tax (4 + 4A + 9 + 11 + 12)",
      formula: sumOf("4", "4A", "9", "11", "12"),
    },
    { id: "14", description: "Input tax on capital goods", entered: true },
    { id: "14A", description: "Input tax on capital goods imported", entered: true },
    { id: "15", description: "Input tax on other goods and services" },
    { id: "15A", description: "Input tax on other goods imported", entered: true },
    { id: "16", description: "Input tax on change in use", entered: true },
    { id: "17", description: "Input tax on bad debts", entered: true },
    { id: "18", description: "Other input tax", entered: true },
    {
      id: "19",
      description: "Total input tax (14 + 14A + 15 + 15A + 16 + 17 + 18)",
      formula: sumOf("14", "14A", "15", "15A", "16", "17", "18"),
    },
    {
      id: "20",
      description: "VAT to pay, or a refund when negative (13 - 19)",
      formula: difference("13", "19"),
    },
  ],
};
