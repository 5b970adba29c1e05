/** What the company sells, in the order of its days, and how customers pay. */
import { cli } from "./bookkeeper.ts";
import { type Doc, inUnits, type Plan } from "./plan.ts";
import { chargesTold } from "./statement-files.ts";
import { sellInUnion } from "./union.ts";

const workshops = 900_00;

/** An invoice that was wrong, found once its month was closed and its return published. */
export const correction = { month: 6, wrong: 520_00, right: 480_00 } as const;

export function sell(plan: Plan, month: number): void {
  if (month === correction.month) correct(plan);
  cups(plan, month);
  const hotel = [
    plan.invoice(month, 6, "Harbour Hotel", [{ text: "Bowls", net: 610_00 + 20_00 * month }]),
    plan.invoice(month, 9, "Harbour Hotel", [{ text: "Jugs", net: 230_00 + 10_00 * month }]),
  ] as const;
  paidTogether(plan, month, hotel);
  mugs(plan, month);
  paidInParts(plan, month, workshopsOf(plan, month));
  abroad(plan, month);
  const goods = plan.invoice(month, 15, "Bishop & Sons", [
    { text: "Glaze", net: 29_00, quantity: 12 + month, item: "GLAZE-1" },
    { text: "Clay", net: 14_50, quantity: 40, item: "CLAY-5" },
  ]);
  // Known by its amount and the name alone.
  const by = { payee: "BISHOP & SONS", text: "GOODS RECEIVED", by: "auto" } as const;
  plan.settle(goods, [month + 1, 15], goods.total);
  plan.bank("current", [month + 1, 15], goods.total, by);
  toTuiTrust(plan, month);
  sellInUnion(plan, month);
  if (month % 3 === 2) plates(plan, month);
  if (month % 4 === 1) deposit(plan, month);
  if (month === plan.country.taxReturn.months - 1) beforeTheReturnIsRight(plan, month);
  if (month === 3) afterTheReturn(plan, month);
}

function cups(plan: Plan, month: number): void {
  const invoice = plan.invoice(month, 4, "Kowhai Cafe", [
    { text: "Cups", net: 12_00, quantity: 40 + month },
    { text: "Delivery", net: 35_00, account: "otherIncome" },
  ]);
  const { number, total } = invoice;
  plan.settle(invoice, [month, 18], total);
  const said = { payee: "KOWHAI CAFE LTD", text: `${number} CUPS`, by: "auto" } as const;
  plan.bank("current", [month, 18], total, said);
}

/** One line for two invoices: with both numbers, or with none. */
function paidTogether(plan: Plan, month: number, [bowls, jugs]: readonly [Doc, Doc]): void {
  const isNamed = month % 2 === 0;
  for (const each of [bowls, jugs]) plan.settle(each, [month, 24], each.total);
  plan.bank("current", [month, 24], bowls.total + jugs.total, {
    payee: "HARBOUR HOTEL",
    text: isNamed ? `${bowls.number} ${jugs.number}` : "BOWLS AND JUGS",
    by: isNamed ? "auto" : cli`--invoice ${bowls.number} --invoice ${jugs.number}`,
  });
}

/** Their bank keeps 2.50 of what it sends; every other month some come back. */
function mugs(plan: Plan, month: number): void {
  const invoice = plan.invoice(month, 10, "Moa Coffee", [
    { text: "Mugs", net: 420_00 + 10_00 * month },
  ]);
  let due = invoice.total;
  if (month % 2 === 1) {
    const credit = plan.creditNote(month, 12, "Moa Coffee", [{ text: "Chipped", net: 45_00 }]);
    const { date } = credit;
    const words = cli`credit-note allocate ${credit.number} --invoice ${invoice.number} --date ${date}`;
    plan.deed(month, { date, words });
    for (const each of [credit, invoice]) plan.settle(each, [month, 12], credit.total);
    due -= credit.total;
  }
  plan.settle(invoice, [month, 27], due);
  plan.bank("current", [month, 27], due - 2_50, {
    payee: "MOA COFFEE",
    text: "MUGS",
    by: cli`--invoice ${invoice.number}=${inUnits(due)} --fee ${`2.50=${plan.country.accounts.bankFees}`}`,
  });
}

/** Of a template, where the books have one. */
function workshopsOf(plan: Plan, month: number): Doc {
  if (!plan.hasTemplates) {
    return plan.invoice(month, 11, "Rimu Rentals", [{ text: "Workshops", net: workshops }]);
  }
  if (month === 0) {
    const { accounts, tax } = plan.country;
    const taxType = "services" in tax ? tax.services : tax.sales;
    const line = `description=Workshops,unit-amount=${inUnits(workshops)},account=${accounts.sales},tax-type=${taxType}`;
    plan.deed(0, {
      date: plan.day(0, 10),
      words: cli`repeating-invoice create --contact ${"Rimu Rentals"} --every 1 --unit MONTHLY --start-date ${plan.day(0, 11)} --due-date 20 --due-date-type OFFOLLOWINGMONTH --status AUTHORISED --line ${line}`,
    });
  }
  return plan.repeated(month, 11, workshops);
}

function paidInParts(plan: Plan, month: number, invoice: Doc): void {
  const { number, total } = invoice;
  const first = Math.round(total * 0.6);
  plan.settle(invoice, [month, 25], first);
  plan.settle(invoice, [month + 1, 8], total - first);
  plan.bank("current", [month, 25], first, {
    payee: "RIMU RENTALS",
    text: "ON ACCOUNT",
    by: cli`--invoice ${number}=${inUnits(first)}`,
  });
  const rest = { payee: "RIMU RENTALS", text: `${number} REST`, by: "auto" } as const;
  plan.bank("current", [month + 1, 8], total - first, rest);
}

/** In dollars, at the rate of the document or of the day; the bank charges for it, and some files say so. */
function abroad(plan: Plan, month: number): void {
  const currency = plan.country.dollars;
  const invoice = plan.invoice(
    month,
    13,
    "Alder Inc",
    [{ text: "Vases", net: 1000_00 + 40_00 * month, tax: "exports" }],
    { currency, ...(month % 2 === 0 && { rate: plan.rate(currency, month) }) },
  );
  const { number, total } = invoice;
  plan.settle(invoice, [month + 1, 14], total);
  const charge = chargesTold("dollars", month + 1) ? 15_00 : 0;
  plan.bank("dollars", [month + 1, 14], total - charge, {
    payee: "ALDER INC",
    text: `WIRE ${number}`,
    ...(charge > 0 && { charge }),
    by: "auto",
  });
}

/** Pays too much once and is paid back, brings something back once, and buys the old computers. */
function toTuiTrust(plan: Plan, month: number): void {
  const payee = "TUI TRUST";
  const { accounts } = plan.country;
  if (month === 3) {
    const urns = plan.invoice(3, 17, "Tui Trust", [{ text: "Urns", net: 300_00 }]);
    const { number, total } = urns;
    plan.settle(urns, [3, 23], total);
    plan.bank("current", [3, 23], total + 100_00, {
      payee,
      text: "URNS",
      by: cli`--invoice ${number}=${inUnits(total)} --overpayment`,
    });
  }
  if (month === 5) {
    const date = plan.day(5, 16);
    plan.deed(5, {
      date,
      words: cli`overpayment refund ${"Tui Trust"} --account ${accounts.current} --date ${date}`,
    });
    plan.bank("current", [5, 17], -100_00, { payee, text: "OVERPAID", by: "auto" });
  }
  if (month === 7) {
    const tiles = plan.invoice(7, 17, "Tui Trust", [{ text: "Tiles", net: 260_00 }]);
    const { number, total } = tiles;
    plan.settle(tiles, [7, 20], total);
    plan.bank("current", [7, 20], total, { payee, text: number, by: "auto" });
    const credit = plan.creditNote(7, 22, "Tui Trust", [{ text: "Tiles returned", net: 50_00 }]);
    plan.settle(credit, [7, 26], credit.total);
    const by = cli`--credit-note ${credit.number}`;
    plan.bank("current", [7, 26], -credit.total, { payee: "REFUND", text: "TILES RETURNED", by });
  }
  if (month === 8) {
    const sale = plan.invoice(8, 17, "Tui Trust", [
      { text: "Old computers", net: 2500_00, account: "assetSales" },
    ]);
    plan.deed(8, {
      date: sale.date,
      words: cli`asset dispose FA-0002 --date ${sale.date} --proceeds 2500 --account ${accounts.assetSales} --gain-account ${accounts.assetSales} --loss-account ${accounts.depreciation}`,
    });
    plan.settle(sale, [8, 26], sale.total);
    plan.bank("current", [8, 26], sale.total, { payee, text: sale.number, by: "auto" });
  }
}

/** Are paid late, or never. */
function plates(plan: Plan, month: number): void {
  const due = plan.day(month + 1, 5);
  const items = [{ text: "Plates", net: correction.wrong }];
  const invoice = plan.invoice(month, 20, "Puka Gallery", items, { due });
  const { number, total } = invoice;
  if (month === correction.month - 1) plan.wrong = invoice;
  if (month === 2) {
    plan.settle(invoice, [6, 12], total);
    plan.bank("current", [6, 12], total, {
      payee: "PUKA",
      text: "PLATES",
      by: cli`--invoice ${number}`,
    });
  }
}

/** Void what was wrong and make it anew, in a month that is reopened for it. */
function correct(plan: Plan): void {
  const { month, wrong, right } = correction;
  const before = month - 1;
  const date = plan.day(before, 20);
  const document = plan.wrong;
  plan.tax({ date, month, side: "sales", net: -wrong, tax: -plan.taxOf(wrong), document });
  plan.deed(
    month,
    { date, words: cli`invoice void ${document?.number ?? ""} --yes` },
    "correction",
  );
  const terms = { due: plan.day(month, 5), month, when: "correction" } as const;
  plan.invoice(before, 20, "Puka Gallery", [{ text: "Plates", net: right }], terms);
}

/** Was forgotten when the first return was published, which is withdrawn for it. */
function beforeTheReturnIsRight(plan: Plan, month: number): void {
  const forgotten = [{ text: "Handles", net: 52_00 }];
  const invoice = plan.invoice(month, 27, "Kowhai Cafe", forgotten, { when: "withdrawn" });
  const { number, total } = invoice;
  plan.settle(invoice, [month + 1, 23], total);
  const said = { payee: "KOWHAI CAFE", text: number, by: "auto" } as const;
  plan.bank("current", [month + 1, 23], total, said);
}

/** Taken ahead of an invoice, and applied to it once the month of both is locked. */
function deposit(plan: Plan, month: number): void {
  const contact = "Tui Trust";
  const { accounts } = plan.country;
  const taken = { date: plan.day(month, 7), amount: plan.total(200_00) };
  const taxed = { side: "sales", net: 200_00, tax: plan.taxOf(200_00) } as const;
  plan.deed(month, {
    date: taken.date,
    words: [
      ...cli`prepayment create --type RECEIVE-PREPAYMENT --bank-account ${accounts.current}`,
      ...cli`--contact ${contact} --date ${taken.date}`,
      ...cli`--amount ${inUnits(taken.amount)} --description ${"Deposit, dinner sets"}`,
    ],
  });
  plan.tax({ ...taxed, date: taken.date, month });
  plan.bank("current", [month, 8], taken.amount, {
    payee: "TUI TRUST",
    text: "DEPOSIT",
    by: "auto",
  });
  const invoice = plan.invoice(month, 26, contact, [
    { text: "Dinner sets", net: 600_00 + 10_00 * month },
  ]);
  const { number, total } = invoice;
  plan.settle(invoice, [month + 1, 1], taken.amount);
  plan.settle(invoice, [month + 1, 16], total - taken.amount);
  const words = cli`prepayment allocate ${contact} --invoice ${number}`;
  plan.deed(month + 1, { date: plan.day(month + 1, 9), words });
  // Posted on the first open day.
  const given = { date: plan.day(month + 1, 1), month: month + 1 };
  plan.tax({ ...taxed, ...given, net: -taxed.net, tax: -taxed.tax });
  const rest = { payee: "TUI TRUST", text: `${number} REST`, by: "auto" } as const;
  plan.bank("current", [month + 1, 16], total - taken.amount, rest);
}

/** An invoice that was forgotten until the return of its month was published. */
function afterTheReturn(plan: Plan, month: number): void {
  if (!plan.isReturnDue(month)) return;
  const forgotten = [{ text: "Repair of a bowl", net: 64_00 }];
  const invoice = plan.invoice(month, 28, "Kowhai Cafe", forgotten, { when: "late" });
  const { number, total } = invoice;
  plan.settle(invoice, [month + 1, 19], total);
  const said = { payee: "KOWHAI CAFE", text: number, by: "auto" } as const;
  plan.bank("current", [month + 1, 19], total, said);
}
