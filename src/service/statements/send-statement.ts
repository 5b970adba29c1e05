/** /Extensions/Statements/{ContactID}: statements of account as PDF and by email. */

import { longDate, mediumDate } from "../../ledger/dates/calendar.ts";
import {
  ageingId,
  openItems,
  statement as statementRows,
} from "../../ledger/reports/contacts/statement.ts";
import {
  addressFor,
  addressLines,
  contactParty,
  organisationParty,
  toLetters,
} from "../../output/documents/parties.ts";
import { amount } from "../../output/figures.ts";
import { imprintOf, languageOf, paperSizeOf } from "../../output/letterhead.ts";
import type { Fact, Printed, TotalLine } from "../../output/pdf/printed.ts";
import { fileName } from "../../platform/file-name.ts";
import { fileNameOf, type Message } from "../../platform/mail.ts";
import type { Contact } from "../../resources/contact.ts";
import type { Cents } from "../../resources/decimal.ts";
import { email } from "../../resources/email.ts";
import { receiversOf } from "../../resources/email-words.ts";
import { refusal } from "../../resources/errors.ts";
import { contact } from "../../resources/index.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { type CellValue, valueText } from "../../wire/report.ts";
import { readStatement, type StatementRead } from "../reports/contacts/statement.ts";
import { readingOf } from "../reports/report-context.ts";
import { answer, noContent } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import { enter } from "../request/history.ts";
import type { RouteHandler } from "../request/route.ts";
import { unique } from "../request/unique.ts";
import { attached, letter, readMessage, reserveEmail, senderOf } from "../send/email.ts";
import { answerFile, linesOf, printedTheme } from "../send/print.ts";

/** GET: answers the statement as PDF. */
export const printStatement: RouteHandler = async (call, contactId) => {
  return answerFile(await call.read((tx) => compose(call, tx, contactId)));
};

/**
 * POST …/Email: emails the statement as PDF to the contact and the contact persons included in
 * emails.
 *
 * @throws RefusedError where nothing is due, or there is no recipient
 */
export const emailStatement: RouteHandler = async (call, contactId) => {
  const own = readMessage(call);
  const { party, due, name, printed, title, from } = await call.read((tx) =>
    compose(call, tx, contactId),
  );
  if (party.ContactStatus !== "ACTIVE") throw refusal("Status", `${party.Name} is archived.`);
  if (due.every(([, cents]) => cents <= 0)) throw refusal("Form", `${party.Name} owes nothing.`);
  const to = unique(own.To ?? []);
  if (to.length === 0 && !party.EmailAddress) {
    throw refusal(
      "Required",
      `The contact ${party.Name} has no EmailAddress to send a statement to.`,
    );
  }
  const { organisation } = printed;
  const amounts = due.map(([currency, cents]) => `${currency} ${amount(cents, currency)}`);
  const words =
    own.Message ??
    `Hello ${party.FirstName ?? party.Name},\n\nhere is your statement. ${amounts.join(" and ")} is open.`;
  const message: Message = {
    from,
    to: to.length > 0 ? to : receiversOf(party),
    cc: unique(own.Cc ?? []),
    subject: own.Subject ?? `${title} from ${organisation.name}`,
    text: letter(words, printed, undefined),
    at: call.now(),
    id: call.newId(),
  };
  const giveItBack = await reserveEmail(call);
  if (!call.dryRun) {
    try {
      await call.mailer({ ...message, attachments: [await attached({ printed, name })] });
    } catch (error) {
      await giveItBack().catch(() => undefined);
      throw error;
    }
  }
  const isKept = call.mailer.outbox !== undefined;
  const receivers = [...message.to, ...(message.cc ?? [])].join(", ");
  return call.write(async (tx) => {
    await enter(call, tx, contact, party.ContactID, {
      changes: isKept ? "Statement not sent" : "Statement sent",
      details: isKept
        ? `${title} was written to the outbox for ${receivers}, and not sent: there is no mail server.`
        : `${title} has been sent to ${receivers}`,
    });
    if (!isKept) return noContent;
    const { to: To, cc: Cc = [], subject: Subject } = message;
    const outcome = { Status: "OUTBOX", To, Cc, Subject, File: fileNameOf(message) };
    return answer(call, email, [outcome], "single");
  });
};

/** A statement ready for printing. */
interface Statement {
  readonly party: Contact;
  /** Title such as `Statement as at 31 March 2026`. */
  readonly title: string;
  /** Open amount at the end by currency. */
  readonly due: readonly (readonly [currency: string, cents: Cents])[];
  readonly printed: Printed;
  readonly name: string;
  /** Sender of the email. */
  readonly from: Message["from"];
}

async function compose(call: RequestContext, tx: Tx, contactId: string): Promise<Statement> {
  const reading = await readingOf(call, tx);
  const data = await readStatement(reading, contactId);
  const { organisation } = reading;
  const due = [...Map.groupBy(data.moves, ({ currency }) => currency)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([currency, moves]) =>
        [currency, openItems(moves).reduce((sum, { open }) => sum + open, 0) as Cents] as const,
    );
  const { from, to, party } = data;
  // Bank details are of one currency: a statement of several has those of the organisation's own.
  const [[currency = organisation.BaseCurrency] = [], ...others] = due;
  const theme = await printedTheme(
    tx,
    [data.party.BrandingTheme?.BrandingThemeID],
    others.length === 0 ? currency : organisation.BaseCurrency,
    organisation,
  );
  const period =
    from === undefined ? `as at ${longDate(to)}` : `${longDate(from)} to ${longDate(to)}`;
  const isOwed = due.some(([, cents]) => cents > 0);
  const reference = party.AccountNumber ?? party.ContactNumber;
  const printed: Printed = {
    title: from === undefined ? "Statement" : "Activity statement",
    number: undefined,
    mark: undefined,
    brand: { color: theme.color, logo: theme.logo },
    organisation: organisationParty(organisation),
    parties: [contactParty(party, "To", toLetters)],
    facts: factsOf(data, organisation),
    intro: [],
    ...tableOf(data, organisation),
    remarks: [],
    notes: [],
    pay: isOwed
      ? {
          bankDetails: linesOf(theme.bankDetails),
          reference,
          advice: linesOf(theme.paymentAdvice),
          links: [],
        }
      : undefined,
    advice: isOwed
      ? [
          { label: "Customer", value: party.Name },
          ...due.map(([currency, cents]) => ({
            label: `Due in ${currency}`,
            value: amount(cents, currency),
          })),
        ]
      : [],
    returnTo: addressLines(addressFor(organisation.Addresses, toLetters)),
    imprint: imprintOf(organisation),
    language: languageOf(organisation),
    paper: paperSizeOf(organisation),
    at: call.now(),
  };
  return {
    party,
    title: `Statement ${period}`,
    due,
    printed,
    name: fileName(`Statement ${party.Name} ${to}`, party.ContactID, "pdf"),
    from: senderOf(organisation, call.principal),
  };
}

function factsOf({ from, to, party }: StatementRead, { BaseCurrency }: Organisation): Fact[] {
  const facts: (Fact | undefined)[] = [
    from === undefined ? undefined : { label: "From", value: longDate(from) },
    { label: from === undefined ? "Date" : "To", value: longDate(to) },
    party.AccountNumber ? { label: "Account", value: party.AccountNumber } : undefined,
    { label: "Currency", value: party.DefaultCurrency ?? BaseCurrency },
  ];
  return facts.filter((each) => each !== undefined);
}

const ofFigures: ReadonlySet<string | undefined> = new Set(["amount", "paid", "balance"]);

/**
 * Returns the rows of the report, and ageing sums as totals; with several currencies each has a
 * heading row.
 */
function tableOf(data: StatementRead, { Name }: Organisation) {
  const { rows } = statementRows({ ...data, organisation: Name, contact: data.party.Name });
  const [header, ...sections] = rows;
  const headings = (header?.Cells ?? []).map(({ Value: heading = "", id }) => ({
    heading: valueText(heading),
    figures: ofFigures.has(id),
  }));
  const isSeveral = sections.length > 2;
  const lines: string[][] = [];
  const sums: TotalLine[] = [];
  let currency = "";
  const isEarlier = data.today < data.to;
  const agedAt = isEarlier ? `, aged at ${mediumDate(data.today)}` : "";
  for (const { id, Title = "", Rows = [] } of sections) {
    const isAgeing = id === ageingId;
    if (!isAgeing) currency = Title;
    if (isSeveral && !isAgeing) lines.push([currency]);
    const shown = (value: CellValue) =>
      typeof value === "string" ? value : amount(value.amount as Cents, currency);
    for (const row of Rows) {
      const cells = (row.Cells ?? []).map(({ Value = "" }) => shown(Value));
      if (isAgeing) {
        const [label = ""] = cells;
        const isTotal = row.RowType === "SummaryRow";
        sums.push({
          label: isTotal ? `Due in ${currency}${agedAt}` : label,
          amount: cells.at(-1) ?? "",
          weight: isTotal ? "due" : undefined,
        });
      } else if (row.RowType === "Row") {
        lines.push(cells);
      }
    }
  }
  return {
    columns: headings,
    rows: lines,
    sums,
  };
}
