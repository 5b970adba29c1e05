/** Files for the bank from batches of the books: whom they pay and what, and that they are written once. */
import { describe, expect, test } from "vitest";
import { contact, invoiced, type Json, type World, world } from "../fixture.ts";

const moa = { Name: "Moa Coffee", BankAccountDetails: "01-0902-0068389-00" };
const own = "12-3140-0171323-50";

async function ready(country: "NZ" | "AU" = "NZ", account = own): Promise<World> {
  const given = await world(country);
  const { Accounts } = await given.ok("GET", "/Accounts", undefined, {
    query: { where: 'Code=="090"' },
  });
  await given.ok("POST", `/Accounts/${Accounts[0].AccountID}`, { BankAccountNumber: account });
  return given;
}

async function bill(
  given: World,
  Contact: Json,
  InvoiceNumber: string,
  UnitAmount = 10,
): Promise<Json> {
  return invoiced(given, {
    Type: "ACCPAY",
    Status: "AUTHORISED",
    Contact: { ContactID: Contact.ContactID },
    InvoiceNumber,
    LineAmountTypes: "NoTax",
    LineItems: [{ Description: "Beans", Quantity: 1, UnitAmount, AccountCode: "429" }],
  });
}

const paying = ({ InvoiceID, AmountDue }: Json, fields: object = {}) => ({
  Invoice: { InvoiceID },
  Amount: AmountDue,
  ...fields,
});

async function batch(
  given: World,
  Payments: readonly object[],
  fields: object = {},
): Promise<Json> {
  const asked = { Account: { Code: "090" }, Date: "2026-03-10", Payments, ...fields };
  return (await given.ok("PUT", "/BatchPayments", asked)).BatchPayments[0];
}

const pathOf = ({ BatchPaymentID }: Json) => `/Extensions/PaymentFiles/${BatchPaymentID}`;
const file = (given: World, made: Json, query: Record<string, string> = {}, headers = {}) =>
  given.ask("POST", pathOf(made), {}, { query, headers });

const historyOf = async (given: World, { BatchPaymentID }: Json): Promise<Json[]> =>
  (await given.ok("GET", `/BatchPayments/${BatchPaymentID}/History`)).HistoryRecords;
const writtenFor = async (given: World, made: Json) =>
  (await historyOf(given, made)).filter(({ Changes }) => Changes === "Payment file written");

describe("payments of a payment file", () => {
  test("each payment of a file goes to its own bank account, else to the contact's, and the sum is the batch total", async () => {
    const given = await ready();
    const coffee = await contact(given, moa);
    const clay = await contact(given, {
      Name: "Clay & Co",
      BankAccountDetails: "nonsense",
      BatchPayments: {
        BankAccountNumber: "08-6523-1954512-001",
        BankAccountName: "Clay Company",
        Code: "CL",
        Reference: "ACC-7",
      },
    });
    const first = await bill(given, coffee, "S-1", 100);
    const { CreditNotes } = await given.ok("PUT", "/CreditNotes", {
      Type: "ACCPAYCREDIT",
      Status: "AUTHORISED",
      Contact: { ContactID: coffee.ContactID },
      Date: "2026-03-01",
      LineAmountTypes: "NoTax",
      LineItems: [{ Description: "Spoilt", Quantity: 1, UnitAmount: 30, AccountCode: "429" }],
    });
    await given.ok("PUT", `/CreditNotes/${CreditNotes[0].CreditNoteID}/Allocations`, {
      Invoice: { InvoiceID: first.InvoiceID },
      Amount: 30,
    });
    const made = await batch(
      given,
      [
        paying({ ...first, AmountDue: 70 }),
        paying(await bill(given, clay, "S-2")),
        paying(await bill(given, coffee, "S-3"), { BankAccountNumber: "26-2600-0320871-032" }),
      ],
      { Reference: "March", Particulars: "Rent" },
    );
    const { status, headers, text } = await file(given, made);
    expect(status, text).toBe(200);
    expect(text.split("\r\n")).toEqual([
      expect.stringMatching(/^1,,,,123140017132350,7,260310,26\d{4},I$/),
      expect.stringMatching(/^2,010902006838900,50,7000,Moa Coffee,S-1,,,,\w[^,]*,,March,Rent$/),
      expect.stringMatching(/^2,0865231954512001,50,1000,Clay Company,ACC-7,CL,,,/),
      expect.stringMatching(/^2,2626000320871032,50,1000,Moa Coffee,S-3,/),
      "3,9000,3,00252343772",
      "",
    ]);
    expect(headers["content-disposition"]).toMatch(/filename="payments-2026-03-10-BP-\d+\.txt"/);
    expect(made.TotalAmount).toBe(90);
  });

  test("a payment file may have another date than the batch, and another format than the default", async () => {
    const given = await ready();
    const coffee = await contact(given, moa);
    const made = await batch(given, [paying(await bill(given, coffee, "S-1"))]);
    const query = { format: "csv", date: "2026-03-12" };
    const { text } = await file(given, made, query);
    expect(text).toBe(
      "Name,Account,Amount,Reference,Date\nMoa Coffee,01-0902-0068389-00,10.00,S-1,2026-03-12\n",
    );
    const [{ Details }] = (await writtenFor(given, made)) as [Json];
    expect(Details).toBe("For the bank as csv: 1 payment of NZD 10.00 on 2026-03-12.");
  });

  test("the default payment file format is ABA in Australia, and pain.001 for an account with an IBAN", async () => {
    const australian = await ready("AU", "062-000 1234567");
    const payee = await contact(australian, { Name: "Roo", BankAccountDetails: "032-001 123456" });
    const made = await batch(australian, [paying(await bill(australian, payee, "S-1"))]);
    const { text } = await file(australian, made, { userNumber: "301500" });
    expect(text.split("\r\n").map((line) => line.length)).toEqual([120, 120, 120, 0]);
    const given = await ready("NZ", "DE89370400440532013000");
    const german = await contact(given, {
      Name: "Köln AG",
      BankAccountDetails: "FR1420041010050500013M02606",
    });
    const second = await batch(given, [paying(await bill(given, german, "RF18 5390 0754 7034"))]);
    const xml = (await file(given, second)).text;
    expect(xml).toContain("<Nm>Koeln AG</Nm>");
    expect(xml).toContain("<Ref>RF18539007547034</Ref>");
    expect(xml).toContain('<InstdAmt Ccy="NZD">10.00</InstdAmt>');
  });
});

describe("refused payment files", () => {
  test("a payment file is refused with the names of all payees without a bank account", async () => {
    const given = await ready();
    const members = [];
    for (const Name of ["Tui", "Kea"]) {
      members.push(paying(await bill(given, await contact(given, { Name }), "S-1")));
    }
    const made = await batch(given, members);
    const { status, text } = await file(given, made);
    expect(status).toBe(400);
    expect(text).toContain("There is no bank account number of Tui.");
    expect(text).toContain("There is no bank account number of Kea.");
    expect(await writtenFor(given, made)).toEqual([]);
  });

  test("a payment file of received payments or of a deleted batch is refused", async () => {
    const given = await ready();
    const received = await batch(given, [paying(await invoiced(given, { Status: "AUTHORISED" }))]);
    expect((await file(given, received)).text).toContain("money that was received");
    const coffee = await contact(given, moa);
    const made = await batch(given, [paying(await bill(given, coffee, "S-1"))]);
    await given.ok("POST", `/BatchPayments/${made.BatchPaymentID}`, { Status: "DELETED" });
    const { status, text } = await file(given, made);
    expect([status, text]).toEqual([400, expect.stringContaining("there is nothing to pay")]);
  });

  test("a second payment file of a batch is refused unless it is forced, and the history lists both", async () => {
    const given = await ready();
    const coffee = await contact(given, moa);
    const made = await batch(given, [paying(await bill(given, coffee, "S-1"))]);
    const headers = { "x-dry-run": "true" };
    expect((await file(given, made, {}, headers)).status).toBe(200);
    expect(await writtenFor(given, made)).toEqual([]);
    const first = await file(given, made);
    const again = await file(given, made);
    expect([again.status, again.text]).toEqual([400, expect.stringContaining("--again")]);
    const second = await file(given, made, { again: "true" });
    expect([first.status, second.text]).toEqual([200, first.text]);
    expect((await writtenFor(given, made)).map(({ Details }) => Details)).toEqual([
      "For the bank as ib4b once more: 1 payment of NZD 10.00 on 2026-03-10.",
      "For the bank as ib4b: 1 payment of NZD 10.00 on 2026-03-10.",
    ]);
  });

  test("a repeated request for a payment file under its idempotency key gets the first file", async () => {
    const given = await ready();
    const coffee = await contact(given, moa);
    const made = await batch(given, [paying(await bill(given, coffee, "S-1"))]);
    const headers = { "idempotency-key": "one" };
    const first = await file(given, made, {}, headers);
    const repeated = await file(given, made, {}, headers);
    expect([repeated.status, repeated.text]).toEqual([200, first.text]);
    expect(await writtenFor(given, made)).toHaveLength(1);
  });

  test("writing a payment file is entered in the audit log", async () => {
    const given = await ready();
    const coffee = await contact(given, moa);
    const made = await batch(given, [paying(await bill(given, coffee, "S-1"))]);
    await file(given, made);
    const { AuditEntries } = await given.ok("GET", "/Extensions/AuditEntries");
    expect(AuditEntries[0]).toMatchObject({
      Kind: "book.exported",
      Subject: "the payment file of a batch of 1 payment of NZD 10.00 as ib4b",
    });
  });
});
