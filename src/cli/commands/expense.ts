/**
 * `acct expense`: what people have spent for the organisation. A line of the command makes a draft
 * receipt; the draft receipts of a person are what they may claim, until a claim holds them.
 */
import type { Client } from "../../client/client.ts";
import { amountText } from "../../resources/common.ts";
import { UsageError } from "../../resources/errors.ts";
import { expenseClaim } from "../../resources/expense-claim.ts";
import type { Input, Shape } from "../../resources/field.ts";
import { organisation } from "../../resources/organisation.ts";
import { payment } from "../../resources/payment.ts";
import { receipt } from "../../resources/receipt.ts";
import { counted } from "../../resources/scalar.ts";
import { allOf, anyOf, compare } from "../../wire/query/condition.ts";
import type { Child, Context } from "../context/context.ts";
import { command, type Flags } from "../framework/command.ts";
import { confirm } from "../framework/confirm.ts";
import { createRecords } from "../shared/bulk-results.ts";
import { paymentFields } from "../shared/credits/refund-verb.ts";
import { transitionVerb } from "../shared/document-verbs.ts";
import { contactId } from "../shared/filters.ts";
import { listCommand } from "../shared/list-verb.ts";
import { resolvePerson, type Tell } from "../shared/reference.ts";
import { nounOf, showCommand } from "../shared/verbs.ts";
import { longDay } from "../values/date-flags.ts";
import { uploadOf } from "./attachment.ts";
import {
  amountOf,
  type Coding,
  codingFlags,
  createAfterTrial,
  findOrCreateContact,
  toCodedLine,
  unnamed,
} from "./quick-entry.ts";

type Receipt = Shape<typeof receipt>;

const noun = nounOf(expenseClaim, { word: "expense" });

const byWhom = { placeholder: "NAME", required: true } as const;
const openStatuses = ["DRAFT", "SUBMITTED"] as const;

type EntryOptions = Flags<typeof receipt, "Contact" | "Date" | "Reference"> & {
  readonly by?: string | undefined;
  readonly receipt?: string | undefined;
} & Coding;

const addCommand = command("add", "keep what somebody has spent, in one line")
  .creates(receipt)
  .argument("AMOUNT", "how much, tax included")
  .argument("TEXT", "what for")
  .flag("by", "who has spent it, an employee or a user", byWhom)
  .fields(receipt, ["Contact", "Date", "Reference"], {
    Contact: { help: `where it was spent, by name, number or id; ${unnamed} when not given` },
    Date: { help: "today when not given", required: false },
  })
  .flags<Coding>(codingFlags)
  .flag("receipt", "the paper, or a photo of it", { placeholder: "FILE", live: "file" })
  .note("It is a draft, and posts nothing, until it is claimed and the claim is approved.")
  .note("The word add may be left out. On a terminal it shows what will be kept, and asks.")
  .example('acct expense 42.50 "Taxi" --by "Ana Reid" --to 404')
  .example('acct expense 19.90 "Parking" --by "Ana Reid" --to 404 --date yesterday')
  .action(add);

async function add(
  ctx: Context,
  amount: string,
  text: string,
  options: EntryOptions,
): Promise<void> {
  const { by = "", to, tax, tracking, receipt: path, Contact, ...fields } = options;
  const total = await amountOf(ctx, amount);
  await using upload = path === undefined ? undefined : await uploadOf(path, {});
  const client = await ctx.client();
  const { UserID, Name } = await resolvePerson(client, by);
  const baseCode = await baseCurrency(client);
  const LineItems = await toCodedLine(client, "purchase", text, total, { to, tax, tracking });
  const inputIn = async (at: Context, say: Tell): Promise<Input<typeof receipt>> => ({
    ...fields,
    Date: fields.Date ?? (await ctx.today()),
    User: { UserID },
    Contact: {
      ContactID: await (Contact === undefined
        ? findOrCreateContact(at, unnamed, say)
        : contactId(client, Contact)),
    },
    LineItems,
  });
  const previewLines = ({ Date: day, SubTotal, TotalTax, Total, Contact: where }: Receipt) => [
    `Spent by ${Name}, ${longDay(day)}: ${amountText(Total, baseCode)}`,
    `  ${to} ${text}: ${amountText(SubTotal, baseCode)}, tax ${amountText(TotalTax, baseCode)}`,
    `  ${where?.Name}`,
  ];
  await createAfterTrial(ctx, receipt, inputIn, previewLines, async (at, input) => {
    const receiptClient = await at.client();
    const newReceipt = await receiptClient.create(receipt, input);
    if (upload !== undefined && !at.flags.dryRun) {
      await receiptClient.attach(receipt, newReceipt.ReceiptID, upload);
    }
    await at.out.record(receipt, newReceipt);
    await sayOpen(at, { UserID, Name });
  });
}

interface Claimant {
  readonly UserID: string;
  readonly Name: string;
}

const baseCurrency = async (client: Client) =>
  (await client.at(organisation, "/Organisation"))[0]?.BaseCurrency;

/** Returns the receipts of a person, or of everybody, that no claim holds. */
async function openReceipts(client: Client, person?: Claimant): Promise<Receipt[]> {
  const { fields } = receipt;
  const condition = allOf([
    person && compare(fields, "User.UserID", "==", person.UserID),
    anyOf(openStatuses.map((status) => compare(fields, "Status", "==", status))),
  ]);
  const receipts = await Array.fromAsync(client.list(receipt, { where: condition, order: "Date" }));
  return receipts.filter(({ ExpenseClaim }) => ExpenseClaim?.ExpenseClaimID === undefined);
}

async function totalOf(client: Client, receipts: readonly Receipt[]): Promise<string> {
  const total = receipts.reduce((sum, { Total }) => sum + Total, 0);
  return amountText(total, await baseCurrency(client));
}

async function sayOpen(ctx: Context, person: Claimant): Promise<void> {
  const client = await ctx.client();
  const open = await openReceipts(client, person);
  const total = await totalOf(client, open);
  ctx.out.say(
    `${person.Name} may claim ${counted(open.length, "receipt")}, ${total} in all: acct expense submit ${JSON.stringify(person.Name)}.`,
  );
}

const receiptsCommand = command("receipts", "what may still be claimed")
  .answers(receipt)
  .flag("by", "who has spent it; everybody when not given", { placeholder: "NAME" })
  .example("acct expense receipts")
  .example('acct expense receipts --by "Ana Reid"')
  .action(async (ctx, { by }) => {
    const client = await ctx.client();
    const person = by === undefined ? undefined : await resolvePerson(client, by);
    await ctx.out.records(receipt, await openReceipts(client, person));
  });

const discardCommand = command("discard", "take out a receipt that no claim holds")
  .writes()
  .answers(receipt)
  .argument("RECEIPT", "its number, which is counted for each person")
  .flag("by", "who has spent it", byWhom)
  .note("Asks first; without a terminal to ask on, --yes must be given.")
  .example('acct expense discard 1 --by "Ana Reid" --yes')
  .action(async (ctx, number, { by = "" }) => {
    const client = await ctx.client();
    const person = await resolvePerson(client, by);
    const receipts = await openReceipts(client, person);
    const foundReceipt = receipts.find(({ ReceiptNumber }) => ReceiptNumber === number);
    if (foundReceipt === undefined) {
      throw new UsageError(
        "BadValue",
        `${person.Name} has no receipt ${number} that no claim holds; acct expense receipts shows them.`,
      );
    }
    const total = await totalOf(client, [foundReceipt]);
    await confirm(ctx, `Take out receipt ${number} of ${person.Name}, ${total}?`);
    const voided = await client.update(receipt, foundReceipt.ReceiptID, { Status: "VOIDED" });
    await ctx.out.record(receipt, voided);
  });

const submitCommand = command("submit", "claim all that somebody has spent")
  .creates(expenseClaim)
  .argument("NAME", "who has spent it, an employee or a user")
  .fields(expenseClaim, ["ReportingDate", "PaymentDueDate"], {
    ReportingDate: { name: "date" },
    PaymentDueDate: { name: "due" },
  })
  .note("The claim holds the draft receipts of the person; it posts nothing until it is approved.")
  .example('acct expense submit "Ana Reid"')
  .action(async (ctx, name, options) => {
    const client = await ctx.client();
    const person = await resolvePerson(client, name);
    const receipts = await openReceipts(client, person);
    if (receipts.length === 0) {
      throw new UsageError(
        "NothingDue",
        `${person.Name} has nothing to claim; acct expense AMOUNT TEXT --by ${JSON.stringify(person.Name)} --to ACCOUNT keeps what was spent.`,
      );
    }
    const Receipts = receipts.map(({ ReceiptID }) => ({ ReceiptID }));
    await createRecords(ctx, expenseClaim, [
      { ...options, User: { UserID: person.UserID }, Receipts },
    ]);
  });

const payCommand = command("pay", "pay an approved claim back")
  .key(expenseClaim, noun.word)
  .creates(payment)
  .fields(payment, paymentFields, {
    Account: { required: true },
    Amount: { help: "what is due when not given" },
  })
  .note("acct payment reverse takes a payment back.")
  .example("acct expense pay EC-1 --account 090")
  .action(async (ctx, key, options) => {
    const claim = await noun.find(ctx, key);
    const { ExpenseClaimID, Handle = key, Status, AmountDue } = claim;
    if (options.Amount === undefined && AmountDue === 0) {
      throw new UsageError("NothingDue", `Nothing is due on ${Handle}, which is ${Status}.`);
    }
    if (options.Amount === undefined && Status === "SUBMITTED") {
      throw new UsageError(
        "NothingDue",
        `${Handle} awaits approval: acct expense approve ${Handle} makes it due.`,
      );
    }
    await createRecords(ctx, payment, [
      { Amount: AmountDue, ...options, ExpenseClaim: { ExpenseClaimID } },
    ]);
  });

export const expenseVerbs: readonly Child[] = [
  addCommand,
  receiptsCommand,
  discardCommand,
  submitCommand,
  listCommand({
    resource: expenseClaim,
    omit: ["User"],
    rename: { ReportingDate: "date", PaymentDueDate: "due" },
    examples: [
      "acct expense list --status SUBMITTED",
      'acct expense list --contact "Ana Reid" --amount-due 0.01..',
    ],
    notes: ["What nobody has claimed yet is shown by acct expense receipts."],
  }),
  showCommand(noun),
  transitionVerb(noun, "approve", "AUTHORISED", "approve a claim, which posts it"),
  transitionVerb(noun, "decline", "DELETED", "send a claim back; its receipts are drafts again"),
  payCommand,
  transitionVerb(noun, "void", "VOIDED", "void an approved claim; its receipts are drafts again"),
];
