/** What the company buys, and how it pays. */
import { cli } from "./bookkeeper.ts";
import { payees } from "./company.ts";
import { inUnits, type Plan } from "./plan.ts";
import { buyInUnion } from "./union.ts";

export function buy(plan: Plan, month: number): void {
  stock(plan, month);
  power(plan, month);
  repairs(plan, month);
  freight(plan, month);
  pigments(plan, month);
  inOneRun(plan, month);
  outOfPocket(plan, month);
  buyInUnion(plan, month);
  if (plan.isReturnDue(month)) afterTheReturn(plan, month);
  if (month === 0) insurance(plan);
  if (month === 2) kiln(plan);
  if (month === 4) customs(plan);
  if (month === 4 && plan.country.tax.reverse !== undefined) advice(plan);
}

/** What services are taxed as; in France their tax is reclaimed when they are paid. */
const services = ({ country: { tax } }: Plan) =>
  tax.servicesBought === undefined ? "purchases" : "servicesBought";

function stock(plan: Plan, month: number): void {
  const bill = plan.bill(month, 3, "Clay Merchants", `CM-4${10 + month}`, [
    { text: "Clay", net: 8_50, quantity: 60 + month, item: "CLAY-5" },
    { text: "Glaze", net: 15_75 + month * 10, quantity: 20, item: "GLAZE-1" },
  ]);
  let owed = bill.total;
  if (month % 4 === 2) {
    const number = `SC-${20 + month}`;
    const credit = plan.supplierCredit(month, 5, "Clay Merchants", number, [
      { text: "Broken bags", net: 40_00, account: "materials" },
    ]);
    const { date } = credit;
    const words = cli`credit-note allocate ${number} --invoice ${bill.number} --date ${date}`;
    plan.deed(month, { date, words });
    owed -= credit.total;
  }
  const said = { payee: "CLAY MERCHANTS", text: bill.number, by: "auto" } as const;
  plan.bank("current", [month + 1, 20], -owed, said);
}

/** Some clay has gone, and a glaze was overlooked the last time. */
export function count(plan: Plan, month: number): void {
  const date = plan.day(month, 30);
  const onHand = plan.stockAt(date);
  const found = [
    ["CLAY-5", -2],
    ["GLAZE-1", 1],
  ] as const;
  const counted = found.flatMap(([item, difference]) => [
    "--count",
    `${item}=${(onHand.get(item)?.quantity ?? 0) + difference}`,
  ]);
  plan.deed(month, { date, words: [...cli`item stocktake --yes --date ${date}`, ...counted] });
  for (const [item, quantity] of found) plan.movements.push({ date, item, quantity });
}

/** Is billed in the month after, and accrued until then. */
function power(plan: Plan, month: number): void {
  const { accounts } = plan.country;
  const net = 190_00 + 3_00 * month;
  const { number, total } = plan.bill(month, 5, "City Power", `P-${2300 + month}`, [
    { text: "Power of last month", net, account: "power" },
  ]);
  const said = { payee: "CITY POWER", text: `DIRECT DEBIT ${number}`, by: "auto" } as const;
  plan.bank("current", [month, 21], -total, said);
  const last = plan.lastDay(month);
  const lines = [`${accounts.power},debit`, `${accounts.accruals},credit`].flatMap((side) => [
    "--line",
    `account=${side}=${inUnits(net)}`,
  ]);
  const accrual = cli`manual-journal create --narration ${"Power not billed yet"} --date ${last} --reverse-on ${plan.day(month + 1, 1)}`;
  plan.deed(month, { date: last, words: [...accrual, ...lines] });
}

/** Is paid in the book before the bank shows it in the month after. */
function repairs(plan: Plan, month: number): void {
  const bill = plan.bill(month, 8, "Quay Street Trust", `QT-${9990 + month}`, [
    { text: "Repairs", net: 320_00 + 5_00 * month, account: "repairs", tax: services(plan) },
  ]);
  const { number, total } = bill;
  plan.settle(bill, [month, 29], total);
  const date = plan.day(month, 29);
  plan.deed(month, {
    date,
    words: cli`payment apply ${number} --account ${plan.country.accounts.current} --date ${date}`,
  });
  plan.bank("current", [month + 1, 2], -total, {
    payee: "QUAY STREET TRUST",
    text: number,
    by: "auto",
  });
}

function freight(plan: Plan, month: number): void {
  const currency = plan.country.other;
  const { number, total } = plan.bill(
    month,
    12,
    "Ghan Freight",
    `GF-${10 + month}`,
    [{ text: "Freight", net: 300_00 + 7_00 * month, account: "freight", tax: "none" }],
    { currency, ...(month % 2 === 0 && { rate: plan.rate(currency, month) }) },
  );
  freightPaid(plan, month + 1, number, total);
}

/** A bill in another currency, paid from the account in base currency at the bank's own rate. */
export function freightPaid(plan: Plan, month: number, number: string, amount: number): void {
  const { other } = plan.country;
  const paid = plan.inBase(amount, plan.rate(other, month) * 0.985);
  plan.bank("current", [month, 10], -paid, {
    payee: "GHAN FREIGHT",
    text: `INVOICE ${number}`,
    original: { amount: -amount, currency: other },
    by: cli`--invoice ${number}`,
  });
}

/** In dollars, from the dollar account. */
function pigments(plan: Plan, month: number): void {
  const currency = plan.country.dollars;
  const { number, total } = plan.bill(
    month,
    16,
    "Pacific Pigments",
    `PP-${710 + month}`,
    [{ text: "Cobalt", net: 150_00 + 6_00 * month, account: "materials", tax: "none" }],
    { currency, ...(month % 2 === 0 && { rate: plan.rate(currency, month) }) },
  );
  plan.bank("dollars", [month + 1, 17], -total, {
    payee: "PACIFIC PIGMENTS",
    text: number,
    by: "auto",
  });
}

/** Two bills, one payment, one file for the bank, one line. */
function inOneRun(plan: Plan, month: number): void {
  const cleaning = plan.bill(month, 18, "Nest Cleaning", `NC-${310 + month}`, [
    { text: "Cleaning", net: 140_00, account: "cleaning", tax: services(plan) },
  ]);
  plan.settle(cleaning, [month, 26], cleaning.total);
  const printing = plan.bill(month, 19, "Print Shop", `PS-${510 + month}`, [
    { text: "Labels", net: 60_00 + 1_00 * month, account: "printing" },
  ]);
  const run = `PAYRUN${String(month + 1).padStart(2, "0")}`;
  const date = plan.day(month, 26);
  plan.deed(month, {
    date,
    words: cli`batch-payment create --account ${plan.country.accounts.current} --date ${date} --reference ${run} --pay ${cleaning.number} --pay ${printing.number}`,
  });
  const rows = (
    [
      ["Nest Cleaning", cleaning],
      ["Print Shop", printing],
    ] as const
  ).map(([name, { number, total }]) =>
    [name, payees[name], inUnits(total), number, date].join(","),
  );
  plan.deed(month, {
    date,
    words: cli`batch-payment file ${`BP-${month + 1}`} --format csv --output-file -`,
    prints: ["Name,Account,Amount,Reference,Date", ...rows, ""].join("\n"),
  });
  const said = { payee: "BULK PAYMENT", text: run, reference: run, by: "auto" } as const;
  plan.bank("current", [month, 27], -(cleaning.total + printing.total), said);
}

/** What the potter has paid herself: claimed, approved and paid back within the month. */
function outOfPocket(plan: Plan, month: number): void {
  if (month === 0) {
    const words = cli`employee create --first-name Mia --last-name Tui`;
    plan.deed(month, { date: plan.day(month, 1), words });
  }
  const nets = [40_00 + 1_00 * month, 12_00];
  const { tax, accounts } = plan.country;
  const claimed = plan.day(month, 24);
  for (const [at, net] of nets.entries()) {
    const date = plan.day(month, 11 + at);
    const words = cli`expense ${inUnits(plan.total(net))} Clay --by ${"Mia Tui"} --to ${accounts.freight} --tax ${tax.purchases} --date ${date}`;
    plan.deed(month, { date, words });
    plan.tax({ date: claimed, month, side: "purchases", net, tax: plan.taxOf(net) });
  }
  const claim = `EC-${month + 1}`;
  const total = nets.reduce((sum, net) => sum + plan.total(net), 0);
  for (const [day, words] of [
    [24, cli`expense submit ${"Mia Tui"} --date ${claimed}`],
    [25, cli`expense approve ${claim}`],
    [25, cli`expense pay ${claim} --account ${accounts.current} --date ${plan.day(month, 25)}`],
  ] as const) {
    plan.deed(month, { date: plan.day(month, day), words });
  }
  plan.bank("current", [month, 26], -total, { payee: "MIA TUI", text: "EXPENSES", by: "auto" });
}

/** Comes after the return of its month was published, and before the month is closed. */
function afterTheReturn(plan: Plan, month: number): void {
  const { number, total } = plan.bill(
    month,
    19,
    "Clay Merchants",
    `CM-9${10 + month}`,
    [{ text: "Kiln shelves", net: 80_00 + 1_00 * month, account: "materials" }],
    { when: "late" },
  );
  plan.bank("current", [month + 1, 21], -total, {
    payee: "CLAY MERCHANTS",
    text: number,
    by: "auto",
  });
}

/** Of the whole year, spread over its months; and a licence that was paid ahead before the year. */
function insurance(plan: Plan): void {
  const { accounts } = plan.country;
  const cover = plan.bill(0, 14, "Southern Cover", "SO-77", [
    { text: "Insurance of the year", net: 2400_00, account: "insurance", tax: services(plan) },
  ]);
  const { number, total, date } = cover;
  plan.settle(cover, [1, 14], total);
  plan.bank("current", [1, 14], -total, { payee: "SOUTHERN COVER", text: number, by: "auto" });
  plan.deed(0, {
    date,
    words: cli`manual-journal create --narration Insurance --date ${date} --over ${"12 months"} --line ${`account=${accounts.insurance},amount=2400`}`,
  });
  const last = plan.lastDay(0);
  plan.deed(0, {
    date: last,
    words: cli`manual-journal create --narration ${"Licence paid ahead"} --date ${last} --every month --times 10 --line ${`account=${accounts.subscriptions},debit=124`} --line ${`account=${accounts.prepaid},credit=124`}`,
  });
}

function kiln(plan: Plan): void {
  const { number, total, date } = plan.bill(2, 10, "Kiln Makers", "KM-301", [
    { text: "Kiln", net: 6000_00, account: "equipment", tax: "capital" },
  ]);
  plan.deed(2, { date, words: cli`asset add --bill ${number} --life 8` });
  plan.bank("current", [3, 20], -total, { payee: "KILN MAKERS", text: number, by: "auto" });
}

/** A bill of nothing but tax on imports. */
function customs(plan: Plan): void {
  // In France the importer declares what it imports, and pays customs no tax.
  const account = plan.country.tax.imports === "GSTONIMPORTS" ? "importTax" : "materials";
  const { number, total } = plan.bill(4, 17, "Customs", "CU-8801", [
    { text: "Import tax", net: 310_00, account, tax: "imports" },
  ]);
  plan.bank("current", [4, 18], -total, { payee: "CUSTOMS", text: number, by: "auto" });
}

/** From abroad: the buyer owes the tax and reclaims it, and pays the supplier none. */
function advice(plan: Plan): void {
  const { number, total } = plan.bill(4, 22, "Print Shop", "PS-590", [
    { text: "Advice", net: 400_00, account: "consulting", tax: "reverse" },
  ]);
  plan.bank("current", [5, 19], -total, { payee: "PRINT SHOP", text: number, by: "auto" });
}
