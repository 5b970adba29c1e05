/**
 * GET /Extensions/Explain/Reports/GSTReturn and similar, and /TenNinetyNine: explains boxes of tax
 * forms.
 */

import { mediumDate } from "../../ledger/dates/calendar.ts";
import { dayIn as dayOf } from "../../ledger/dates/timezones.ts";
import { zeroCents } from "../../ledger/money.ts";
import { boxOfYear, type Form, type Report1099 } from "../../ledger/reports/tax/form-1099.ts";
import {
  type Box,
  type BoxPart,
  boxParts,
  boxTotals,
  entriesOf,
  type ReturnForm,
  type ReturnLine,
  remarkLines,
  type TaxedDocument,
  type TaxReturnRequest,
} from "../../ledger/reports/tax/returns/form.ts";
import { returnForms } from "../../ledger/reports/tax/returns/index.ts";
import { taxedDocumentPart } from "../../ledger/reports/tax/tax-summary.ts";
import { amountText } from "../../resources/common.ts";
import { NotFoundError, refusal } from "../../resources/errors.ts";
import type { RuleName } from "../../resources/figure-rules.ts";
import { type ReturnType, taxReturns } from "../../resources/tax-report.ts";
import { paidPostings } from "../../store/queries/explained.ts";
import { accountBoxes } from "../../store/queries/tax/boxes-1099.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { amountOf, type CellValue, moneyValue, type ReportField } from "../../wire/report.ts";
import { queriedContact } from "../reports/contacts/aged.ts";
import { readingOf } from "../reports/report-context.ts";
import { readForms } from "../reports/tax/form-1099.ts";
import { draftIn, filedIn } from "../reports/tax/tax-returns.ts";
import { organisationContext, type RequestContext } from "../request/context.ts";
import { Evaluation } from "./evaluate.ts";
import { answerExplained } from "./explanation-report.ts";
import { quotientText } from "./line-workings.ts";
import { type DetailLevel, type FigureOrigin, parts, type SumPart } from "./origin.ts";
import { monthParts, postingParts } from "./posting-parts.ts";

/** The return to explain: computed from the books now, or as published. */
interface ReturnSource {
  readonly fields: readonly ReportField<CellValue>[];
  readonly request: TaxReturnRequest;
  readonly documents: () => Promise<readonly TaxedDocument[]>;
  readonly of: string;
  readonly shownBy: string;
  readonly rule: RuleName;
}

async function returnSourceOf(
  call: RequestContext,
  tx: Tx,
  type: ReturnType,
): Promise<ReturnSource> {
  const { query } = call;
  // Entered amounts exist only in a draft.
  const isDraft =
    query.boolean("draft") === true ||
    entriesOf(returnForms[type]).some((id) => query.get(id) !== undefined);
  const filedReturn = isDraft ? undefined : await filedIn(call, tx, type);
  const basisText = ({ basis }: TaxReturnRequest) =>
    basis === "cash" ? "cash basis" : "accrual basis";
  if (filedReturn === undefined) {
    const { report, request, documents } = await draftIn(call, tx, type);
    return {
      ...{ fields: report.fields, request, documents },
      ...{ of: `${report.dates}, ${basisText(request)}`, shownBy: "the return" },
      rule: "TaxReturnBox",
    };
  }
  const { published, request, documents, dates } = filedReturn;
  const { organisation } = await organisationContext(call, tx);
  const day = mediumDate(dayOf(published.at, organisation.Timezone));
  return {
    ...{ fields: published.fields, request, documents },
    of: `${dates}, ${basisText(request)}, published ${day}`,
    shownBy: "the published return",
    rule: "TaxReturnFiled",
  };
}

export async function explainReturn(
  call: RequestContext,
  type: ReturnType,
): Promise<ServiceResponse> {
  return call.read(async (tx) => {
    const { fields, request, documents, of, shownBy, rule } = await returnSourceOf(call, tx, type);
    const form: ReturnForm = returnForms[type];
    const { title } = taxReturns[type];
    const row = call.query.get("row");
    if (row === undefined)
      throw refusal("Required", "Say which box: the parameter row is required.");
    const boxes = fields.filter(({ Value }) => typeof Value === "object");
    const field = boxes.find(({ FieldID }) => FieldID.toLowerCase() === row.toLowerCase());
    if (field === undefined) {
      throw new NotFoundError(
        "NotFound",
        `The ${title} has no box ${row.slice(0, 40)} with an amount; it has ${boxes.map(({ FieldID }) => FieldID).join(", ")}.`,
      );
    }
    const box = form.boxes.find(({ id }) => id === field.FieldID);
    const causing = await documents();
    const origin: FigureOrigin = {
      rule,
      sources: [
        parts((detail) =>
          box === undefined
            ? monthParts(remarkParts(form, causing, field.FieldID), detail)
            : boxPartsOf({ form, request, documents: causing }, box, detail),
        ),
      ],
    };
    const context = await readingOf(call, tx);
    const detail = { all: call.query.boolean("all") === true };
    const explained = await new Evaluation(context, detail).explain(origin, amountOf(field.Value));
    const { organisation, today } = context;
    return answerExplained(
      call,
      {
        figure: `${box === undefined ? "" : "Box "}${field.FieldID}: ${field.Description}`,
        of: `${title}, ${of}`,
        shownValue: field.Value,
        shownBy,
        source: form.source,
        organisation: organisation.Name,
        today,
      },
      explained,
    );
  });
}

interface BoxesMade {
  readonly form: ReturnForm;
  readonly request: TaxReturnRequest;
  readonly documents: readonly TaxedDocument[];
}

/** Returns the parts of a box; with full detail, other boxes among them are broken down too. */
function boxPartsOf(boxesMade: BoxesMade, box: Box, detail: DetailLevel): SumPart[] {
  const { form, request, documents } = boxesMade;
  const parts = boxParts(form, request, documents, box);
  const ofDocuments = parts.flatMap(({ document, amount }) =>
    document === undefined ? [] : [taxedDocumentPart(document, amount)],
  );
  const otherParts = parts.flatMap((boxPart): SumPart[] => {
    if (boxPart.document !== undefined) return [];
    const otherBox = form.boxes.find(({ id }) => id === boxPart.box);
    const sumPart = otherBoxPart(form, request, boxPart);
    if (!detail.all || boxPart.from !== "box" || otherBox === undefined) return [sumPart];
    const content = boxPartsOf(boxesMade, otherBox, detail);
    const sign = content.reduce((sum, { amount }) => sum + amount, 0) === boxPart.amount ? 1 : -1;
    return content.map((own) => ({ ...own, group: sumPart.label, amount: sign * own.amount }));
  });
  const isMixed = ofDocuments.length > 0 && otherParts.length > 0;
  return [
    ...monthParts(ofDocuments, detail).map((monthPart) => ({
      ...monthPart,
      ...(isMixed ? { group: "Documents" } : {}),
    })),
    ...otherParts.map((part) => ({ ...(isMixed ? { group: "Beside documents" } : {}), ...part })),
  ];
}

function otherBoxPart(
  { boxes, tax }: ReturnForm,
  { currency }: TaxReturnRequest,
  { from, box, whole = zeroCents, share, amount }: BoxPart,
): SumPart {
  const descriptionOf = (id: string) => boxes.find((box: Box) => box.id === id)?.description ?? "";
  switch (from) {
    case "box":
      return { label: `Box ${box}: ${descriptionOf(box ?? "")}`, amount };
    case "share":
      return {
        label: `Share of box ${box}`,
        working: shareText(whole, share ?? [1, 1], currency),
        amount,
      };
    case "ledger":
      return { label: "Figure of the profit and loss", amount };
    case "entered":
      return { label: `Entered, not known to the books of ${tax}`, amount };
    case "floor":
      return { label: "The box is never below zero", amount };
    default:
      return { label: "Rounding: what the form leaves out, and cents of shares", amount };
  }
}

/** Returns a share as text: `1234.00 x 3 / 23 = 160.956521…, rounded`. */
function shareText(
  total: number,
  [factor, divisor]: readonly [number, number],
  currency: string,
): string {
  const exact = quotientText(BigInt(total) * BigInt(factor), BigInt(divisor) * 100n);
  const isRound = (total * factor) % divisor === 0;
  return `${amountText(total, currency)} x ${factor} / ${divisor} = ${exact}${isRound ? "" : ", rounded"}`;
}

/** Returns the parts of a remark of the return by document. */
function remarkParts(form: ReturnForm, documents: readonly TaxedDocument[], id: string): SumPart[] {
  return documents.flatMap((document): SumPart[] => {
    const lines: readonly ReturnLine[] = [
      ...(form.extraLines?.([document], boxTotals(form, [document])) ?? []),
      ...remarkLines(form, [document]),
    ];
    const amount = lines.find(([own]) => own === id)?.[2];
    return typeof amount === "number" && amount !== 0 ? [taxedDocumentPart(document, amount)] : [];
  });
}

// --- 1099 ------------------------------------------------------------------------------------------

/** Explains a box of one contact's 1099 form: `row=NEC1`, or `MISC 3`. */
export async function explain1099(call: RequestContext): Promise<ServiceResponse> {
  return call.read(async (tx) => {
    const { year, organisation, today, reports } = await readForms(call, tx, true);
    const party = await queriedContact(tx, call.query.get("contactID"));
    const row = call.query.get("row") ?? "";
    const match = /^(NEC|MISC)?[\s:]*(?:box)?\s*(\d{1,2})$/i.exec(row.trim());
    if (match === null) {
      throw refusal(
        "Required",
        "Say which box: the parameter row is required, such as NEC1 or MISC3.",
      );
    }
    const form = (match[1]?.toUpperCase() ?? "NEC") as Form;
    const box = Number(match[2]);
    const amount = paidAmount(reports, form, party.ContactID, box);
    if (amount === undefined) {
      throw new NotFoundError(
        "NotFound",
        `${party.Name} has no amount in box ${box} of 1099-${form} for ${year}: nothing that reaches its threshold was paid.`,
      );
    }
    const accounts = (await accountBoxes(tx)).filter((accountBox) => {
      const stands = boxOfYear(year, { form: accountBox.form as Form, box: accountBox.box });
      return stands?.form === form && stands.box === box;
    });
    const range = { from: `${year}-01-01`, to: `${year}-12-31` };
    const context = await readingOf(call, tx);
    const origin: FigureOrigin = {
      rule: "Box1099",
      sources: accounts.map(({ accountId }) =>
        parts(async (detail) => {
          const set = paidPostings(
            tx,
            party.ContactID,
            [accountId],
            range,
            organisation.BaseCurrency,
          );
          const parts = await postingParts(context, set, detail);
          // Withheld tax is a liability, so its postings are credits.
          return box === 4 ? parts.map((part) => ({ ...part, amount: -part.amount })) : parts;
        }),
      ),
    };
    const detail = { all: call.query.boolean("all") === true };
    const explained = await new Evaluation(context, detail).explain(origin, amount);
    return answerExplained(
      call,
      {
        figure: `${party.Name}, box ${box}`,
        of: `1099-${form}, ${year}`,
        shownValue: moneyValue(amount),
        shownBy: `the 1099-${form}`,
        organisation: organisation.Name,
        today,
      },
      explained,
    );
  });
}

function paidAmount(
  reports: readonly Report1099[],
  form: Form,
  contactId: string,
  boxNumber: number,
): number | undefined {
  const [report] = reports.filter(({ name }) => name.includes(form) || reports.length === 1);
  const payee = report?.contacts.find(({ Texts }) =>
    Texts.some(([name, text]) => name === "ContactId" && text === contactId),
  );
  return payee?.Boxes.find(([name]) => name === `Box${boxNumber}`)?.[1];
}
