/**
 * Credit transfers in ISO 20022 format, for banks of SEPA, Switzerland and other countries.
 *
 * @source pain.001.001.09; EPC132-08, SEPA Credit Transfer Customer-to-PSP Implementation
 * Guidelines;
 *   Swiss Payment Standards, Credit Transfer
 */
import { amountText, isIban } from "../../resources/common.ts";
import { type Element, element, writeDocument } from "../../wire/xml-writer.ts";
import { plainLetters } from "../letters.ts";
import type {
  AccountHolder,
  OrderedPayment,
  PaymentFormat,
  PaymentOrder,
} from "../payment-order.ts";

/** Codes of countries and territories in SEPA. */
const sepa: ReadonlySet<string> = new Set(
  "AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK SM VA".split(
    " ",
  ),
);

const isSepa = ({ currency, payer }: PaymentOrder, { account }: AccountHolder): boolean =>
  currency === "EUR" && [payer.account, account].every((text) => sepa.has(text.slice(0, 2)));

/** Whether an IBAN is a QR-IBAN, whose bank number is reserved for payments with a QR reference. */
const isQrIban = (iban: string): boolean => /^(?:CH|LI)\d\d3[01]\d{3}/.test(iban);

/** Nests elements in each other, given their names from the outermost. */
function nestElements(names: string, content: Parameters<typeof element>[1]): Element | undefined {
  return names
    .split(" ")
    .reduceRight<Element | undefined>(
      (child, name, at, allNames) => element(name, at === allNames.length - 1 ? content : [child]),
      undefined,
    );
}

const amountOf = (cents: number, { currency }: PaymentOrder) => amountText(cents, currency);
const partyName = (name: string) => plainLetters(name).slice(0, 70).trimEnd();

function partyElement(tag: string, { name, address }: AccountHolder): Element | undefined {
  const town = plainLetters(address?.town ?? "").slice(0, 35);
  return element(tag, [
    element("Nm", partyName(name)),
    town === ""
      ? undefined
      : element("PstlAdr", [element("TwnNm", town), element("Ctry", address?.country)]),
  ]);
}

const sepaLevel = nestElements("PmtTpInf SvcLvl Cd", "SEPA");

function remitted({ creditorReference, advice, text }: OrderedPayment): Element | undefined {
  if (creditorReference === undefined) {
    return nestElements("RmtInf Ustrd", plainLetters(advice.reference ?? text).slice(0, 140));
  }
  const { kind, reference } = creditorReference;
  const type = kind === "RF" ? element("Cd", "SCOR") : element("Prtry", "QRR");
  return nestElements("RmtInf Strd CdtrRefInf", [
    nestElements("Tp CdOrPrtry", [type]),
    element("Ref", reference),
  ]);
}

function transferElement(
  payment: OrderedPayment,
  order: PaymentOrder,
  isAllSepa: boolean,
): Element | undefined {
  return element("CdtTrfTxInf", [
    nestElements("PmtId EndToEndId", payment.id),
    isSepa(order, payment) && !isAllSepa ? sepaLevel : undefined,
    element("Amt", [element("InstdAmt", amountOf(payment.amount, order), { Ccy: order.currency })]),
    partyElement("Cdtr", payment),
    nestElements("CdtrAcct Id IBAN", payment.account),
    remitted(payment),
  ]);
}

export const pain001: PaymentFormat = {
  extension: "xml",
  contentType: "application/xml; charset=utf-8",
  nameMax: 70,
  // Maximum amount of SEPA; other schemes allow 18 digits, more than the books can hold.
  amountMax: ({ currency }) => (currency === "EUR" ? 99_999_999_999 : Number.MAX_SAFE_INTEGER),
  accountForm: () => "an IBAN with its check digits",
  account: (text) => (isIban(text) ? text.replace(/\s/g, "").toUpperCase() : undefined),

  check({ payments }, fault) {
    for (const { name, account: iban, creditorReference } of payments) {
      const isQr = isQrIban(iban);
      if (isQr === (creditorReference?.kind === "QRR")) continue;
      fault(
        "PaymentFile",
        isQr
          ? `The account of ${name} is a QR-IBAN, which is paid with a QR reference of 27 digits alone: the bill has none.`
          : `The QR reference of the bill of ${name} is paid to a QR-IBAN alone, and its account is none.`,
      );
    }
  },

  write(order) {
    const { id, createdAt: made, day, payer, payments } = order;
    const isAllSepa = payments.every((payment) => isSepa(order, payment));
    const totals = [
      element("NbOfTxs", String(payments.length)),
      element("CtrlSum", amountOf(order.total, order)),
    ];
    const groupHeader = [
      element("MsgId", id),
      element("CreDtTm", made),
      ...totals,
      nestElements("InitgPty Nm", partyName(payer.name)),
    ];
    const information = [
      element("PmtInfId", id),
      element("PmtMtd", "TRF"),
      ...totals,
      isAllSepa ? sepaLevel : undefined,
      nestElements("ReqdExctnDt Dt", day),
      partyElement("Dbtr", payer),
      nestElements("DbtrAcct Id IBAN", payer.account),
      // No BIC is given, as banks derive it from the IBAN.
      nestElements("DbtrAgt FinInstnId Othr Id", "NOTPROVIDED"),
      element("ChrgBr", "SLEV"),
      ...payments.map((payment) => transferElement(payment, order, isAllSepa)),
    ];
    const content = element("CstmrCdtTrfInitn", [
      element("GrpHdr", groupHeader),
      element("PmtInf", information),
    ]);
    return writeDocument("Document", { xmlns: "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09" }, [
      content,
    ]);
  },
};
