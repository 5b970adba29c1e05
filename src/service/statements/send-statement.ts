/** /Extensions/Statements/{ContactID}: statements of account as PDF and by email. */

import { earlierDate, longDate } from "../../ledger/dates/calendar.ts";
import {
  ageingId,
  type OpenItem,
  openItems,
  type StatementMove,
  statementReport as statementRows,
} from "../../ledger/reports/contacts/statement.ts";
import { definedFacts } from "../../output/documents/document-text.ts";
import {
  addressFor,
  addressLines,
  contactParty,
  organisationParty,
  toLetters,
} from "../../output/documents/parties.ts";
import type { KindFact } from "../../output/documents/printed-kinds.ts";
import { amount } from "../../output/figures.ts";
import { imprintOf, languageOf, paperSizeOf } from "../../output/letterhead.ts";
import type { Fact, PrintedDocument, TotalLine } from "../../output/pdf/printed.ts";
import { emailText } from "../../output/words/emails.ts";
import { registerLabel, sayLabel, wordsOf } from "../../output/words/languages.ts";
import { english, type PaperLanguage } from "../../output/words/words.ts";
import { fileName } from "../../platform/file-name.ts";
import type { Contact } from "../../resources/contact.ts";
import type { Cents } from "../../resources/decimal.ts";
import { refusal } from "../../resources/errors.ts";
import { contact } from "../../resources/index.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { type CellValue, valueText } from "../../wire/report.ts";
import { readStatement, type StatementRead } from "../reports/contacts/statement.ts";
import { readingOf } from "../reports/report-context.ts";
import type { RequestContext } from "../request/context.ts";
import type { RouteHandler } from "../request/route.ts";
import { addressMaker } from "../send/address.ts";
import { type Letter, readMessage, sendLetter } from "../send/email.ts";
import { answerFile, linesOf, printedTheme } from "../send/print.ts";

/** GET: answers the statement as PDF. */
export const printStatement: RouteHandler = async (call, contactId) => {
  return answerFile(await call.read((tx) => composeStatement(call, tx, contactId)));
};

/**
 * POST …/Email: emails the statement as PDF to the contact and the contact persons included in
 * emails.
 *
 * @throws RefusedError where nothing is due, or there is no recipient
 */
export const emailStatement: RouteHandler = async (call, contactId) => {
  const addressOf = await addressMaker(call);
  const letter = await call.read(async (tx) => {
    const statement = await composeStatement(call, tx, contactId);
    return letterOf(statement, await addressOf?.(tx, "Contact", statement.party.ContactID));
  });
  return sendLetter(call, letter, { own: () => readMessage(call) });
};

/** @throws RefusedError where nothing is due, or the contact is archived */
function letterOf(
  { party, due, days, title, organisation, ...paper }: Statement,
  address: string | undefined,
): Letter {
  if (party.ContactStatus !== "ACTIVE") throw refusal("Status", `${party.Name} is archived.`);
  const owed = due.filter(({ open }) => open > 0);
  if (owed.length === 0) throw refusal("Form", `${party.Name} owes nothing.`);
  const words = wordsOf(organisation.CountryCode);
  const { say, longDay } = words;
  const values = [...days.map(longDay), dueText(owed, words)];
  const text =
    days.length === 1
      ? say("Your statement of %: %.", ...values)
      : say("Your statement of % to %: %.", ...values);
  return {
    ...{ resource: contact, id: party.ContactID, party, organisation, title },
    noun: "Statement",
    named: "a statement",
    usualTexts: emailText(titleOf(days, words), text, party, organisation),
    address,
    paper,
  };
}

/** Says what is due by currency, and what of it is overdue. */
export const dueText = (owed: readonly Due[], { say, marks, sum }: PaperLanguage): string =>
  owed
    .map(({ currency, open, overdue }) => {
      const due = sum(open, currency);
      if (overdue === 0) return say("% is due", due);
      return say("% is due, of which % is overdue", due, amount(overdue, currency, marks));
    })
    .join("; ");

const titleOf = (days: readonly string[], { say, longDay }: PaperLanguage): string =>
  say(days.length === 1 ? "Statement as at %" : "Statement % to %", ...days.map(longDay));

/** A statement ready for printing. */
interface Statement {
  readonly party: Contact;
  /** Title in the history, such as `Statement as at 31 March 2026`. */
  readonly title: string;
  /** The day it is as at, or the first and last of its period, `YYYY-MM-DD`. */
  readonly days: readonly string[];
  /** Open amount at the end by currency, and what of it is overdue. */
  readonly due: readonly Due[];
  readonly documents: readonly StatementMove[];
  readonly organisation: Organisation;
  /** All currencies together, for the words of an email, and the head of the page. */
  readonly printed: PrintedDocument;
  /** The statement of each currency, for paper and the page; undefined where there are not several. */
  readonly parts: readonly PrintedDocument[] | undefined;
  readonly name: string;
}

interface Due {
  readonly currency: string;
  readonly open: Cents;
  readonly overdue: Cents;
}

function dueOf({ moves, to, today }: StatementRead): Due[] {
  const agedAt = earlierDate(to, today);
  const sum = (items: readonly OpenItem[]) =>
    items.reduce((total, { open }) => total + open, 0) as Cents;
  return [...Map.groupBy(moves, ({ currency }) => currency)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, own]) => {
      const items = openItems(own);
      const overdueItems = items.filter(
        ({ document: { dueDate }, open }) => open > 0 && (dueDate ?? agedAt) < agedAt,
      );
      return { currency, open: sum(items), overdue: sum(overdueItems) };
    });
}

export async function composeStatement(
  call: RequestContext,
  tx: Tx,
  contactId: string,
): Promise<Statement> {
  const context = await readingOf(call, tx);
  const data = await readStatement(context, contactId);
  const { organisation } = context;
  const currenciesDue = dueOf(data);
  const { from, to, party } = data;
  const days = from === undefined ? [to] : [from, to];
  const parts: PrintedDocument[] = [];
  for (const due of currenciesDue.length > 1 ? currenciesDue : []) {
    const currencyMoves = data.moves.filter(({ currency }) => currency === due.currency);
    const part = await printedOf(call, tx, { ...data, moves: currencyMoves }, [due], organisation);
    if (part.rows.length > 0) parts.push(part);
  }
  return {
    party,
    ...{ days, title: titleOf(days, english) },
    due: currenciesDue,
    documents: data.moves,
    organisation,
    printed: await printedOf(call, tx, data, currenciesDue, organisation),
    parts: parts.length > 1 ? parts : undefined,
    name: fileName(`Statement ${party.Name} ${to}`, party.ContactID, "pdf"),
  };
}

/** The statement as its reader sees it, of all currencies or of one. @param dues  of those currencies */
async function printedOf(
  call: RequestContext,
  tx: Tx,
  data: StatementRead,
  dues: readonly Due[],
  organisation: Organisation,
): Promise<PrintedDocument> {
  const { from, party } = data;
  const themes = [party.BrandingTheme?.BrandingThemeID];
  const { BaseCurrency } = organisation;
  const [first, ...others] = dues;
  const currency =
    others.length > 0 ? undefined : (first?.currency ?? party.DefaultCurrency ?? BaseCurrency);
  const theme = await printedTheme(tx, themes, currency ?? BaseCurrency, organisation);
  const owed = dues.filter(({ open }) => open > 0);
  const bankDetails: string[] = [];
  for (const due of owed) {
    const currencyTheme = await printedTheme(tx, themes, due.currency, organisation);
    const lines = linesOf(currencyTheme.bankDetails);
    const needsName = owed.length > 1 && lines.length > 0;
    bankDetails.push(
      ...(needsName ? [wordsOf(organisation.CountryCode).say("In %:", due.currency)] : []),
      ...lines,
    );
  }
  const isOwed = owed.length > 0;
  const words = wordsOf(organisation.CountryCode);
  const { say, marks } = words;
  const reference = party.AccountNumber ?? party.ContactNumber;
  return {
    title: say(from === undefined ? "Statement" : "Activity statement"),
    ...{ number: undefined, currency, mark: undefined },
    brand: { color: theme.color, logo: theme.logo },
    organisation: organisationParty(organisation, words),
    parties: [contactParty(party, say("To"), toLetters, words)],
    facts: factsOf(data, currency, words),
    intro: [],
    ...tableOf(data, organisation, words),
    remarks: [],
    notes: [],
    pay: isOwed
      ? {
          bankDetails,
          reference,
          advice: linesOf(theme.paymentAdvice),
          links: [],
        }
      : undefined,
    advice: isOwed
      ? [
          { label: say("Customer"), value: party.Name },
          ...dues.map(({ currency, open }) => ({
            label: say("Due in %", currency),
            value: amount(open, currency, marks),
          })),
        ]
      : [],
    returnTo: addressLines(addressFor(organisation.Addresses, toLetters), words),
    imprint: imprintOf(organisation, registerLabel(words, organisation.RegistrationNumber)),
    language: words.language ?? languageOf(organisation),
    words,
    paper: paperSizeOf(organisation),
    at: call.now(),
  };
}

function factsOf(
  { from, to, party }: StatementRead,
  currency: string | undefined,
  words: PaperLanguage,
): Fact[] {
  const dayText = words.language === undefined ? longDate : words.day;
  const facts: KindFact[] = [
    { label: "From", value: from && dayText(from) },
    { label: from === undefined ? "Date" : "Until", value: dayText(to) },
    { label: "Account", value: party.AccountNumber },
    { label: "Currency", value: currency },
  ];
  return definedFacts(facts, words);
}

const figureColumns: ReadonlySet<string | undefined> = new Set(["amount", "paid", "balance"]);

/**
 * Returns the rows of the report, and ageing sums as totals.
 */
function tableOf(data: StatementRead, { Name }: Organisation, words: PaperLanguage) {
  const { say, marks, day } = words;
  const { rows } = statementRows({ ...data, organisation: Name, contact: data.party.Name, day });
  const [header, ...sections] = rows;
  const headings = (header?.Cells ?? []).map(({ Value: heading = "", id }) => ({
    heading: sayLabel(words, valueText(heading)),
    figures: figureColumns.has(id),
  }));
  const activityAt = (header?.Cells ?? []).findIndex(({ Value }) => Value === "Activity");
  const lines: string[][] = [];
  const sums: TotalLine[] = [];
  let currency = "";
  const isEarlier = data.today < data.to;
  const agedAt = isEarlier ? say(", aged at %", day(data.today)) : "";
  for (const { id, Title = "", Rows = [] } of sections) {
    const isAgeing = id === ageingId;
    if (!isAgeing) currency = Title;
    const cellText = (value: CellValue) =>
      typeof value === "string" ? value : amount(value.amount as Cents, currency, marks);
    for (const row of Rows) {
      const cells = (row.Cells ?? []).map(({ Value = "" }) => cellText(Value));
      if (isAgeing) {
        const [label = ""] = cells;
        const isTotal = row.RowType === "SummaryRow";
        sums.push({
          label: isTotal ? `${say("Due in %", currency)}${agedAt}` : sayLabel(words, label),
          amount: cells.at(-1) ?? "",
          weight: isTotal ? "due" : undefined,
        });
      } else if (row.RowType === "Row") {
        lines.push(cells.map((text, at) => (at === activityAt ? sayLabel(words, text) : text)));
      }
    }
  }
  return {
    columns: headings,
    rows: lines,
    sums,
  };
}
