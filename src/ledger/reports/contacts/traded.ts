/** Sales and purchases by item, contact or tracking, compared with the profit and loss. */

import type { LineQuantity } from "../../../resources/decimal.ts";
import type { RuleName } from "../../../resources/figure-rules.ts";
import { longDate } from "../../dates/calendar.ts";
import type { Counted, TradedQuery } from "../../figures/counted.ts";
import {
  counted,
  type Figure,
  figureValue,
  ledger,
  type Period,
  quotient,
  scaleOfUnit,
  sum,
  type Unit,
} from "../../figures/expression.ts";
import type { Cents } from "../../money.ts";
import {
  type AccountInfo,
  headerRow,
  type ReportBody,
  type ReportRow,
  section,
  textRow,
  trimmed,
} from "../report-rows.ts";

export interface TradedLine {
  /** The group that it is counted under. */
  readonly key: string;
  /** Name of what it is of; empty for none. */
  readonly name: string;
  readonly quantity: LineQuantity | undefined;
  /** Above zero in the usual case. */
  readonly net: Cents;
  readonly tax: Cents;
  /** Of `net`: lines kept in stock, and what left the stock for them; undefined where there are none. */
  readonly stocked: { readonly net: Cents; readonly cost: Cents } | undefined;
}

export interface TradedRequest {
  readonly title: string;
  /** Name of the organisation. */
  readonly organisation: string;
  readonly query: TradedQuery;
  /** What stands in the first column. */
  readonly by: string;
  readonly lines: readonly TradedLine[];
  /** Labels of the rest of the profit and loss, and of the whole with the lines. */
  readonly rest: string;
  readonly whole: string;
  /** The days, with what moved on the accounts of the profit and loss. */
  readonly period: Period;
  readonly accounts: readonly AccountInfo[];
  /** Costs that lines put on stock, which are no expense yet, by key, and the question for them. */
  readonly toStock: { readonly query: TradedQuery; readonly lines: readonly TradedStock[] };
}

interface TradedStock {
  readonly key: string;
  readonly net: Cents;
}

type What = Extract<Counted, { readonly of: "traded" }>["what"];

/** Figures of a line or a total; those of stock undefined without any. */
interface TradedFigures {
  readonly quantity?: Figure | string;
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
    // A sum that is more than numbers hold is not explained.
    quantity:
      quantity === undefined
        ? ""
        : Number.isSafeInteger(Number(quantity))
          ? of("quantity", "QuantityTraded", Number(quantity), "quantity", "quantity")
          : trimmed(quantity, scaleOfUnit.quantity),
    net: of("net", "Traded", net),
    tax: of("tax", "TradedTax", tax),
    stock: stock && {
      ...stock,
      margin: sum([`${key}.margin`, "Margin", "MarginAmount"], [stock.net], [stock.cost]),
    },
  };
}

/** In the order of names, what is of none last; the last rows go on to the profit and loss. */
export function traded(request: TradedRequest): ReportBody {
  const { title, organisation, query, by, period, accounts, toStock } = request;
  const { from, to, hasCosts, sign } = query;
  const hasQuantities = query.by === "item";
  const lines = request.lines
    .toSorted((a, b) => Number(a.name === "") - Number(b.name === "") || (a.name < b.name ? -1 : 1))
    .map((line) => ({ line, figures: figuresOf(line, query) }));
  const total = totalOf(lines.map(({ figures }) => figures));
  const whole = sum(
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
  const rest = sum(["rest", request.rest, "RestOfProfit"], [whole], [total.net]);
  const cellsOf = (figures: TradedFigures, id: string) => {
    const { quantity = "", net, tax } = figures;
    return [
      ...(hasQuantities ? [quantity] : []),
      ...[net, tax, sum([`${id}.gross`, "Gross", "Gross"], [net, tax])],
      ...(hasCosts ? margin(figures, id) : []),
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
      section("", [
        ...lines.map(({ line: { name, key }, figures }) =>
          textRow("Row", [name || "None", ...cellsOf(figures, key)]),
        ),
        textRow("SummaryRow", ["Total", ...cellsOf(total, "total")], undefined, "total"),
      ]),
      section("", [single("Row", rest), single("SummaryRow", whole)]),
    ],
  };
}

function totalOf(lines: readonly TradedFigures[]): TradedFigures {
  const total = (name: string, figures: readonly Figure[], label = "Total") =>
    sum([`total.${name}`, label, "SectionTotal"], figures);
  const stock = lines.flatMap((each) => each.stock ?? []);
  const ofStock = (name: "net" | "cost" | "margin", label?: string) =>
    total(
      `stock-${name}`,
      stock.map((each) => each[name]),
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

/** Cost of what is kept in stock, its margin, and the share of its own net; nothing where nothing is. */
function margin({ stock }: TradedFigures, id: string): (string | Figure)[] {
  if (stock === undefined) return ["", "", ""];
  const share = quotient([`${id}.share`, "%", "Margin"], stock.margin, stock.net, "percent");
  return [stock.cost, stock.margin, (figureValue(stock.net) ?? 0) > 0 ? share : ""];
}
