/** Requests that contradict themselves, or hold what their path does not take. */
import { describe, expect, test } from "vitest";
import { contact, invoiced, type Json, sharedWorld, type World } from "../fixture.ts";
import { formats } from "../xml-of.ts";

const given = sharedWorld();

const line = { Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" };
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
