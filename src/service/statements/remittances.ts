/** /Extensions/Remittances/{PaymentID}: what suppliers are told of a payment or a batch of payments. */

import { remittanceText } from "../../output/documents/remittance-text.ts";
import { imprintOf, languageOf, paperSizeOf } from "../../output/letterhead.ts";
import { emailText, sumText } from "../../output/words/emails.ts";
import { registerLabel, wordsOf } from "../../output/words/languages.ts";
import { fileName } from "../../platform/file-name.ts";
import type { Contact } from "../../resources/contact.ts";
import type { Cents } from "../../resources/decimal.ts";
import { NotFoundError, refusal } from "../../resources/errors.ts";
import { batchPayment, contact, invoice, payment } from "../../resources/index.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { Organisation } from "../../resources/organisation.ts";
import { type Remittance, remittance } from "../../resources/remittance.ts";
import { fetch } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { withContents } from "../documents/expand.ts";
import { batchPayments, membersOf } from "../payments/batch-payments.ts";
import { accountOfPayee } from "../payments/file-for-bank.ts";
import type { StoredPayment } from "../payments/payments.ts";
import { payments } from "../records/payment.ts";
import { answer } from "../request/answer.ts";
import { organisationContext, type RequestContext } from "../request/context.ts";
import { locate } from "../request/endpoint.ts";
import { unique } from "../request/unique.ts";
import { type Letter, readMessage, sendLetter } from "../send/email.ts";
import { answerFile, printedTheme, type ToPrint } from "../send/print.ts";

/** GET: answers an advice for each supplier. */
export function readRemittances(call: RequestContext, key: string): Promise<ServiceResponse> {
  return call.read(async (tx) => {
    const advices = await advicesOf(call, tx, key);
    const records = advices.map(({ record }) => record);
    return answer(call, remittance, records, "single");
  });
}

/** GET as PDF: answers the advice of the only supplier, or of `contactID`. */
export async function printRemittance(call: RequestContext, key: string): Promise<ServiceResponse> {
  return answerFile(await call.read(async (tx) => paperOf(call, tx, await oneOf(call, tx, key))));
}

/** POST …/Email: emails that advice as PDF to the supplier. */
export async function emailRemittance(call: RequestContext, key: string): Promise<ServiceResponse> {
  const letter = await call.read(async (tx) => letterOf(call, tx, await oneOf(call, tx, key)));
  return sendLetter(call, letter, { own: () => readMessage(call) });
}

interface Advice {
  readonly record: Remittance;
  readonly party: Contact;
  /** What was paid: a payment or a batch. */
  readonly resource: typeof payment | typeof batchPayment;
  readonly organisation: Organisation;
}

/** Fields that payments and batch payments share in a remittance advice. */
interface PaidFields extends Pick<Advice, "resource"> {
  readonly id: string;
  readonly Handle?: string | undefined;
  readonly Date: string;
  readonly Reference?: string | undefined;
  readonly members: readonly StoredPayment[];
}

/** Finds a batch, or else a payment. @throws NotFoundError */
async function paidBy(call: RequestContext, tx: Tx, key: string): Promise<PaidFields> {
  const batch = await locate(call, tx, batchPayments, key).catch((error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
  });
  if (batch !== undefined) {
    const { BatchPaymentID: id } = batch;
    const members = (await membersOf(tx, [id])).get(id) ?? [];
    return { ...batch, id, resource: batchPayment, members };
  }
  const single = await locate(call, tx, payments, key);
  return { ...single, id: single.PaymentID, resource: payment, members: [single] };
}

/** Returns an advice for each supplier, by name. @throws RefusedError, NotFoundError */
async function advicesOf(call: RequestContext, tx: Tx, key: string): Promise<Advice[]> {
  const paid = await paidBy(call, tx, key);
  const valid = paid.members.filter(({ Status }) => Status === "AUTHORISED");
  if (valid.length === 0) throw refusal("Status", "It was taken back, so nothing is paid by it.");
  if (valid.some(({ PaymentType }) => PaymentType !== "ACCPAYPAYMENT")) {
    throw refusal("Form", "A remittance advice is of bills that are paid, which this is not.");
  }
  const { organisation } = await organisationContext(call, tx);
  const storedBills = await fetch(tx, invoice, "InvoiceID", unique(valid.map(billOf)));
  const bills = await withContents(tx, invoice, storedBills, "single");
  const byId = new Map((bills as unknown as Invoice[]).map((bill) => [bill.InvoiceID, bill]));
  const groups = Map.groupBy(valid, (each) => byId.get(billOf(each))?.Contact?.ContactID ?? "");
  const parties = await fetch(tx, contact, "ContactID", [...groups.keys()]);
  return parties
    .toSorted((a, b) => (a.Name < b.Name ? -1 : 1))
    .map((party) => ({
      record: adviceOf(paid, party, groups.get(party.ContactID) ?? [], byId),
      ...{ party, organisation, resource: paid.resource },
    }));
}

const billOf = ({ Invoice }: StoredPayment) => Invoice?.InvoiceID ?? "";

function adviceOf(
  { id: RemittanceID, Handle = "", Date: date, Reference }: PaidFields,
  party: Contact,
  members: readonly StoredPayment[],
  billById: ReadonlyMap<string, Invoice>,
): Remittance {
  const { ContactID, Name, EmailAddress } = party;
  // A supplier is here because of a payment.
  const firstPayment = members[0]!;
  return {
    ...{ RemittanceID, Handle, Date: date, Reference },
    Contact: { ContactID, Name, EmailAddress },
    PaidTo: accountOfPayee(firstPayment, party) || undefined,
    Documents: members.map((member) => {
      const InvoiceID = billOf(member);
      const { InvoiceNumber, Date: day, Total, CreditNotes = [] } = billById.get(InvoiceID) ?? {};
      const creditedSum = CreditNotes.reduce((sum, note) => sum + (note.AppliedAmount ?? 0), 0);
      return {
        ...{ InvoiceID, InvoiceNumber, Date: day, Total },
        CreditNotes: CreditNotes.map((note) => note.CreditNoteNumber).join(", ") || undefined,
        Credited: creditedSum as Cents,
        Amount: member.Amount,
      };
    }),
    Total: members.reduce((sum, { Amount }) => sum + Amount, 0) as Cents,
    CurrencyCode: billById.get(billOf(firstPayment))!.CurrencyCode,
  };
}

/** @throws RefusedError where there are several suppliers, and none is named */
async function oneOf(call: RequestContext, tx: Tx, key: string): Promise<Advice> {
  const wantedContact = call.query.get("contactID");
  const advices = await advicesOf(call, tx, key);
  const [only, ...others] = advices.filter(
    ({ party }) => wantedContact === undefined || party.ContactID === wantedContact,
  );
  if (only === undefined) throw refusal("Parameter", "None of it is paid to that supplier.");
  if (others.length === 0) return only;
  const names = advices.map(({ party }) => party.Name).join(", ");
  throw refusal("Parameter", `It pays several suppliers; say which by contactID: ${names}.`);
}

async function paperOf(call: RequestContext, tx: Tx, advice: Advice): Promise<ToPrint> {
  const { record, party, organisation } = advice;
  const { Handle, RemittanceID, CurrencyCode } = record;
  const { BrandingThemeID } = party.BrandingTheme ?? {};
  const theme = await printedTheme(tx, [BrandingThemeID], CurrencyCode, organisation);
  const words = wordsOf(organisation.CountryCode);
  return {
    name: fileName(`Remittance ${Handle} ${party.Name}`, RemittanceID, "pdf"),
    printed: {
      ...remittanceText(record, party, organisation, words),
      words,
      brand: { color: theme.color, logo: theme.logo },
      ...{ notes: [], pay: undefined, advice: [], returnTo: [] },
      imprint: imprintOf(organisation, registerLabel(words, organisation.RegistrationNumber)),
      language: words.language ?? languageOf(organisation),
      paper: paperSizeOf(organisation),
      at: call.now(),
    },
  };
}

async function letterOf(call: RequestContext, tx: Tx, advice: Advice): Promise<Letter> {
  const { record, party, organisation, resource } = advice;
  const { RemittanceID: id, Handle, CurrencyCode, Total, PaidTo, Date: day } = record;
  const words = wordsOf(organisation.CountryCode);
  const { say } = words;
  const sum = sumText(Total, CurrencyCode, words);
  const on = words.language === undefined ? words.day(day) : words.longDay(day);
  const paid =
    PaidTo === undefined
      ? say("we have paid % on %.", sum, on)
      : say("we have paid % to % on %.", sum, PaidTo, on);
  const title = `${say("Remittance advice")} ${Handle}`;
  const text = `${paid} ${say("What it pays is attached.")}`;
  return {
    ...{ resource, id, party, organisation, address: undefined },
    noun: "Remittance advice",
    named: "a remittance advice",
    title: `The remittance advice for ${party.Name}`,
    usualTexts: emailText(title, text, party, organisation),
    paper: await paperOf(call, tx, advice),
  };
}
