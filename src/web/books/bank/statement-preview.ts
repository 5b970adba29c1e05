/** A bank statement as it is read, with the fields of what it leaves open, before it is imported. */
import {
  type BankFileError,
  type CsvReading,
  roles,
  type StatementLine,
} from "../../../bank-files/index.ts";
import {
  answerText,
  changes,
  type FileReading,
  questionsOf,
} from "../../../bank-import/reading.ts";
import type { Imported } from "../../../bank-import/send-statements.ts";
import { doubtText, textOf } from "../../../bank-import/settle-doubts.ts";
import type { StatementFile } from "../../../bank-import/statement-files.ts";
import type { SurveyedFile } from "../../../bank-import/survey.ts";
import { html } from "../../../output/markup.ts";
import type { Account } from "../../../resources/account.ts";
import { counted } from "../../../resources/scalar.ts";
import { linkTo } from "../../frame/breadcrumbs.ts";
import { alert, type Content, isolated, pagePart, table } from "../../frame/components.ts";
import { choiceField, fileForm, hidden, submit, textField } from "../../frame/forms.ts";
import type { Page } from "../../frame/page-context.ts";
import { inFields } from "../../frame/router.ts";
import type { BooksContext } from "../context.ts";
import { accountsOf, titleOf } from "../ledger/account-ledger.ts";
import { day, money } from "../shown-values.ts";
import { noBankAccounts } from "./no-bank-accounts.ts";

export const statementUploadPath = "/bank/upload";

/** A file of a form, with what was said of it. */
export interface UploadedStatement {
  readonly file: StatementFile;
  /** The file as it travels in the form: packed, in base64. */
  readonly packed: string;
  /** Flags of the answers to what the file leaves open. */
  readonly words: readonly string[];
  /** Question of which account the file is, where its number does not say it. */
  readonly openAccount: string | undefined;
  readonly shown: FileReading | BankFileError;
  /** What an import would do; undefined while a question is open or the import is refused. */
  readonly outcome: Outcome | undefined;
  readonly refusals: readonly string[];
}

export interface Outcome {
  readonly survey: SurveyedFile;
  readonly trial: Imported;
}

type Choices = readonly (readonly [value: string, text: string])[];

export async function statementPreview(
  ctx: BooksContext,
  { file, packed, words, openAccount, shown, outcome, refusals }: UploadedStatement,
): Promise<Page> {
  // What was answered is part of the reading now, and the fields are empty again.
  const blank = { ...ctx, form: undefined };
  const kept = [["name", file.name], ["file", packed], ...words.map((text) => ["said", text])];
  const csvReading = "first" in shown ? shown.reading : undefined;
  const firstLines = "first" in shown ? shown.first : [];
  return {
    title: "Upload a statement",
    body: html`${refusals.map(alert)}<p><strong>${isolated(file.name)}</strong>: nothing is kept yet.</p>
${outcome === undefined ? "" : await outcomePart(ctx, outcome.survey, outcome.trial)}${fileForm(
  ctx,
  statementUploadPath,
  hidden(kept as [string, string][]),
  openAccount === undefined ? "" : alert(openAccount),
  await accountField(ctx),
  "first" in shown ? "" : questionFields(blank, shown),
  csvReading === undefined ? "" : readingPart(blank, csvReading),
  "first" in shown ? settingsPart(blank) : "",
  firstLines.length === 0 ? "" : linesPart(ctx, firstLines),
  outcome === undefined ? "" : doubtFields(blank, outcome.trial),
  html`<div class="acts">${outcome === undefined ? "" : html`<button class="act" name="do" value="import">Import</button>`}${submit("Read it again", "do", "read")}<a class="act other" href="${linkTo(ctx, statementUploadPath)}">Another file</a></div>`,
)}`,
  };
}

export async function accountField(ctx: BooksContext): Promise<Content> {
  const banks = (await accountsOf(ctx)).filter(isOpenBank);
  if (banks.length === 0) return html`<p>${noBankAccounts}</p>`;
  const values: Choices = [
    ["", "The one whose number is in the file"],
    ...banks.map((bank) => [bank.Code ?? bank.AccountID, titleOf(bank)] as const),
  ];
  return choiceField(ctx, { name: "account", label: "Bank account", values });
}

const isOpenBank = ({ Type, Status }: Account) => Type === "BANK" && Status === "ACTIVE";

/** The accounts, days, lines and balances of the file, and what of it is new. */
async function outcomePart(
  ctx: BooksContext,
  { statements, notices }: SurveyedFile,
  { statements: made }: Imported,
): Promise<Content> {
  const accounts = new Map((await accountsOf(ctx)).map((account) => [account.AccountID, account]));
  const count = (of: "LinesAdded" | "LinesKnown") => made.reduce((sum, each) => sum + each[of], 0);
  const rows = statements.map(({ account: { AccountID, currency }, summary, from, to }) => {
    const ownAccount = accounts.get(AccountID);
    const balance = (of: typeof summary.opening) =>
      of === undefined ? "" : money(ctx, of.amount, currency);
    return [
      isolated(ownAccount === undefined ? "" : titleOf(ownAccount)),
      from === undefined ? "" : day(from),
      to === undefined ? "" : day(to),
      String(summary.lineCount),
      balance(summary.opening),
      balance(summary.closing),
    ];
  });
  return html`${table({
    caption: "Statements of the file",
    columns: [
      { heading: "Account" },
      ...["From", "To"].map((heading) => ({ heading, label: heading })),
      ...["Lines", "Balance before", "Balance after"].map((heading) => ({
        ...{ heading, label: heading },
        figures: true,
      })),
    ],
    rows,
    isCards: true,
  })}<p>${counted(count("LinesAdded"), "new line")}, ${count("LinesKnown")} known already.</p>
${notices.map((notice) => html`<p>${inFields(notice, readingLabel)}</p>`)}`;
}

/** Fields for the questions that the file leaves open. */
function questionFields(ctx: BooksContext, error: BankFileError): Content {
  return html`${questionsOf(error).map(({ question, flag, choices, example, row }, at) => {
    const label = row === undefined ? question : `${question} (row ${row})`;
    if (choices.length === 0) {
      const hint = "Column by number or heading: date=1, amount=3";
      return textField(ctx, { name: `type:${flag}:${at}`, label, hint });
    }
    const values: Choices = [
      ["", "Choose"],
      ...choices.map((words) => [words, answerName(words, example)] as const),
    ];
    return choiceField(ctx, { name: `say:${at}`, label, values });
  })}`;
}

/** What columns are read as, in words. */
const roleWords = {
  date: "date",
  valueDate: "value date",
  amount: "amount",
  debit: "money out",
  credit: "money in",
  flag: "mark of in or out",
  fee: "fee",
  balance: "balance",
  currency: "currency",
  payee: "payee",
  account: "account of the payee",
  ownAccount: "own account",
  text: "text",
  reference: "reference",
  id: "number of the line",
  type: "kind",
  status: "status",
} as const satisfies Record<(typeof roles)[number], string>;

/** Words of a role; of those that a column is only found to have, as `originalAmount`, its own. */
const wordsOf = (role = ""): string =>
  roleWords[role as keyof typeof roleWords] ??
  role.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** An answer in words, by the settings that it changes. */
function answerName(words: string, example: string | undefined): string {
  const text = answerText(words, example);
  const answerNames = words.split(/ (?=--)/).map((answer) => readingLabel(answer) ?? answer);
  return text === words ? answerNames.join(", ") : text;
}

/** Label of the field by which a flag of `acct bank import` is said here, with its value if any. */
export function readingLabel(words: string): string | undefined {
  const [, role, column] = /^--map (\w+)=(.*)$/.exec(words) ?? [];
  if (column === "") return `${wordsOf(role)} is not read`;
  if (column !== undefined)
    return column === "COLUMN"
      ? `Read as ${wordsOf(role)}`
      : `column ${column} is ${wordsOf(role)}`;
  for (const { question, answers } of Object.values(changes)) {
    const foundAnswer = answers.find(([each]) => each === words);
    if (foundAnswer !== undefined) return `${question} ${foundAnswer[1]}`;
    if (answers.some(([each]) => each.startsWith(`${words} `))) return question;
  }
  return { "--account": "Bank account", "--encoding": "Encoding" }[words];
}

/** The columns of a CSV file, what each is read as, and why; all of it may be changed. */
function readingPart(ctx: BooksContext, { columns }: CsvReading): Content {
  const rows = columns.map(({ heading, example, role, because }, at) => {
    const name = heading === "" ? `column ${at + 1}` : heading;
    const otherChoices: Choices = roles
      .filter((each) => each !== role)
      .map((role) => [`--map ${role}=${at + 1}`, wordsOf(role)] as const);
    const noRole: Choices = role === undefined ? [] : [[`--map ${role}=`, "not read"]];
    const options = [
      ["", role === undefined ? "not read" : wordsOf(role)] as const,
      ...noRole,
      ...otherChoices,
    ];
    return [
      isolated(name),
      isolated(example),
      html`<select name="say:column${at}" aria-label="Column ${name} is read as">${options.map(
        ([value, text]) => html`<option value="${value}">${text}</option>`,
      )}</select>`,
      because === "--map" ? "chosen" : because,
    ];
  });
  const keepField = {
    name: "keep",
    label: "Read the next file with these headings in the same way",
    values: [
      ["yes", "Yes, keep it for this account"],
      ["no", "No, ask again"],
    ] as const,
  };
  return pagePart(
    "columns",
    "Columns",
    table({
      caption: "Columns",
      columns: [
        { heading: "Column" },
        { heading: "First value" },
        { heading: "Read as" },
        { heading: "Because" },
      ],
      rows,
      isCards: true,
    }),
    choiceField(ctx, keepField),
  );
}

/** Fields for how a file may be read otherwise. */
function settingsPart(ctx: BooksContext): Content {
  const settings = Object.entries(changes).map(([name, { question, answers }]) =>
    choiceField(ctx, {
      name: `say:${name}`,
      label: question,
      values: [["", "As it is read"], ...answers],
    }),
  );
  return html`<details><summary>Read it otherwise</summary>${settings}${textField(ctx, {
    ...{ name: "type:--encoding:0", label: "Encoding", isOptional: true },
    hint: "windows-1252, for example",
  })}</details>`;
}

function linesPart(ctx: BooksContext, lines: readonly StatementLine[]): Content {
  return pagePart(
    "lines",
    "The first lines",
    table({
      caption: "The first lines",
      columns: [
        { heading: "Date" },
        { heading: "Text" },
        { heading: "Amount", figures: true },
        { heading: "Balance", figures: true },
      ],
      rows: lines.map(({ date, party, text, amount, currency, balance }) => [
        day(date),
        isolated([party?.name, text].filter(Boolean).join(" · ")),
        money(ctx, amount, currency),
        balance === undefined ? "" : money(ctx, balance, currency),
      ]),
    }),
  );
}

/** Fields for the lines that may be in the book already. */
function doubtFields(ctx: BooksContext, { doubts }: Imported): Content {
  if (doubts.length === 0) return "";
  return pagePart(
    "doubts",
    "Lines that may be in the book already",
    ...doubts.map((doubt) =>
      choiceField(ctx, {
        name: `doubt:${doubt.line.Key}`,
        label: `${doubtText(doubt, doubt.line)}: is it ${textOf(doubt.other)}?`,
        values: [
          ["", "Leave it out"],
          ["skip", "The same: it is known"],
          ["add", "Two: add the one of the file"],
        ],
      }),
    ),
  );
}
