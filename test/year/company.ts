/**
 * The company: makers of pots who kept their books elsewhere until the year before.
 *
 * Forty accounts, twelve open documents, two of them in other currencies, and three items in stock are
 * files, as the program before exported them.
 */
import { csvRow } from "../../src/cli/render/csv-row.ts";
import { type Bookkeeper, cli, type Words } from "./bookkeeper.ts";
import type { AccountRole, Country } from "./country.ts";
import { type BankCode, inUnits, type Plan } from "./plan.ts";

/** Numbers of the bank accounts, with check digits of New Zealand and in the form of Australia. */
export const bankNumbers: Readonly<Record<BankCode, string>> = {
  current: "123456789013800",
  savings: "123456789013850",
  dollars: "123456789013897",
};

const dollars = 2100_00;
/** Was written before the conversion, and comes to the bank after it. */
export const cheque = 115_00;

/** What the bank has when the year begins. */
export const openingAtBank: Readonly<Record<BankCode, number>> = {
  current: 18_240_55 + cheque,
  savings: 12_000_00,
  dollars: dollars,
};

type Place = readonly [months: number, day: number];

/** Months are counted from the last of the old books, which is -1. */
interface OpenDocument {
  readonly type: "invoice" | "bill" | "credit note" | "supplier credit";
  readonly number: string;
  readonly contact: string;
  readonly date: Place;
  readonly due?: Place;
  readonly lines: readonly (readonly [net: number, account: AccountRole])[];
  /** Of a document that is paid in part. */
  readonly outstanding?: number;
  /** Without tax. */
  readonly currency?: string;
}

// biome-ignore format: a row is a document
const documentsOf = ({ country: { other } }: Plan): readonly OpenDocument[] => [
  { type: "invoice", number: "INV-0871", contact: "Kowhai Cafe", date: [-3, 20], due: [-2, 20], lines: [[400_00, "sales"]] },
  { type: "invoice", number: "INV-0884", contact: "Harbour Hotel", date: [-2, 11], due: [-1, 20], lines: [[1500_00, "sales"]], outstanding: 725_00 },
  { type: "invoice", number: "INV-0890", contact: "Moa Coffee", date: [-1, 5], due: [0, 20], lines: [[200_00, "sales"], [100_00, "otherIncome"]] },
  { type: "invoice", number: "INV-0893", contact: "Rimu Rentals", date: [-1, 18], due: [0, 20], lines: [[2000_00, "sales"]] },
  { type: "invoice", number: "INV-0895", contact: "Kowhai Cafe", date: [-1, 27], due: [0, 20], lines: [[150_00, "sales"]] },
  { type: "invoice", number: "INV-0896", contact: "Alder Inc", date: [-1, 28], due: [0, 27], lines: [[1200_00, "sales"]], currency: "USD" },
  { type: "credit note", number: "CN-0031", contact: "Moa Coffee", date: [-1, 12], lines: [[50_00, "sales"]] },
  { type: "bill", number: "55812", contact: "Clay Merchants", date: [-1, 2], due: [0, 20], lines: [[1200_00, "materials"]] },
  { type: "bill", number: "P-2207", contact: "City Power", date: [-1, 15], due: [0, 15], lines: [[180_00, "power"]] },
  { type: "bill", number: "QT-9981", contact: "Quay Street Trust", date: [-1, 30], due: [0, 20], lines: [[1600_00, "rent"]] },
  { type: "bill", number: "GF-09", contact: "Ghan Freight", date: [-1, 20], due: [0, 20], lines: [[460_00, "freight"]], currency: other },
  { type: "supplier credit", number: "SC-4", contact: "Clay Merchants", date: [-1, 22], lines: [[100_00, "materials"]] },
];

export const stock = [
  { code: "GLAZE-1", quantity: 40, cost: 620_00 },
  { code: "CLAY-5", quantity: 125, cost: 1031_25 },
  { code: "KILN-S", quantity: 3, cost: 2148_75 },
] as const;

/** Debit positive, in cents; the rest follows from documents, stock, dollars and all others. */
// biome-ignore format: a row is a few accounts
const balances: readonly (readonly [role: AccountRole, amount: number])[] = [
  ["current", 18_240_55], ["savings", 12_000_00], ["sales", -146_820_40], ["otherIncome", -2310_00], ["interestEarned", -214_36],
  ["materials", 41_230_15], ["stockSold", 9804_30], ["advertising", 2750_00], ["bankFees", 318_40], ["cleaning", 1560_00],
  ["consulting", 4200_00], ["depreciation", 3115_00], ["entertainment", 486_20], ["freight", 2894_75], ["general", 1322_09],
  ["insurance", 2480_00], ["interest", 611_20], ["power", 3610_44], ["vehicles", 4127_63], ["office", 905_17],
  ["printing", 388_60], ["rent", 19_200_00], ["repairs", 1143_20], ["wages", 38_400_00], ["subscriptions", 1188_00],
  ["telephone", 1644_00], ["travel", 976_35], ["prepaid", 1240_00], ["equipment", 8200_00], ["equipmentWorn", -2460_00],
  ["computers", 9400_00], ["computersWorn", -4655_00], ["tax", -2938_77], ["wageTax", -1486_00], ["loan", -15_000_00],
];

/** What is to be paid of a document, in its currency. */
function outstanding(plan: Plan, { lines, outstanding: rest, currency }: OpenDocument): number {
  const net = lines.map(([each]) => each);
  const amounts = currency === undefined ? net.map((each) => plan.total(each)) : net;
  return rest ?? amounts.reduce((sum, each) => sum + each, 0);
}

/** What stands on each account on the day of the conversion, debit positive. */
export function openingBalances(plan: Plan): ReadonlyMap<string, number> {
  const { rates, accounts } = plan.country;
  const found = new Map<string, number>();
  const add = (role: AccountRole, amount: number) =>
    found.set(accounts[role], (found.get(accounts[role]) ?? 0) + amount);
  for (const [role, amount] of balances) add(role, amount);
  for (const each of documentsOf(plan)) {
    const due = plan.inBase(outstanding(plan, each), rates[each.currency ?? ""] ?? 1);
    const isSale = each.type === "invoice" || each.type === "credit note";
    const isCredit = each.type.includes("credit");
    add(isSale ? "receivables" : "payables", isSale === isCredit ? -due : due);
  }
  for (const { cost } of stock) add("stock", cost);
  add("dollars", plan.inBase(dollars, rates.USD ?? 1));
  add("retained", -[...found.values()].reduce((sum, each) => sum + each, 0));
  return found;
}

const csv = (rows: readonly (readonly string[])[]) => rows.map((row) => csvRow(row)).join("");

/** The files that `acct opening set` takes. */
export function openingFiles(plan: Plan) {
  const { tax, rates, accounts } = plan.country;
  const balances = [...openingBalances(plan)].map(([code, amount]) => [
    code,
    amount > 0 ? inUnits(amount) : "",
    amount < 0 ? inUnits(-amount) : "",
    code === accounts.dollars ? inUnits(dollars) : "",
  ]);
  const documents = documentsOf(plan).flatMap((each) => {
    const { type, number, contact, date, due, lines, currency = "" } = each;
    const isForeign = currency !== "";
    const isSale = type === "invoice" || type === "credit note";
    const rate = isSale
      ? isForeign
        ? tax.exports
        : tax.sales
      : isForeign
        ? tax.none
        : tax.purchases;
    return lines.map(([net, account]) => [
      type,
      number,
      contact,
      plan.day(...date),
      due === undefined ? "" : plan.day(...due),
      inUnits(isForeign ? net : plan.total(net)),
      inUnits(isForeign ? 0 : plan.taxOf(net)),
      accounts[account],
      rate,
      each.outstanding === undefined ? "" : inUnits(each.outstanding),
      currency,
      isForeign ? String(rates[currency]) : "",
    ]);
  });
  return {
    balances: csv([["Account", "Debit", "Credit", "Currency Balance"], ...balances]),
    documents: csv([
      [
        ...["Type", "Number", "Contact", "Date", "Due Date", "Amount", "Tax", "Account"],
        ...["Tax Type", "Amount Due", "Currency", "Rate"],
      ],
      ...documents,
    ]),
    stock: csv([
      ["Item", "Quantity", "Cost"],
      ...stock.map(({ code, quantity, cost }) => [code, String(quantity), inUnits(cost)]),
    ]),
  };
}

/** Customers and suppliers; all but one have an address for email. */
const customers = [
  ...["Kowhai Cafe", "Harbour Hotel", "Moa Coffee", "Rimu Rentals", "Alder Inc"],
  ...["Bishop & Sons", "Puka Gallery", "Tui Trust"],
];
export const withoutAddress = "Puka Gallery";
/** In another state of the European Union; of a company in one. */
export const unionCustomer = "Atelier Nord";

export const customersOf = ({ inUnion }: Country) =>
  inUnion === undefined ? customers : [...customers, unionCustomer];

const suppliers = [
  ...["Clay Merchants", "City Power", "Quay Street Trust", "Ghan Freight", "Pacific Pigments"],
  ...["Southern Cover", "Harbour Properties", "Nest Cleaning", "Print Shop", "Kiln Makers"],
  ...["Customs", "Staff", "Bank"],
];

/** Bank accounts of those who are paid by a file. */
export const payees: Readonly<Record<string, string>> = {
  "Nest Cleaning": "123140017132350",
  "Print Shop": "086523195451201",
};

/** Makes the book. @param flags  that say where */
export async function makeBook(keeper: Bookkeeper, { country }: Plan, ...flags: Words) {
  keeper.on(country.conversion);
  await keeper.ok([...cli`init --name ${country.company} --country ${country.code}`, ...flags]);
}

/** Makes its chart and its register, and takes over what stood in the books before. */
export async function openBooks(keeper: Bookkeeper, plan: Plan) {
  const { country } = plan;
  const ok = (words: Words) => keeper.ok(words);
  keeper.on(plan.day(0, 1));
  await ok(`organisation update ${country.taxReturn.setting}`.split(" "));
  for (const code of [country.dollars, country.other]) await ok(cli`currency add ${code}`);
  const banks = { current: "Business Account", savings: "Savings", dollars: "Dollar Account" };
  const { accounts, inUnion } = country;
  for (const [role, name] of Object.entries(banks) as [BankCode, string][]) {
    const number = bankNumbers[role];
    const kind = cli`account create --code ${accounts[role]} --name ${name} --type BANK`;
    const currency = role === "dollars" ? cli`--currency-code USD` : [];
    await ok([...kind, ...cli`--bank-account-number ${number}`, ...currency]);
  }
  if (inUnion !== undefined) {
    await ok(
      cli`account create --code ${accounts.stockSold} --name ${inUnion.stockSold} --type DIRECTCOSTS`,
    );
  }
  for (const { code } of stock) {
    await ok(
      cli`item create --code ${code} --sales-account ${accounts.sales} --inventory-asset-account-code ${accounts.stock} --cogs-account ${accounts.stockSold}`,
    );
  }
  for (const name of [...customersOf(country), ...suppliers]) {
    const address = `${name.toLowerCase().replace(/\W+/g, ".")}@example.com`;
    const email = name === withoutAddress ? [] : cli`--email-address ${address}`;
    const payee = payees[name];
    const number = payee === undefined ? [] : cli`--bank-account-details ${payee}`;
    const vat = inUnion !== undefined && name === unionCustomer;
    const registered = vat ? cli`--tax-number ${inUnion.number}` : [];
    await ok([...cli`contact create --name ${name}`, ...email, ...number, ...registered]);
  }
  // On the bank's statement of the first month, and in the balances already.
  const line = `description=Courier,unit-amount=${inUnits(cheque)},account=${accounts.freight},tax-type=${country.tax.none}`;
  const { BankTransactionID } = await keeper.json([
    ...cli`bank-transaction create --type SPEND --bank-account ${accounts.current} --contact ${"Ghan Freight"}`,
    ...cli`--date ${plan.day(-1, 25)} --reference 000117 --line ${line}`,
  ]);
  const files = openingFiles(plan);
  const [balances, documents, onHand] = [
    keeper.file("balances.csv", files.balances),
    keeper.file("documents.csv", files.documents),
    keeper.file("stock.csv", files.stock),
  ];
  await ok([
    ...cli`opening set ${balances} --date ${country.conversion}`,
    ...cli`--documents ${documents} --stock ${onHand}`,
  ]);
  const assets = [
    ["Wheel", 8200_00, 2460_00, "equipment", "8"],
    ["Computers", 9400_00, 4655_00, "computers", "4"],
  ] as const;
  for (const [name, cost, accumulated, account, life] of assets) {
    await ok([
      ...cli`asset add --name ${name} --purchase-date ${plan.day(-24, 1)} --cost ${inUnits(cost)}`,
      ...cli`--life ${life} --asset-account ${accounts[account]} --opening-accumulated ${inUnits(accumulated)}`,
    ]);
  }
  return { cheque: BankTransactionID as string };
}
