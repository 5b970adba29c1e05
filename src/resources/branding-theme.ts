/** Branding themes: appearance of printed documents, and the payment methods they offer. */
import { currencyCodes } from "./common.ts";
import {
  choice,
  type Input,
  id,
  integer,
  ref,
  resource,
  type Shape,
  text,
  timestamp,
} from "./field.ts";

export const brandingTheme = resource(
  "BrandingTheme",
  () => ({
    BrandingThemeID: id({ readOnly: true, always: true }),
    Name: text({
      required: true,
      always: true,
      max: 255,
      oneLine: true,
      key: true,
      filter: true,
      help: "given by an extension: the public API makes no themes",
    }),
    LogoUrl: text({ readOnly: true }),
    Type: choice(["INVOICE"], { readOnly: true, always: true }),
    SortOrder: integer({ readOnly: true, always: true }),
    CreatedDateUTC: timestamp({ readOnly: true, always: true }),
  }),
  {
    plural: "BrandingThemes",
    id: "BrandingThemeID",
    collection: ["GET"],
    record: ["GET"],
    columns: ["Name", "SortOrder", "CreatedDateUTC"],
    noun: "branding theme",
    summary: "how printed documents look",
  },
);

/** Settings of a theme for appearance and payment instructions: an extension. */
export const brandingSetting = resource(
  "BrandingSetting",
  () => ({
    BrandingThemeID: id({ readOnly: true, always: true }),
    Name: text({ readOnly: true, always: true }),
    Color: text({ max: 7, help: "of the title and the rules: #1d4f91" }),
    CurrencyCode: choice(currencyCodes, {
      help: "whose documents have the theme where they name none; that of the organisation when not given",
    }),
    BankDetails: text({ max: 2000, help: "where customers pay to, in that currency" }),
    BankAccount: ref(
      "Account",
      ["AccountID", "Code"],
      { AccountID: id(), Code: text(), Name: text(), BankAccountNumber: text() },
      { help: "the bank account that e-invoices name to be paid to" },
    ),
    PaymentAdvice: text({ max: 2000, help: "what customers are asked when they pay" }),
    Terms: text({ max: 4000, help: "terms at the foot of what goes to customers" }),
    LogoUrl: text({ readOnly: true }),
  }),
  {
    plural: "Settings",
    id: "BrandingThemeID",
    columns: ["Name", "CurrencyCode", "Color", "BankDetails", "LogoUrl"],
    noun: "branding setting",
    summary: "how the documents of a branding theme look",
  },
);

export const paymentService = resource(
  "PaymentService",
  () => ({
    PaymentServiceID: id({ always: true }),
    PaymentServiceName: text({ max: 255, required: true, key: true }),
    PaymentServiceUrl: text({
      max: 1024,
      required: true,
      help: "where a customer pays: an address with https",
    }),
    PayNowText: text({ max: 50, required: true, help: "what stands on the button" }),
    PaymentServiceType: choice(["CUSTOM"], { default: "CUSTOM", always: true }),
  }),
  {
    plural: "PaymentServices",
    id: "PaymentServiceID",
    collection: ["GET", "PUT"],
    batchMax: 100,
    columns: ["PaymentServiceName", "PaymentServiceUrl", "PayNowText"],
    noun: "payment service",
    summary: "ways to pay that invoices offer",
  },
);

export type BrandingTheme = Shape<typeof brandingTheme>;
export type BrandingSettings = Input<typeof brandingSetting>;
export type PaymentService = Shape<typeof paymentService>;
