/** A customer, a supplier, or both. */
import {
  addresses,
  balance,
  currencyCodes,
  hasAttachments,
  paymentTerms,
  phones,
} from "./common.ts";
import {
  boolean,
  choice,
  type Input,
  id,
  many,
  one,
  percent,
  resource,
  type Shape,
  text,
  timestamp,
} from "./field.ts";

const paged = { shown: "paged" } as const;

export const contact = resource(
  "Contact",
  {
    ContactID: id({ always: true }),
    ContactNumber: text({ max: 50, filter: true, help: "your own key for the contact, unique" }),
    AccountNumber: text({ max: 50 }),
    ContactStatus: choice(["ACTIVE", "ARCHIVED", "GDPRREQUEST"], {
      default: "ACTIVE",
      always: true,
      filter: true,
    }),
    Name: text({
      max: 255,
      required: true,
      key: true,
      filter: true,
      help: "unique among active contacts",
    }),
    FirstName: text({ max: 255 }),
    LastName: text({ max: 255 }),
    EmailAddress: text({ max: 255, filter: true }),
    CompanyNumber: text({ max: 50 }),
    BankAccountDetails: text({ max: 255 }),
    TaxNumber: text({ max: 50 }),
    TaxNumberType: choice(["SSN", "EIN", "ITIN", "ATIN"]),
    AccountsReceivableTaxType: text({ max: 50 }),
    AccountsPayableTaxType: text({ max: 50 }),
    ContactPersons: many(
      "ContactPerson",
      {
        FirstName: text({ max: 255 }),
        LastName: text({ max: 255 }),
        EmailAddress: text({ max: 255 }),
        IncludeInEmails: boolean({ default: false, always: true }),
      },
      { max: 5, ...paged },
    ),
    Addresses: addresses,
    Phones: phones,
    IsSupplier: boolean({ readOnly: true, always: true }),
    IsCustomer: boolean({ readOnly: true, always: true }),
    DefaultCurrency: choice(currencyCodes),
    SalesDefaultLineAmountType: choice(["INCLUSIVE", "EXCLUSIVE", "NONE"], paged),
    PurchasesDefaultLineAmountType: choice(["INCLUSIVE", "EXCLUSIVE", "NONE"], paged),
    SalesDefaultAccountCode: text({ max: 10, ...paged }),
    PurchasesDefaultAccountCode: text({ max: 10, ...paged }),
    SalesTrackingCategories: many(
      "SalesTrackingCategory",
      { TrackingCategoryName: text({ max: 100 }), TrackingOptionName: text({ max: 100 }) },
      { max: 2, ...paged },
    ),
    PurchasesTrackingCategories: many(
      "PurchasesTrackingCategory",
      { TrackingCategoryName: text({ max: 100 }), TrackingOptionName: text({ max: 100 }) },
      { max: 2, ...paged },
    ),
    PaymentTerms: { ...paymentTerms, ...paged },
    ContactGroups: many(
      "ContactGroup",
      { ContactGroupID: id(), Name: text() },
      {
        readOnly: true,
        computed: true,
        ...paged,
      },
    ),
    Website: text({ readOnly: true, ...paged }),
    Discount: percent({ readOnly: true, ...paged }),
    Balances: one(
      { AccountsReceivable: balance, AccountsPayable: balance },
      {
        readOnly: true,
        computed: true,
        ...paged,
      },
    ),
    HasAttachments: hasAttachments,
    UpdatedDateUTC: timestamp({ readOnly: true, always: true }),
    HasValidationErrors: boolean({ readOnly: true, computed: true }),
  },
  {
    plural: "Contacts",
    id: "ContactID",
    keys: ["ContactNumber"],
    collection: ["GET", "PUT", "POST"],
    record: ["GET", "POST"],
    batchMax: 500,
    paged: "asked",
    where: true,
    order: true,
    modifiedSince: true,
    summarizeErrors: true,
    history: true,
    parameters: [{ name: "IDs", field: "ContactID" }],
    search: ["Name", "FirstName", "LastName", "ContactNumber", "CompanyNumber", "EmailAddress"],
    columns: ["Name", "ContactNumber", "EmailAddress", "ContactStatus", "IsCustomer", "IsSupplier"],
    listOrder: "Name ASC",
    noun: "contact",
    summary: "customers and suppliers",
  },
);

export type Contact = Shape<typeof contact>;
export type ContactInput = Input<typeof contact>;
