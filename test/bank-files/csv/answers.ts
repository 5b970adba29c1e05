/** Answers of a person who knows a file, to what a reader asks about it. */

import {
  type AccountFacts,
  BankFileError,
  type BankStatement,
  collect,
  type Delimiter,
  type Question,
  type ReadOptions,
} from "../../../src/bank-files/bank-statement.ts";
import { readBankFile } from "../../../src/bank-files/index.ts";
import type { Written } from "./dialects.ts";

const roleOf: Readonly<Record<string, string>> = { debit: "out", credit: "into" };

/** The columns that the words of a command line name; undefined where one of them is not that of the file. */
function columnsOf(choice: string, { places }: Written): Record<string, string> | undefined {
  const columns: Record<string, string> = {};
  for (const [, role = "", column = ""] of choice.matchAll(/--map (\w+)=(\S*)/g)) {
    const place = places[roleOf[role] ?? role];
    if (column === "" ? place !== undefined : place !== Number(column)) return undefined;
    columns[role] = column;
  }
  return columns;
}

function answered(
  options: ReadOptions,
  { flag, choices }: Question,
  written: Written,
): ReadOptions | undefined {
  const { answers, places } = written;
  const columns = { ...options.columns };
  switch (flag) {
    case "--date-order":
      return { ...options, dateOrder: answers["--date-order"] as "dmy" };
    case "--decimal":
      return { ...options, decimal: answers["--decimal"] as "comma" };
    case "--delimiter":
      return { ...options, delimiter: answers["--delimiter"] as Delimiter };
    case "--reversed":
      return { ...options, isReversed: answers["--reversed"] === "--reversed" };
    case "--map": {
      // A person who knows the file names its columns where no answer that is offered is right.
      const isOffered = choices.some((choice) => columnsOf(choice, written) !== undefined);
      if (isOffered) {
        const found = choices
          .map((choice) => columnsOf(choice, written))
          .find((each) => each !== undefined);
        return found === undefined ? undefined : { ...options, columns: { ...columns, ...found } };
      }
      const all = {
        date: places.date,
        text: places.text,
        amount: places.amount,
        debit: places.out,
        credit: places.into,
      };
      const told = Object.entries(all).flatMap(([role, place]) =>
        place === undefined ? [] : [[role, String(place)]],
      );
      return { ...options, columns: { ...columns, ...Object.fromEntries(told) } };
    }
    default:
      return undefined;
  }
}

export interface Outcome {
  readonly kind: "read" | "asked" | "wrong" | "unsettled";
  readonly why: string;
  readonly asked: readonly string[];
}

const told = (statement: BankStatement | undefined) =>
  JSON.stringify(statement?.lines.map(({ date, amount, text }) => [date, amount, text]));

/** Reads a file, with the answers to all that it is refused with. */
export function outcomeOf(
  written: Written,
  start: ReadOptions = {},
  facts?: AccountFacts,
): Outcome {
  let options: ReadOptions = {
    ...start,
    ...(facts === undefined ? {} : { accountOf: () => facts }),
  };
  const truth = JSON.stringify(written.truth.map(({ date, amount, text }) => [date, amount, text]));
  const asked: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    try {
      const statements = collect(readBankFile(() => [written.bytes], options));
      const read = told(statements[0]);
      const isRight =
        statements.length === 1 && read === truth && statements[0]?.pending === written.pending;
      if (!isRight) return { kind: "wrong", why: `${read}\n${truth}`, asked };
      return { kind: round === 0 ? "read" : "asked", why: "", asked };
    } catch (error) {
      if (!(error instanceof BankFileError)) throw error;
      const questions = error.details as readonly Question[];
      asked.push(error.message);
      if (questions.length === 0) return { kind: "unsettled", why: error.message, asked };
      const before = options;
      for (const question of questions) {
        const next: ReadOptions | undefined = answered(options, question, written);
        if (next === undefined) return { kind: "unsettled", why: error.message, asked };
        options = next;
      }
      if (JSON.stringify(before) === JSON.stringify(options))
        return { kind: "unsettled", why: error.message, asked };
    }
  }
  return { kind: "unsettled", why: asked.at(-1) ?? "", asked };
}
