/** GET /Extensions/Explain/Invoices/{InvoiceID} and similar: explains the figures of a document. */
import { lineNet } from "../../ledger/documents/totals.ts";
import { percentOf, sum as sumOf, toBase } from "../../ledger/money.ts";
import { lineBase } from "../../ledger/postings/posting.ts";
import { buyersTax } from "../../ledger/tax.ts";
import { yearMax } from "../../resources/bounds.ts";
import { amountText, smallestAmount } from "../../resources/common.ts";
import { type Cents, type Percent, shortDecimal, writeDecimal } from "../../resources/decimal.ts";
import { type DocumentFigure, documentFigures } from "../../resources/explained-figures.ts";
import type { DocumentResource } from "../../resources/field.ts";
import { idOf } from "../../resources/field.ts";
import type { DocumentName } from "../../resources/index.ts";
import { liveJournals } from "../../store/ledger/record-journals.ts";
import { settlementsOf } from "../../store/queries/explained.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { kindOfType } from "../documents/document-registry.ts";
import { nameOf, openOf, type StoredDocument } from "../documents/stored-documents.ts";
import { documentEndpointOf } from "../records/documents.ts";
import { type ReportContext, readingOf } from "../reports/report-context.ts";
import type { RequestContext } from "../request/context.ts";
import { locate } from "../request/endpoint.ts";
import { Evaluation } from "./evaluate.ts";
import { amountIn, answerExplained } from "./explanation-report.ts";
import { discountParts, netParts, quotientText, taxParts } from "./line-workings.ts";
import {
  type FigureOrigin,
  type FigureSource,
  parts,
  type SumPart,
  single,
  sum,
} from "./origin.ts";

interface Explaining {
  readonly context: ReportContext;
  readonly resource: DocumentResource;
  readonly document: StoredDocument;
  readonly id: string;
}

const grouped = (group: string, all: readonly SumPart[]): SumPart[] =>
  all.map((sumPart) => ({ ...sumPart, group }));

/** The origin of each figure; its value is the document's. */
const figures: Readonly<
  Record<
    DocumentFigure,
    {
      readonly name: string;
      readonly amountOf: (of: Explaining) => number | Promise<number>;
      readonly originOf: (of: Explaining) => FigureOrigin;
      /** Whether the figure is in the base currency. */
      readonly isBase?: true;
    }
  >
> = {
  total: {
    name: "Total",
    amountOf: ({ document }) => document.Total,
    originOf: ({ document, context: reading }) =>
      sum(
        "Total",
        parts(() => [
          ...grouped("Lines without tax", netParts(document)),
          ...grouped("Tax", taxParts(document, reading.chart)),
        ]),
      ),
  },
  "sub-total": {
    name: "Sub-total",
    amountOf: ({ document }) => document.SubTotal,
    originOf: ({ document }) =>
      sum(
        "SubTotal",
        parts(() => netParts(document)),
      ),
  },
  tax: {
    name: "Tax",
    amountOf: ({ document }) => document.TotalTax,
    originOf: ({ document, context: reading }) =>
      sum(
        "LineTax",
        parts(() => taxParts(document, reading.chart)),
      ),
  },
  discount: {
    name: "Discount",
    amountOf: ({ document }) => document.TotalDiscount ?? 0,
    originOf: ({ document }) =>
      sum(
        "Discount",
        parts(() => discountParts(document)),
      ),
  },
  withheld: {
    name: "Withheld under the construction scheme",
    amountOf: ({ document }) => document.CISDeduction ?? 0,
    originOf: (of) =>
      sum(
        "Withheld",
        parts(() => withheldParts(of)),
      ),
  },
  paid: {
    name: "Paid",
    amountOf: ({ document }) => document.AmountPaid ?? 0,
    originOf: (of) =>
      sum(
        "Paid",
        parts(() => loadSettlementParts(of, "payment", 1)),
      ),
  },
  credited: {
    name: "Credited",
    amountOf: ({ document }) => document.AmountCredited ?? 0,
    originOf: (of) =>
      sum(
        "Credited",
        parts(() => loadSettlementParts(of, "allocation", 1)),
      ),
  },
  due: {
    name: "Due",
    amountOf: ({ document, resource }) => openOf(resource, document),
    originOf: (of) => sum("Due", ...sourcesOfDue(of)),
  },
  base: {
    name: "Amount in the base currency",
    amountOf: baseOf,
    originOf: (of) =>
      sum(
        "BaseAmount",
        parts(() => baseParts(of)),
      ),
    isBase: true,
  },
};

/** Explains figures of a document. @param key  its id or number */
export async function explainDocument(
  call: RequestContext,
  name: DocumentName,
  key: string,
): Promise<ServiceResponse> {
  const endpoint = documentEndpointOf(name);
  const { resource } = endpoint as { readonly resource: DocumentResource };
  const figure = call.query.choice("figure", documentFigures) ?? "total";
  return call.read(async (tx) => {
    const reading = await readingOf(call, tx);
    const stored = await locate(call, tx, endpoint, key);
    const [document = stored] = (await endpoint.expand?.(call, tx, [stored], "single")) ?? [];
    const of: Explaining = { context: reading, resource, document, id: idOf(resource, stored) };
    const { name: title, amountOf, originOf, isBase } = figures[figure];
    const value = await amountOf(of);
    const detail = { all: call.query.boolean("all") === true };
    const explained = await new Evaluation(reading, detail).explain(originOf(of), value);
    const { organisation, today } = reading;
    const { CurrencyCode = organisation.BaseCurrency, Date: date, Contact, Status } = document;
    const called = `${kindOfType(document.Type)?.label ?? resource.noun} ${nameOf(resource, document)}`;
    return answerExplained(
      call,
      {
        figure: title,
        shownBy: nameOf(resource, document),
        of: [called, Contact?.Name, date, Status].filter(Boolean).join(", "),
        shownValue: amountIn("money", value),
        organisation: organisation.Name,
        today,
        currency: isBase ? organisation.BaseCurrency : CurrencyCode,
      },
      explained,
    );
  });
}

async function loadSettlementParts(
  { context: { tx, chart }, id }: Explaining,
  kind: "payment" | "allocation" | "any",
  sign: 1 | -1,
): Promise<SumPart[]> {
  const settlements = await settlementsOf(tx, id, `${yearMax}-12-31`);
  return settlements
    .filter((settlement) => kind === "any" || settlement.kind === kind)
    .map((each) => ({
      label: each.kind === "payment" ? "Payment" : "Allocated credit",
      date: each.date,
      number: each.other ?? each.reference ?? undefined,
      ...(each.base === each.amount
        ? {}
        : { working: `${amountText(each.base, chart.base)} in the books` }),
      amount: sign * each.amount,
      attributes: [{ Value: each.id, Id: each.kind === "payment" ? "paymentID" : "allocationID" }],
    }));
}

/** Returns the sources of a document's open amount; none for kinds without settlement. */
function sourcesOfDue(explaining: Explaining): FigureSource[] {
  const { document, resource } = explaining;
  if (resource.document.open === undefined) return [];
  const { Total: amount, Date: date, CISDeduction = 0 } = document;
  return [
    single({ label: "Total of the document", date, amount }),
    single({ label: "Withheld, construction scheme", amount: -CISDeduction }),
    // Drafts and voided documents have no open amount.
    parts(async () => {
      const payments = await loadSettlementParts(explaining, "any", -1);
      const isOwed = ["AUTHORISED", "PAID"].includes(document.Status);
      if (isOwed || openOf(resource, document) !== 0) return payments;
      return [
        { label: `Not owed: the document is ${document.Status}`, amount: CISDeduction - amount },
      ];
    }),
  ];
}

function withheldParts({ document, context: { chart } }: Explaining): SumPart[] {
  const { CISDeduction = 0, CISRate, LineItems, LineAmountTypes } = document;
  if (CISDeduction === 0) return [];
  const labour = LineItems.filter(({ AccountID = "" }) =>
    /^CISLABOUR/.test(chart.account(AccountID)?.SystemAccount ?? ""),
  );
  const net = sumOf(labour.map((line) => lineNet(line, LineAmountTypes)));
  const working =
    CISRate === undefined || percentOf(net, CISRate) !== CISDeduction
      ? "entered"
      : withheldText(net, CISRate, document.CurrencyCode);
  return [{ label: "Deduction", working, amount: CISDeduction }];
}

/** Returns the CIS deduction as text: `2200.33 of labour x 20 % = 440.066, rounded`. */
function withheldText(net: Cents, rate: Percent, currency: string | undefined): string {
  const [dividend, divisor] = [BigInt(net) * BigInt(rate), 1_000_000n];
  const end = dividend % divisor === 0n ? "" : ", rounded";
  return `${amountText(net, currency)} of labour x ${shortDecimal(rate, 4)} % = ${quotientText(dividend, divisor * 100n)}${end}`;
}

// --- the base currency ------------------------------------------------------------------------------

/**
 * Returns the amount posted on the control or bank account, without sign; without postings, the
 * converted total.
 */
async function baseOf({ context: reading, document, id }: Explaining): Promise<number> {
  const { chart, tx } = reading;
  const converted = toBase(document.Total, chart.exchange(document.CurrencyRate));
  const [journal] = (await liveJournals(tx, "source", [id], "accrual")).filter(
    ({ documentId, sourceType }) => documentId === id && sourceType !== undefined,
  );
  const controls = [
    document.BankAccount?.AccountID,
    ...["DEBTORS", "CREDITORS"].flatMap((marker) =>
      chart.hasSystem(marker) ? [chart.system(marker).AccountID] : [],
    ),
  ];
  // The CIS deduction is a separate posting on the control account.
  const [posted] = (journal?.postings ?? []).filter(({ account }) => controls.includes(account));
  return posted === undefined || document.CISDeduction ? converted : Math.abs(posted.amount);
}

function baseParts({ document, context: { chart, organisation } }: Explaining): SumPart[] {
  const { CurrencyRate, CurrencyCode, LineItems, LineAmountTypes, Total } = document;
  const isForeign = CurrencyCode !== undefined && CurrencyCode !== organisation.BaseCurrency;
  const parts: SumPart[] = [];
  const exchange = chart.exchange(CurrencyRate);
  const conversion = (amount: number) =>
    isForeign
      ? {
          working: `${CurrencyCode} ${amountText(amount, CurrencyCode)} / ${writeDecimal(CurrencyRate, 6)}`,
        }
      : {};
  for (const [at, line] of LineItems.entries()) {
    const net = lineNet(line, LineAmountTypes);
    const tax = (LineAmountTypes === "NoTax" ? 0 : (line.TaxAmount ?? 0)) as Cents;
    const rate = chart.taxRate(line.TaxType ?? "");
    const { nonRecoverable: share } = buyersTax(net, tax, rate, smallestAmount(CurrencyCode));
    const inBase = lineBase({ net, tax, nonRecoverable: share }, exchange);
    const label = line.Description?.split("\n")[0] ?? `Line ${at + 1}`;
    const number = `line ${at + 1}`;
    if (inBase.net !== 0) {
      parts.push({ label, number, ...conversion(net + share), amount: inBase.net, group: "Lines" });
    }
    if (inBase.tax !== 0) {
      parts.push({
        label: `Tax of ${label}`,
        number,
        ...conversion(tax - share),
        amount: inBase.tax,
        group: "Tax",
      });
    }
  }
  const totalInBase = toBase(Total, exchange);
  const roundingCents = totalInBase - parts.reduce((total, { amount }) => total + amount, 0);
  if (roundingCents !== 0) {
    parts.push({
      label: "Rounding, on the rounding account",
      ...conversion(Total),
      amount: roundingCents,
      group: "Rounding",
    });
  }
  return parts;
}
