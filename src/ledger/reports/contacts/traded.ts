/** Sales and purchases by item, contact or tracking, reconciled with the profit and loss. */

import type { LineQuantity } from "../../../resources/decimal.ts";
import type { RuleName } from "../../../resources/figure-rules.ts";
import type { CellValue } from "../../../wire/report.ts";
import { longDate } from "../../dates/calendar.ts";
import type { CountedSource, TradedQuery } from "../../figures/counted.ts";
import {
  counted,
  type Figure,
  figureValue,
  ledger,
  type Period,
  ratioOf,
  sum,
  type Unit,
  unitForms,
} from "../../figures/expression.ts";
import type { Cents } from "../../money.ts";
import {
  type AccountInfo,
  hasAmount,
  headerRow,
  type ReportBody,
  type ReportRow,
  sectionRow,
  textRow,
} from "../report-rows.ts";

export interface TradedLine {
  /** Key of the group. */
  readonly key: string;
  /** Name of the item, contact or tracking option; empty for none. */
  readonly name: string;
  readonly quantity: LineQuantity | undefined;
  /** Net amount, positive in the usual direction. */
  readonly net: Cents;
  readonly tax: Cents;
  /** Net and cost of the stock lines in `net`; undefined without any. */
  readonly stocked: { readonly net: Cents; readonly cost: Cents } | undefined;
}

export interface TradedRequest {
  readonly title: string;
  /** Name of the organisation. */
  readonly organisation: string;
  readonly query: TradedQuery;
  /** Heading of the first column. */
  readonly by: string;
  readonly lines: readonly TradedLine[];
  /** Labels of the remaining profit and loss amount, and of the total with the lines. */
  readonly rest: string;
  readonly whole: string;
  /** The days, with the movements of the profit and loss accounts. */
  readonly period: Period;
  readonly accounts: readonly AccountInfo[];
  /** Purchases to stock, which are not yet an expense, by key, with the query behind them. */
  readonly toStock: { readonly query: TradedQuery; readonly lines: readonly TradedStock[] };
}

interface TradedStock {
  readonly key: string;
  readonly net: Cents;
}

type What = Extract<CountedSource, { readonly of: "traded" }>["what"];

/** Figures of a line or a total; `stock` is undefined without stock lines. */
interface TradedFigures {
  readonly quantity?: Figure | CellValue;
  readonly net: Figure;
  readonly tax: Figure;
  readonly stock?: Readonly<Record<"net" | "cost" | "margin", Figure>> | undefined;
}

function figuresOf(
  { key, quantity, net, tax, stocked }: TradedLine,
  query: TradedQuery,
): TradedFigures {
  const of = (what: What, rule: RuleName, value: number, label: string = what, unit?: Unit) =>
    counted([`${key}.${what}`, label, rule], value, { of: "traded", what, key, query }, unit);
  const stock = stocked && {
    net: of("stocked", "Sum", stocked.net, "Net of what left the stock"),
    cost: of("cost", "CostOfSold", stocked.cost),
  };
  return {
    // A quantity beyond the safe integers has no explanation.
    quantity:
      quantity === undefined
        ? ""
        : Number.isSafeInteger(Number(quantity))
          ? of("quantity", "QuantityTraded", Number(quantity), "quantity", "quantity")
          : { amount: quantity, ...unitForms.quantity },
    net: of("net", "Traded", net),
    tax: of("tax", "TradedTax", tax),
    stock: stock && {
      ...stock,
      margin: sum([`${key}.margin`, "Margin", "MarginAmount"], [stock.net], [stock.cost]),
    },
  };
}

/**
 * The report, ordered by name with the nameless group last; the last rows lead to the profit and
 * loss.
 */
export function tradeReport(request: TradedRequest): ReportBody {
  const { title, organisation, query, by, period, accounts, toStock } = request;
  const { from, to, hasCosts, sign } = query;
  const hasQuantities = query.by === "item";
  const lines = request.lines
    .toSorted((a, b) => Number(a.name === "") - Number(b.name === "") || (a.name < b.name ? -1 : 1))
    .map((line) => ({ line, figures: figuresOf(line, query) }));
  const total = totalOf(lines.map(({ figures }) => figures));
  const wholeFigure = sum(
    ["whole", request.whole, "WholeOfTrade"],
    [
      ledger(["profit", request.whole, "WholeOfTrade"], sign, "moved", period, accounts),
      ...toStock.lines.map(({ key, net }) =>
        counted([`${key}.to-stock`, key, "WholeOfTrade"], net, {
          ...{ of: "traded", what: "net", key, query: toStock.query },
        }),
      ),
    ],
  );
  const restFigure = sum(["rest", request.rest, "RestOfProfit"], [wholeFigure], [total.net]);
  const cellsOf = (figures: TradedFigures, id: string) => {
    const { quantity = "", net, tax } = figures;
    return [
      ...(hasQuantities ? [quantity] : []),
      ...[net, tax, sum([`${id}.gross`, "Gross", "Gross"], [net, tax])],
      ...(hasCosts ? marginCells(figures, id) : []),
    ];
  };
  const single = (type: "Row" | "SummaryRow", figure: Figure): ReportRow => {
    const blank = hasCosts ? ["", "", "", "", ""] : ["", ""];
    const cells = [figure.label, ...(hasQuantities ? [""] : []), figure, ...blank];
    return textRow(type, cells, undefined, figure.id);
  };
  return {
    titles: [title, organisation, `${longDate(from)} to ${longDate(to)}`],
    rows: [
      headerRow([
        by,
        ...(hasQuantities ? ["Quantity"] : []),
        ["net", "Net"],
        "Tax",
        "Gross",
        ...(hasCosts ? ["Cost", "Margin", ["share", "%"] as const] : []),
      ]),
      sectionRow("", [
        ...lines.map(({ line: { name, key }, figures }) =>
          textRow("Row", [
            name || `Without ${by === "Item" ? "an item" : "tracking"}`,
            ...cellsOf(figures, key),
          ]),
        ),
        textRow("SummaryRow", ["Total", ...cellsOf(total, "total")], undefined, "total"),
      ]),
      sectionRow("", [
        ...(hasAmount([restFigure]) ? [single("Row", restFigure)] : []),
        single("SummaryRow", wholeFigure),
      ]),
    ],
  };
}

function totalOf(lines: readonly TradedFigures[]): TradedFigures {
  const total = (name: string, figures: readonly Figure[], label = "Total") =>
    sum([`total.${name}`, label, "SectionTotal"], figures);
  const stock = lines.flatMap((tradedFigures) => tradedFigures.stock ?? []);
  const ofStock = (name: "net" | "cost" | "margin", label?: string) =>
    total(
      `stock-${name}`,
      stock.map((value) => value[name]),
      label,
    );
  return {
    net: total(
      "net",
      lines.map(({ net }) => net),
    ),
    tax: total(
      "tax",
      lines.map(({ tax }) => tax),
    ),
    stock:
      stock.length === 0
        ? undefined
        : {
            net: ofStock("net", "Net of what left the stock"),
            ...{ cost: ofStock("cost"), margin: ofStock("margin") },
          },
  };
}

/** Cost of goods sold, margin, and margin as a share of the net; empty without stock lines. */
function marginCells({ stock }: TradedFigures, id: string): (string | Figure)[] {
  if (stock === undefined) return ["", "", ""];
  const share = ratioOf([`${id}.share`, "%", "Margin"], stock.margin, stock.net, "percent");
  return [stock.cost, stock.margin, (figureValue(stock.net) ?? 0) > 0 ? share : ""];
}
