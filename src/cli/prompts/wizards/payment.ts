/** The wizard of `acct payment apply`. */
import { amountText } from "../../../resources/common.ts";
import { invoice } from "../../../resources/invoice.ts";
import type { Wizard } from "../../context/context.ts";
import { accountChoices, isBankAccount, openDocuments } from "./lookups.ts";

export const paymentWizard: Wizard = {
  deed: "Record the payment",
  questions: [
    {
      to: "INVOICE",
      message: "Which invoice or bill, by number or contact?",
      called: "the document",
      search: openDocuments,
    },
    {
      to: "account",
      message: "Paid from or into which account?",
      called: "the account",
      choices: (ctx) =>
        accountChoices(ctx, (each) => isBankAccount(each) || each.EnablePaymentsToAccount === true),
    },
    {
      to: "amount",
      message: "Amount",
      called: "the amount",
      async initial(ctx, { INVOICE = "" }) {
        const client = await ctx.client();
        const { AmountDue, CurrencyCode } = await client.find(invoice, INVOICE);
        return amountText(AmountDue, CurrencyCode);
      },
    },
    {
      to: "date",
      message: "Date",
      called: "the date",
      initial: (ctx) => ctx.today(),
    },
    {
      to: "reference",
      message: "Reference, if there is one",
      called: "the reference",
      optional: true,
    },
  ],
};
