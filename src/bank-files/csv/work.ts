/** State of a table while its rows are converted to lines, and the results. */
import type { Cents } from "../../ledger/money.ts";
import { amountText } from "../../resources/common.ts";
import type {
  AccountFacts,
  AccountId,
  CsvReading,
  LeftOutRow,
  ReadOptions,
  SettledReading,
  StatementLine,
} from "../bank-statement.ts";
import type { Row } from "./cells.ts";
import type { Form } from "./columns/bank-forms.ts";
import type { Roles } from "./columns/roles.ts";
import type { Table } from "./find-tables.ts";
import type { Questions } from "./open-questions.ts";
import type { Preamble } from "./preamble.ts";
import type { RowState } from "./row-states.ts";

export interface Work {
  readonly table: Table;
  readonly options: ReadOptions;
  readonly questions: Questions;
  readonly form: Form | undefined;
  readonly preamble: Preamble;
  readonly facts: AccountFacts;
  readonly settled: SettledReading | undefined;
  readonly roles: Roles;
  readonly states: Map<Row, RowState>;
  readonly evidence: readonly Row[];
  readonly notices: string[];
}

/** Returns how amounts are written in the currency of the account, as far as it is known. */
export const moneyTextOf =
  ({ facts, preamble }: Pick<Work, "facts" | "preamble">) =>
  (cents: number): string =>
    amountText(cents, facts.currency ?? preamble.currency);

export interface TableStatement {
  readonly account: AccountId;
  readonly currency: string | undefined;
  readonly opening: Cents | undefined;
  readonly closing: Cents | undefined;
  readonly lines: readonly StatementLine[];
}

export interface TableReading {
  readonly statements: readonly TableStatement[];
  readonly reading: Omit<CsvReading, "leftOut">;
  readonly notices: readonly string[];
  readonly leftOut: readonly LeftOutRow[];
}
