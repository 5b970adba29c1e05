/**
 * /Reports/TenNinetyNine: payments in a year that a US organisation must report on forms 1099.
 *
 * /Reports/TenNinetyNine/Boxes, an extension of the API, assigns accounts to boxes; without
 * assignments no contacts are reported. The report has contacts with a TaxNumber; the books do not
 * know which of them are corporations, which may be exempt.
 */

import {
  boxesOf,
  type Form,
  type PaidInBox,
  type Payee,
  reports1099,
} from "../../../ledger/reports/tax/form-1099.ts";
import { box1099 } from "../../../resources/box-1099.ts";
import type { Contact } from "../../../resources/contact.ts";
import { refusal } from "../../../resources/errors.ts";
import { contact } from "../../../resources/index.ts";
import type { Organisation } from "../../../resources/organisation.ts";
import { validate } from "../../../resources/validate.ts";
import { fetch } from "../../../store/mapping/records.ts";
import {
  accountBoxes,
  payments1099,
  removeBoxes,
  saveBoxes,
} from "../../../store/queries/tax/boxes-1099.ts";
import type { Tx } from "../../../store/tx/tx.ts";
import { encodeReports } from "../../../wire/encode/encode-report.ts";
import type { ServiceResponse } from "../../../wire/http.ts";
import { type Chart, loadChart } from "../../lookups/chart-of-accounts.ts";
import { answer, answerWith, envelopeOf } from "../../request/answer.ts";
import { organisationContext, type RequestContext } from "../../request/context.ts";
import { Faults } from "../../request/faults.ts";
import { readInputs } from "../../request/write.ts";

/** First year whose forms and boxes are known. */
const firstYear = 1990;
const lastYear = 9998;

/**
 * GET: by default last year, since a year is reported when it is over; `reportYear` selects
 * another.
 */
export async function tenNinetyNine(call: RequestContext): Promise<ServiceResponse> {
  return call.read(async (tx) => {
    const isDescribed = call.query.boolean("described") === true;
    const { reports: made } = await readForms(call, tx, isDescribed);
    const reports = made.map(({ name, dates, contacts }) => ({
      ReportName: name,
      ReportDate: dates,
      Contacts: contacts,
    }));
    return answerWith(call, encodeReports(call.format, reports, envelopeOf(call)));
  });
}

/**
 * Reads the forms of the requested year.
 *
 * @param withoutNumber  includes payees without a tax number, whom the public service leaves out
 */
export async function readForms(call: RequestContext, tx: Tx, withoutNumber: boolean) {
  const { organisation, today } = await organisationContext(call, tx);
  checkCountry(organisation);
  const reportYear = call.query.integer("reportYear", firstYear, lastYear);
  const year = reportYear ?? Number(today.slice(0, 4)) - 1;
  const paid = await paidInBoxes(tx, year, organisation);
  const payees = await payeesOf(tx, paid, withoutNumber);
  return { year, organisation, today, reports: reports1099(year, payees, paid) };
}

function checkCountry({ CountryCode }: Organisation): void {
  if (CountryCode === "US") return;
  throw refusal("Country", "1099 reports are made for organisations in the United States only.");
}

async function paidInBoxes(
  tx: Tx,
  year: number,
  { BaseCurrency }: Organisation,
): Promise<PaidInBox[]> {
  const boxByAccount = new Map((await accountBoxes(tx)).map((box) => [box.accountId, box]));
  const range = { from: `${year}-01-01`, to: `${year}-12-31` };
  const rows = await payments1099(tx, [...boxByAccount.keys()], range, BaseCurrency);
  return rows.flatMap(({ contact_id, account_id, paid }) => {
    const box = boxByAccount.get(account_id);
    if (box === undefined) return [];
    return [{ contactId: contact_id, form: box.form as Form, box: box.box, paid }];
  });
}

/** Returns the paid contacts. */
async function payeesOf(
  tx: Tx,
  paid: readonly PaidInBox[],
  withoutNumber: boolean,
): Promise<Payee[]> {
  const ids = [...new Set(paid.map(({ contactId }) => contactId))];
  const contacts = await fetch(tx, contact, "ContactID", ids);
  return contacts
    .filter(({ TaxNumber }) => withoutNumber || (TaxNumber !== undefined && TaxNumber !== ""))
    .map((each) => ({ contactId: each.ContactID, name: each.Name, texts: textsOf(each) }));
}

function textsOf(payee: Contact): [string, string][] {
  const addresses = payee.Addresses ?? [];
  const isFilled = (record: (typeof addresses)[number]) => record.AddressLine1 || record.City;
  const address =
    addresses.find((address) => address.AddressType === "POBOX" && isFilled(address)) ??
    addresses.find(isFilled);
  const street = [
    address?.AddressLine1,
    address?.AddressLine2,
    address?.AddressLine3,
    address?.AddressLine4,
  ].filter((line) => line);
  const pairs: [string, string | undefined][] = [
    ["Name", payee.Name],
    ["FederalTaxIDType", payee.TaxNumberType],
    ["City", address?.City],
    ["Zip", address?.PostalCode],
    ["State", address?.Region],
    ["Email", payee.EmailAddress],
    ["StreetAddress", street.length === 0 ? undefined : street.join("\r\n")],
    ["TaxID", payee.TaxNumber],
    ["ContactId", payee.ContactID],
  ];
  return pairs.filter((pair): pair is [string, string] => Boolean(pair[1]));
}

// --- boxes -----------------------------------------------------------------------------------

/** GET /Reports/TenNinetyNine/Boxes: the accounts assigned to boxes, by code. */
export async function answerBoxes(call: RequestContext): Promise<ServiceResponse> {
  return call.read(async (tx) => {
    checkCountry((await organisationContext(call, tx)).organisation);
    return formAnswer(call, tx, await loadChart(tx));
  });
}

async function formAnswer(call: RequestContext, tx: Tx, chart: Chart): Promise<ServiceResponse> {
  const records = (await accountBoxes(tx)).map(({ accountId, form, box }) => {
    const { Code = accountId, Name } = chart.account(accountId) ?? {};
    return { AccountID: accountId, AccountCode: Code, Name, Form: form, Box: box };
  });
  records.sort((a, b) => (a.AccountCode < b.AccountCode ? -1 : 1));
  return answer(call, box1099, records, "single");
}

/** PUT /Reports/TenNinetyNine/Boxes: assigns accounts to boxes; other assignments stay. */
export async function setBoxes(call: RequestContext): Promise<ServiceResponse> {
  const inputs = readInputs(call, { resource: box1099 }, box1099.batchMax);
  return call.write(async (tx) => {
    checkCountry((await organisationContext(call, tx)).organisation);
    const chart = await loadChart(tx);
    const faults = new Faults();
    const boxes = inputs.map((input) => readBox(input, chart, faults));
    faults.check();
    const decidedBoxes = boxes.filter((box) => box !== undefined);
    await removeBoxes(
      tx,
      decidedBoxes.map(({ accountId }) => accountId),
    );
    await saveBoxes(
      tx,
      decidedBoxes.filter(({ form }) => form !== "NONE"),
    );
    return formAnswer(call, tx, chart);
  });
}

function readBox(input: Record<string, unknown>, chart: Chart, faults: Faults) {
  const invalidFields = validate(box1099.fields, input, { creating: true });
  faults.addAll(invalidFields);
  if (invalidFields.length > 0) return undefined;
  const code = String(input.AccountCode ?? "");
  const account = chart.account(code);
  if (account === undefined) {
    faults.add("NotFound", `There is no account ${code.slice(0, 50)}.`);
    return undefined;
  }
  const form = String(input.Form);
  const boxNumber = Number(input.Box ?? 0);
  if (form === "NONE") return { accountId: account.AccountID, form, box: boxNumber };
  const knownBoxes = form === "NEC" ? boxesOf("NEC", 2025) : boxesOf("MISC", 2019);
  if (!knownBoxes.includes(boxNumber)) {
    faults.add(
      "NotFound",
      `Form 1099-${form} has the boxes ${knownBoxes.join(", ")}; there is no box ${boxNumber}.`,
    );
  }
  return { accountId: account.AccountID, form, box: boxNumber };
}
