/** Asks for what a new book needs, one question at a time. */
import { countries, regionOf } from "../../ledger/regions/index.ts";
import { currencyCodes } from "../../resources/common.ts";
import type { NewBook, NewBookOptions } from "../connection/new-book.ts";
import type { Context } from "../framework/context.ts";
import { parseYearEnd } from "../values/year-end.ts";

/** @param given  what flags said already; it is not asked again */
export async function askNewBook(ctx: Context, given: NewBookOptions = {}): Promise<NewBook> {
  const { input, select } = await import("@inquirer/prompts");
  const terminal = { output: process.stderr, signal: ctx.interrupted };
  const name =
    given.name ??
    (await input(
      {
        message: "Whose books are these?",
        validate: (text) => text.trim() !== "" || "Give a name.",
      },
      terminal,
    ));
  const country =
    given.country ??
    (await select(
      {
        message: "In which country?",
        choices: countries.map((value) => ({ value, name: regionOf(value).name })),
      },
      terminal,
    ));
  const currency =
    given.currency ??
    (await input(
      {
        message: "Currency (empty: that of the country)",
        validate: (text) =>
          text.trim() === "" || codeOf(text) !== undefined || "Give a code such as EUR.",
      },
      terminal,
    ).then(codeOf));
  const financialYearEnd =
    given.financialYearEnd ??
    (await input(
      {
        message: "Last day of the financial year, such as 31 March (empty: that of the country)",
        validate: (text) => text.trim() === "" || faultOf(text) || true,
      },
      terminal,
    ).then((text) => (text.trim() === "" ? undefined : parseYearEnd(text))));
  return { name: name.trim(), country, currency, financialYearEnd };
}

function codeOf(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  return currencyCodes.find((known) => known === code);
}

function faultOf(text: string): string | undefined {
  try {
    parseYearEnd(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
