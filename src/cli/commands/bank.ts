/** `acct bank`: bank statements, and the reconciliation of their lines with the book. */

import type { Client } from "../../client/client.ts";
import { type BankMatchInput, bankSuggestion } from "../../resources/bank-match.ts";
import { type BankRuleInput, bankRule } from "../../resources/bank-rule.ts";
import { type BankStatementLine, bankStatementLine } from "../../resources/bank-statement.ts";
import type { Cents } from "../../resources/decimal.ts";
import { UsageError } from "../../resources/errors.ts";
import { exampleHandles } from "../../resources/examples.ts";
import { idOf, money } from "../../resources/field.ts";
import {
  bankTransaction,
  bankTransfer,
  batchPayment,
  creditNote,
  expenseClaim,
  invoice,
  overpayment,
  payment,
  prepayment,
} from "../../resources/index.ts";
import { allOf } from "../../wire/query/condition.ts";
import { bankAccount, linesPath, matchLine } from "../bank/statement-lines.ts";
import type { Child, Command, Context } from "../context/context.ts";
import { command, group } from "../framework/command.ts";
import { confirm } from "../framework/confirm.ts";
import { fieldsOf } from "../framework/flags.ts";
import { fieldsInOptions, fileFlag, inputOf } from "../framework/input.ts";
import { forEachRecord, recordsOf } from "../shared/bulk-results.ts";
import { findDocument } from "../shared/find-document.ts";
import { listCommand } from "../shared/list-verb.ts";
import { idOfHandle, kindsOf, recordNamed } from "../shared/record-ref.ts";
import { nounOf, showCommand } from "../shared/verbs.ts";
import { trackingOf } from "../values/line-flag.ts";
import { findNearest } from "../values/suggest.ts";
import { parseValue } from "../values/value.ts";
import { importCommand, statementGroup } from "./bank-import.ts";

const accountArgument = [
  "ACCOUNT",
  "bank account, by its code or name",
  { live: "account" },
] as const;
const { lineOfInvoices, lineReconciled, bankStatementLine: exampleLine } = exampleHandles;

const listVerb = listCommand({
  resource: bankStatementLine,
  omit: ["BankAccount"],
  examples: [],
});

/** `acct bank lines ACCOUNT`: the statement lines of one account. */
const linesCommand: Command = {
  ...listVerb,
  name: "lines",
  aliases: [],
  summary: "list the lines of statements of an account",
  args: [
    { name: "ACCOUNT", help: accountArgument[1], optional: false, repeat: false, live: "account" },
  ],
  examples: [
    "acct bank lines 090 --status UNRECONCILED",
    "acct bank lines 090 --period last-month -o csv",
  ],
  async run(ctx, [key], options) {
    const account = await bankAccount(ctx, String(key));
    const ofAccount = `BankAccount.AccountID==guid("${account.AccountID}")`;
    const { where } = options as { readonly where?: string };
    await listVerb.run(ctx, [], { ...options, where: allOf([where && `(${where})`, ofAccount]) });
    if (!ctx.out.isLaidOut) return;
    const client = await ctx.client();
    const query = { where: `${ofAccount} AND Status=="UNRECONCILED"`, fields: ["Handle", "Flags"] };
    const left: string[] = [];
    for await (const { Handle = "", Flags = [] } of client.list(bankStatementLine, query)) {
      if (Flags.includes("manual")) left.push(Handle);
    }
    if (left.length > 0) {
      ctx.out.say(
        `Left to you, as they were unmatched: ${left.join(", ")}; acct bank release gives them back.`,
      );
    }
  },
};

const daysField = { kind: "integer", min: 0, max: 366 } as const;
const chargesFlag = [
  "where charges go of which the bank tells; a person says it when not given",
  { placeholder: "NAME|CODE", live: "account", refers: "account" },
] as const;

/** Returns the query parameters of suggestions. */
function askedOf(options: {
  readonly days?: number | undefined;
  readonly charges?: string | undefined;
}): Readonly<Record<string, string>> {
  const { days, charges } = options;
  return {
    ...(days === undefined ? {} : { days: String(days) }),
    ...(charges === undefined ? {} : { charges }),
  };
}

const reconcileCommand = command("reconcile", "reconcile the lines of an account with the book")
  .writes()
  .answers(bankStatementLine)
  .optionalArgument(...accountArgument)
  .switch("auto", "do what is certain and what rules say, and ask nothing")
  .field("days", daysField, {
    help: "how many days after it is due a name still speaks for a document; 14 when not given",
  })
  .flag("charges", ...chargesFlag)
  .note(
    "Asks for each line, with what it may be and why. With --auto only an exact amount with a number " +
      "or one unambiguous name decides, or a rule; it goes through all bank accounts where none is " +
      "named, makes no contacts, and exits 7 where lines are left.",
  )
  .example("acct bank reconcile 090")
  .example("acct bank reconcile --auto --dry-run")
  .example("acct bank reconcile 090 --auto --charges 404")
  .action(async (ctx, key, { auto = false, ...options }) => {
    if (key === undefined && !auto) {
      throw new UsageError(
        "MissingValue",
        "Say which account: acct bank reconcile 090, or --auto.",
      );
    }
    const account = key === undefined ? undefined : await bankAccount(ctx, key);
    const query = { ...(account && { account: account.AccountID }), ...askedOf(options) };
    if (auto) {
      const { reconcileCertain } = await import("../bank/reconciling/reconcile-auto.ts");
      await reconcileCertain(ctx, account, query);
    } else if (account !== undefined) {
      const { reconcileByHand } = await import("../bank/reconciling/reconcile.ts");
      await reconcileByHand(ctx, account, query);
    }
  });

const suggestCommand = command("suggest", "show what the lines of an account may be")
  .answers(bankSuggestion)
  .argument(...accountArgument)
  .flag("line", "one line alone", { placeholder: "LINE", live: "bank-statement-line" })
  .field("days", daysField, { help: "as for reconcile" })
  .flag("charges", ...chargesFlag)
  .example("acct bank suggest 090 -o json")
  .action(async (ctx, key, { line, ...options }) => {
    const account = await bankAccount(ctx, key);
    const id = line === undefined ? undefined : await idOfHandle(ctx, [bankStatementLine], line);
    const client = await ctx.client();
    const suggestions = await client.at(bankSuggestion, `${linesPath}/Suggestions`, {
      account: account.AccountID,
      ...(id === undefined ? {} : { line: id }),
      ...askedOf(options),
    });
    const { showSuggestions } = await import("../bank/reconciling/show-suggestions.ts");
    await showSuggestions(ctx, account, suggestions, ({ BankStatementLineID }) =>
      id === undefined ? true : BankStatementLineID === id,
    );
  });

/** Parses `INV-0042`, or `INV-0042=100` for a partial payment. */
function readShare(text: string, flag: string): { readonly key: string; readonly amount?: Cents } {
  const equalsAt = text.lastIndexOf("=");
  if (equalsAt <= 0) return { key: text.trim() };
  const amount = parseValue(money(), text.slice(equalsAt + 1).trim(), {
    name: `the amount in ${flag}`,
  });
  return { key: text.slice(0, equalsAt).trim(), amount: amount as Cents };
}

type MatchDocuments = NonNullable<BankMatchInput["Documents"]>;

/** Finds the documents that a line pays or pays back, each with the amount that is written with it. */
async function documentsFrom(
  flag: string,
  words: readonly string[] = [],
  find: (key: string) => Promise<MatchDocuments[number]>,
): Promise<MatchDocuments> {
  const documents: MatchDocuments[number][] = [];
  for (const shareWord of words) {
    const { key, amount } = readShare(shareWord, flag);
    documents.push({ ...(await find(key)), ...(amount === undefined ? {} : { Amount: amount }) });
  }
  return documents;
}

/** Credits that are paid back, and all documents that a line may be. */
const refunded = [creditNote, overpayment, prepayment].flatMap(kindsOf);
const payable = [...kindsOf(invoice), ...kindsOf(expenseClaim), ...refunded];

const documentNamed = (ctx: Context, documentKinds: typeof payable) => async (key: string) => {
  const { resource, id } = await recordNamed(ctx, key, documentKinds);
  return { Kind: resource.name as MatchDocuments[number]["Kind"], DocumentID: id };
};

/** Parses `091`, or `092=600` where the other account is in another currency. */
async function transferFrom(ctx: Context, text: string) {
  const { key, amount } = readShare(text, "--transfer");
  return {
    TransferAccount: { AccountID: (await bankAccount(ctx, key)).AccountID },
    ...(amount === undefined ? {} : { TransferAmount: amount }),
  };
}

/** Parses `2.50=404`: a fee that the bank deducted, and its account. */
function feeFrom(text: string): NonNullable<BankMatchInput["Lines"]>[number] {
  const [amount = "", AccountCode = ""] = text.split("=").map((text) => text.trim());
  if (AccountCode === "")
    throw new UsageError("BadValue", "--fee takes AMOUNT=ACCOUNT, as 2.50=404.");
  const fee = parseValue(money(), amount, { name: "the amount in --fee" }) as Cents;
  return { AccountCode, Amount: -fee as Cents };
}

/** Records of the book that lines are reconciled with, by handle or id. */
const matched = [payment, batchPayment, bankTransaction, bankTransfer];

const matchCommand = command("match", "reconcile a line with what is named")
  .writes()
  .answers(bankStatementLine)
  .key(bankStatementLine, "bank-statement-line")
  .arguments("DOCUMENT", "what it pays or pays back, or DOCUMENT=AMOUNT for a part of it", {
    optional: true,
    live: "invoice",
  })
  .flag("invoice", "an invoice or bill that it pays, or a part of it", {
    repeat: true,
    placeholder: "INVOICE[=AMOUNT]",
    live: "invoice",
  })
  .flag("credit-note", "a credit note that it refunds", {
    repeat: true,
    placeholder: "NUMBER[=AMOUNT]",
    live: "credit-note",
  })
  .flag(
    "account",
    "money spent or received on this account, with what is left of the line, or a part of it",
    { repeat: true, placeholder: "ACCOUNT[:TAX][=AMOUNT]", live: "account" },
  )
  .flag("tax", "of --account; the account's own when not given", {
    placeholder: "NAME|TYPE",
    live: "tax-rate",
    refers: "tax-rate",
  })
  .flag("description", "of --account")
  .flag("contact", "of --account, --fee and what is kept; the payee when not given", {
    placeholder: "NAME|ID",
    live: "contact",
    refers: "contact",
  })
  .switch("overpayment", "what is left of the line is kept as an overpayment of the contact")
  .flag(
    "prepayment",
    "what is left of the line, or a part of it, is kept as a deposit on this account, for a later document",
    { placeholder: "ACCOUNT[:TAX][=AMOUNT]", live: "account" },
  )
  .flag(
    "refund",
    "a credit note, an overpayment or a prepayment that is paid back, or a part of it",
    {
      repeat: true,
      placeholder: "CN-0004|OP-3|PP-2[=AMOUNT]",
      live: "credit-note",
    },
  )
  .flag("fee", "taken off by the bank", { repeat: true, placeholder: "AMOUNT=ACCOUNT" })
  .flag(
    "transfer",
    "the other bank account of a transfer; what moved there, where it is in another currency",
    { placeholder: "ACCOUNT[=AMOUNT]", live: "account" },
  )
  .flag("payment", "a payment or batch payment that the book has already", {
    repeat: true,
    placeholder: "HANDLE",
    live: "payment",
  })
  .flag("transaction", "a bank transaction or transfer that the book has already", {
    repeat: true,
    placeholder: "HANDLE",
    live: "bank-transaction",
  })
  .example(`acct bank match ${lineOfInvoices} INV-0204 INV-0203 --fee 2.50=404`)
  .example(`acct bank match ${exampleLine} --account 429 --contact "Southern Lines Energy"`)
  .example(
    `acct bank match ${exampleLine} --account 900 --account 437=50 --contact "Southern Lines Energy"`,
  )
  .example(`acct bank match ${lineOfInvoices} --invoice INV-0204 --overpayment`)
  .action(async (ctx, key, documentKeys, options) => {
    checkFlags(options);
    const client = await ctx.client();
    const { linesSettled } = await import("../shared/reference.ts");
    const Lines = await linesSettled(client, [
      ...(options.fee ?? []).map(feeFrom),
      ...(await accountsFrom(ctx, key, options)),
      ...(await keptFrom(ctx, key, options)),
    ]);
    const Documents = [
      ...(await documentsFrom("DOCUMENT", documentKeys, documentNamed(ctx, payable))),
      ...(await documentsFrom("--invoice", options.invoice, async (key) => ({
        Kind: "Invoice",
        DocumentID: (await findDocument(ctx, undefined, key)).InvoiceID,
      }))),
      ...(await documentsFrom("--credit-note", options.creditNote, async (key) => ({
        Kind: "CreditNote",
        DocumentID: (await client.find(creditNote, key)).CreditNoteID,
      }))),
      ...(await documentsFrom("--refund", options.refund, documentNamed(ctx, refunded))),
    ];
    const Records: { RecordID: string }[] = [];
    for (const text of [...(options.payment ?? []), ...(options.transaction ?? [])]) {
      Records.push({ RecordID: await idOfHandle(ctx, matched, text) });
    }
    const input: BankMatchInput = {
      ...(Records.length === 0 ? {} : { Records }),
      ...(Documents.length === 0 ? {} : { Documents }),
      ...(Lines.length === 0 ? {} : { Lines }),
      ...(options.contact === undefined ? {} : { Contact: { Name: options.contact } }),
      ...(options.transfer === undefined ? {} : await transferFrom(ctx, options.transfer)),
    };
    if (Object.keys(input).length === 0) {
      throw new UsageError(
        "MissingValue",
        "Say what the line is: a DOCUMENT, --invoice, --account, --transfer, --overpayment, --prepayment, --refund, --payment or --transaction.",
      );
    }
    const line = await client.find(bankStatementLine, key);
    const { Payee } = line;
    const isMade = Lines.length > 0 || options.transfer !== undefined;
    const held = isMade && Records.length === 0 ? await heldFor(client, line) : [];
    const { watchContacts } = await import("../import/records/new-contacts.ts");
    const name = options.contact ?? Payee;
    const tellContacts = await watchContacts(ctx, name === undefined ? [] : [name]);
    await ctx.out.record(bankStatementLine, await matchLine(ctx, key, input));
    await tellContacts();
    if (held.length === 0) return;
    ctx.out.say(
      `The book has ${held.join(", ")} of this amount too, which no line is reconciled with. Where it is this money: acct undo, then acct bank match ${line.Handle} --transaction ${held[0]}.`,
    );
  });

/** Returns the handles of records of the book that a line may be, of its amount. */
async function heldFor(client: Client, line: BankStatementLine): Promise<string[]> {
  const { MatchNames } = await import("../bank/reconciling/match-parts.ts");
  const names = await MatchNames.of(client);
  const suggestions = await client.at(bankSuggestion, `${linesPath}/Suggestions`, {
    ...(line.BankAccount?.AccountID && { account: line.BankAccount.AccountID }),
    line: line.BankStatementLineID,
  });
  const held = suggestions.filter(
    ({ BankStatementLineID, Records = [] }) =>
      BankStatementLineID === line.BankStatementLineID && Records.length === 1,
  );
  const parts = await Promise.all(held.map((suggestion) => names.parts(line, suggestion)));
  return parts.flatMap(([part]) => part?.number || []);
}

/** Refuses flags of others that were not given. @throws UsageError */
function checkFlags({
  account = [],
  tax,
  description,
  contact,
  fee,
  overpayment: isKept,
  prepayment: deposit,
}: MatchOptions): void {
  const isTaxed = account.some((text) => readPlace(text, "--account").TaxType === undefined);
  const misuses = [
    [tax, isTaxed, "--tax is of an --account that names no tax"],
    [description, account.length > 0, "--description is of --account"],
    [
      contact,
      isKept || [...account, ...(fee ?? []), deposit].some((text) => text !== undefined),
      "--contact is of --account, --fee, --overpayment or --prepayment; a document has its own",
    ],
  ] as const;
  for (const [value, isUsed, words] of misuses) {
    if (value !== undefined && !isUsed) throw new UsageError("MissingValue", `${words}.`);
  }
}

interface MatchOptions extends AccountOptions, KeptOptions {
  readonly contact?: string | undefined;
  readonly fee?: readonly string[] | undefined;
}

/**
 * Parses `404`, or `900` and `437:NONE=50` where a line is split; parts have the sign of the line.
 */
async function accountsFrom(
  ctx: Context,
  lineId: string,
  { account: written = [], tax, description }: AccountOptions,
  flag = "--account",
): Promise<NonNullable<BankMatchInput["Lines"]>> {
  const shares = written.map((text) => readPlace(text, flag));
  const client = await ctx.client();
  const isOut =
    shares.some(({ amount }) => amount !== undefined) &&
    (await client.find(bankStatementLine, lineId)).Amount < 0;
  return shares.map(({ AccountCode, TaxType = tax, amount }) => ({
    AccountCode,
    ...(TaxType === undefined ? {} : { TaxType }),
    ...(description === undefined ? {} : { Description: description }),
    ...(amount === undefined ? {} : { Amount: (isOut ? -amount : amount) as Cents }),
  }));
}

/** Parses what is kept of a line; parts have the sign of the line. */
async function keptFrom(
  ctx: Context,
  lineId: string,
  { overpayment: isKept = false, prepayment: deposit }: KeptOptions,
): Promise<NonNullable<BankMatchInput["Lines"]>> {
  if (isKept && deposit !== undefined) {
    throw new UsageError("BadFlags", "What is left is kept once: --overpayment or --prepayment.");
  }
  if (isKept) return [{ KeptAs: "Overpayment" }];
  if (deposit === undefined) return [];
  const depositLines = await accountsFrom(ctx, lineId, { account: [deposit] }, "--prepayment");
  return depositLines.map((line) => ({ ...line, KeptAs: "Prepayment" }));
}

interface KeptOptions {
  readonly overpayment?: boolean | undefined;
  readonly prepayment?: string | undefined;
}

interface AccountOptions {
  readonly account?: string[] | undefined;
  readonly tax?: string | undefined;
  readonly description?: string | undefined;
}

/** Parses `404` or `404:INPUT2`, each with an optional amount: `=12.50`. */
function readPlace(text: string, flag: string) {
  const { key, amount } = readShare(text, flag);
  const [AccountCode = "", TaxType] = key.split(":").map((text) => text.trim());
  return { AccountCode, TaxType, amount };
}

/** Declares a verb that applies one action to each of several lines. */
function lineVerb(name: string, summary: string, deed: "Unmatch" | "Ignore" | "Release"): Command {
  return command(name, summary)
    .writes()
    .answers(bankStatementLine)
    .keys(bankStatementLine, "bank-statement-line")
    .example(`acct bank ${name} ${deed === "Ignore" ? exampleLine : lineReconciled}`)
    .action(async (ctx, keys) => {
      const client = await ctx.client();
      const lineByKey = await recordsOf(bankStatementLine, keys, (key) =>
        client.find(bankStatementLine, key),
      );
      const createLine = async (line: object, at = ctx) =>
        (await at.client()).perform(bankStatementLine, idOf(bankStatementLine, line), deed);
      if (lineByKey.size === 1) {
        await ctx.out.records(
          bankStatementLine,
          await Promise.all([...lineByKey.values()].map((line) => createLine(line))),
        );
      } else await forEachRecord(ctx, bankStatementLine, lineByKey, createLine);
      if (deed === "Unmatch" && !ctx.flags.dryRun) {
        ctx.out.say(
          "What was unmatched is left to people: reconcile --auto does not decide it again; acct bank match or reconcile by hand does. acct bank release gives it back.",
        );
      }
    });
}

const showLine = command("show", "show a line, and what it is reconciled with")
  .alias("view", "get")
  .key(bankStatementLine)
  .example(`acct bank show ${exampleLine}`)
  .action(async (ctx, key) => {
    const client = await ctx.client();
    await ctx.out.record(bankStatementLine, await client.find(bankStatementLine, key));
  });

// --- bank rules --------------------------------------------------------------------------------

type Condition = NonNullable<(typeof ruleFields)["Conditions"]>;
const ruleFields = bankRule.fields;

/**
 * Parses a condition: `text contains rent`, `payee equals ACME`, `amount 10..20`, `direction out`.
 */
function conditionFrom(text: string) {
  const [field = "", test = "", ...rest] = text.trim().split(/\s+/);
  const { Field, Test } = (ruleFields.Conditions as Condition).fields;
  const name = Field.values.find((value) => value.toLowerCase() === field.toLowerCase());
  if (name === undefined) {
    throw new UsageError(
      "BadValue",
      `--when begins with one of ${Field.values.join(", ")}, not "${field}".`,
    );
  }
  if (name === "amount") {
    const [from = "", to = from] = test.split("..");
    const read = (boundText: string) =>
      parseValue(money(), boundText, { name: "the amount in --when" }) as Cents;
    return {
      Field: name,
      ...(from === "" ? {} : { From: read(from) }),
      ...(to === "" ? {} : { To: read(to) }),
    };
  }
  const how = Test.values.find((value) => value.toLowerCase() === test.toLowerCase());
  const near = how === undefined && rest.length > 0 ? findNearest(test, Test.values) : undefined;
  if (near !== undefined) {
    throw new UsageError(
      "BadValue",
      `--when: "${test}" is no comparison; did you mean "${[name, near, ...rest].join(" ")}"? As a text: "${name} contains ${[test, ...rest].join(" ")}".`,
    );
  }
  const words = how === undefined ? [test, ...rest] : rest;
  return { Field: name, Test: how ?? "contains", Value: words.join(" ") } as const;
}

type RuleLine = NonNullable<BankRuleInput["Lines"]>[number];

/** Parses a share: `404`, `404=80%`, `404=12.50`, with `:TAXTYPE` after the account. */
function shareFrom(text: string): RuleLine {
  const percent = /^(.*)=([^=]*)%$/.exec(text);
  const { AccountCode, TaxType, amount } = readPlace(percent?.[1] ?? text, "--to");
  const coded = { AccountCode, ...(TaxType === undefined ? {} : { TaxType }) };
  if (percent === null) return amount === undefined ? coded : { ...coded, Amount: amount };
  const name = "the percent in --to";
  const Percent = parseValue({ kind: "percent" }, percent[2] ?? "", { name });
  return { ...coded, Percent } as RuleLine;
}

const ruleNoun = nounOf(bankRule, { word: "bank rule" });

function ruleFlags(name: "add" | "update", summary: string) {
  return command(name, summary)
    .flag(
      "when",
      "such as 'text contains rent', 'payee equals ACME', 'amount 10..20', 'direction out'; all must hold",
      { repeat: true, placeholder: "CONDITION" },
    )
    .flag("to", "where the money goes: 404, 404=80%, 404:INPUT2=12.50; without a share the rest", {
      repeat: true,
      placeholder: "ACCOUNT[:TAX][=SHARE]",
    })
    .switch("certain", "a fixed amount of --to needs no person, however large the line is")
    .flag("tracking", "of the lines that --to makes, such as Region:North", {
      repeat: true,
      placeholder: "CATEGORY:OPTION",
    })
    .flag("transfer", "the other bank account of a transfer", {
      placeholder: "ACCOUNT",
      live: "account",
    })
    .fields(bankRule, fieldsOf(bankRule, { except: ["Name", "Status", "TransferAccount"] }), {
      Contact: { refers: "contact" },
    })
    .flags<{ readonly file?: string }>([fileFlag]);
}

interface RuleOptions {
  readonly when?: string[] | undefined;
  readonly to?: string[] | undefined;
  readonly certain?: boolean | undefined;
  readonly tracking?: string[] | undefined;
  readonly transfer?: string | undefined;
  readonly file?: string | undefined;
}

async function ruleInput(ctx: Context, options: RuleOptions & object, ownFields: object) {
  const { when, to, certain, tracking, transfer, file, ...rest } = options;
  if (tracking !== undefined && to === undefined) {
    throw new UsageError(
      "MissingValue",
      "--tracking is of the lines that --to makes: give --to too.",
    );
  }
  const shares = to?.map(shareFrom) ?? [];
  if (certain === true && !shares.some(({ Amount }) => Amount !== undefined)) {
    throw new UsageError(
      "MissingValue",
      "--certain is of a fixed amount that --to gives, as --to 437=142.50.",
    );
  }
  const trackingPart = tracking === undefined ? {} : { Tracking: tracking.map(trackingOf) };
  const ruleLines = shares.map((share) => ({
    ...share,
    ...trackingPart,
    ...(certain === true && share.Amount !== undefined ? { IsCertain: true } : {}),
  }));
  const overrides = {
    ...ownFields,
    ...fieldsInOptions(bankRule, rest),
    ...(when === undefined ? {} : { Conditions: when.map(conditionFrom) }),
    ...(to === undefined ? {} : { Lines: ruleLines }),
    ...(transfer === undefined
      ? {}
      : { TransferAccount: { AccountID: (await bankAccount(ctx, transfer)).AccountID } }),
  };
  return inputOf(ctx, bankRule, file, overrides);
}

const addRule = ruleFlags("add", "add a rule for lines")
  .argument("NAME", "what it is called")
  .example(
    "acct bank rule add Power --when 'text contains power' --to 445 --contact 'Southern Lines Energy'",
  )
  .example(
    "acct bank rule add Phone --when 'payee contains telecom' --to 489 --tracking 'Studio:North Quay'",
  )
  .example("acct bank rule add Savings --when 'text contains SAVINGS' --transfer 091")
  .action(async (ctx, Name, options) => {
    const input = await ruleInput(ctx, options, { Name });
    const client = await ctx.client();
    await ctx.out.record(bankRule, await client.create(bankRule, input));
  });

const updateRule = ruleFlags("update", "change a rule")
  .key(bankRule, "bank rule")
  .example("acct bank rule update Rent --to 469=80% --to 429")
  .action(async (ctx, key, options) => {
    const client = await ctx.client();
    const rule = await client.find(bankRule, key);
    const input = await ruleInput(ctx, options, {});
    await ctx.out.record(bankRule, await client.update(bankRule, rule.BankRuleID, input));
  });

const removeRule = command("remove", "remove a rule")
  .writes()
  .alias("delete")
  .key(bankRule, "bank rule")
  .note("Asks first; without a terminal to ask on, --yes must be given.")
  .example("acct bank rule remove Rent --yes")
  .action(async (ctx, key) => {
    const client = await ctx.client();
    const rule = await client.find(bankRule, key);
    await confirm(ctx, `Remove the bank rule ${rule.Name}?`);
    await ctx.out.record(
      bankRule,
      await client.update(bankRule, rule.BankRuleID, { Status: "DELETED" }),
    );
  });

const testRule = command("test", "show the lines of an account that rules would decide")
  .answers(bankSuggestion)
  .argument(...accountArgument)
  .example("acct bank rule test 090")
  .action(async (ctx, key) => {
    const account = await bankAccount(ctx, key);
    const client = await ctx.client();
    const suggestions = await client.at(bankSuggestion, `${linesPath}/Suggestions`, {
      account: account.AccountID,
    });
    const ruled = suggestions.filter(({ BankRuleID }) => BankRuleID !== undefined);
    const decidedIds = new Set(ruled.map(({ BankStatementLineID }) => BankStatementLineID));
    const { showSuggestions } = await import("../bank/reconciling/show-suggestions.ts");
    await showSuggestions(ctx, account, ruled, ({ BankStatementLineID }) =>
      decidedIds.has(BankStatementLineID),
    );
  });

const ruleList = listCommand({ resource: bankRule, examples: ["acct bank rule list"] });

/** `acct bank rule list`: on a terminal what each rule is for, and how often it decided. */
const listRules: Command = {
  ...ruleList,
  async run(ctx, args, options) {
    if (!ctx.out.isScreen || Object.keys(options).length > 0)
      return ruleList.run(ctx, args, options);
    const client = await ctx.client();
    const rules = await Array.fromAsync(client.list(bankRule, { order: "Position ASC" }));
    if (rules.length === 0) return ctx.out.say("No bank rules found.");
    const { formatRules: ruleLines } = await import("../bank/reconciling/rule-table.ts");
    await ctx.out.page(({ width }) => ruleLines(ctx, rules, width));
  },
};

export const bankVerbs: readonly Child[] = [
  importCommand,
  linesCommand,
  reconcileCommand,
  suggestCommand,
  matchCommand,
  lineVerb("unmatch", "take back what lines were reconciled with", "Unmatch"),
  lineVerb("ignore", "leave lines out of the reconciliation", "Ignore"),
  lineVerb("release", "give lines that were unmatched back to reconcile --auto", "Release"),
  showLine,
  group(
    "rule",
    "rules for lines: the first that holds decides",
    [listRules, showCommand(ruleNoun), addRule, updateRule, removeRule, testRule],
    { aliases: ["rules"] },
  ),
  statementGroup,
];
