/**
 * GET /Extensions/Explain/Contacts/{ContactID} and /Items/{ItemID}: explains contact balances and
 * stock.
 */

import { toBase } from "../../ledger/money.ts";
import { yearMax } from "../../resources/bounds.ts";
import { amountText } from "../../resources/common.ts";
import { shortDecimal, writeDecimal } from "../../resources/decimal.ts";
import { NotFoundError } from "../../resources/errors.ts";
import { contactFigures, itemFigures } from "../../resources/explained-figures.ts";
import type { Item } from "../../resources/item.ts";
import { contactBalances } from "../../store/queries/contacts/contacts.ts";
import {
  loadItemMoves,
  type OpenOfContact,
  openDocumentsOf,
  settlementsOf,
} from "../../store/queries/explained.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { controlPlaces } from "../documents/document-registry.ts";
import { contacts } from "../records/masters/contact.ts";
import { items } from "../records/masters/item.ts";
import { type ReportContext, readingOf } from "../reports/report-context.ts";
import type { RequestContext } from "../request/context.ts";
import { locate } from "../request/endpoint.ts";
import { Evaluation } from "./evaluate.ts";
import { amountIn, answerExplained } from "./explanation-report.ts";
import {
  type DetailLevel,
  documentAttributes,
  type FigureOrigin,
  parts,
  type SumPart,
} from "./origin.ts";
import { monthParts } from "./posting-parts.ts";

const figureNames = {
  receivable: "What the contact owes",
  payable: "What is owed to the contact",
  net: "What the contact owes, less what is owed to it",
} as const;

export async function explainContact(call: RequestContext, key: string): Promise<ServiceResponse> {
  return call.read(async (tx) => {
    const context = await readingOf(call, tx);
    const party = await locate(call, tx, contacts, key);
    const { today, organisation } = context;
    const balances = (await contactBalances(tx, [party.ContactID], today)).get(party.ContactID);
    const owes = balances?.AccountsReceivable?.Outstanding ?? 0;
    const owed = balances?.AccountsPayable?.Outstanding ?? 0;
    const figure =
      call.query.choice("figure", contactFigures) ??
      (owed === 0 ? "receivable" : owes === 0 ? "payable" : "net");
    const value = { receivable: owes, payable: owed, net: owes - owed }[figure];
    const detail = { all: call.query.boolean("all") === true };
    const openDocuments = await openDocumentsOf(tx, party.ContactID, [...placeByType.keys()]);
    const partsOf = (control: "DEBTORS" | "CREDITORS", sign: 1 | -1) =>
      parts(async () => {
        const parts: SumPart[] = [];
        for (const openOfContact of openDocuments) {
          const controlPlace = placeByType.get(openOfContact.type);
          if (controlPlace?.control !== control) continue;
          const sideSign = control === "DEBTORS" ? controlPlace.side : -controlPlace.side;
          parts.push(...(await openParts(context, openOfContact, sign * sideSign, detail)));
        }
        return parts.map((sumPart) => ({ ...sumPart, group: groups[control] }));
      });
    const origin: FigureOrigin = {
      rule: "ContactBalance",
      sources: [
        ...(figure === "payable" ? [] : [partsOf("DEBTORS", 1)]),
        ...(figure === "receivable" ? [] : [partsOf("CREDITORS", figure === "net" ? -1 : 1)]),
      ],
    };
    const explained = await new Evaluation(context, detail).explain(origin, value);
    return answerExplained(
      call,
      {
        figure: figureNames[figure],
        of: `${party.Name}, ${today}`,
        shownBy: "the contact",
        shownValue: amountIn("money", value),
        organisation: organisation.Name,
        today,
        currency: organisation.BaseCurrency,
      },
      explained,
    );
  });
}

const groups = { DEBTORS: "Owed by the contact", CREDITORS: "Owed to the contact" } as const;
const placeByType = controlPlaces();

const kindNames: Readonly<Record<string, string>> = {
  ACCREC: "Invoice",
  ACCPAY: "Bill",
  ACCRECCREDIT: "Credit note",
  ACCPAYCREDIT: "Supplier credit",
  "RECEIVE-OVERPAYMENT": "Overpayment",
  "SPEND-OVERPAYMENT": "Overpayment",
};

/** Returns an open document as parts: its open amount, or its total and each settlement. */
async function openParts(
  { tx, chart, organisation }: ReportContext,
  document: OpenOfContact,
  sign: number,
  { all }: DetailLevel,
): Promise<SumPart[]> {
  const { id, kind, type, number, date, due, baseDue, total, rate, currency } = document;
  const isForeign = currency !== organisation.BaseCurrency;
  const name = kindNames[type] ?? type;
  const ownFields = { date, number: number ?? undefined, attributes: documentAttributes(id, kind) };
  if (!all) {
    const settledAmount = total - due;
    const words = [
      ...(settledAmount === 0
        ? []
        : [`${amountText(total, currency)} less ${amountText(settledAmount, currency)} settled`]),
      ...(isForeign
        ? [`${currency} ${amountText(due, currency)} at ${writeDecimal(rate, 6)}`]
        : []),
    ];
    const working = words.length === 0 ? {} : { working: words.join("; ") };
    return [{ ...ownFields, ...working, label: name, amount: sign * baseDue }];
  }
  const totalInBase = toBase(total, chart.exchange(rate));
  const settlements = await settlementsOf(tx, id, `${yearMax}-12-31`);
  const payments = settlements.map(
    (settlement): SumPart => ({
      ...ownFields,
      label: `${settlement.kind === "payment" ? "Payment" : "Credit"} of ${number ?? name}`,
      date: settlement.date,
      amount: -sign * settlement.base,
    }),
  );
  const rounding = totalInBase - settlements.reduce((sum, { base }) => sum + base, 0) - baseDue;
  return [
    {
      ...ownFields,
      label: name,
      ...(isForeign
        ? { working: `${currency} ${amountText(total, currency)} / ${writeDecimal(rate, 6)}` }
        : {}),
      amount: sign * totalInBase,
    },
    ...payments,
    ...(rounding === 0
      ? []
      : [{ ...ownFields, label: "Withheld, construction scheme", amount: -sign * rounding }]),
  ];
}

// --- stock -----------------------------------------------------------------------------------------

export async function explainItem(call: RequestContext, key: string): Promise<ServiceResponse> {
  return call.read(async (tx) => {
    const context = await readingOf(call, tx);
    const item: Item = await locate(call, tx, items, key);
    if (item.IsTrackedAsInventory !== true) {
      throw new NotFoundError(
        "NotFound",
        `The item ${item.Code} is not kept in stock, so that it has no value there.`,
      );
    }
    const figure = call.query.choice("figure", itemFigures) ?? "value";
    const isValue = figure === "value";
    const value = (isValue ? item.TotalCostPool : item.QuantityOnHand) ?? 0;
    const detail = { all: call.query.boolean("all") === true };
    const origin: FigureOrigin = {
      rule: isValue ? "StockValue" : "StockQuantity",
      unit: isValue ? "money" : "quantity",
      sources: [
        parts(async () =>
          monthParts(
            (await loadItemMoves(tx, item.ItemID)).map((move): SumPart => {
              const { contact, type, date, number, documentId, documentKind, cost, quantity } =
                move;
              return {
                label: contact ?? type,
                date,
                number: number ?? undefined,
                working: isValue
                  ? `${shortDecimal(quantity, 4)} of it`
                  : `${amountText(cost, context.chart.base)} of cost`,
                amount: isValue ? cost : quantity,
                attributes: documentAttributes(documentId, documentKind),
              };
            }),
            detail,
          ),
        ),
      ],
    };
    const explained = await new Evaluation(context, detail).explain(origin, value);
    const { organisation, today } = context;
    return answerExplained(
      call,
      {
        figure: isValue ? "Value of the stock" : "Quantity on hand",
        of: `${item.Code}, ${item.Name ?? ""}, ${today}`,
        shownBy: `the item ${item.Code}`,
        shownValue: amountIn(isValue ? "money" : "quantity", value),
        organisation: organisation.Name,
        today,
        ...(isValue ? { currency: organisation.BaseCurrency } : {}),
      },
      explained,
    );
  });
}
