/** Recording the payment of a document, or the refund of a credit. */
import { mediumDate } from "../../../../ledger/dates/calendar.ts";
import { html } from "../../../../output/markup.ts";
import type { Account } from "../../../../resources/account.ts";
import { amountText } from "../../../../resources/common.ts";
import { type Cents, readDecimal, scaleOf } from "../../../../resources/decimal.ts";
import { UsageError } from "../../../../resources/errors.ts";
import { pathOf } from "../../../../resources/field.ts";
import { creditNote, invoice, overpayment, prepayment } from "../../../../resources/index.ts";
import { type PaymentInput, payment } from "../../../../resources/payment.ts";
import { isDay } from "../../../../resources/scalar.ts";
import { type Content, isolated } from "../../../frame/components.ts";
import { choiceField, textField, typed } from "../../../frame/forms.ts";
import { noBankAccounts } from "../../bank/no-bank-accounts.ts";
import { accountsOf, titleOf } from "../../ledger/account-ledger.ts";
import { currencyOf } from "../../shown-values.ts";
import type { Act, AtRecord } from "./act.ts";

const credits: readonly object[] = [creditNote, prepayment, overpayment];
const isCredit = ({ list: { resource } }: AtRecord) => credits.includes(resource);

/** Amount that can be paid or refunded, in the currency of the document; 0 where nothing can. */
function dueOf(at: AtRecord): Cents {
  const { list, record } = at;
  const amount = isCredit(at) ? record.RemainingCredit : record.AmountDue;
  const isOpen = record.Status === "AUTHORISED" && (isCredit(at) || list.resource === invoice);
  return (isOpen && typeof amount === "number" ? amount : 0) as Cents;
}

/** Whether money comes in: of an invoice, and of a supplier's credit. */
const isIn = (at: AtRecord) => /^ACCREC$|^ACCPAYCREDIT$|^SPEND-/.test(String(at.record.Type));

export const pay: Act = {
  name: "pay",
  button: (at) => (isCredit(at) ? "Record refund" : "Record payment"),
  isOpen: (at) => dueOf(at) > 0,
  permissionPath: () => pathOf(payment),
  fields: paymentFields,
  async question(at) {
    const input = await inputOf(at);
    await at.ctx.client.create(payment, input, { dryRun: true });
    return { text: await questionText(at, input), button: "Record it" };
  },
  async carryOut(at, client) {
    await client.create(payment, await inputOf(at));
    return "paid";
  },
};

const accountsFor = async ({ ctx }: AtRecord): Promise<readonly Account[]> =>
  (await accountsOf(ctx)).filter(
    ({ Status, Type, EnablePaymentsToAccount }) =>
      Status === "ACTIVE" && (Type === "BANK" || EnablePaymentsToAccount === true),
  );

const keyOf = ({ Code, AccountID }: Account) => Code || AccountID;

async function paymentFields(at: AtRecord): Promise<Content> {
  const { ctx, record } = at;
  const currency = currencyOf(ctx, record);
  const baseCurrency = ctx.organisation.BaseCurrency;
  const allAccounts = await accountsFor(at);
  if (allAccounts.length === 0) return html`<p>${noBankAccounts}</p>`;
  const usable = allAccounts.find((account) => (account.CurrencyCode ?? baseCurrency) === currency);
  const values = allAccounts.map(
    (each) => [keyOf(each), `${titleOf(each)}${foreign(each.CurrencyCode, baseCurrency)}`] as const,
  );
  const amountDue = dueOf(at);
  return html`${choiceField(ctx, {
    ...{ name: "pay-account", label: isIn(at) ? "Paid into" : "Paid from", values },
    value: usable && keyOf(usable),
  })}${textField(ctx, { name: "pay-day", label: "Day", type: "date", value: ctx.today })}${textField(
    ctx,
    {
      ...{ name: "pay-amount", label: `Amount in ${currency}`, max: 20 },
      value: amountText(amountDue, currency),
      hint: "What is due; less is a part payment.",
    },
  )}${
    currency === baseCurrency
      ? ""
      : textField(ctx, {
          ...{ name: "pay-rate", label: "Exchange rate", max: 20, isOptional: true },
          hint: `${currency} for one ${baseCurrency}; the rate of the day when empty.`,
        })
  }${textField(ctx, { name: "pay-reference", label: "Reference", isOptional: true })}`;
}

const foreign = (currency: string | undefined, baseCurrency: string) =>
  currency === undefined || currency === baseCurrency ? "" : `, ${currency}`;

/** The payment that was filled in. @throws UsageError for what cannot be read */
async function inputOf(at: AtRecord): Promise<PaymentInput> {
  const { ctx, list, key } = at;
  const read = (name: string) => typed(ctx, `pay-${name}`);
  const day = read("day");
  if (day !== "" && !isDay(day)) throw unread(`Day is a day such as ${ctx.today}`, day);
  const amount = read("amount");
  const cents = amount === "" ? dueOf(at) : numberOf(amount, scaleOf.money);
  if (cents === undefined) throw unread("Amount is an amount such as 120.50", amount);
  const rate = read("rate");
  const CurrencyRate = rate === "" ? undefined : numberOf(rate, scaleOf.rate);
  if (rate !== "" && CurrencyRate === undefined) {
    throw unread("Exchange rate is a number such as 0.9150", rate);
  }
  const account = (await accountsFor(at)).find((account) => keyOf(account) === read("account"));
  if (account === undefined)
    throw new UsageError("MissingValue", "Choose the account of the payment.");
  return {
    [list.resource.name]: { [list.resource.id]: key },
    Account: { AccountID: account.AccountID },
    Amount: cents,
    ...(day === "" ? {} : { Date: day }),
    ...(CurrencyRate === undefined ? {} : { CurrencyRate }),
    ...(read("reference") === "" ? {} : { Reference: read("reference") }),
  } as PaymentInput;
}

const numberOf = (text: string, scale: number) => readDecimal(text.replaceAll(",", ""), scale);

const unread = (form: string, text: string) =>
  new UsageError("BadValue", `${form}, not \u201c${text.slice(0, 40)}\u201d.`);

async function questionText(at: AtRecord, { Account, Amount, Date: day }: PaymentInput) {
  const { ctx, record } = at;
  const currency = currencyOf(ctx, record);
  const text = (cents: number) => `${currency} ${amountText(cents, currency)}`;
  const { AccountID } = Account as { readonly AccountID: string };
  const account = (await accountsFor(at)).find((account) => account.AccountID === AccountID);
  const rest = restText(at, (dueOf(at) - Number(Amount)) as Cents);
  const party = record.Contact as { readonly Name?: string } | undefined;
  return html`${text(Number(Amount))} ${isIn(at) ? "came from" : "went to"} ${isolated(party?.Name ?? "")} on ${mediumDate(day ?? ctx.today)}, ${isIn(at) ? "into" : "from"} ${isolated(account === undefined ? "" : titleOf(account))}. ${rest === "" ? "Nothing stays due." : rest}`;
}

/** What stays to be paid or refunded of a record, as a sentence; empty where nothing does. */
export const restOf = (at: AtRecord): string => restText(at, dueOf(at));

function restText(at: AtRecord, amountLeft: Cents): string {
  if (amountLeft === 0) return "";
  const currency = currencyOf(at.ctx, at.record);
  const stays = isCredit(at) ? "stays to be refunded" : "stays due";
  return `${currency} ${amountText(amountLeft, currency)} ${stays}.`;
}
