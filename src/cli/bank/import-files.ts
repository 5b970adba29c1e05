/**
 * Importing statements: files of banks, read in constant memory and sent in parts. A file is read to
 * its end before anything of it is sent.
 */
import { closeSync, openSync, readSync } from "node:fs";
import {
  type BankFilePart,
  checkStatement,
  filesIn,
  LineKeys,
  type PackedFile,
  type ReadOptions,
  readBankFile,
  type StatementHead,
  type StatementLine,
  type StatementSummary,
  unknownColumns,
} from "../../bank-files/index.ts";
import type { Client } from "../../client/client.ts";
import { type Account, account } from "../../resources/account.ts";
import {
  type BankStatement,
  type BankStatementInput,
  bankStatement,
} from "../../resources/bank-statement.ts";
import type { Cents } from "../../resources/decimal.ts";
import { NotFoundError, RefusedError, UsageError } from "../../resources/errors.ts";
import { organisation } from "../../resources/organisation.ts";
import type { Context } from "../framework/context.ts";

/** Lines in one request. */
const linesMax = 2_000;
const chunkBytes = 256 * 1024;

export interface ImportOptions extends ReadOptions {
  /** The bank account; by its number in the file when not given. */
  readonly account?: string | undefined;
  /** The day up to which statements go that do not say it; that of the last line when not given. */
  readonly to?: string | undefined;
}

type SentLine = NonNullable<BankStatementInput["StatementLines"]>[number];

/** @throws UsageError, RefusedError, BankFileError before anything of the file is kept */
export async function importFile(
  ctx: Context,
  path: string,
  options: ImportOptions,
): Promise<BankStatement[]> {
  const client = await ctx.client();
  const accounts = new BankAccounts(client);
  const targets: Account[] = [];
  const files = filesIn(() => chunksOf(path));
  for (const part of partsOf(files, options)) {
    if (part.kind === "head") targets.push(await accounts.of(part.head, options.account, path));
    if (part.kind === "line") checkDay(part.line, options.to, path);
    if (part.kind === "end") sayFindings(ctx, path, part.statement);
  }
  const made: BankStatement[] = [];
  const keys = new LineKeys();
  for (const statement of statementsIn(partsOf(files, options))) {
    const target = targets[made.length];
    if (target === undefined) break;
    made.push(await send({ ctx, client, path, keys, to: options.to }, target, statement));
  }
  return made;
}

/** @throws UsageError where a line is of after the day up to which the statement is said to go */
function checkDay({ date }: StatementLine, to: string | undefined, path: string): void {
  if (to === undefined || date <= to) return;
  throw new UsageError("BadValue", `${path} has a line of ${date}, which is after --to ${to}.`);
}

/** The columns of a CSV file that must be told what they hold; undefined where none must. @throws AcctError */
export function columnsToTell(path: string): readonly string[] | undefined {
  for (const { open } of filesIn(() => chunksOf(path))) {
    const columns = unknownColumns(open);
    if (columns !== undefined) return columns;
  }
  return undefined;
}

/** The parts of a file, or of all files in an archive. */
function* partsOf(files: readonly PackedFile[], options: ReadOptions): Generator<BankFilePart> {
  for (const { open } of files) yield* readBankFile(open, options);
}

function* chunksOf(path: string): Generator<Uint8Array> {
  const descriptor = opened(path);
  try {
    for (;;) {
      const chunk = new Uint8Array(chunkBytes);
      const bytes = readSync(descriptor, chunk);
      if (bytes === 0) return;
      yield chunk.subarray(0, bytes);
    }
  } finally {
    closeSync(descriptor);
  }
}

function opened(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new UsageError("NoFile", `There is no file ${path}.`);
    if (code === "EACCES") throw new UsageError("NoFile", `The file ${path} may not be read.`);
    throw error;
  }
}

/** Says what is doubtful about a statement, and what was left out of it. */
function sayFindings(ctx: Context, path: string, statement: StatementSummary): void {
  const { pending, withdrawn, warnings } = statement;
  for (const warning of warnings) ctx.out.say(`${path}: ${warning}`);
  if (pending > 0) ctx.out.say(`${path}: ${pending} pending lines were left out.`);
  if (withdrawn.length > 0) {
    ctx.out.say(`${path}: the bank takes ${withdrawn.length} lines of before back; see to them.`);
  }
  for (const { sentence } of checkStatement(statement)) ctx.out.say(`${path}: ${sentence}`);
}

/** The bank accounts of the book, by code, name or number. */
class BankAccounts {
  readonly #client: Client;
  #known: Promise<readonly Account[]> | undefined;
  #base: string | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  async of(head: StatementHead, key: string | undefined, path: string): Promise<Account> {
    const found = key === undefined ? await this.#byNumber(head, path) : await this.#named(key);
    const numbers = numbersOf(head);
    const own = digits(found.BankAccountNumber ?? "");
    if (own !== "" && numbers.length > 0 && !numbers.some((each) => isSame(each, own))) {
      throw new RefusedError(
        "OtherAccount",
        `${path} is of the account ${numbers[0]}, not of ${found.Code} ${found.Name} (${found.BankAccountNumber}).`,
      );
    }
    this.#base ??= (await this.#client.at(organisation, "/Organisation"))[0]?.BaseCurrency;
    const currency = found.CurrencyCode ?? this.#base;
    if (head.currency !== undefined && currency !== undefined && head.currency !== currency) {
      throw new RefusedError(
        "OtherCurrency",
        `${path} is in ${head.currency}, but ${found.Code} ${found.Name} is in ${currency}.`,
      );
    }
    return found;
  }

  async #named(key: string): Promise<Account> {
    const found = await this.#client.find(account, key);
    if (found.Type === "BANK") return found;
    throw new UsageError("BadValue", `${found.Code} ${found.Name} is no bank account.`);
  }

  async #byNumber(head: StatementHead, path: string): Promise<Account> {
    this.#known ??= this.#all();
    const numbers = numbersOf(head);
    const fitting = (await this.#known).filter(({ BankAccountNumber = "" }) => {
      const own = digits(BankAccountNumber);
      return own !== "" && numbers.some((each) => isSame(each, own));
    });
    const [only, ...others] = fitting;
    if (only !== undefined && others.length === 0) return only;
    const which = numbers[0] === undefined ? "no account" : `the account ${numbers[0]}`;
    throw new NotFoundError(
      "NotFound",
      `${path} names ${which}, which is that of no bank account here; say --account CODE.`,
    );
  }

  async #all(): Promise<readonly Account[]> {
    const found: Account[] = [];
    for await (const each of this.#client.list(account, { where: 'Type=="BANK"' })) {
      found.push(each);
    }
    return found;
  }
}

const digits = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, "");

/** Banks leave out their own code, or write zeros before a number. */
function isSame(told: string, own: string): boolean {
  const [a, b] = [told, own].map((each) => each.replace(/^0+/, "")) as [string, string];
  return a !== "" && (a === b || a.endsWith(b) || b.endsWith(a));
}

function numbersOf({ account: { iban, bank = "", number } }: StatementHead): string[] {
  const isMasked = number !== undefined && /[X*]{2}/i.test(number);
  return [
    iban,
    number === undefined || isMasked ? undefined : `${bank}${number}`,
    isMasked ? undefined : number,
  ]
    .filter((each) => each !== undefined)
    .map(digits)
    .filter((each) => each.length >= 4);
}

interface Statement {
  readonly head: StatementHead;
  readonly lines: Iterable<StatementLine>;
  /** Once the lines are read. */
  summary(): StatementSummary | undefined;
}

/** Statements one after the other; the lines of one are to be read before the next is asked for. */
function* statementsIn(parts: Iterator<BankFilePart>): Generator<Statement> {
  for (let next = parts.next(); !next.done; next = parts.next()) {
    if (next.value.kind !== "head") continue;
    const { head } = next.value;
    let end: StatementSummary | undefined;
    const lines = (function* () {
      for (let inner = parts.next(); !inner.done; inner = parts.next()) {
        if (inner.value.kind === "line") yield inner.value.line;
        if (inner.value.kind === "end") {
          end = inner.value.statement;
          return;
        }
      }
    })();
    yield { head, lines, summary: () => end };
  }
}

interface Sending {
  readonly ctx: Context;
  readonly client: Client;
  readonly path: string;
  readonly keys: LineKeys;
  readonly to: string | undefined;
}

async function send(
  { ctx, client, path, keys, to }: Sending,
  target: Account,
  { head, lines, summary }: Statement,
): Promise<BankStatement> {
  let made: BankStatement | undefined;
  let waiting: SentLine[] = [];
  let [first, last] = [head.from, head.to ?? to];
  const flush = async (rest: Partial<BankStatementInput>) => {
    const input = { ...rest, StatementLines: waiting };
    waiting = [];
    made =
      made === undefined || ctx.flags.dryRun
        ? added(made, await create(ctx, client, { ...headOf(path, target, head), ...input }))
        : await client.update(bankStatement, made.BankStatementID, input);
  };
  for (const line of lines) {
    waiting.push(sentLine(line, keys.next(head.format, head.account, line)));
    if (first === undefined || line.date < first) first = line.date;
    if (last === undefined || line.date > last) last = line.date;
    if (waiting.length === linesMax) await flush({});
  }
  const closing = summary()?.closing;
  if (closing?.date !== undefined && (last === undefined || closing.date > last)) {
    last = closing.date;
  }
  await flush({
    ...(first === undefined ? {} : { FromDate: first }),
    ...(last === undefined ? {} : { ToDate: last }),
    ...(closing === undefined ? {} : { ClosingBalance: closing.amount }),
  });
  return made as unknown as BankStatement;
}

/** In a dry run nothing is kept, and each part is a statement of its own. */
function added(before: BankStatement | undefined, made: BankStatement): BankStatement {
  return {
    ...made,
    LinesAdded: (before?.LinesAdded ?? 0) + made.LinesAdded,
    LinesKnown: (before?.LinesKnown ?? 0) + made.LinesKnown,
  };
}

async function create(
  ctx: Context,
  client: Client,
  input: BankStatementInput,
): Promise<BankStatement> {
  const [result] = await client.writeMany("PUT", bankStatement, [input]);
  if (result === undefined || result.errors.length > 0) {
    throw new RefusedError("ValidationException", result?.errors.join(" ") ?? "Nothing was kept.");
  }
  for (const warning of result.warnings) ctx.out.say(warning);
  return result.record;
}

function headOf(path: string, target: Account, head: StatementHead): BankStatementInput {
  const { opening, number, from, to } = head;
  return {
    BankAccount: { AccountID: target.AccountID },
    Source: path.slice(-255),
    Format: head.format,
    ...(number === undefined ? {} : { Number: number.slice(0, 64) }),
    ...(from === undefined ? {} : { FromDate: from }),
    ...(to === undefined ? {} : { ToDate: to }),
    ...(opening === undefined ? {} : { OpeningBalance: opening.amount }),
  };
}

function sentLine(line: StatementLine, Key: string): SentLine {
  const { party, references, parts, isReturn } = line;
  const other = party?.iban ?? party?.account;
  const details = parts.filter(({ kind }) => kind === "detail");
  const charges = parts.filter(({ kind }) => kind === "charge");
  const original = parts.find(({ kind }) => kind === "original");
  const found = [...new Set(Object.values(references).filter((each) => each !== undefined))];
  return {
    Key,
    Date: line.date,
    Amount: line.amount,
    ...(party?.name === undefined ? {} : { Payee: party.name.slice(0, 255) }),
    ...(line.text === "" ? {} : { Description: line.text.slice(0, 4000) }),
    ...(other === undefined ? {} : { OtherAccount: other.slice(0, 64) }),
    ...(found.length === 0 ? {} : { References: found }),
    ...(line.id === undefined ? {} : { BankReference: line.id.slice(0, 255) }),
    ...(charges.length === 0
      ? {}
      : { Charges: Math.abs(charges.reduce((sum, { amount }) => sum + amount, 0)) as Cents }),
    ...(original?.currency === undefined
      ? {}
      : {
          OriginalAmount: original.amount,
          OriginalCurrency: original.currency as NonNullable<SentLine["OriginalCurrency"]>,
        }),
    ...(details.length < 2
      ? {}
      : {
          Parts: details.map(({ amount, party: of, text }) => ({
            Amount: amount,
            ...(of?.name === undefined ? {} : { Payee: of.name.slice(0, 255) }),
            ...(text === undefined ? {} : { Description: text.slice(0, 4000) }),
          })),
        }),
    ...(isReturn ? { Flags: ["return"] } : {}),
  };
}
