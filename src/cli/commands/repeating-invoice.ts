/** `acct repeating-invoice`: templates of invoices that are created on the dates of a schedule. */

import { UsageError } from "../../resources/errors.ts";
import type { InputOf } from "../../resources/field.ts";
import type { Term } from "../../resources/payment-terms.ts";
import {
  type RepeatingInvoice,
  repeatingInvoice,
  repeatingRun,
  scheduleFields,
} from "../../resources/repeating-invoice.ts";
import { counted } from "../../resources/scalar.ts";
import type { Child, Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { fieldsOf } from "../framework/flags.ts";
import { readTerms } from "../framework/party.ts";
import {
  createBuilder,
  createDocuments,
  type DocumentKind,
  type DocumentOptions,
  lineExample,
  transitionVerb,
  updateBuilder,
  updateDocument,
} from "../shared/document-verbs.ts";
import { listCommand } from "../shared/list-verb.ts";
import { historyCommand, noteCommand, nounOf, showCommand } from "../shared/verbs.ts";

const repeating: DocumentKind<typeof repeatingInvoice> = {
  ...nounOf(repeatingInvoice),
  fields: fieldsOf(repeatingInvoice, { except: ["Type"] }),
  newStatuses: ["DRAFT", "AUTHORISED"],
  fixed: { Type: "ACCREC" },
};

/** Options of a schedule; only given ones are sent, and the rest of the schedule is unchanged. */
interface When {
  readonly every?: number | undefined;
  readonly unit?: string | undefined;
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly dueDate?: number | undefined;
  readonly dueDateType?: string | undefined;
  readonly terms?: Term | undefined;
}

function schedule<O extends When>(options: O): O & Partial<Pick<RepeatingInvoice, "Schedule">> {
  const { terms, dueDate = terms?.Day, dueDateType = terms?.Type } = options;
  if (terms !== undefined && (dueDate !== terms.Day || dueDateType !== terms.Type)) {
    throw new UsageError(
      "BadFlags",
      "--terms says both; leave --due-date and --due-date-type out.",
    );
  }
  const entries: [string, unknown][] = [
    ["Period", options.every],
    ["Unit", options.unit],
    ["StartDate", options.startDate],
    ["EndDate", options.endDate],
    ["DueDate", dueDate],
    ["DueDateType", dueDateType],
  ];
  const Schedule: InputOf<typeof scheduleFields> = Object.fromEntries(
    entries.filter(([, value]) => value !== undefined),
  );
  return Object.keys(Schedule).length === 0 ? options : ({ ...options, Schedule } as O);
}

const { Period, Unit, StartDate, EndDate, DueDate, DueDateType } = scheduleFields;

const createCommand = createBuilder(repeating)
  .field("every", Period)
  .field("unit", Unit)
  .field("start-date", StartDate)
  .field("end-date", EndDate)
  .field("due-date", DueDate)
  .field("due-date-type", DueDateType)
  .flag("terms", "in place of both, in words", {
    placeholder: "TERMS",
    read: readTerms("--terms", DueDate.max),
  })
  .note("On the 31st it falls on the last day of shorter months.")
  .example(
    'acct repeating-invoice create --contact "Kauri Hotel" --reference "Rent [Month] [Year]" ' +
      '--every 1 --unit MONTHLY --start-date 2026-03-31 --terms "20th of the following month" ' +
      `--status AUTHORISED ${lineExample}`,
  )
  .action((ctx, options) => createDocuments(ctx, repeating, schedule(options) as DocumentOptions));

const updateCommand = updateBuilder(repeating)
  .field("every", Period)
  .field("unit", Unit)
  .field("start-date", StartDate)
  .field("end-date", EndDate, { clears: true })
  .field("due-date", DueDate)
  .field("due-date-type", DueDateType)
  .flag("terms", "in place of both, in words", {
    placeholder: "TERMS",
    read: readTerms("--terms", DueDate.max),
  })
  .example("acct repeating-invoice update Rent --end-date 2026-12-31")
  .action((ctx, key, options) =>
    updateDocument(ctx, repeating, key, schedule(options) as DocumentOptions),
  );

const runCommand = command("run", "make the invoices that are due")
  .writes()
  .answers(repeatingRun)
  .note(
    "Makes one for each date up to today, also those that were missed, and emails what is approved " +
      "for sending. Running it again makes nothing twice. acct serve does so every minute.",
  )
  .example("acct repeating-invoice run")
  .action(run);

async function run(ctx: Context): Promise<void> {
  const runs = await (await ctx.client()).runRepeating();
  await ctx.out.records(repeatingRun, runs);
  if (runs.length === 0) return;
  const invoiceCount = runs.filter(({ InvoiceID }) => InvoiceID !== undefined).length;
  const verb = ctx.flags.dryRun ? "would be" : invoiceCount === 1 ? "is" : "are";
  ctx.out.say(`${counted(invoiceCount, "document")} ${verb} made.`);
  const waitingCount = runs.length - invoiceCount;
  if (waitingCount > 0) {
    ctx.out.say(`${waitingCount} could not be made; see why above. Each is tried again next time.`);
  }
}

export const repeatingInvoiceVerbs: readonly Child[] = [
  listCommand({
    resource: repeatingInvoice,
    omit: ["Type"],
    examples: ["acct repeating-invoice list --status AUTHORISED"],
  }),
  showCommand(repeating),
  createCommand,
  updateCommand,
  transitionVerb(repeating, "delete", "DELETED", "delete templates; their invoices stay"),
  runCommand,
  historyCommand(repeating),
  noteCommand(repeating),
];
