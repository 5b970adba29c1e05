/** Batches in which a record has a value that cannot be read. */
import { describe, expect, test } from "vitest";
import { type Json, sharedWorld } from "../fixture.ts";
import { formats } from "../xml-of.ts";

const given = sharedWorld();

const line = { Description: "Work", Quantity: 1, UnitAmount: 5, AccountCode: "200" };
const journal = [
  { LineAmount: 1, AccountCode: "400" },
  { LineAmount: -1, AccountCode: "429" },
];

interface Kind {
  readonly list: string;
  /** A record without fault, with a name of its own. */
  readonly good: (name: string) => object;
  /** Fields that cannot be read, and what is said of them. */
  readonly bad: readonly (readonly [object, string])[];
}

const noDay = "must be a day such as 2026-03-31, not '31/10/2026'.";
const Contact = { ContactNumber: "UNREADABLE" };

const kinds: readonly Kind[] = [
  {
    list: "Invoices",
    good: (Reference) => ({ Type: "ACCREC", Contact, Reference, LineItems: [line] }),
    bad: [
      [{ Date: "31/10/2026" }, `Date ${noDay}`],
      [{ SentToContact: "maybe" }, "SentToContact must be true or false, not 'maybe'."],
      [{ InvoiceID: "xyz" }, "InvoiceID must be a GUID, not 'xyz'."],
      [{ Reference: { a: 1 } }, "Reference must be a single value, not an object or a list."],
      [
        { LineItems: [{ ...line, Quantity: "1.23456" }] },
        "LineItem 1: Quantity has more than four decimal places: '1.23456'.",
      ],
    ],
  },
  {
    list: "PurchaseOrders",
    good: (Reference) => ({ Contact, Reference, LineItems: [{ ...line, AccountCode: "400" }] }),
    bad: [[{ DeliveryDate: "31/10/2026" }, `DeliveryDate ${noDay}`]],
  },
  {
    list: "ManualJournals",
    good: (Narration) => ({ Narration, JournalLines: journal }),
    bad: [[{ Date: "31/10/2026" }, `Date ${noDay}`]],
  },
  {
    list: "Contacts",
    good: (Name) => ({ Name }),
    bad: [[{ IsCustomer: true, Name: { a: 1 } }, "Name must be a single value"]],
  },
  {
    list: "Items",
    good: (Name) => ({ Code: Name, Name }),
    bad: [[{ IsSold: "maybe" }, "IsSold must be true or false, not 'maybe'."]],
  },
];

const cases = kinds.flatMap(({ bad, ...kind }) =>
  bad.flatMap(([fields, says], index) =>
    formats.map((format) => ({ ...kind, ...format, fields, says, index })),
  ),
);

describe.each(cases)(
  "$list with $fields, in $format",
  ({ list, good, fields, says, format, type, bodyOf, index }) => {
    const name = (which: string) => `${which}${index}${format}`;
    const send = async (summarizeErrors: string, tag: string) => {
      const world = await given();
      if (list !== "Contacts")
        await world.ask("PUT", "/Contacts", { ...Contact, Name: "Unreadable Ltd" });
      const records = [
        good(name(`a${tag}`)),
        { ...good(name(`b${tag}`)), ...fields },
        good(name(`c${tag}`)),
        { ...good("x".repeat(5000)), ...(list === "Invoices" ? { Type: "ACCPAY" } : {}) },
      ];
      return world.ask("POST", `/${list}`, bodyOf(list, records), {
        query: { summarizeErrors },
        headers: { "content-type": type, accept: "application/json" },
      });
    };

    test("with summarizeErrors=false only the record with the unreadable value is refused", async () => {
      const { status, json } = await send("false", "1");
      expect(status).toBe(200);
      const answered = json[list] as Json[];
      expect(answered.map((each) => each.StatusAttributeString)).toEqual([
        "OK",
        "ERROR",
        "OK",
        "ERROR",
      ]);
      expect(answered[1].ValidationErrors[0].Message).toContain(says);
      expect(answered[1].ValidationErrors).toHaveLength(1);
    });

    test("otherwise nothing is stored, and each bad record has its faults in an element of its own", async () => {
      const { status, json } = await send("true", "2");
      expect(status).toBe(400);
      expect(json).toMatchObject({ ErrorNumber: 14, Type: "PostDataInvalidException" });
      expect(json.Message).toContain("Record 2");
      expect(json.Elements).toHaveLength(2);
      const [unreadable, invalid] = json.Elements as Json[];
      expect(unreadable.ValidationErrors[0].Message).toContain(says);
      expect(invalid.ValidationErrors[0].Message).toContain("at most");
      const told = JSON.stringify(unreadable);
      if (says.startsWith("Reference") || says.startsWith("Name")) return;
      expect(told).toContain(name("b2"));
    });
  },
);

test("in XML the element of an unreadable record names its kind, its id and its number", async () => {
  const world = await given();
  const InvoiceID = "11111111-1111-4111-8111-111111111111";
  const body = `<Invoices><Invoice><InvoiceID>${InvoiceID}</InvoiceID><Reference>R</Reference><Date>soon</Date></Invoice></Invoices>`;
  const { text } = await world.ask("POST", "/Invoices", body, {
    headers: { "content-type": "text/xml", accept: "text/xml" },
  });
  expect(text).toContain('<DataContractBase xsi:type="Invoice">');
  expect(text).toContain(`<InvoiceID>${InvoiceID}</InvoiceID>`);
  expect(text).toContain("<Reference>R</Reference>");
  expect(text).toContain(`There is no invoice ${InvoiceID}.`);
});
