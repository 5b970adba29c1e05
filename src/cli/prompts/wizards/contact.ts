/** The wizard of `acct contact create`. */
import { currency } from "../../../resources/currency.ts";
import type { Wizard } from "../../context/context.ts";

export const contactWizard: Wizard = {
  deed: "Make the contact",
  questions: [
    { to: "name", message: "Name", called: "the name" },
    {
      to: "email-address",
      message: "Email address, if there is one",
      called: "the address",
      optional: true,
    },
    { to: "phone", message: "Telephone, if there is one", called: "the telephone", optional: true },
    {
      to: "tax-number",
      message: "Tax number, if there is one",
      called: "the tax number",
      optional: true,
    },
    {
      to: "default-currency",
      message: "Currency, if another than yours",
      called: "the currency",
      optional: true,
      choices: async (ctx) => {
        const client = await ctx.client();
        return Array.fromAsync(client.list(currency), ({ Code }) => ({ name: Code, value: Code }));
      },
    },
    {
      to: "sales-terms",
      message: 'Terms of its invoices such as "20 days", if not yours',
      called: "the terms of invoices",
      optional: true,
    },
    {
      to: "bill-terms",
      message: 'Terms of its bills such as "20 days", if there are any',
      called: "the terms of bills",
      optional: true,
    },
  ],
};
