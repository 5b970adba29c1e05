/** What a request says several times, by two names, or of records that nobody knows. */
import { describe, expect, test } from "vitest";
import { contact, invoiced, type Json, paid, sale, type World, world } from "../fixture.ts";

const nowhere = "11111111-1111-4111-8111-111111111111";
type Pairs = readonly (readonly [string, string])[];

/** A GET whose query may name a parameter several times. */
async function got({ book }: World, path: string, query: Pairs) {
  const headers = { accept: "application/json" };
  const { status, body } = await book.transport({ method: "GET", path, query, headers });
  return { status, json: JSON.parse(String(body)) as Json };
}

async function numbers(given: World, query: Pairs): Promise<string[]> {
  const { status, json } = await got(given, "/Invoices", query);
  expect(status).toBe(200);
  return json.Invoices.map((each: Json) => each.InvoiceNumber).sort();
}

describe("list parameters", () => {
  test("a list parameter given several times stands for all its values, with commas and quotes", async () => {
    const given = await world();
    const made: Json[] = [];
    for (const InvoiceNumber of ["A,1", "B", "C", 'D "x"']) {
      made.push(await invoiced(given, { InvoiceNumber }));
    }
    const [a, b, c] = made;
    const named = (...values: string[]) => values.map((each) => ["InvoiceNumbers", each] as const);
    expect(await numbers(given, named("B", "C"))).toEqual(["B", "C"]);
    expect(await numbers(given, named('"A,1", "B"', " C "))).toEqual(["A,1", "B", "C"]);
    expect(await numbers(given, named(`'A,1' , b`))).toEqual(["A,1", "B"]);
    expect(await numbers(given, named('"D ""x""",D "x"'))).toEqual(['D "x"']);
    expect(await numbers(given, named(", ,", "none"))).toEqual([]);
    const ids = [a, b].map((each) => ["ids", each.InvoiceID] as const);
    expect(await numbers(given, ids)).toEqual(["A,1", "B"]);
    const contacts = [`${a.Contact.ContactID} , ${b.Contact.ContactID}`, c.Contact.ContactID];
    const all = contacts.map((each) => ["ContactIDs", each] as const);
    expect(await numbers(given, all)).toEqual(["A,1", "B", "C"]);
    expect(
      await numbers(given, [...all, ["Statuses", "PAID"], ["Statuses", "draft"]]),
    ).toHaveLength(3);
  });

  test("a report's list of account codes may be given as several parameters or one", async () => {
    const given = await world();
    const ask = (query: Pairs) => got(given, "/Reports/AccountTransactions", query);
    const both = await ask([
      ["accounts", "200"],
      ["accounts", '"090"'],
    ]);
    const once = await ask([["accounts", "200,090"]]);
    expect(both.status).toBe(once.status);
    expect(both.json.AccountTransactions).toEqual(once.json.AccountTransactions);
  });
});

test.each([
  ["page", "1", "2"],
  ["where", 'Status=="DRAFT"', 'Status=="PAID"'],
  ["order", "Date", "Date DESC"],
  ["unitdp", "2", "4"],
  ["searchTerm", "a", "b"],
  ["PageSize", "1", "1"],
])("the parameter %s given twice is refused with its name", async (name, first, second) => {
  const given = await world();
  const { status, json } = await got(given, "/Invoices", [
    [name, first],
    [name.toLowerCase(), second],
  ]);
  expect(status).toBe(400);
  const [{ ValidationErrors }] = json.Elements;
  expect(ValidationErrors[0].Message.toLowerCase()).toBe(
    `the parameter ${name.toLowerCase()} is given several times; give it once.`,
  );
});

test("a parameter unknown to a route is ignored, even if given twice", async () => {
  const given = await world();
  const twice = [
    ["_", "1"],
    ["_", "2"],
  ] as const;
  expect((await got(given, "/Invoices", twice)).status).toBe(200);
  expect((await got(given, "/Accounts", [["page", "x"]])).status).toBe(200);
});

test.each([
  ["0", 200],
  ["1", 200],
  ["-1", 400],
  ["1.5", 400],
  ["x", 400],
])("the parameter page=%s is answered with %s; page 0 is the first page", async (page, status) => {
  const given = await world();
  const answer = await got(given, "/Invoices", [["page", page]]);
  expect(answer.status).toBe(status);
  if (status === 200) expect(answer.json.pagination.page).toBe(1);
});

test.each(["ProfitAndLoss", "BalanceSheet"])(
  "%s refuses values of standardLayout and paymentsOnly other than true or false",
  async (report) => {
    const given = await world();
    for (const name of ["standardLayout", "paymentsOnly"]) {
      expect(
        await given.refused("GET", `/Reports/${report}`, undefined, { query: { [name]: "maybe" } }),
      ).toEqual([`The parameter ${name} must be true or false, not 'maybe'.`]);
      await given.ok("GET", `/Reports/${report}`, undefined, { query: { [name]: "True" } });
    }
  },
);

test.each([
  ["PurchaseOrders", "PurchaseOrderNumber", { AccountCode: "400" }],
  ["Quotes", "QuoteNumber", {}],
])(
  "the where filter by document number selects from the list of %s",
  async (plural, number, own) => {
    const given = await world();
    const Contact = { ContactID: (await contact(given)).ContactID };
    const LineItems = [{ Description: "Work", Quantity: 1, UnitAmount: 5, ...own }];
    const record = (key: string) => ({ Contact, Date: "2026-03-01", LineItems, [number]: key });
    await given.ok("PUT", `/${plural}`, { [plural]: [record("W-1"), record("W-2")] });
    const query = { where: `${number}=="W-2"` };
    const found = (await given.ok("GET", `/${plural}`, undefined, { query }))[plural];
    expect(found.map((each: Json) => each[number])).toEqual(["W-2"]);
    await given.refused("GET", `/${plural}`, undefined, { query: { where: "Foo==1" } });
  },
);

describe("repeated fields in a request body", () => {
  const refusal = async (body: string, type: string) => {
    const given = await world();
    return given.refused("PUT", "/Contacts", body, { headers: { "content-type": type } });
  };

  test.each([
    [
      '{"Name":"A","Name":"B"}',
      "The body cannot be read: an object of the JSON names 'Name' twice.",
    ],
    [
      '{"Name":"A", "\\u004eame" : "B"}',
      "The body cannot be read: an object of the JSON names 'Name' twice.",
    ],
    [
      '{"Contacts":[{"Name":"A","Phones":[{"PhoneType":"FAX","PhoneType":"DDI"}]}]}',
      "The body cannot be read: an object of the JSON names 'PhoneType' twice.",
    ],
    ['{"Name":"A","name":"B"}', "Name is given twice."],
    [
      '{"Contacts":[{"Name":"A"}],"Contact":{"Name":"B"}}',
      "The body has several lists of Contacts; send one.",
    ],
  ])("a JSON body with the same field twice is refused: %s", async (body, sentence) => {
    expect(await refusal(body, "application/json")).toEqual([sentence]);
  });

  test.each([
    ["<Contact><Name>A</Name><Name>B</Name></Contact>", "Name is given twice."],
    [
      "<Response><Contacts><Contact><Name>A</Name></Contact></Contacts><Contacts/></Response>",
      "The body has several lists of Contacts; send one.",
    ],
  ])("an XML body with the same field twice is refused: %s", async (body, sentence) => {
    expect(await refusal(body, "text/xml")).toEqual([sentence]);
  });

  test("a form body with two XML documents is refused", async () => {
    const one = `xml=${encodeURIComponent("<Contact><Name>A</Name></Contact>")}`;
    expect(await refusal(`${one}&${one}`, "application/x-www-form-urlencoded")).toEqual([
      "The body cannot be read: the form has several fields xml.",
    ]);
  });

  test("different objects of a JSON body may have fields with the same name", async () => {
    const given = await world();
    await given.ok("PUT", "/Contacts", '{"Contacts":[{"Name":"A"},{"Name":"B"}]}');
  });
});

describe("an unknown id in a batch", () => {
  const twoContacts = (id: string) => ({
    json: { Contacts: [{ ContactID: id, Name: "Gone" }, { Name: "Here" }] },
    xml: `<Contacts><Contact><ContactID>${id}</ContactID><Name>Gone</Name></Contact><Contact><Name>Here</Name></Contact></Contacts>`,
  });

  test.each(["POST", "PUT"])(
    "%s of a batch with an unknown record id is refused for that record, with its id",
    async (method) => {
      const given = await world();
      const { json } = twoContacts(nowhere);
      const answer = await given.ask(method, "/Contacts", json);
      expect(answer.status).toBe(400);
      expect(answer.json.Elements).toMatchObject([
        {
          ContactID: nowhere,
          Name: "Gone",
          ValidationErrors: [{ Message: `There is no contact ${nowhere}.`, Rule: "NotFound" }],
        },
      ]);
      const found = await given.ok("GET", "/Contacts", undefined, {
        query: { where: 'Name=="Here"' },
      });
      expect(found.Contacts).toEqual([]);
    },
  );

  test("with summarizeErrors=false, the record with an unknown id is refused and the others are stored, in XML too", async () => {
    const given = await world();
    const { xml } = twoContacts(nowhere);
    const answer = await given.ask("POST", "/Contacts", xml, {
      query: { summarizeErrors: "false" },
      headers: { "content-type": "text/xml", accept: "text/xml" },
    });
    expect(answer.status).toBe(200);
    expect([...answer.text.matchAll(/<Contact status="(\w+)"/g)].map(([, each]) => each)).toEqual([
      "ERROR",
      "OK",
    ]);
    expect(answer.text).toContain(`There is no contact ${nowhere}.`);
  });

  test("deleting a payment with an unknown id is refused, and is answered as not found with the id in the path", async () => {
    const given = await world();
    const gone = { PaymentID: nowhere, Status: "DELETED" };
    expect(await given.refused("POST", "/Payments", gone)).toEqual([
      `There is no payment ${nowhere}.`,
    ]);
    expect((await given.ask("POST", `/Payments/${nowhere}`, {})).status).toBe(404);
  });
});

describe("references with two keys that lead to different records", () => {
  test("a code and an id that name different accounts or invoices are refused, and both are named", async () => {
    const given = await world();
    const invoice = await invoiced(given, { Status: "AUTHORISED" });
    const other = await invoiced(given, { Status: "AUTHORISED" });
    const { Accounts } = await given.ok("GET", "/Accounts");
    const idOf = (code: string) => Accounts.find((each: Json) => each.Code === code).AccountID;
    const line = { Description: "x", Quantity: 1, UnitAmount: 1, AccountCode: "200" };
    const clash = sale(invoice.Contact, { LineItems: [{ ...line, AccountID: idOf("260") }] });
    expect(await given.refused("PUT", "/Invoices", clash)).toEqual([
      `The account: AccountCode 200 and AccountID ${idOf("260")} are not the same; name one of them.`,
    ]);
    const payment = { Account: { Code: "090" }, Date: "2026-03-10", Amount: 1 };
    const { InvoiceID } = invoice;
    const { InvoiceNumber } = other;
    for (const named of [
      { Invoice: { InvoiceID, InvoiceNumber } },
      { Invoice: { InvoiceID }, InvoiceNumber },
    ]) {
      expect(await given.refused("PUT", "/Payments", { ...payment, ...named })).toEqual([
        `Invoice: ${InvoiceID} and ${InvoiceNumber} are not the same; name one of them.`,
      ]);
    }
    const Account = { AccountID: idOf("090"), Code: "200" };
    expect(
      await given.refused("PUT", "/Payments", { ...payment, Account, Invoice: { InvoiceID } }),
    ).toEqual([
      `Account: AccountID ${idOf("090")} and Code 200 are not the same; name one of them.`,
    ]);
    await paid(given, invoice, { Invoice: { InvoiceID, InvoiceNumber: invoice.InvoiceNumber } });
  });

  test("a bank account named by the code of another, and a contact by the number or name of another, are refused", async () => {
    const given = await world();
    const { Accounts } = await given.ok("GET", "/Accounts");
    const { AccountID } = Accounts.find((each: Json) => each.Code === "090");
    const FromBankAccount = { AccountID, Code: "091" };
    const transfer = { FromBankAccount, ToBankAccount: { Code: "091" }, Amount: 1 };
    expect(await given.refused("PUT", "/BankTransfers", transfer)).toEqual([
      `FromBankAccount: AccountID ${AccountID} and Code 091 are not the same; name one of them.`,
    ]);
    const people = [{ Name: "Kea", ContactNumber: "K1" }, { Name: "Tui" }];
    const { Contacts } = await given.ok("PUT", "/Contacts", { Contacts: people });
    const [kea, tui] = Contacts as Json[];
    for (const Contact of [
      { ContactID: tui?.ContactID, ContactNumber: "K1" },
      { ContactID: tui?.ContactID, Name: "kea" },
    ])
      expect(await given.refused("PUT", "/Invoices", { ...sale(kea), Contact })).toEqual([
        "Contact: Tui and Kea are not the same; name one of them.",
      ]);
    const former = { ContactID: kea?.ContactID, Name: "Kaka", ContactNumber: "K0" };
    expect((await invoiced(given, { Contact: former })).Contact.Name).toBe("Kea");
  });

  test("a number that a sales invoice and a bill bear, or two bills, is refused", async () => {
    const given = await world();
    const [kea, tui] = (
      await given.ok("PUT", "/Contacts", { Contacts: [{ Name: "Kea" }, { Name: "Tui" }] })
    ).Contacts as [Json, Json];
    const InvoiceNumber = "N-1";
    const of = (contact: Json, Type: string) =>
      given.ok("PUT", "/Invoices", sale(contact, { Type, InvoiceNumber, Status: "AUTHORISED" }));
    const pay = { Account: { Code: "090" }, Date: "2026-03-10", Amount: 1 };
    const bills = "2 invoices bear the number N-1; name the one that is meant by its InvoiceID.";
    await of(kea, "ACCPAY");
    await of(kea, "ACCREC");
    expect(await given.refused("PUT", "/Payments", { ...pay, Invoice: { InvoiceNumber } })).toEqual(
      [bills],
    );
    await given.ok("POST", "/Invoices/N-1", { Status: "VOIDED" });
    await of(tui, "ACCPAY");
    for (const path of ["/Invoices/N-1", "/Invoices/N-1/History", "/Invoices/N-1/Attachments"]) {
      const { status, text } = await given.ask("GET", path);
      expect([path, status, text]).toEqual([path, 400, expect.stringContaining(bills)]);
    }
    expect((await given.ask("POST", "/Invoices/N-1", { Reference: "x" })).text).toContain(bills);
  });

  test("a line sent back with its code or id changed takes the changed one", async () => {
    const given = await world();
    const made = await invoiced(given);
    const [line] = made.LineItems;
    const { Accounts } = await given.ok("GET", "/Accounts");
    const idOf = (code: string) => Accounts.find((each: Json) => each.Code === code).AccountID;
    const posted = async (change: object) =>
      (
        await given.ok("POST", `/Invoices/${made.InvoiceID}`, {
          LineItems: [{ ...line, AccountID: idOf("200"), ...change }],
        })
      ).Invoices[0].LineItems[0].AccountCode;
    expect(await posted({ AccountCode: "260" })).toBe("260");
    expect(await posted({ AccountCode: "260", AccountID: idOf("200") })).toBe("200");
  });

  test("a name and an id of different tracking options are refused, and both are named", async () => {
    const given = await world();
    const [category] = (await given.ok("PUT", "/TrackingCategories", { Name: "Region" }))
      .TrackingCategories;
    const path = `/TrackingCategories/${category.TrackingCategoryID}/Options`;
    const { Options } = await given.ok("PUT", path, { Options: [{ Name: "X" }, { Name: "Y" }] });
    const [, y] = Options;
    const { TrackingOptionID } = y;
    const invoice = (Tracking: object) =>
      sale(
        { ContactID },
        {
          LineItems: [
            {
              Description: "x",
              Quantity: 1,
              UnitAmount: 1,
              AccountCode: "200",
              Tracking: [Tracking],
            },
          ],
        },
      );
    const { ContactID } = await contact(given);
    expect(
      await given.refused(
        "PUT",
        "/Invoices",
        invoice({ Name: "Region", Option: "X", TrackingOptionID }),
      ),
    ).toEqual([
      `The tracking option: ${TrackingOptionID}, Y, and the Option X are not the same; name one of them.`,
    ]);
    const { TrackingCategoryID } = category;
    expect(
      await given.refused(
        "PUT",
        "/Invoices",
        invoice({ TrackingCategoryID, Name: "Area", Option: "X" }),
      ),
    ).toEqual([
      `The tracking category: ${TrackingCategoryID}, Region, and the Name Area are not the same; name one of them.`,
    ]);
    const good = invoice({ TrackingCategoryID, Name: "region", Option: "y", TrackingOptionID });
    await given.ok("PUT", "/Invoices", good);
  });
});

describe("values that are sent empty in an update", () => {
  const empties = [
    ["null in JSON", (name: string) => JSON.stringify({ [name]: null })],
    ["an empty text in JSON", (name: string) => JSON.stringify({ [name]: "" })],
  ] as const;
  const line = { Description: "x", Quantity: 3, UnitAmount: 10, AccountCode: "200" };
  const kinds: readonly [path: string, list: string, made: Json, kept: readonly string[]][] = [
    ["/Invoices", "Invoices", {}, ["LineAmountTypes", "SentToContact", "Status", "Date"]],
    ["/CreditNotes", "CreditNotes", { Type: "ACCRECCREDIT" }, ["LineAmountTypes", "Status"]],
    ["/PurchaseOrders", "PurchaseOrders", {}, ["LineAmountTypes", "SentToContact"]],
    ["/Quotes", "Quotes", {}, ["LineAmountTypes", "Status"]],
  ];

  test.each(
    kinds.flatMap(([path, list, made, kept]) =>
      kept.flatMap((name) =>
        empties.map(([what, of]) => [path, name, what, list, made, of] as const),
      ),
    ),
  )("%s keeps its %s where it must have one, by %s", async (path, name, _, list, made, of) => {
    const given = await world();
    const [kea] = (await given.ok("PUT", "/Contacts", { Name: "Kea" })).Contacts;
    const fields = { LineAmountTypes: "Inclusive", LineItems: [line], ...made };
    const sent = { ...sale(kea, fields), ...(path === "/Quotes" ? { QuoteNumber: "Q1" } : {}) };
    const [before] = (await given.ok("PUT", path, sent))[list];
    const id = before[`${list.slice(0, -1)}ID`];
    const [after] = (await given.ok("POST", `${path}/${id}`, JSON.parse(of(name))))[list];
    expect([after[name], after.Total]).toEqual([before[name], before.Total]);
  });
});
