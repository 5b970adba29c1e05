/** Figures of sales and purchases by item, contact or tracking. */
import { byTradedName } from "../../../ledger/reports/contacts/traded.ts";
import type { Account } from "../../../resources/account.ts";
import {
  quantityLines,
  type StockMove,
  soldFromStock,
  tradedPostings,
} from "../../../store/queries/explained.ts";
import { ofPurchases, ofSales, type Trade, tradedIn } from "../../reports/contacts/traded.ts";
import { type Place, textAt } from "../figures.ts";
import {
  documentAttributes,
  minus,
  type Part,
  parts,
  plus,
  quotientOf,
  type Source,
  signedParts,
  sum,
} from "../origin.ts";
import { postingParts } from "../postings.ts";
import { type Explainer, movedOn } from "./explainer.ts";

const movePart = ({ contact, date, number, type, documentId, documentKind }: StockMove) => ({
  label: contact ?? type,
  date,
  number: number ?? undefined,
  attributes: documentAttributes(documentId, documentKind),
});

const explained = (trade: Trade): Explainer => ({
  usual: "first",
  async origins(reading, figures) {
    const { tx, chart } = reading;
    const { lines, query, range } = await tradedIn(reading, trade);
    const ordered = lines.toSorted(byTradedName);
    const columnOf = (heading: string) => figures.headings.indexOf(heading);
    const [netAt, costAt] = [columnOf("Net"), columnOf("Cost")];
    const isStocked = (place: Place) => textAt({ ...place, column: costAt }) !== "";
    const posted = (key: string, what: "net" | "tax" | "stocked"): Source =>
      parts(async (detail) =>
        signedParts(
          trade.sign,
          await postingParts(reading, tradedPostings(query, key, what), detail),
        ),
      );
    return ({ row, column }) => {
      const here = (heading: string) => ({ row, column: columnOf(heading) });
      const heading = figures.headings[column];
      if (heading === "Gross") return sum("Gross", plus(here("Net"), here("Tax")));
      if (heading === "%") {
        return quotientOf("Margin", {
          dividend: { label: "Margin", sources: [plus(here("Margin"))] },
          divisor: {
            label: "Net of what left the stock",
            sources: row.isTotal
              ? ordered.map(({ key }) => posted(key, "stocked"))
              : [posted(ordered[figures.positionOf(row)]?.key ?? "", "stocked")],
          },
          scale: 1000,
          digits: 1,
          suffix: "%",
        });
      }
      const total = figures.rows.find(({ label, isTotal }) => isTotal && label === "Total");
      if (row.label === trade.rest && row.sectionAt !== total?.sectionAt) {
        return sum(
          "RestOfProfit",
          plus(figures.at(trade.whole, column)),
          minus(total && { row: total, column: netAt }),
        );
      }
      if (row.label === trade.whole && row.sectionAt !== total?.sectionAt) {
        const ofProfit = (account: Account) =>
          trade.counts(account) && account.Type !== "INVENTORY";
        return sum(
          "WholeOfTrade",
          movedOn(reading, chart.accounts.filter(ofProfit), range, trade.sign),
          ...(trade.sign === 1 ? lines.map(({ key }) => stocked(key)) : []),
        );
      }
      if (row.isTotal) {
        const ofStock = heading === "Cost" || heading === "Margin";
        const own = figures.linesOf(row, column).filter((place) => !ofStock || isStocked(place));
        return sum("SectionTotal", plus(...own));
      }
      const line = ordered[figures.positionOf(row)];
      if (line === undefined) return undefined;
      switch (heading) {
        case "Quantity":
          return {
            rule: "QuantityTraded",
            unit: "quantity",
            sources: [
              parts(async () =>
                (await quantityLines(tx, query, line.key)).map((each) => ({
                  ...movePart({ ...each, cost: 0 as never }),
                  amount: each.quantity,
                })),
              ),
            ],
          };
        case "Net":
          return sum("Traded", posted(line.key, "net"));
        case "Tax":
          return sum("TradedTax", posted(line.key, "tax"));
        case "Cost":
          return sum(
            "CostOfSold",
            parts(async () =>
              (await soldFromStock(tx, query, line.key)).map(
                (move): Part => ({ ...movePart(move), amount: -move.cost }),
              ),
            ),
          );
        case "Margin":
          return sum("MarginAmount", posted(line.key, "stocked"), minus(here("Cost")));
        default:
          return undefined;
      }
    };
    /** What purchases put on stock, which is no expense yet. */
    function stocked(key: string): Source {
      const accounts = chart.accounts
        .filter(({ Type }) => Type === "INVENTORY")
        .map(({ AccountID }) => AccountID);
      return parts((detail) =>
        postingParts(reading, tradedPostings({ ...query, accounts }, key, "net"), detail),
      );
    }
  },
});

export const sales = explained(ofSales);
export const purchases = explained(ofPurchases);
