/**
 * Upload page of bank statements: a preview of the parsed file and questions about its ambiguities,
 * before any line is saved. The file is kept in a hidden form field meanwhile.
 */
import { gunzipSync, gzipSync } from "node:zlib";
import { BankAccounts } from "../../../bank-import/account-lookup.ts";
import { hasKnownForms, readingOf, withWords } from "../../../bank-import/reading.ts";
import { sendFiles } from "../../../bank-import/send-statements.ts";
import { settleDoubts } from "../../../bank-import/settle-doubts.ts";
import {
  type ImportOptions,
  isCsv,
  type StatementFile,
} from "../../../bank-import/statement-files.ts";
import { openAccountOf, type SurveyedFile, surveyFile } from "../../../bank-import/survey.ts";
import { html } from "../../../output/markup.ts";
import { bankStatement } from "../../../resources/bank-statement.ts";
import { NotFoundError, RefusedError, UsageError } from "../../../resources/errors.ts";
import { pathOf } from "../../../resources/field.ts";
import { counted } from "../../../resources/scalar.ts";
import { addressWith, withTrailOf } from "../../frame/breadcrumbs.ts";
import { alert, type Content } from "../../frame/components.ts";
import { fileForm, filesField, submit, typed } from "../../frame/forms.ts";
import type { Page, PageResponse } from "../../frame/page-context.ts";
import { messagesOf } from "../../frame/router.ts";
import type { BooksContext } from "../context.ts";
import { statusMessage, undoButton } from "../records/acts/acts.ts";
import { checkAllowed, takeBackNamed } from "../records/acts/allowed.ts";
import {
  accountField,
  type Outcome,
  readingLabel,
  statementPreview,
  statementUploadPath,
  type UploadedStatement,
} from "./statement-preview.ts";

export const statementsPath = pathOf(bankStatement);

export async function showStatementUpload(ctx: BooksContext): Promise<Page> {
  checkAllowed(ctx, statementsPath);
  return {
    title: "Upload a statement",
    body: html`${ctx.faults.map(alert)}<p>The file is shown as it is read. Nothing is kept before you import it.</p>
${fileForm(
  ctx,
  statementUploadPath,
  filesField("statement", "File", "OFX, QFX, CAMT.053, MT940, QIF, CSV, or a ZIP of them"),
  await accountField(ctx),
  submit("Read the file"),
)}`,
    status: ctx.faults.length === 0 ? 200 : 400,
  };
}

/** Shows a file as it is read, or imports it. */
export async function uploadStatement(ctx: BooksContext): Promise<PageResponse> {
  checkAllowed(ctx, statementsPath);
  try {
    const upload = await uploadIn(ctx);
    const isAccepted = typed(ctx, "do") === "import" && answersIn(ctx).length === 0;
    return isAccepted && upload.outcome !== undefined
      ? await importFile(ctx, upload.outcome.survey)
      : await statementPreview(ctx, upload);
  } catch (error) {
    if (!isOfForm(error)) throw error;
    return showStatementUpload({ ...ctx, faults: messagesOf(error, readingLabel) });
  }
}

const isOfForm = (error: unknown): error is RefusedError | NotFoundError | UsageError =>
  [RefusedError, NotFoundError, UsageError].some((kind) => error instanceof kind);

async function uploadIn(ctx: BooksContext): Promise<UploadedStatement> {
  const file = fileIn(ctx);
  const packed = packedOf(file);
  const words = [...(ctx.form?.getAll("said") ?? []), ...answersIn(ctx)];
  const account = typed(ctx, "account") || undefined;
  const accounts = await BankAccounts.of(ctx.client, account, isCsv(file));
  const importOptions: ImportOptions = {
    account,
    accountOf: accounts.factsOf,
    today: ctx.today,
    isKept: typed(ctx, "keep") !== "no",
  };
  const options = words.reduce((all, text) => withWords(all, flagsIn(text)), importOptions);
  if (!hasKnownForms(options)) throw new UsageError("BadValue", "Choose an answer of the form.");
  const askedAccount = openAccountOf(file, accounts, options);
  const openAccount = askedAccount && `${askedAccount.reason}. Of which bank account is it?`;
  const shown = readingOf(file, options);
  const upload = { file, packed, words, openAccount, shown, outcome: undefined, refusals: [] };
  if (openAccount !== undefined || !("first" in shown)) return upload;
  try {
    return { ...upload, outcome: await tryImport(ctx, surveyFile(file, accounts, options)) };
  } catch (error) {
    if (!isOfForm(error)) throw error;
    return { ...upload, refusals: messagesOf(error, readingLabel) };
  }
}

/** Dry run of an import: the lines that the service would add, and its questions about doubtful ones. */
async function tryImport({ client }: BooksContext, survey: SurveyedFile): Promise<Outcome> {
  const to = { client, isTrial: true, write: { dryRun: true }, say: () => undefined };
  return { survey, trial: await sendFiles(to, [survey]) };
}

/** Imports a file as one operation, which the Bank page then offers to take back. */
async function importFile(ctx: BooksContext, survey: SurveyedFile): Promise<PageResponse> {
  const operation = crypto.randomUUID();
  const client = ctx.client.within(operation);
  const to = { client, isTrial: false, say: () => undefined };
  const { statements, doubts } = await sendFiles(to, [survey]);
  const changed = await settleDoubts(client, doubts, async ({ line: { Key } }) => {
    const answer = typed(ctx, `doubt:${Key}`);
    return answer === "skip" || answer === "add" ? answer : undefined;
  });
  const now = statements.map((statement) => changed.get(statement.BankStatementID) ?? statement);
  const count = (of: "LinesAdded" | "LinesKnown") =>
    String(now.reduce((sum, bankStatement) => sum + bankStatement[of], 0));
  const address = addressWith("/bank", [
    ["done", "imported"],
    ["added", count("LinesAdded")],
    ["known", count("LinesKnown")],
    ["operation", operation],
  ]);
  return { seeOther: `${withTrailOf(ctx, address)}#said` };
}

/** Message about the import before, with a button that takes it back. */
export function importMessage(ctx: BooksContext): Content {
  const { query } = ctx;
  if (query.get("done") === "undone") return statusMessage("It is taken back.");
  if (query.get("done") !== "imported") return "";
  const [added, known] = ["added", "known"].map((name) => Number(query.get(name) ?? 0) || 0);
  const words = `${counted(added ?? 0, "line")} added, ${known} known already.`;
  return statusMessage(words, undoButton(ctx, "/bank"));
}

/** Takes an import back. */
export async function undoImport(ctx: BooksContext): Promise<PageResponse> {
  await takeBackNamed(ctx, bankStatement);
  return { seeOther: `${withTrailOf(ctx, addressWith("/bank", [["done", "undone"]]))}#said` };
}

// --- what a form holds -----------------------------------------------------------------------------

/** Maximum size of an uploaded statement in bytes. */
const fileMax = 16 * 1024 * 1024;
/** Maximum size in bytes of a statement in a hidden form field, compressed by gzip and in base64. */
const packedMax = 240 * 1024;

function fileIn(ctx: BooksContext): StatementFile {
  const [file, ...others] = ctx.files ?? [];
  if (others.length > 0) throw new UsageError("MissingValue", "Choose one file.");
  if (file === undefined) return keptFile(typed(ctx, "name"), typed(ctx, "file"));
  if (file.bytes.length > fileMax) throw tooLarge();
  return { name: file.name, open: () => [file.bytes] };
}

/** Returns the file that is kept in the hidden form field. */
function keptFile(name: string, packedFile: string): StatementFile {
  if (packedFile === "" || packedFile.length > packedMax)
    throw new UsageError("MissingValue", "Choose one file.");
  try {
    const bytes = gunzipSync(Buffer.from(packedFile, "base64"), { maxOutputLength: fileMax });
    return { name, open: () => [bytes] };
  } catch {
    throw new UsageError("MissingValue", "Choose the file again.");
  }
}

function packedOf({ open }: StatementFile): string {
  const packedFile = gzipSync(Buffer.concat([...open()])).toString("base64");
  if (packedFile.length > packedMax) throw tooLarge();
  return packedFile;
}

const tooLarge = () =>
  new RefusedError("TooMuch", "The file is too large for this page; acct bank import takes it.");

/** Answers of the form that were not applied before, as flags. */
function answersIn({ form }: BooksContext): readonly string[] {
  return [...(form ?? [])].flatMap(([name, value]) => {
    if (value.trim() === "") return [];
    const [kind, flag] = name.split(":");
    if (kind === "say") return [value];
    return kind === "type" ? value.split(",").map((each) => `${flag} ${each.trim()}`) : [];
  });
}

/** Splits `--map date=Day of entry --reversed` into flags and their values. */
const flagsIn = (text: string): readonly string[] =>
  text.split(/ (?=--)/).flatMap((text) => {
    const [, flag = "", value] = /^(\S+)(?: (.*))?$/s.exec(text) ?? [];
    return value === undefined ? [flag] : [flag, value];
  });
