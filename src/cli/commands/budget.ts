/** `acct budget`: budgeted amounts of accounts, by month. */

import { recordPath } from "../../client/client.ts";
import { type Budget, type BudgetInput, budget } from "../../resources/budget.ts";
import type { Cents } from "../../resources/decimal.ts";
import { type Detail, NotFoundError, RefusedError } from "../../resources/errors.ts";
import { parseField } from "../../resources/validate.ts";
import type { Child, Context } from "../context/context.ts";
import { command, ownFlag } from "../framework/command.ts";
import { fieldsOf } from "../framework/flags.ts";
import { fieldsInOptions, fileFlag } from "../framework/input.ts";
import { listCommand } from "../shared/list-verb.ts";
import { createVerb, deleteCommand, nounOf, updateVerb } from "../shared/verbs.ts";
import { monthNames } from "../values/months.ts";
import { readNumber } from "../values/read-number.ts";

/**
 * Finds a budget in the list, since the service finds budgets by id alone.
 *
 * @param key  absent for the overall budget
 */
async function find(ctx: Context, key: string | undefined): Promise<Budget> {
  const client = await ctx.client();
  const wantedKey = key?.toLowerCase();
  const names: string[] = [];
  for await (const record of client.list(budget)) {
    const { BudgetID, Type, Description = "" } = record;
    if (wantedKey === undefined ? Type === "OVERALL" : isCalled(wantedKey, BudgetID, Description)) {
      return record;
    }
    names.push(Description);
  }
  const budgetsText = names.length === 0 ? "" : ` There is ${names.join(", ")}.`;
  throw new NotFoundError(
    "NotFound",
    key === undefined
      ? "There is no overall budget; acct budget import makes one."
      : `There is no budget ${key}.${budgetsText}`,
  );
}

function isCalled(wantedKey: string, id: string, description: string): boolean {
  return id === wantedKey || description.toLowerCase() === wantedKey;
}

const showCommand = command("show", "show a budget")
  .alias("view", "get")
  .answers(budget)
  .optionalArgument("BUDGET", "its description or id; the overall budget when not given")
  .field("from", { kind: "date" }, { help: "first month; the last one when not given" })
  .field("to", { kind: "date" }, { help: "last month, at most 24 in all" })
  .example("acct budget show --from 2026-01-01 --to 2026-12-31")
  .action(async (ctx, key, { from, to }) => {
    const client = await ctx.client();
    const path = recordPath(budget, (await find(ctx, key)).BudgetID);
    const window = {
      ...(from === undefined ? {} : { DateFrom: from }),
      ...(to === undefined ? {} : { DateTo: to }),
    };
    const [record] = await client.at(budget, path, window);
    if (record === undefined) throw new NotFoundError("NotFound", `There is no budget ${key}.`);
    await ctx.out.record(budget, record);
  });

const trackingFlag = ownFlag("tracking", "the option that it is for; type TRACKING only", {
  placeholder: "CATEGORY:OPTION",
  repeat: true,
  live: "tracking",
  refers: "tracking",
  read: readTracking,
});

interface BudgetOptions {
  readonly tracking?: BudgetInput["Tracking"];
}

function readTracking(text: string) {
  const [Name = "", ...rest] = text.split(":");
  return { Name: Name.trim(), Option: rest.join(":").trim() };
}

const importCommand = command("import", "take a budget from a CSV file")
  .writes()
  .answers(budget)
  .argument("FILE", "accounts down, months across; - for standard input", { live: "file" })
  .flag("to", "into this one; the overall budget when not given", { placeholder: "BUDGET" })
  .flag("description", "what the overall budget is called when it is made")
  .note(
    "The first row names the months: 2026-01, Jan 2026, Jan-26 or 2026-01-31. The account stands in " +
      "the column Account, AccountCode or Code, by its code; a column AccountName or Name is passed over. " +
      "An empty cell leaves what was planned. Every cell is checked before anything is kept.",
  )
  .example("acct budget import plan.csv")
  .action(async (ctx, path, { to, description }) => {
    const BudgetLines = await readPlan(path);
    const client = await ctx.client();
    const existingBudget = await find(ctx, to).catch((error: unknown) => {
      if (error instanceof NotFoundError && to === undefined) return undefined;
      throw error;
    });
    const Description = description === undefined ? {} : { Description: description };
    const input: BudgetInput = { ...Description, BudgetLines };
    await ctx.out.record(
      budget,
      existingBudget === undefined
        ? await client.create(budget, input)
        : await client.update(budget, existingBudget.BudgetID, input),
    );
  });

type Lines = NonNullable<Budget["BudgetLines"]>;

/**
 * Parses a file of budget lines by account and month.
 *
 * @throws RefusedError with every cell that is invalid
 */
async function readPlan(path: string): Promise<Lines> {
  const { columnOf, readSheet, refuseRows } = await import("../import/readers/row-sheet.ts");
  const sheet = await readSheet(path);
  const account = columnOf(sheet, ["Account", "AccountCode", "Code"]);
  if (account < 0) {
    throw new RefusedError("BadFile", `${path} has no column Account, AccountCode or Code.`);
  }
  const months = sheet.heading.map((text, at) => (at === account ? undefined : readMonth(text)));
  const faults: Detail[] = sheet.heading.flatMap((text, at) =>
    at === account || months[at] !== undefined || /^(account ?name|name|)$/i.test(text)
      ? []
      : [{ record: `column ${at + 1}`, message: `"${text}" is no month such as 2026-01.` }],
  );
  const lines = sheet.rows.map(({ row, cells }) => {
    const AccountCode = cells[account] ?? "";
    if (AccountCode === "") faults.push({ record: `row ${row}`, message: "It has no account." });
    const BudgetBalances = months.flatMap((Period, at) => {
      const cell = cells[at] ?? "";
      if (Period === undefined || cell === "") return [];
      const Amount = readAmount(cell);
      if (Amount !== undefined) return [{ Period, Amount }];
      faults.push({ record: `row ${row}, ${Period}`, message: `"${cell}" is no amount.` });
      return [];
    });
    return { AccountCode, BudgetBalances };
  });
  refuseRows(path, faults);
  return lines;
}

function readAmount(text: string): Cents | undefined {
  const parsed = parseField({ kind: "money" }, readNumber(text) ?? text);
  return "value" in parsed ? (parsed.value as Cents | undefined) : undefined;
}

/** Parses a month: `2026-01`, `2026-01-31`, `Jan 2026`, `January-26`, `01/2026`. */
export function readMonth(text: string): string | undefined {
  const iso = /^(\d{4})-(\d{2})(?:-\d{2})?$/.exec(text);
  const slash = /^(\d{1,2})[/.](\d{4})$/.exec(text);
  const word = /^([a-z]{3,9})[ -.'/]*(\d{2}|\d{4})$/i.exec(text);
  const [year, month] = iso
    ? [iso[1], Number(iso[2])]
    : slash
      ? [slash[2], Number(slash[1])]
      : [
          word?.[2],
          1 + monthNames.findIndex((name) => name.startsWith(word?.[1]?.toLowerCase() ?? "-")),
        ];
  if (year === undefined || month < 1 || month > 12) return undefined;
  return `${year.length === 2 ? `20${year}` : year}-${String(month).padStart(2, "0")}`;
}

const noun = nounOf(budget, { example: "North", find });
const trackingVerb = {
  flags: [trackingFlag, fileFlag],
  said: ({ tracking: Tracking, ...given }: BudgetOptions) =>
    fieldsInOptions(budget, { ...given, Tracking }),
  notes: ["Amounts come from a file: acct budget import, or --file with the whole record."],
};

export const budgetVerbs: readonly Child[] = [
  listCommand({ resource: budget, examples: ["acct budget list"] }),
  showCommand,
  createVerb(noun, {
    ...trackingVerb,
    summary: "make a budget",
    fields: fieldsOf(budget),
    check: () => undefined,
    examples: [
      "acct budget create --type TRACKING --description North --tracking 'Studio:North Quay'",
    ],
  }),
  updateVerb(noun, {
    ...trackingVerb,
    summary: "change a budget",
    fields: ["Description"],
    examples: ["acct budget update North --description 'North Quay'"],
  }),
  importCommand,
  deleteCommand(noun, { summary: "delete a budget with its amounts" }),
];
