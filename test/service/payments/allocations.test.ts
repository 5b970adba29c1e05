/** Credits applied to invoices, and taken back. */
import { describe, expect, test } from "vitest";
import {
  contact,
  faultsIn,
  type Json,
  movements,
  paid,
  reportRows,
  type World,
  world,
} from "../fixture.ts";

const line = (UnitAmount: number, AccountCode = "200") => [
  { Description: "Work", Quantity: 1, UnitAmount, AccountCode },
];

/** An invoice of 115.00 and a credit note of 46.00 of one contact. */
async function pair(given: World, side: "sales" | "purchases" = "sales") {
  const { ContactID } = await contact(given);
  const Contact = { ContactID };
  const isSales = side === "sales";
  const account = isSales ? "200" : "429";
  const [invoice] = (
    await given.ok("PUT", "/Invoices", {
      Type: isSales ? "ACCREC" : "ACCPAY",
      Contact,
      Date: "2026-03-02",
      DueDate: "2026-03-20",
      Status: "AUTHORISED",
      LineItems: line(100, account),
    })
  ).Invoices;
  const [credit] = (
    await given.ok("PUT", "/CreditNotes", {
      Type: isSales ? "ACCRECCREDIT" : "ACCPAYCREDIT",
      CreditNoteNumber: isSales ? undefined : "K-1",
      Contact,
      Date: "2026-03-05",
      Status: "AUTHORISED",
      LineItems: line(40, account),
    })
  ).CreditNotes;
  return { invoice, credit, Contact };
}

const address = ({ CreditNoteID }: Json) => `/CreditNotes/${CreditNoteID}/Allocations`;

async function allocated(given: World, credit: Json, invoice: Json, amount: number): Promise<Json> {
  const answer = await given.ok("PUT", address(credit), {
    Invoice: { InvoiceID: invoice.InvoiceID },
    AppliedAmount: amount,
  });
  return answer.Allocations[0];
}

const read = async (given: World, { InvoiceID }: Json) =>
  (await given.ok("GET", `/Invoices/${InvoiceID}`)).Invoices[0];

const readCredit = async (given: World, { CreditNoteID }: Json) =>
  (await given.ok("GET", `/CreditNotes/${CreditNoteID}`)).CreditNotes[0];

describe.each(["sales", "purchases"] as const)("credit notes applied to invoices, %s", (side) => {
  test("a credit note is applied in parts, and both documents show the remaining amounts", async () => {
    const given = await world();
    const { invoice, credit } = await pair(given, side);
    expect(await allocated(given, credit, invoice, 16)).toMatchObject({
      AppliedAmount: 16,
      Amount: 16,
      DateString: "2026-03-05T00:00:00",
      Invoice: { InvoiceID: invoice.InvoiceID, AmountDue: 99, AmountCredited: 16 },
      CreditNote: { CreditNoteID: credit.CreditNoteID, RemainingCredit: 30 },
    });
    await allocated(given, credit, invoice, 30);
    expect(await read(given, invoice)).toMatchObject({
      Status: "AUTHORISED",
      AmountDue: 69,
      AmountCredited: 46,
      CreditNotes: [
        { CreditNoteID: credit.CreditNoteID, AppliedAmount: 16, Total: 46 },
        { CreditNoteID: credit.CreditNoteID, AppliedAmount: 30, Total: 46 },
      ],
    });
    expect(await readCredit(given, credit)).toMatchObject({
      Status: "PAID",
      RemainingCredit: 0,
      FullyPaidOnDateString: "2026-03-05T00:00:00",
      Allocations: [
        { Amount: 16, Invoice: { InvoiceID: invoice.InvoiceID } },
        { Amount: 30, Invoice: { InvoiceID: invoice.InvoiceID } },
      ],
    });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("allocating a credit note posts nothing, since both documents are on the same control account", async () => {
    const given = await world();
    const { invoice, credit } = await pair(given, side);
    const before = await movements(given);
    await allocated(given, credit, invoice, 46);
    expect(await movements(given)).toEqual(before);
  });

  test("DELETE removes an allocation and returns it", async () => {
    const given = await world();
    const { invoice, credit } = await pair(given, side);
    const { AllocationID } = await allocated(given, credit, invoice, 46);
    const answer = await given.ok("DELETE", `${address(credit)}/${AllocationID}`);
    expect(answer).toMatchObject({
      AllocationID,
      IsDeleted: true,
      Invoice: { InvoiceID: invoice.InvoiceID },
    });
    expect(await read(given, invoice)).toMatchObject({ AmountDue: 115, CreditNotes: [] });
    expect(await readCredit(given, credit)).toMatchObject({
      Status: "AUTHORISED",
      RemainingCredit: 46,
      Allocations: [],
    });
    expect(await faultsIn(given)).toEqual([]);
    expect((await given.ask("DELETE", `${address(credit)}/${AllocationID}`)).status).toBe(404);
  });
});

test("an invoice covered by a credit note and a payment is PAID, and recognised on the cash basis with both", async () => {
  const given = await world();
  const { invoice, credit } = await pair(given);
  await allocated(given, credit, invoice, 46);
  await paid(given, await read(given, invoice));
  expect(await read(given, invoice)).toMatchObject({ Status: "PAID", AmountDue: 0 });
  const rows = await reportRows(given, "ProfitAndLoss", {
    fromDate: "2026-03-01",
    toDate: "2026-03-31",
    paymentsOnly: "true",
  });
  // The whole invoice of 100.00, of which the credit takes 40.00 back.
  expect(rows.Sales).toEqual(["60.00"]);
  expect(await faultsIn(given)).toEqual([]);
});

describe("a credit note with other account, tax rate and exchange rate than its invoice", () => {
  const lines = (AccountCode: string, TaxType: string) => [
    { Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode, TaxType },
  ];

  async function apart(given: World) {
    await given.ok("PUT", "/Currencies", { Code: "EUR" });
    const Contact = await contact(given);
    const common = { Contact, Status: "AUTHORISED", CurrencyCode: "EUR", Date: "2026-03-05" };
    const [invoice] = (
      await given.ok("PUT", "/Invoices", {
        ...common,
        Type: "ACCREC",
        DueDate: "2026-04-20",
        CurrencyRate: 0.5,
        LineItems: lines("200", "OUTPUT2"),
      })
    ).Invoices;
    const [credit] = (
      await given.ok("PUT", "/CreditNotes", {
        ...common,
        Type: "ACCRECCREDIT",
        CurrencyRate: 0.8,
        LineItems: lines("260", "ZERORATED"),
      })
    ).CreditNotes;
    return { invoice, credit };
  }

  const net = async (given: World, paymentsOnly: string) => {
    const rows = await reportRows(given, "TrialBalance", { date: "2026-03-31", paymentsOnly });
    return Object.fromEntries(
      Object.entries(rows).map(([name, [debit, credit]]) => [
        name,
        Number(debit || 0) - Number(credit || 0),
      ]),
    );
  };

  test("on the cash basis, an allocated credit note is recognised as its invoice is paid", async () => {
    const given = await world();
    const { invoice, credit } = await apart(given);
    expect(await net(given, "true")).toEqual({ Total: 0 });
    const { AllocationID } = await allocated(given, credit, invoice, 50);
    // Half of the credit, at its own rate, and 50.00 of 115.00 of the invoice at its own.
    expect(await net(given, "true")).toEqual({
      "Other Revenue (260)": 62.5,
      "Sales (200)": -86.96,
      "GST (820)": -13.04,
      "Realised Currency Gains (499)": 37.5,
      Total: 0,
    });
    await given.ok("DELETE", `${address(credit)}/${AllocationID}`);
    expect(await net(given, "true")).toEqual({ Total: 0 });
    await allocated(given, credit, invoice, 100);
    await paid(given, await read(given, invoice), { CurrencyRate: 0.6 });
    const accrual = await net(given, "false");
    expect(accrual).toMatchObject({ "Sales (200)": -200, "Other Revenue (260)": 125 });
    expect(await net(given, "true")).toEqual(accrual);
    expect(await faultsIn(given)).toEqual([]);
  });
});

test("allocation requests as public clients send them, single or as lists, in XML or JSON, are accepted", async () => {
  const given = await world();
  const { invoice, credit } = await pair(given);
  const xml = { headers: { "content-type": "text/xml" } };
  const body = `<Allocations><Allocation><AppliedAmount>10.00</AppliedAmount><Invoice><InvoiceID>${invoice.InvoiceID}</InvoiceID></Invoice></Allocation></Allocations>`;
  await given.ok("PUT", address(credit), body, xml);
  await given.ok("PUT", address(credit), {
    Allocations: [
      { Amount: 4, Date: "2026-03-09", Invoice: { InvoiceID: invoice.InvoiceID } },
      { Amount: 2, Invoice: { InvoiceNumber: invoice.InvoiceNumber } },
    ],
  });
  const { Allocations, RemainingCredit } = await readCredit(given, credit);
  expect(RemainingCredit).toBe(30);
  expect(Allocations.map((each: Json) => [each.Amount, each.DateString])).toEqual([
    [10, "2026-03-05T00:00:00"],
    [2, "2026-03-05T00:00:00"],
    [4, "2026-03-09T00:00:00"],
  ]);
  const shown = await given.ask("GET", `/CreditNotes/${credit.CreditNoteID}`, undefined, {
    headers: { accept: "text/xml" },
  });
  expect(shown.text).toContain("<AppliedAmount>10.00</AppliedAmount>");
  expect(shown.text).not.toContain("<Amount>");
});

describe("an allocation is refused", () => {
  test.each<[string, number, string]>([
    ["an amount of zero", 0, "The amount of an allocation must be above zero."],
    ["more than the remaining credit", 46.01, "The amount exceeds the remaining credit."],
  ])("an allocation of %s is refused", async (_name, AppliedAmount, message) => {
    const given = await world();
    const { invoice, credit } = await pair(given);
    const Invoice = { InvoiceID: invoice.InvoiceID };
    expect(await given.refused("PUT", address(credit), { AppliedAmount, Invoice })).toEqual([
      message,
    ]);
  });

  test("an allocation above the amount due is refused, also together with others in the request", async () => {
    const given = await world();
    const { invoice, credit } = await pair(given);
    await paid(given, invoice, { Amount: 100 });
    const Invoice = { InvoiceID: invoice.InvoiceID };
    const message = "The amount exceeds the amount outstanding on the invoice.";
    expect(
      await given.refused("PUT", address(credit), {
        Allocations: [
          { Amount: 10, Invoice },
          { Amount: 6, Invoice },
        ],
      }),
    ).toEqual([message]);
    expect((await readCredit(given, credit)).RemainingCredit).toBe(46);
  });

  test("an allocation to another contact's invoice, a bill, a draft, or an unknown invoice is refused", async () => {
    const given = await world();
    const { credit, Contact } = await pair(given);
    const other = await pair(given);
    const apply = (Invoice: object) =>
      given.refused("PUT", address(credit), { AppliedAmount: 1, Invoice });
    expect((await apply({ InvoiceID: other.invoice.InvoiceID })).join()).toContain(
      "is of another contact than the credit note.",
    );
    const made = async (fields: object) =>
      (
        await given.ok("PUT", "/Invoices", {
          Type: "ACCREC",
          Contact,
          DueDate: "2026-03-20",
          LineItems: line(10),
          ...fields,
        })
      ).Invoices[0];
    const bill = await made({ Type: "ACCPAY", LineItems: line(10, "429"), Status: "AUTHORISED" });
    expect((await apply({ InvoiceID: bill.InvoiceID })).join()).toContain(
      "Credit note can be allocated to sales invoices only.",
    );
    const draft = await made({});
    expect((await apply({ InvoiceID: draft.InvoiceID })).join()).toContain(
      "Credits can only be allocated to Authorised documents",
    );
    expect(await apply({ InvoiceNumber: "NIL" })).toEqual(["There is no invoice NIL."]);
    expect(await apply({})).toHaveLength(1);
  });

  test("an allocation of a draft credit note is refused, and so is voiding an applied one", async () => {
    const given = await world();
    const { invoice, credit, Contact } = await pair(given);
    const [draft] = (
      await given.ok("PUT", "/CreditNotes", {
        Type: "ACCRECCREDIT",
        Contact,
        LineItems: line(10),
      })
    ).CreditNotes;
    const Invoice = { InvoiceID: invoice.InvoiceID };
    expect((await given.refused("PUT", address(draft), { AppliedAmount: 1, Invoice })).join()).toBe(
      "Credit note of status DRAFT cannot be allocated; approve it first.",
    );
    await allocated(given, credit, invoice, 1);
    expect(
      (
        await given.refused("POST", `/CreditNotes/${credit.CreditNoteID}`, { Status: "VOIDED" })
      ).join(),
    ).toContain("because it has payments or credit notes allocated to it.");
    expect(
      (await given.refused("POST", `/Invoices/${invoice.InvoiceID}`, { Status: "VOIDED" })).join(),
    ).toContain("because it has payments or credit notes allocated to it.");
  });
});

test("with SummarizeErrors=false the valid allocations of a request are stored", async () => {
  const given = await world();
  const { invoice, credit } = await pair(given);
  const Invoice = { InvoiceID: invoice.InvoiceID };
  const answer = await given.ok(
    "PUT",
    address(credit),
    {
      Allocations: [
        { Amount: 10, Invoice },
        { Amount: 50, Invoice },
      ],
    },
    { query: { summarizeErrors: "false" } },
  );
  expect(answer.Allocations.map((each: Json) => each.StatusAttributeString)).toEqual([
    "OK",
    "ERROR",
  ]);
  expect((await readCredit(given, credit)).RemainingCredit).toBe(36);
});

test("an allocation is listed in the history of both documents, with the user's name", async () => {
  const given = await world();
  const { invoice, credit } = await pair(given);
  await allocated(given, credit, invoice, 46);
  for (const path of [`/Invoices/${invoice.InvoiceID}`, `/CreditNotes/${credit.CreditNoteID}`]) {
    const [last] = (await given.ok("GET", `${path}/History`)).HistoryRecords;
    expect(last).toMatchObject({ Changes: "Credited", User: "Tess Tester" });
    expect(last.Details).toContain("NZD 46.00");
  }
});

/** A credit of 46.00 of each kind, of 5 March, with an invoice of 115.00 of the day before. */
const kinds = ["CreditNote", "Prepayment", "Overpayment"] as const;

async function creditOf(given: World, kind: (typeof kinds)[number]) {
  if (kind === "CreditNote") {
    const { invoice, credit } = await pair(given);
    return { invoice, path: `/CreditNotes/${credit.CreditNoteID}` };
  }
  const { invoice, Contact } = await pair(given);
  const Type = `RECEIVE-${kind.toUpperCase()}`;
  const LineItems = [{ Description: "Deposit", UnitAmount: 46, AccountCode: "835" }];
  const { BankTransactions } = await given.ok("PUT", "/BankTransactions", {
    Type,
    Contact,
    BankAccount: { Code: "090" },
    Date: "2026-03-05",
    LineItems: kind === "Prepayment" ? LineItems : [{ Description: "Deposit", LineAmount: 46 }],
  });
  return { invoice, path: `/${kind}s/${BankTransactions[0].BankTransactionID}` };
}

describe.each(kinds)("allocations of a %s", (kind) => {
  const isCreditNote = kind === "CreditNote";

  test("an allocation sent again by its id is counted once; a changed or unknown one is refused", async () => {
    const given = await world();
    const { invoice, path } = await creditOf(given, kind);
    const { InvoiceID } = invoice;
    const part = { AppliedAmount: 20, Invoice: { InvoiceID } };
    const { Allocations } = await given.ok("PUT", `${path}/Allocations`, part);
    const [{ AllocationID }] = Allocations;
    const again = await given.ok("PUT", `${path}/Allocations`, {
      Allocations: [
        { ...part, AllocationID },
        { ...part, Amount: 6, AppliedAmount: 6 },
      ],
    });
    expect(again.Allocations.map((each: Json) => each.AllocationID)).toContain(AllocationID);
    expect(await read(given, invoice)).toMatchObject({ AmountDue: 89, AmountCredited: 26 });
    const xml = `<Allocation><AllocationID>${AllocationID}</AllocationID><AppliedAmount>20.00</AppliedAmount><Invoice><InvoiceID>${InvoiceID}</InvoiceID></Invoice></Allocation>`;
    await given.ok("PUT", `${path}/Allocations`, xml, { headers: { "content-type": "text/xml" } });
    expect(await read(given, invoice)).toMatchObject({ AmountDue: 89 });
    const standing = `The allocation ${AllocationID} applies 20.00 to ${invoice.InvoiceNumber} on 2026-03-05 and cannot be changed; delete it and make another.`;
    const put = (fields: object) =>
      given.refused("PUT", `${path}/Allocations`, { ...part, AllocationID, ...fields });
    expect(await put({ AppliedAmount: 21 })).toEqual([standing]);
    const other = "11111111-1111-4111-8111-111111111111";
    const [unknown] = await put({ AllocationID: other });
    expect(unknown).toMatch(new RegExp(`^The .* has no allocation ${other}\\.$`));
    if (isCreditNote) expect(await put({ Date: "2026-03-09" })).toEqual([standing]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("an allocation has its requested date, is refused before the later document, and is posted on its day", async () => {
    const given = await world();
    const { invoice, path } = await creditOf(given, kind);
    const part = { AppliedAmount: 20, Invoice: { InvoiceID: invoice.InvoiceID } };
    const put = (onDate: string) => ({ query: { onDate } });
    expect(await given.refused("PUT", `${path}/Allocations`, part, put("2026-03-04"))).toEqual([
      "An allocation is dated on or after 2026-03-05, the later day of the two documents, not 2026-03-04.",
    ]);
    await given.ok("POST", "/Organisation/Settings", { PeriodLockDate: "2026-03-31" });
    await given.refused("PUT", `${path}/Allocations`, part);
    await given.refused("PUT", `${path}/Allocations`, part, put("2026-03-31"));
    const first = { ...part, AppliedAmount: 1 };
    const open = await given.ok("PUT", `${path}/Allocations`, first, {
      query: { firstOpenDay: "true" },
    });
    expect(open.Allocations[0]).toMatchObject({ DateString: "2026-04-01T00:00:00" });
    const made = await given.ok("PUT", `${path}/Allocations`, part, put("2026-04-01"));
    expect(made.Allocations[0]).toMatchObject({ DateString: "2026-04-01T00:00:00" });
    const dated = { ...part, Date: "2026-04-02" };
    const body = await given.ask("PUT", `${path}/Allocations`, dated);
    // The Date in a body is read-only but for credit notes.
    expect(body.status).toBe(isCreditNote ? 200 : 400);
    if (isCreditNote) {
      expect(await given.refused("PUT", `${path}/Allocations`, dated, put("2026-04-03"))).toEqual([
        "The Date 2026-04-02 and the parameter onDate, 2026-04-03, name two days; send one.",
      ]);
      await given.refused("PUT", `${path}/Allocations`, { ...part, Date: "2026-03-04" });
    }
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a refund of a credit dated before the credit itself is refused", async () => {
    const given = await world();
    const { path } = await creditOf(given, kind);
    const refund = (day: string) => ({
      [kind]: { [`${kind}ID`]: path.split("/")[2] },
      Account: { Code: "090" },
      Date: day,
      Amount: 5,
    });
    const [sentence] = await given.refused("PUT", "/Payments", refund("2026-03-04"));
    expect(sentence).toMatch(
      /^A refund is dated on or after 2026-03-05, the day of the .*, not 2026-03-04\.$/,
    );
    await given.ok("PUT", "/Payments", refund("2026-03-05"));
  });
});
