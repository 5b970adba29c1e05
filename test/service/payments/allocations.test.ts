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

describe.each(["sales", "purchases"] as const)("a credit note on %s", (side) => {
  test("is applied in parts, and both documents show the remaining amounts", async () => {
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

  test("posts nothing when applied, since both are on one control account", async () => {
    const given = await world();
    const { invoice, credit } = await pair(given, side);
    const before = await movements(given);
    await allocated(given, credit, invoice, 46);
    expect(await movements(given)).toEqual(before);
  });

  test("is unapplied by DELETE, which answers the allocation", async () => {
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

test("an invoice covered by a credit and a payment is paid, and recognised on the cash basis with both", async () => {
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

describe("a credit note on another account, at another tax rate and another currency rate", () => {
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

  test("is recognised in proportion with its invoice, and whole once that is paid", async () => {
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

test("the bodies of public clients are accepted, single and in lists, in XML and JSON", async () => {
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
    ["nothing", 0, "The amount of an allocation must be above zero."],
    ["more than is left of the credit", 46.01, "The amount exceeds the remaining credit."],
  ])("%s", async (_name, AppliedAmount, message) => {
    const given = await world();
    const { invoice, credit } = await pair(given);
    const Invoice = { InvoiceID: invoice.InvoiceID };
    expect(await given.refused("PUT", address(credit), { AppliedAmount, Invoice })).toEqual([
      message,
    ]);
  });

  test("above the amount due of the invoice, also together with others of the request", async () => {
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

  test("to an invoice of another contact, a bill, a draft, and an unknown invoice", async () => {
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

  test("of a draft credit note, and so is the void of an applied one", async () => {
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

test("an allocation is in the history of both documents, with the user's name", async () => {
  const given = await world();
  const { invoice, credit } = await pair(given);
  await allocated(given, credit, invoice, 46);
  for (const path of [`/Invoices/${invoice.InvoiceID}`, `/CreditNotes/${credit.CreditNoteID}`]) {
    const [last] = (await given.ok("GET", `${path}/History`)).HistoryRecords;
    expect(last).toMatchObject({ Changes: "Credited", User: "Tess Tester" });
    expect(last.Details).toContain("NZD 46.00");
  }
});
