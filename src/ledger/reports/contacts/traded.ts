/** Sales and purchases by item, contact or tracking, compared with the profit and loss. */
import { type LineQuantity, multiplyDivide, writeDecimal } from "../../../resources/decimal.ts";
import { type DateText, longDate } from "../../dates/calendar.ts";
import { add, type Cents, sum } from "../../money.ts";
import { amountText, headerRow, negated, type ReportBody, section, textRow } from "../rows.ts";

export interface TradedLine {
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
  readonly from: DateText;
  readonly to: DateText;
  /** What stands in the first column. */
  readonly by: string;
  readonly hasQuantities: boolean;
  readonly hasCosts: boolean;
  readonly lines: readonly TradedLine[];
  /** What the rest of the profit and loss is called, and what it comes to with the lines. */
  readonly rest: string;
  readonly whole: { readonly name: string; readonly amount: Cents };
}

/** By name, what is of none last. */
export function byTradedName(a: Pick<TradedLine, "name">, b: Pick<TradedLine, "name">): number {
  return Number(a.name === "") - Number(b.name === "") || (a.name < b.name ? -1 : 1);
}

/** In the order of names; the last rows go on to the profit and loss. */
export function traded(request: TradedRequest): ReportBody {
  const { title, organisation, from, to, by, hasQuantities, hasCosts, lines, whole } = request;
  const cellsOf = (name: string, { quantity, net, tax, stocked }: Omit<TradedLine, "name">) => [
    name,
    ...(hasQuantities ? [quantity === undefined ? "" : quantityText(quantity)] : []),
    amountText(net),
    amountText(tax),
    amountText(add(net, tax)),
    ...(hasCosts ? margin(stocked) : []),
  ];
  const ordered = lines.toSorted(byTradedName);
  const ofStock = lines.flatMap(({ stocked }) => (stocked === undefined ? [] : [stocked]));
  const total = {
    quantity: undefined,
    net: sum(lines.map(({ net }) => net)),
    tax: sum(lines.map(({ tax }) => tax)),
    stocked:
      ofStock.length === 0
        ? undefined
        : {
            net: sum(ofStock.map(({ net }) => net)),
            cost: sum(ofStock.map(({ cost }) => cost)),
          },
  };
  const blank = (label: string, amount: Cents) => {
    const cells = [label, ...(hasQuantities ? [""] : []), amountText(amount), "", ""];
    return [...cells, ...(hasCosts ? ["", "", ""] : [])];
  };
  return {
    titles: [title, organisation, `${longDate(from)} to ${longDate(to)}`],
    rows: [
      headerRow([
        by,
        ...(hasQuantities ? ["Quantity"] : []),
        "Net",
        "Tax",
        "Gross",
        ...(hasCosts ? ["Cost", "Margin", "%"] : []),
      ]),
      section("", [
        ...ordered.map(({ name, ...line }) => textRow("Row", cellsOf(name || "None", line))),
        textRow("SummaryRow", cellsOf("Total", total)),
      ]),
      section("", [
        textRow("Row", blank(request.rest, add(whole.amount, negated(total.net)))),
        textRow("SummaryRow", blank(whole.name, whole.amount)),
      ]),
    ],
  };
}

const quantityText = (quantity: LineQuantity) => writeDecimal(quantity, 4).replace(/\.?0+$/, "");

/** Cost of what is kept in stock, its margin, and the share of its own net; nothing where nothing is. */
function margin(stocked: TradedLine["stocked"]): string[] {
  if (stocked === undefined) return ["", "", ""];
  const { net, cost } = stocked;
  const left = add(net, negated(cost));
  const share = net > 0 ? `${writeDecimal(multiplyDivide(left, 1000, net), 1)}%` : "";
  return [amountText(cost), amountText(left), share];
}
