/** What the description of a report's figures is, and what the descriptions share. */
import type { Account } from "../../../resources/account.ts";
import type { Reading } from "../../reports/frame.ts";
import type { Origins } from "../evaluate.ts";
import { attributeOf, type FigureRow, type Figures } from "../figures.ts";

/** How the figures of a report come about. */
export interface Explainer {
  /** Column that is meant where none is named: the first figure of a row, or the last. */
  readonly usual: "first" | "last";
  readonly origins: (reading: Reading, figures: Figures) => Promise<Origins> | Origins;
}

/** The account of a row; undefined for a row of none. */
export function accountOfRow({ chart }: Reading, row: FigureRow): Account | undefined {
  const id = attributeOf(row, "account") ?? attributeOf(row, "accountID");
  return id === undefined ? undefined : chart.account(id);
}
