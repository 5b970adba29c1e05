/** What happens to the company in its year: what was open before, and every month the same and some more. */
import { cli } from "./bookkeeper.ts";
import { cheque, stock } from "./company.ts";
import type { Country } from "./country.ts";
import { type Doc, inUnits, Plan } from "./plan.ts";
import { buy, count, freightPaid } from "./purchases.ts";
import { sell } from "./sales.ts";

/** Lines of every month that rules explain: the words of the bank, and where they go. */
export const rulesOf = ({ tax, taxReturn, accounts }: Country) =>
  [
    [
      "Rent",
      "text contains WORKSHOP RENT",
      `${accounts.rent}:${tax.purchases}`,
      "Harbour Properties",
    ],
    ["Card takings", "text contains CARD SETTLEMENT", `${accounts.sales}:${tax.sales}`, "Bank"],
    ["Salaries", "text contains SALARIES", `${accounts.wages}:${tax.none}`, "Staff"],
    ["Account fees", "text contains ACCOUNT FEE", `${accounts.bankFees}:${tax.none}`, "Bank"],
    ["Interest", "text contains CREDIT INTEREST", `${accounts.interestEarned}:${tax.none}`, "Bank"],
    [taxReturn.office, `payee contains ${taxReturn.office}`, `${accounts.tax}:${tax.none}`, "Bank"],
  ] as const;

export function planOf(country: Country, options: { readonly hasTemplates?: boolean } = {}): Plan {
  const plan = new Plan(country, options);
  openItems(plan);
  const date = country.conversion;
  for (const { code, ...each } of stock) plan.movements.push({ date, item: code, ...each });
  for (let month = 0; month < 12; month += 1) {
    rates(plan, month);
    ruled(plan, month);
    ownAccounts(plan, month);
    sell(plan, month);
    buy(plan, month);
    count(plan, month);
  }
  taxPayments(plan);
  return plan;
}

/** What was open when the year began. */
function openItems(plan: Plan): void {
  const paid = (day: number, amount: number, payee: string, text: string) =>
    plan.bank("current", [0, day], amount, { payee, text, by: "auto" });
  plan.bank("current", [0, 3], -cheque, {
    payee: "GHAN FREIGHT",
    text: "CHEQUE 000117",
    reference: "000117",
    by: cli`--transaction $cheque`,
  });
  const date = plan.day(0, 2);
  for (const [credit, document] of [
    ["CN-0031", "INV-0890"],
    ["SC-4", "55812"],
  ] as const) {
    const words = cli`credit-note allocate ${credit} --invoice ${document} --date ${date}`;
    plan.deed(0, { date, words });
  }
  /** Was invoiced in the books before, where it was in a return if that goes by invoices. */
  const sold = (net: number, name: "sales" | "exports" = "sales"): Doc => {
    const tax = name === "sales" ? plan.taxOf(net) : 0;
    const inBase = name === "sales" ? net : plan.inBase(net, plan.country.rates.USD ?? 1);
    const document: Doc = { number: "", date, total: net + tax, paid: [] };
    plan.tax({
      ...{ date, month: 0, side: "sales", name, net: inBase, tax, document },
      isOpening: true,
    });
    return document;
  };
  plan.settle(sold(400_00), [0, 8], plan.total(400_00));
  plan.settle(sold(1500_00), [0, 9], 725_00);
  paid(8, plan.total(400_00), "KOWHAI CAFE", "INV-0871");
  paid(9, 725_00, "HARBOUR HOTEL", "REST OF INV-0884");
  const coffee = plan.total(200_00) + plan.total(100_00) - plan.total(50_00);
  const roasters = [sold(200_00), sold(100_00), sold(-50_00)];
  for (const each of roasters.slice(0, 2)) plan.settle(each, [0, 22], each.total);
  plan.settle(roasters[2] as Doc, [0, 2], plan.total(-50_00));
  paid(22, coffee, "MOA COFFEE", "INV-0890 LESS CREDIT");
  const half = plan.total(2000_00) / 2;
  const rentals = sold(2000_00);
  plan.settle(rentals, [0, 23], half);
  plan.settle(rentals, [1, 5], half);
  plan.settle(sold(150_00), [0, 28], plan.total(150_00));
  plan.settle(sold(1200_00, "exports"), [0, 14], 1200_00);
  plan.bank("current", [0, 23], half, {
    payee: "RIMU RENTALS",
    text: "HALF NOW",
    by: cli`--invoice INV-0893=${inUnits(half)}`,
  });
  plan.bank("current", [1, 5], half, { payee: "RIMU RENTALS", text: "INV-0893 REST", by: "auto" });
  paid(28, plan.total(150_00), "KOWHAI CAFE", "WITH THANKS");
  plan.bank("dollars", [0, 14], 1200_00, { payee: "ALDER INC", text: "INV-0896", by: "auto" });
  paid(20, plan.total(100_00) - plan.total(1200_00), "CLAY MERCHANTS", "55812 LESS SC-4");
  paid(15, -plan.total(180_00), "CITY POWER", "P-2207");
  paid(19, -plan.total(1600_00), "QUAY STREET TRUST", "QT-9981");
  freightPaid(plan, 0, "GF-09", 460_00);
  const { office } = plan.country.taxReturn;
  plan.bank("current", [0, 26], -2938_77, { payee: office, text: "TAX OF LAST YEAR", by: "rule" });
}

/** What currencies are worth on the first and on the last day. */
function rates(plan: Plan, month: number): void {
  for (const currency of [plan.country.dollars, plan.country.other]) {
    for (const [date, rate] of [
      [plan.day(month, 1), plan.rate(currency, month)],
      [plan.lastDay(month), plan.closingRate(currency, month)],
    ] as const) {
      const words = cli`currency rate ${currency} ${String(rate)} --date ${date}`;
      plan.deed(month, { date, words });
    }
  }
}

/** What rules know, and the loan, of which a part is interest. */
function ruled(plan: Plan, month: number): void {
  const ruled = (day: number, amount: number, payee: string, text: string) =>
    plan.bank("current", [month, day], amount, { payee, text, by: "rule" });
  const taxed = (day: number, net: number, side: "sales" | "purchases") => {
    plan.tax({ date: plan.day(month, day), month, side, net, tax: plan.taxOf(net) });
    return side === "sales" ? plan.total(net) : -plan.total(net);
  };
  ruled(1, taxed(1, 1600_00, "purchases"), "HARBOUR PROPERTIES", "WORKSHOP RENT");
  for (const [week, day] of [7, 14, 21, 28].entries()) {
    const takings = taxed(day, 800_00 + 20_00 * ((month + week) % 6), "sales");
    ruled(day, takings, "CARD SERVICES", `CARD SETTLEMENT WEEK ${week + 1}`);
  }
  ruled(16, taxed(16, 100_00, "purchases"), "STUDIO CLOUD", "SUBSCRIPTION");
  ruled(27, -3200_00, "STAFF", "SALARIES");
  ruled(31, -12_50, "BANK", "ACCOUNT FEE");
  const { tax, accounts } = plan.country;
  const { none } = tax;
  const interest = `${accounts.interest}:${none}=${inUnits(50_00 - 1_00 * month)}`;
  plan.bank("current", [month, 22], -650_00, {
    payee: "BANK",
    text: "LOAN 900-4471",
    by: cli`--account ${accounts.loan}:${none} --account ${interest} --contact Bank`,
  });
  plan.bank("savings", [month, 31], 21_00 + 1_05 * month, {
    payee: "BANK",
    text: "CREDIT INTEREST",
    by: "rule",
  });
}

/** Savings every month, and dollars changed at the bank's own rate. */
function ownAccounts(plan: Plan, month: number): void {
  const payee = "CLAY & KILN";
  plan.bank("current", [month, 15], -500_00, { payee, text: "TO SAVINGS", by: "rule" });
  const from = { payee, text: "FROM 123456789013800", by: "auto" } as const;
  plan.bank("savings", [month, 15], 500_00, from);
  if (month % 3 !== 2) return;
  const base = plan.inBase(600_00, plan.rate("USD", month) * 1.012);
  const by = cli`--transfer ${plan.country.accounts.current}=${inUnits(base)}`;
  plan.bank("dollars", [month, 24], -600_00, { payee, text: "TO 123456789013800", by });
  plan.bank("current", [month, 25], base, { payee, text: "FROM 123456789013897", by: "auto" });
}

/** Each return is paid on the 28th of the month after its own. */
function taxPayments(plan: Plan): void {
  const { office } = plan.country.taxReturn;
  for (let month = 0; month < 11; month += 1) {
    // Nothing is paid where a credit is carried over to the next one.
    if (!plan.isReturnDue(month) || plan.owed(month) === 0) continue;
    const said = { payee: office, text: "RETURN", by: "rule" } as const;
    plan.bank("current", [month + 1, 28], -plan.owed(month), said);
  }
}
