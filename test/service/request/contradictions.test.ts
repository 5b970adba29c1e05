/** Requests that contradict themselves, or hold what their path does not take. */
import { describe, expect, test } from "vitest";
import { contact, invoiced, type Json, sharedWorld, type World } from "../fixture.ts";
import { formats } from "../xml-of.ts";

const given = sharedWorld();

const line = { Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" };
const taxedLines = [
  { LineAmount: 115, AccountCode: "400", TaxType: "INPUT2" },
  { LineAmount: -115, AccountCode: "620" },
];
const nowhere = "11111111-1111-4111-8111-111111111111";

interface Made {
  readonly world: World;
  readonly invoice: Json;
  readonly credit: Json;
}

/** Makes an invoice and a credit note of one contact. */
async function made(): Promise<Made> {
  const world = await given();
  const invoice = await invoiced(world, { Status: "AUTHORISED", LineItems: [line] });
  const { ContactID } = invoice.Contact;
  const credit = { Type: "ACCRECCREDIT", Contact: { ContactID }, LineItems: [line] };
  const { CreditNotes } = await world.ok("PUT", "/CreditNotes", {
    ...credit,
    Status: "AUTHORISED",
  });
  return { world, invoice, credit: CreditNotes[0] };
}

interface Case {
  readonly what: string;
  readonly list: string;
  readonly method?: "PUT" | "POST";
  readonly path?: (made: Made) => string;
  readonly record: (made: Made) => object;
  readonly says: (made: Made) => string;
}

const allocating = {
  list: "Allocations",
  path: ({ credit }: Made) => `/CreditNotes/${credit.CreditNoteID}/Allocations`,
} as const;
const invoiceOf = ({ invoice: { InvoiceID } }: Made) => ({ Invoice: { InvoiceID } });

const cases: readonly Case[] = [
  {
    what: "an allocation with two amounts",
    ...allocating,
    record: (made) => ({ AppliedAmount: 5, Amount: 40, ...invoiceOf(made) }),
    says: () => "The amount: AppliedAmount 5.00 and Amount 40.00 are not the same",
  },
  ...(["CreditNote", "Prepayment", "Overpayment"] as const).map((name) => ({
    what: `an allocation of another ${name} than that of its path`,
    ...allocating,
    record: (made: Made) => ({
      AppliedAmount: 5,
      ...invoiceOf(made),
      [name]: { [`${name}ID`]: nowhere },
    }),
    says: ({ credit }: Made) =>
      `${name}: ${credit.CreditNoteID} of the path and ${nowhere} are not the same`,
  })),
  {
    what: "a new tracking category with options",
    list: "TrackingCategories",
    record: () => ({ Name: "Place", Options: [{ Name: "Here" }] }),
    says: () => "send them by PUT /TrackingCategories/{TrackingCategoryID}/Options",
  },
  {
    what: "a new contact group with contacts",
    list: "ContactGroups",
    record: ({ invoice }) => ({
      Name: "Friends",
      Contacts: [{ ContactID: invoice.Contact.ContactID }],
    }),
    says: () => "send them by PUT /ContactGroups/{ContactGroupID}/Contacts",
  },
  {
    what: "a new credit note with allocations",
    list: "CreditNotes",
    record: (made) => ({
      Type: "ACCRECCREDIT",
      Contact: { ContactID: made.invoice.Contact.ContactID },
      LineItems: [line],
      Allocations: [{ AppliedAmount: 5, ...invoiceOf(made) }],
    }),
    says: () => "send them by PUT /CreditNotes/{CreditNoteID}/Allocations",
  },
  {
    what: "a contact with two addresses of one type",
    list: "Contacts",
    record: () => ({
      Name: "Two homes",
      Addresses: [
        { AddressType: "STREET", City: "A" },
        { AddressType: "STREET", City: "B" },
      ],
    }),
    says: () => "Address 2: AddressType STREET is given twice.",
  },
  {
    what: "a contact with two phones of one type",
    list: "Contacts",
    record: () => ({
      Name: "Two phones",
      Phones: [
        { PhoneType: "MOBILE", PhoneNumber: "1" },
        { PhoneType: "DDI", PhoneNumber: "2" },
        { PhoneType: "MOBILE", PhoneNumber: "3" },
      ],
    }),
    says: () => "Phone 3: PhoneType MOBILE is given twice.",
  },
  {
    what: "an invoice with one of its lines twice",
    list: "Invoices",
    method: "POST",
    record: ({ invoice: { InvoiceID, LineItems } }) => ({
      InvoiceID,
      LineItems: [{ LineItemID: LineItems[0].LineItemID }, { LineItemID: LineItems[0].LineItemID }],
    }),
    says: ({ invoice: { LineItems } }) =>
      `LineItems[1]: the line ${LineItems[0].LineItemID} is given twice.`,
  },
  ...(
    [
      ["an invoice in the base currency with a rate", "Invoices", { CurrencyRate: 7 }],
      [
        "a quote in the base currency with a rate",
        "Quotes",
        { CurrencyRate: 7, Date: "2026-03-01" },
      ],
    ] as const
  ).map(([what, list, fields]) => ({
    what,
    list,
    record: ({ invoice }: Made) => ({
      Type: "ACCREC",
      Contact: { ContactID: invoice.Contact.ContactID },
      LineItems: [line],
      ...fields,
    }),
    says: () => "CurrencyRate is for documents in a foreign currency only.",
  })),
  {
    what: "an invoice of untaxed amounts with a tax amount",
    list: "Invoices",
    record: ({ invoice }) => ({
      Type: "ACCREC",
      Contact: { ContactID: invoice.Contact.ContactID },
      LineAmountTypes: "NoTax",
      LineItems: [{ ...line, TaxAmount: 15 }],
    }),
    says: () => "With LineAmountTypes NoTax a line has no TaxAmount.",
  },
  {
    what: "a manual journal with a tax type and no word on how its amounts are taxed",
    list: "ManualJournals",
    record: () => ({ Narration: "Taxed", JournalLines: taxedLines }),
    says: () => "TaxType INPUT2 needs LineAmountTypes Exclusive or Inclusive",
  },
  ...(
    [
      ["PaymentType", "ACCPAYPAYMENT", "ACCRECPAYMENT"],
      ["CurrencyCode", "EUR", "NZD"],
    ] as const
  ).map(([field, sent, own]) => ({
    what: `a payment whose ${field} is not that of its invoice`,
    list: "Payments",
    record: (made: Made) => ({
      ...invoiceOf(made),
      Account: { Code: "090" },
      Amount: 10,
      Date: "2026-03-10",
      [field]: sent,
    }),
    says: () => `${field} is ${own} by the document that is paid, not ${sent}.`,
  })),
];

describe.each(formats)("in $format", ({ bodyOf, type }) => {
  test.each(cases)("$what is refused", async ({ list, method = "PUT", path, record, says }) => {
    const all = await made();
    const body = bodyOf(list, [record(all)]);
    const headers = { "content-type": type };
    const sentences = await all.world.refused(method, path?.(all) ?? `/${list}`, body, { headers });
    expect(sentences).toEqual([expect.stringContaining(says(all))]);
  });
});

describe("what is sent back as it was read", () => {
  test("an allocation that names its credit and its amount by both names is made", async () => {
    const all = await made();
    const { CreditNoteID } = all.credit;
    await all.world.ok("PUT", allocating.path(all), {
      Allocations: [
        { AppliedAmount: 5, Amount: 5, ...invoiceOf(all), CreditNote: { CreditNoteID } },
      ],
    });
    const path = `/CreditNotes/${CreditNoteID}`;
    const [read] = (await all.world.ok("GET", path)).CreditNotes;
    await all.world.ok("POST", path, { ...read, Reference: "as it is" });
  });

  test("a tracking category with its options is renamed, and a new option in it is refused", async () => {
    const world = await given();
    const [made] = (await world.ok("PUT", "/TrackingCategories", { Name: "Region" }))
      .TrackingCategories;
    const path = `/TrackingCategories/${made.TrackingCategoryID}`;
    await world.ok("PUT", `${path}/Options`, { Options: [{ Name: "North" }] });
    const [read] = (await world.ok("GET", path)).TrackingCategories;
    await world.ok("POST", path, { ...read, Name: "Area" });
    const Options = [...read.Options, { Name: "South" }];
    expect(await world.refused("POST", path, { Name: "Area", Options })).toHaveLength(1);
  });

  test("a contact group with its contacts is renamed, and another contact in it is refused", async () => {
    const world = await given();
    const [one, other] = [await contact(world), await contact(world)];
    const [made] = (await world.ok("PUT", "/ContactGroups", { Name: "Trade" })).ContactGroups;
    const path = `/ContactGroups/${made.ContactGroupID}`;
    await world.ok("PUT", `${path}/Contacts`, { Contacts: [{ ContactID: one.ContactID }] });
    const [read] = (await world.ok("GET", path)).ContactGroups;
    await world.ok("POST", path, { ...read, Name: "Wholesale" });
    const Contacts = [...read.Contacts, { ContactID: other.ContactID }];
    expect(await world.refused("POST", path, { Name: "Wholesale", Contacts })).toHaveLength(1);
  });
});

describe("query parameters with values that their fields cannot have", () => {
  test.each([
    ["/PurchaseOrders", "status", "FOO"],
    ["/Quotes", "Status", "FOO"],
    ["/Quotes", "ContactID", "xyz"],
    ["/LinkedTransactions", "SourceTransactionID", "xyz"],
    ["/LinkedTransactions", "Status", "FOO"],
    ["/Invoices", "IDs", ""],
    ["/Invoices", "InvoiceNumbers", ""],
    ["/Contacts", "IDs", ""],
  ])("%s?%s=%s is refused", async (path, name, value) => {
    const world = await given();
    const [sentence] = await world.refused("GET", path, undefined, { query: { [name]: value } });
    expect(sentence).toMatch(/^The parameter \w+ (must be|is empty)/);
  });

  test.each(["xyz", "FOO,DRAFT"])("unknown entries of the lists are skipped: %s", async (value) => {
    const world = await given();
    for (const name of ["IDs", "Statuses"])
      await world.ok("GET", "/Invoices", undefined, { query: { [name]: value } });
  });

  test("a condition takes a GUID in every notation that a path takes", async () => {
    const { world, invoice } = await made();
    const id: string = invoice.InvoiceID;
    for (const text of [id, id.replaceAll("-", ""), `{${id.toUpperCase()}}`]) {
      for (const where of [`InvoiceID==Guid("${text}")`, `InvoiceID="${text}"`]) {
        const { Invoices } = await world.ok("GET", "/Invoices", undefined, { query: { where } });
        expect(Invoices).toHaveLength(1);
      }
    }
  });
});

describe.each(formats)("in $format, with a warning", ({ bodyOf, type }) => {
  test.each([
    [
      "an untaxed invoice loses a tax type",
      "Invoices",
      { Type: "ACCREC", LineAmountTypes: "NoTax", LineItems: [{ ...line, TaxType: "OUTPUT2" }] },
      "TaxType OUTPUT2 is not kept: LineAmountTypes is NoTax.",
    ],
    [
      "an untaxed manual journal loses a tax type",
      "ManualJournals",
      { Narration: "x", LineAmountTypes: "NoTax", JournalLines: taxedLines },
      "TaxType INPUT2 is not kept: LineAmountTypes is NoTax.",
    ],
    [
      "an invoice has no day on which its payment is planned",
      "Invoices",
      { Type: "ACCREC", LineItems: [line], PlannedPaymentDate: "2026-05-01" },
      "PlannedPaymentDate is not kept: an invoice has none.",
    ],
    [
      "a bill has no day on which its payment is expected",
      "Invoices",
      { Type: "ACCPAY", LineItems: [line], ExpectedPaymentDate: "2026-05-01" },
      "ExpectedPaymentDate is not kept: a bill has none.",
    ],
  ])("%s", async (_, list, record, warning) => {
    const { world, invoice } = await made();
    const Contact = { ContactID: invoice.Contact.ContactID };
    const sent = list === "ManualJournals" ? record : { ...record, Contact };
    const headers = { "content-type": type };
    const [answered] = (await world.ok("PUT", `/${list}`, bodyOf(list, [sent]), { headers }))[list];
    expect(answered.StatusAttributeString).toBe("WARNING");
    expect(answered.Warnings).toEqual([{ Message: warning }]);
  });
});

test.each([
  [
    "Invoices",
    "invoice",
    { Status: "VOIDED", Date: "2026-01-02", Reference: "late" },
    "Date, Reference are",
  ],
  ["CreditNotes", "credit", { Status: "VOIDED", Reference: "late" }, "Reference is"],
] as const)(
  "of %s that are voided with other values, these are named as not kept",
  async (list, name, sent, names) => {
    const all = await made();
    const path = `/${list}/${all[name][`${list.slice(0, -1)}ID`]}`;
    const [ended] = (await all.world.ok("POST", path, sent))[list];
    expect(ended).toMatchObject({ Status: "VOIDED", StatusAttributeString: "WARNING" });
    expect(ended.Warnings).toEqual([
      { Message: `${names} not kept: what is voided stays as it was.` },
    ]);
  },
);

test("a payment that is reversed with another amount says that it keeps its own", async () => {
  const { world, invoice } = await made();
  const { Payments } = await world.ok("PUT", "/Payments", {
    Invoice: { InvoiceID: invoice.InvoiceID },
    Account: { Code: "090" },
    Amount: 40,
  });
  const path = `/Payments/${Payments[0].PaymentID}`;
  const { Payments: reversed } = await world.ok("POST", path, { Status: "DELETED", Amount: 50 });
  expect(reversed[0]).toMatchObject({ Amount: 40, Status: "DELETED" });
  expect(reversed[0].Warnings).toEqual([
    { Message: "Amount is not kept: what is deleted stays as it was." },
  ]);
});

test("a document that is sent back as it was read, with the status by which it ends, has no warning", async () => {
  const { world, invoice } = await made();
  const path = `/Invoices/${invoice.InvoiceID}`;
  const { Invoices: read } = await world.ok("GET", path);
  const { Invoices } = await world.ok("POST", path, { ...read[0], Status: "VOIDED" });
  expect(Invoices[0].Status).toBe("VOIDED");
  expect(Invoices[0].Warnings).toBeUndefined();
});

test("an item that is sent back as it is shown keeps the further digits of its prices", async () => {
  const world = await given();
  const priced = (UnitPrice: number) => ({ Code: "FINE", SalesDetails: { UnitPrice } });
  const query = { unitdp: "4" };
  await world.ok("PUT", "/Items", priced(1.2345), { query });
  const price = async (body: object) => {
    await world.ok("POST", "/Items", body);
    return (await world.ok("GET", "/Items/FINE", undefined, { query })).Items[0].SalesDetails
      .UnitPrice;
  };
  expect(await price((await world.ok("GET", "/Items/FINE")).Items[0])).toBe(1.2345);
  expect(await price(priced(1.24))).toBe(1.24);
});

describe("a PDF of what has none", () => {
  test.each(["/Invoices", "/Contacts", "/Contacts/{id}", "/Accounts"])(
    "%s is answered in XML where only a PDF is accepted",
    async (path) => {
      const { world, invoice } = await made();
      const { status, text } = await world.ask(
        "GET",
        path.replace("{id}", invoice.Contact.ContactID),
        undefined,
        { headers: { accept: "application/pdf" } },
      );
      expect(status).toBe(200);
      expect(text).toMatch(/^<Response /);
    },
  );
});
