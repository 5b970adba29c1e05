/** Trade of a company in the European Union: other rates, other states, and tax that is not reclaimed. */
import { cli } from "./bookkeeper.ts";
import { unionCustomer } from "./company.ts";
import type { At, Doc, Item, Plan } from "./plan.ts";

export function sellInUnion(plan: Plan, month: number): void {
  if (plan.country.inUnion === undefined) return;
  const { accounts } = plan.country.inUnion;
  const fair = plan.invoice(month, 18, "Harbour Hotel", [
    {
      text: "Books of the fair",
      net: 99_95 + 3_33 * month,
      code: accounts.reduced,
      tax: "reduced",
    },
  ]);
  taken(plan, fair, [month + 1, 11], "HARBOUR HOTEL");
  const abroad = plan.invoice(month, 19, unionCustomer, [
    { text: "Vases", net: 640_40 + 12_35 * month, code: accounts.union, tax: "union" },
    ...(month % 3 === 1
      ? [
          {
            text: "Course",
            net: 450_45,
            code: accounts.unionServices,
            tax: "unionServices",
          } as const,
        ]
      : []),
  ]);
  let due = abroad.total;
  if (month % 4 === 1) {
    const credit = plan.creditNote(month, 19, unionCustomer, [
      { text: "Broken vase", net: 80_80, code: accounts.union, tax: "union" },
    ]);
    const words = cli`credit-note allocate ${credit.number} --invoice ${abroad.number} --date ${credit.date}`;
    plan.deed(month, { date: credit.date, words });
    due -= credit.total;
  }
  plan.bank("current", [month + 1, 13], due, {
    payee: "ATELIER NORD",
    text: abroad.number,
    by: "auto",
  });
}

export function buyInUnion(plan: Plan, month: number): void {
  if (plan.country.inUnion === undefined) return;
  const { accounts } = plan.country.inUnion;
  const { consulting, power, vehicles } = plan.country.accounts;
  const from = (number: string, net: number, code: string, item: Partial<Item>) =>
    buy(plan, month, number, { text: "From abroad", net, code, ...item });
  from(`EU-${100 + month}`, 310_55 + 7_77 * month, accounts.acquisition, { tax: "acquisition" });
  if (month % 2 === 1) from(`EU-${200 + month}`, 125_25 + month, consulting, { tax: "reverse" });
  if (month % 3 === 0) from(`EU-${300 + month}`, 57_35, power, { taxAmount: 11_03 });
  if ("fuel" in plan.country.tax) from(`EU-${400 + month}`, 62_35, vehicles, { tax: "fuel" });
  if (month === 9 && "owedAlone" in plan.country.tax) {
    from("EU-500", 230_15, consulting, { tax: "owedAlone" });
  }
  if (month === 8) {
    const car = from("CAR-1", 9000_00, accounts.car, { tax: "blocked" });
    plan.deed(month, { date: car.date, words: cli`asset add --bill ${car.number} --life 5` });
  }
}

function taken(plan: Plan, document: Doc, at: At, payee: string): void {
  plan.settle(document, at, document.total);
  plan.bank("current", at, document.total, { payee, text: document.number, by: "auto" });
}

function buy(plan: Plan, month: number, number: string, item: Item): Doc {
  const bill = plan.bill(month, 14, "Kiln Makers", number, [item]);
  plan.bank("current", [month + 1, 12], -bill.total, {
    payee: "KILN MAKERS",
    text: number,
    by: "auto",
  });
  return bill;
}
