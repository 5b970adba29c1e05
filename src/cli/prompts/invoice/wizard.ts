/**
 * `acct invoice create` without arguments: questions instead of flags.
 *
 * Nothing is written before the last answer. Until then the document is a draft in memory that the
 * service tries in dry runs; so Ctrl-C at any moment changes nothing.
 */

import { setTimeout } from "node:timers/promises";
import type { Client } from "../../../client/client.ts";
import { longDate } from "../../../ledger/dates/calendar.ts";
import { contact } from "../../../resources/contact.ts";
import { RefusedError, UnavailableError, UsageError } from "../../../resources/errors.ts";
import { type Invoice, invoice } from "../../../resources/invoice.ts";
import type { Choice, Context } from "../../context/context.ts";
import { nameOfRecord } from "../../framework/confirm.ts";
import {
  askInTurn,
  howToLeave,
  isBackRequest,
  leavable,
  type Questions,
  terminalQuestions,
} from "../../framework/questions.ts";
import { InterruptedError } from "../../render/error.ts";
import { loadPaint } from "../../render/paint.ts";
import { safeLine } from "../../render/safe.ts";
import { confirmNew } from "../../shared/duplicate.ts";
import { sayEmailed } from "../../shared/email-verb.ts";
import { isDistance, parseDate } from "../../values/date-flags.ts";
import { quoteFor } from "../../values/quote.ts";
import { BookRecords } from "./book-records.ts";
import {
  type Draft,
  type DraftLine,
  type DraftParty,
  type DraftTotals,
  inputOf,
  messagesOf,
  type NewContact,
  partyEmail,
  partyName,
  tryOut,
} from "./draft.ts";
import { askLine, lineName, optionalText, requireText } from "./line-questions.ts";
import { type DraftDecision, oneLine } from "./one-line.ts";
import { previewLines } from "./preview.ts";

/** Shared state of the wizard. */
interface Dialogue {
  readonly ctx: Context;
  readonly client: Client;
  readonly books: BookRecords;
  readonly ask: Questions;
  /** Idempotency key of the document, so that a retry after a lost answer creates no duplicate. */
  readonly attempt: { key?: string | undefined };
}

/**
 * Runs the wizard for one document.
 *
 * @param questions  the prompts; of the terminal, except in tests with scripted answers
 */
export async function invoiceWizard(
  ctx: Context,
  type: Invoice["Type"],
  questions?: Questions,
): Promise<void> {
  const client = await ctx.client();
  const ask = questions ?? (await terminalQuestions(ctx));
  const dialogue: Dialogue = {
    ctx,
    client,
    books: new BookRecords(client, type),
    ask,
    attempt: {},
  };
  const draft = await askDraft(dialogue, type);
  for (;;) {
    const trial = await tryOut(client, dialogue.books, draft, "DRAFT");
    await show(dialogue, draft, trial);
    const answer = await askWhatNow(ask, draft);
    if (answer === "discard") {
      ctx.out.say("Discarded; nothing was made.");
      return;
    }
    if (answer in changes) {
      await leavable(ask, (leavable) =>
        changes[answer as DraftChange]({ ...dialogue, ask: leavable }, draft),
      );
      dialogue.attempt.key = undefined;
    } else if (await carryOut(dialogue, draft, decisions[answer as keyof typeof decisions])) {
      return;
    }
  }
}

async function askDraft(dialogue: Dialogue, type: Invoice["Type"]): Promise<Draft> {
  const draft: Draft = {
    type,
    party: { kind: "new", input: { Name: "" } },
    date: await dialogue.ctx.today(),
    types: "Exclusive",
    lines: [],
  };
  dialogue.ctx.out.say(howToLeave);
  const steps = [changes.contact, askDate, askDueDate, askReference, askLines];
  await askInTurn(
    dialogue.ask,
    steps.map((step) => ({ ask: (ask) => step({ ...dialogue, ask }, draft) })),
  );
  return draft;
}

// --- contact and dates -----------------------------------------------------------------------

/** Pause in typing before a remote service is queried, in milliseconds. */
const typingMs = 150;

async function askParty(dialogue: Dialogue, type: Invoice["Type"]): Promise<DraftParty> {
  const { client } = dialogue;
  let choice = { kind: "unknown", name: "" } as ContactChoice;
  let input: NewContact = { Name: "" };
  const when = () => choice.kind === "unknown";
  await askInTurn(dialogue.ask, [
    {
      ask: async (ask) => {
        choice = await askContactChoice({ ...dialogue, ask }, type);
      },
    },
    {
      when,
      ask: async (ask) => {
        input = await askName(ask, client, choice.kind === "unknown" ? choice.name : "");
      },
    },
    {
      when,
      ask: async (ask) => {
        input = await askAddress(ask, client, input);
      },
    },
  ]);
  return choice.kind === "unknown" ? { kind: "new", input } : choice;
}

type ContactChoice = DraftParty | { readonly kind: "unknown"; readonly name: string };

function askContactChoice(
  { ask, books, ctx }: Dialogue,
  type: Invoice["Type"],
): Promise<ContactChoice> {
  return ask.search<ContactChoice>({
    message: type === "ACCREC" ? "Contact" : "Supplier",
    source: async (term, signal) => {
      if (ctx.target().kind === "remote") await setTimeout(typingMs, undefined, { signal });
      const contacts = await books.contacts(term);
      return [
        ...contacts.map((contact) => ({
          name: safeLine([contact.Name, contact.EmailAddress].filter((text) => text).join("  ")),
          short: safeLine(contact.Name),
          value: { kind: "known", contact: contact } as const,
        })),
        {
          name: term === "" ? "A new contact" : `A new contact: ${term}`,
          short: term === "" ? "a new contact" : term,
          value: { kind: "unknown", name: term } as const,
        },
      ];
    },
  });
}

/** Tries a new contact in a dry run; it is created with the document. */
async function tryContact(client: Client, input: NewContact): Promise<NewContact> {
  await client.create(contact, input, { dryRun: true });
  return input;
}

function askName(ask: Questions, client: Client, name: string): Promise<NewContact> {
  return ask.text({
    message: "Name of the new contact",
    initial: name === "" ? undefined : name,
    read: (text) => tryContact(client, { Name: requireText(text, "A name") }),
  });
}

function askAddress(ask: Questions, client: Client, { Name }: NewContact): Promise<NewContact> {
  const email = optionalText(contact.fields.EmailAddress, "The address");
  return ask.text({
    message: "Email address, if there is one",
    read: async (text) => {
      const EmailAddress = email(text);
      return EmailAddress === undefined ? { Name } : tryContact(client, { Name, EmailAddress });
    },
  });
}

async function askDate({ ask, ctx }: Dialogue, draft: Draft): Promise<void> {
  const order = await ctx.dayOrder();
  const today = await ctx.today();
  const day = (text: string) => parseDate(text, today, { order: () => order });
  draft.date = await ask.text({ message: "Date", initial: draft.date, read: day, shown: day });
}

async function askDueDate({ ask, ctx }: Dialogue, draft: Draft): Promise<void> {
  // A relative date counts from the document date, as in --due-date; words such as `today` do not.
  const order = await ctx.dayOrder();
  const today = await ctx.today();
  const day = (text: string) => {
    const due = parseDate(text, isDistance(text) ? draft.date : today, { order: () => order });
    if (due >= draft.date) return due;
    throw new UsageError(
      "BadValue",
      `${longDate(due)} is before the date of the document, ${longDate(draft.date)}.`,
    );
  };
  draft.dueDate = await ask.text({
    message: "Due date, if not by the terms",
    initial: draft.dueDate,
    editable: true,
    read: (text) => (text.trim() === "" ? undefined : day(text)),
    shown: (text) => (text.trim() === "" ? "by the terms" : day(text)),
  });
}

/** Asks for the customer's reference of a sale, or the supplier's number of a bill. */
async function askReference({ ask }: Dialogue, draft: Draft): Promise<void> {
  if (draft.type === "ACCREC") {
    draft.reference = await ask.text({
      message: "Reference, if there is one",
      initial: draft.reference,
      editable: true,
      read: optionalText(invoice.fields.Reference, "The reference"),
    });
  } else {
    draft.number = await ask.text({
      message: "Number on the bill, if there is one",
      initial: draft.number,
      editable: true,
      read: optionalText(invoice.fields.InvoiceNumber, "The number"),
    });
  }
}

// --- document lines --------------------------------------------------------------------------

/** Asks for lines; going back from the first question of a line repeats the previous line. */
async function askLines({ ask, books }: Dialogue, draft: Draft): Promise<void> {
  const count = draft.lines.length;
  let line: DraftLine | undefined;
  for (;;) {
    const number = draft.lines.length + 1;
    try {
      line = await askLine(ask, books, draft, { number, line, mayEnd: number > 1 });
      if (line === undefined) return;
      draft.lines.push(line);
      line = undefined;
    } catch (error) {
      if (!isBackRequest(error) || draft.lines.length === count) throw error;
      line = draft.lines.pop();
    }
  }
}

async function askWhichLine(ask: Questions, { lines }: Draft, message: string): Promise<number> {
  if (lines.length === 1) return 0;
  return ask.choose({
    message,
    choices: lines.map((line, at) => ({ name: `${at + 1}  ${lineName(line)}`, value: at })),
  });
}

// --- changes and final choice ----------------------------------------------------------------

/** Answers that can be changed. */
const changes = {
  contact: async (dialogue: Dialogue, draft: Draft) => {
    draft.party = await askParty(dialogue, draft.type);
  },
  dates: (dialogue: Dialogue, draft: Draft) =>
    askInTurn(
      dialogue.ask,
      [askDate, askDueDate].map((step) => ({ ask: (ask) => step({ ...dialogue, ask }, draft) })),
    ),
  reference: askReference,
  types: async ({ ask }: Dialogue, draft: Draft) => {
    draft.types = await ask.choose({
      message: "Amounts",
      choices: [
        { name: "are without tax, which is added", value: "Exclusive" },
        { name: "include tax", value: "Inclusive" },
        { name: "bear no tax", value: "NoTax" },
      ],
      initial: draft.types,
    });
    for (const { input } of draft.lines) if (draft.types === "NoTax") input.TaxType = undefined;
  },
  line: async ({ ask, books }: Dialogue, draft: Draft) => {
    const at = await askWhichLine(ask, draft, "Which line?");
    const line = await askLine(ask, books, draft, { number: at + 1, line: draft.lines[at] });
    if (line !== undefined) draft.lines[at] = line;
  },
  add: askLines,
  remove: async ({ ask }: Dialogue, draft: Draft) => {
    draft.lines.splice(await askWhichLine(ask, draft, "Remove which line?"), 1);
  },
} as const;
type DraftChange = keyof typeof changes;

const decisions = {
  draft: { status: "DRAFT", emails: false },
  approve: { status: "AUTHORISED", emails: false },
  email: { status: "AUTHORISED", emails: true },
} as const satisfies Record<string, DraftDecision>;

type SummaryAnswer = DraftChange | keyof typeof decisions | "discard";

function askWhatNow(ask: Questions, draft: Draft): Promise<SummaryAnswer> {
  const isSale = draft.type === "ACCREC";
  const address = partyEmail(draft);
  const emailing: Choice<SummaryAnswer> = {
    name: safeLine(`Approve and email${address === undefined ? "" : ` to ${address}`}`),
    value: "email",
    disabled: address === undefined ? `${partyName(draft)} has no address` : undefined,
  };
  return ask.choose<SummaryAnswer>({
    message: "What now?",
    choices: [
      { name: "Save as draft", value: "draft" },
      { name: "Approve", value: "approve" },
      ...(isSale ? [emailing] : []),
      { name: isSale ? "Change the contact" : "Change the supplier", value: "contact" },
      { name: "Change the dates", value: "dates" },
      { name: isSale ? "Change the reference" : "Change the number", value: "reference" },
      { name: "Change whether amounts include tax", value: "types" },
      { name: "Change a line", value: "line" },
      { name: "Add a line", value: "add" },
      ...(draft.lines.length > 1
        ? [{ name: "Remove a line", value: "remove" } satisfies Choice<SummaryAnswer>]
        : []),
      { name: "Discard", value: "discard" },
    ],
  });
}

async function show({ ctx, books }: Dialogue, draft: Draft, trial: DraftTotals): Promise<void> {
  const width = process.stderr.columns ?? 80;
  const paint = await loadPaint(ctx.flags.color);
  ctx.out.sayPainted(await previewLines(books, draft, trial, { width, paint }));
}

/**
 * Carries out the final choice.
 *
 * @returns false when it failed, with the reasons shown, so that answers can be changed
 */
async function carryOut(talk: Dialogue, draft: Draft, decision: DraftDecision): Promise<boolean> {
  const { ctx, client, books } = talk;
  const made = draft.party.kind === "new" ? draft.party.input : undefined;
  let record: Invoice | undefined;
  try {
    if (made !== undefined || ctx.flags.dryRun) {
      // A dry run before the contact is created, so that a refusal leaves no contact without
      // document.
      const trial = await tryOut(client, books, draft, decision.status);
      if (trial.faults.length > 0) return sayRefused(ctx, trial.faults);
      record = trial.record && { ...trial.record, Contact: { Name: partyName(draft) } };
    }
    if (!(await isWanted(talk, draft, decision))) return false;
    if (!ctx.flags.dryRun) {
      record = await delayInterrupt(ctx, () => keep(talk, draft, decision));
    }
  } catch (error) {
    if (made !== undefined && draft.party.kind === "known") {
      ctx.out.say(`The contact ${made.Name} was made.`);
    }
    if (error instanceof UnavailableError) return sayRefused(ctx, [error.message]);
    if (!(error instanceof RefusedError)) throw error;
    talk.attempt.key = undefined;
    return sayRefused(ctx, messagesOf(error));
  }
  try {
    if (decision.emails && record !== undefined && !ctx.flags.dryRun) {
      const answer = await client.email(invoice, record.InvoiceID);
      sayEmailed(ctx, nameOfRecord(invoice, record), record, answer);
      record = await client.find(invoice, record.InvoiceID);
    }
  } finally {
    // The created document is shown even when a later step, such as the email, failed.
    if (record !== undefined) await ctx.out.record(invoice, record);
    const quote = quoteFor(ctx.env, process.platform);
    ctx.out.say(`\nThe same in one line:\n${oneLine(ctx, draft, { ...decision, made }, quote)}`);
  }
  return true;
}

/** Whether to create the document; asks where a likely duplicate exists, except on a retry. */
async function isWanted({ ctx, attempt }: Dialogue, draft: Draft, decision: DraftDecision) {
  const { party, type } = draft;
  const isKnown = ctx.flags.allowDuplicate || attempt.key !== undefined;
  if (isKnown || party.kind === "new") return true;
  const input = inputOf(draft, decision.status, party.contact);
  try {
    await confirmNew(ctx, invoice, [input], type === "ACCREC" ? "invoice" : "bill");
    return true;
  } catch (error) {
    if (ctx.interrupted.aborted || !(error instanceof InterruptedError)) throw error;
    return false;
  }
}

async function keep({ ctx, client, attempt }: Dialogue, draft: Draft, { status }: DraftDecision) {
  if (draft.party.kind === "new") {
    const createdContact = await client.create(contact, draft.party.input);
    draft.party = { kind: "known", contact: createdContact };
  }
  if (ctx.target().kind === "remote") {
    attempt.key ??= process.getBuiltinModule("node:crypto").randomUUID();
  }
  const input = inputOf(draft, status, draft.party.contact);
  return client.create(invoice, input, { idempotencyKey: attempt.key });
}

function sayRefused({ out }: Context, reasons: readonly string[]): false {
  out.say("");
  for (const reason of reasons) out.say(`! ${safeLine(reason)}`);
  return false;
}

/** Delays Ctrl-C until a write is complete; a second Ctrl-C exits at once. */
async function delayInterrupt<T>({ out }: Context, action: () => Promise<T>): Promise<T> {
  let hasAsked = false;
  const listener = () => {
    if (hasAsked) process.exit(130);
    hasAsked = true;
    out.say("It is being saved; Ctrl-C once more stops at once.");
  };
  process.on("SIGINT", listener);
  try {
    return await action();
  } finally {
    process.removeListener("SIGINT", listener);
  }
}
