/** Trade of a company in the European Union: other rates, other states, and tax that is not reclaimed. */
import { cli } from "./bookkeeper.ts";
import { unionCustomer } from "./company.ts";
import type { At, Doc, Plan } from "./plan.ts";

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
  buy(plan, month, `EU-${100 + month}`, 310_55 + 7_77 * month, accounts.acquisition, "acquisition");
  if (month % 2 === 1) {
    const { consulting } = plan.country.accounts;
    buy(plan, month, `EU-${200 + month}`, 125_25 + month, consulting, "reverse");
  }
  if (month === 8) {
    const car = buy(plan, month, "CAR-1", 9000_00, accounts.car, "blocked");
    plan.deed(month, { date: car.date, words: cli`asset add --bill ${car.number} --life 5` });
  }
}

function taken(plan: Plan, document: Doc, at: At, payee: string): void {
  plan.settle(document, at, document.total);
  plan.bank("current", at, document.total, { payee, text: document.number, by: "auto" });
}

function buy(
  plan: Plan,
  month: number,
  number: string,
  net: number,
  code: string,
  tax: "acquisition" | "reverse" | "blocked",
): Doc {
  const bill = plan.bill(month, 14, "Kiln Makers", number, [
    { text: "From abroad", net, code, tax },
  ]);
  plan.bank("current", [month + 1, 12], -bill.total, {
    payee: "KILN MAKERS",
    text: number,
    by: "auto",
  });
  return bill;
}
