/** `acct explain pl 200`: explains figures of reports, and takes the flags of the report. */
import { account } from "../../resources/account.ts";
import { contact } from "../../resources/contact.ts";
import { UsageError } from "../../resources/errors.ts";
import { explainRoot } from "../../resources/explained-figures.ts";
import { type ReportDescription, type ReportName, reports } from "../../resources/report.ts";
import type { Command, Context, Flag } from "../context/context.ts";
import { command, ownFlag } from "../framework/command.ts";
import { requireExtension } from "../framework/confirm.ts";
import {
  type ReportOptions,
  refuseFlags,
  reportFlags,
  reportParameters,
} from "./report-command.ts";

/** Options that select a figure, and the depth of its explanation. */
export interface FigureOptions {
  readonly column?: string | undefined;
  readonly line?: string | undefined;
  readonly all?: boolean | undefined;
}

export const allFlag: Flag = ownFlag(
  "all",
  "down to postings and documents, up to 10,000 of them, and months of more",
);

const figureFlags: readonly Flag[] = [
  ownFlag("column", "heading of the column, or its place; the usual one when not given", {
    placeholder: "HEADING",
  }),
  ownFlag("line", "the row by its place, where a name fits several", {
    placeholder: "N",
    read: readLine,
  }),
  allFlag,
];

function readLine(text: string): string {
  if (/^[1-9]\d{0,5}$/.test(text)) return text;
  throw new UsageError("BadValue", `--line takes the place of a row, from 1 on, not "${text}".`);
}

/** Arguments of the examples in help, by report. */
const examples: Partial<Record<ReportName, readonly [string, ...string[]]>> = {
  ProfitAndLoss: [
    "acct explain pl 200 --period 2026-03",
    "acct explain pl 'Net Profit' --period this-fy --all -o xlsx --output-file profit.xlsx",
  ],
  AgedReceivables: ["acct explain aged-receivables 'Cuba Street Gifts' --date 2026-03-31"],
  BankReconciliation: ["acct explain bank-reconciliation Difference --account 090"],
  Statement: ["acct explain statement Due --contact 'Cuba Street Gifts'"],
  TrialBalance: ["acct explain trial-balance 610 --date 2026-03-31 --column Debit"],
};

/**
 * Declares `acct explain NAME`; returns nothing for a report that another report's command covers.
 */
export function explainReportCommand(name: ReportName): Command[] {
  const report: ReportDescription = reports[name];
  const reportWord = name === "Statement" ? "statement" : report.command;
  if (reportWord === undefined) return [];
  const oneContact: ReportDescription | undefined = reports[report.byContact as ReportName];
  const takesContact = oneContact !== undefined || "contactID" in report.parameters;
  const takesAccount = "accountID" in report.parameters;
  const title = report.title.toLowerCase();
  const ownFlags: Flag[] = [
    ...(takesContact
      ? [
          ownFlag("contact", "of the report of this contact, by name, number or id", {
            placeholder: "NAME",
            required: oneContact === undefined,
            live: "contact",
          }),
        ]
      : []),
    ...(takesAccount
      ? [
          ownFlag("account", "the bank account, by code, name or id", {
            placeholder: "CODE",
            required: true,
            live: "account",
            refers: "account",
          }),
        ]
      : []),
  ];
  let builder = command(reportWord, `a figure of the ${title}`)
    .answers("report")
    .alias(...(report.aliases ?? []))
    .argument("FIGURE", "code of an account, or what the row is called", { live: "account" })
    .flags<ReportOptions & FigureOptions & { contact?: string; account?: string }>(() => [
      ...reportFlags(name),
      ...ownFlags,
      ...figureFlags,
    ]);
  for (const example of examples[name] ?? [`acct explain ${reportWord} ${usualFigure(name)}`]) {
    builder = builder.example(example);
  }
  return [
    builder.action(async (ctx, row, options) => {
      const { contact: party, account } = options;
      const isOfOne = oneContact !== undefined && party !== undefined;
      const description = isOfOne ? oneContact : report;
      if (oneContact !== undefined) {
        if (isOfOne) refuseFlags(oneContact, report, options);
        else refuseFlags(report, oneContact, options);
      }
      const namedFields: Record<string, string> =
        party === undefined
          ? {}
          : { contactID: (await (await ctx.client()).find(contact, party)).ContactID };
      await explainAt(ctx, `Reports/${isOfOne ? report.byContact : name}`, {
        ...(await reportParameters(ctx, description, options)),
        ...namedFields,
        ...(account === undefined ? {} : { accountID: account }),
        ...figureReference(row, options),
      });
    }),
  ];
}

const usualFigures: Partial<Record<ReportName, string>> = {
  BalanceSheet: "'Net Assets' --date 2026-03-31",
  GeneralLedger: "610 --period this-fy",
  AgedPayables: "Total",
  BankSummary: "090 --period last-month",
  CashFlow: "'Net Cash Movement' --period this-fy",
  BudgetSummary: "'Net Profit'",
  BudgetVariance: "200 --column Variance",
  Sales: "Total --period last-quarter",
  Purchases: "Total --by contact",
  Equity: "'Closing Equity' --period this-fy",
  ExecutiveSummary: "'Gross profit margin' --period 2026-03",
  FixedAssets: "FA-0001",
  TaxSummary: "'Total collected' --column Tax --period last-quarter",
  TaxReconciliation: "Explained",
  ECSalesList: "'Total goods' --period last-month",
};
const usualFigure = (name: ReportName): string => usualFigures[name] ?? "Total";

export function figureReference(
  row: string,
  { column, line, all }: FigureOptions,
): Record<string, string> {
  return {
    ...(line === undefined ? { row } : { line }),
    ...(column === undefined ? {} : { column }),
    ...(all === true ? { all: "true" } : {}),
  };
}

export const explainBalance = command("balance", "what stands on an account at the end of a day")
  .answers("report")
  .argument("ACCOUNT", "the account, by code or name", { live: "account" })
  .field("date", { kind: "date" }, { help: "today when not given" })
  .switch("payments-only", "cash basis: only what was paid")
  .flags<FigureOptions>([allFlag])
  .note("A credit stands in the credit column of the trial balance, which is where it is shown.")
  .example("acct explain balance 610 --date 2026-03-31")
  .action(async (ctx, key, { date, paymentsOnly, all }) => {
    const { Code = key } = await (await ctx.client()).find(account, key);
    await explainAt(ctx, "Reports/TrialBalance", {
      ...(date === undefined ? {} : { date }),
      ...(paymentsOnly === true ? { paymentsOnly: "true" } : {}),
      ...figureReference(Code, { all }),
    });
  });

/**
 * Requests an explanation, and shows it.
 *
 * @param subject      path below the root of explanations: `Invoices/7c1e…`
 * @param template  the same path as the API description has it: `Invoices/{InvoiceID}`
 */
export async function explainAt(
  ctx: Context,
  subject: string,
  parameters: Record<string, string>,
  { template = subject }: { readonly template?: string } = {},
): Promise<void> {
  const path = `${explainRoot}/${subject}`;
  await requireExtension(ctx, "Explaining figures", "GET", `${explainRoot}/${template}`);
  const report = await (await ctx.client()).reportAt(path, parameters);
  if (ctx.flags.output !== "table") return ctx.out.report(report);
  const { explanationLines } = await import("../render/report/explanation.ts");
  const { marksOf } = await import("../../output/figures.ts");
  await ctx.out.page(async ({ width, paint, currency }) => {
    const numberMarks = width === undefined ? undefined : marksOf(undefined, "-");
    return explanationLines(report, { width, paint, currency: await currency?.() }, numberMarks);
  });
}
