/** Expense claims: their receipts, life, postings on both bases, payments, and who may be paid. */
import { describe, expect, test } from "vitest";
import { changeBook } from "../../../src/service/books/book.ts";
import { contact, faultsIn, type Json, movements, type World, world } from "../fixture.ts";
import { undone } from "../operations/undoing.ts";

const line = { Description: "Taxi", Quantity: 1, UnitAmount: 115, AccountCode: "400" };

/** An employee of the book, who does not work on it. */
async function ana(given: World): Promise<Json> {
  const sent = { FirstName: "Ana", LastName: "Reid" };
  const [made] = (await given.ok("PUT", "/Employees", sent)).Employees;
  return { UserID: made.EmployeeID };
}

async function spent(given: World, User: Json, fields: object = {}): Promise<Json> {
  const { ContactID } = await contact(given);
  const common = { Contact: { ContactID }, User, Date: "2026-03-01", LineItems: [line] };
  return (await given.ok("PUT", "/Receipts", { ...common, ...fields })).Receipts[0];
}

async function claimed(given: World, fields: object = {}): Promise<Json> {
  const User = await ana(given);
  const { ReceiptID } = await spent(given, User);
  const sent = { User, Receipts: [{ ReceiptID }], ...fields };
  return (await given.ok("PUT", "/ExpenseClaims", sent)).ExpenseClaims[0];
}

const moved = async (given: World, id: string, fields: object) =>
  (await given.ok("POST", `/ExpenseClaims/${id}`, fields)).ExpenseClaims[0];

const claim = async (given: World, id: string) =>
  (await given.ok("GET", `/ExpenseClaims/${id}`, undefined, { query: { handles: "true" } }))
    .ExpenseClaims[0];

const receipt = async (given: World, id: string) =>
  (await given.ok("GET", `/Receipts/${id}`, undefined, { query: { handles: "true" } })).Receipts[0];

const pay = (given: World, ExpenseClaimID: string, Amount: number) =>
  given.ok("PUT", "/Payments", {
    ExpenseClaim: { ExpenseClaimID },
    Account: { Code: "090" },
    Date: "2026-03-02",
    Amount,
  });

describe("a claim and its receipts", () => {
  test("a claim of an employee's receipts awaits approval, posts nothing, and has a contact of the name", async () => {
    const given = await world();
    const { ExpenseClaimID } = await claimed(given, { ReportingDate: "2026-03-01" });
    const shown = await claim(given, ExpenseClaimID);
    expect(shown).toMatchObject({
      Handle: "EC-1",
      Status: "SUBMITTED",
      User: { FirstName: "Ana", LastName: "Reid" },
      Contact: { Name: "Ana Reid" },
      Receipts: [{ ReceiptNumber: "1", Total: 115 }],
      Total: 115,
      TotalTax: 15,
      AmountDue: 115,
      AmountPaid: 0,
    });
    expect(shown.ReportingDate).toBeDefined();
    expect(await movements(given)).toEqual({ Total: 0 });
    expect(await receipt(given, shown.Receipts[0].ReceiptID)).toMatchObject({
      Status: "SUBMITTED",
      User: { FirstName: "Ana" },
      ExpenseClaim: { ExpenseClaimID, Handle: "EC-1" },
    });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a receipt in a claim is not changed by itself, nor claimed twice", async () => {
    const given = await world();
    const { Receipts, User } = await claimed(given);
    const [{ ReceiptID }] = Receipts;
    expect(await given.refused("POST", `/Receipts/${ReceiptID}`, { Status: "VOIDED" })).toEqual([
      "Receipt 1 is part of the expense claim EC-1 and cannot be changed; take the claim back first.",
    ]);
    const again = { User: { UserID: User.UserID }, Receipts: [{ ReceiptID }] };
    expect(await given.refused("PUT", "/ExpenseClaims", again)).toEqual([
      "Receipt 1 is part of the expense claim EC-1 already.",
    ]);
  });

  test.each(["DELETED", "VOIDED"])(
    "the receipts of a claim that is %s are drafts again",
    async (Status) => {
      const given = await world();
      const first = Status === "VOIDED" ? "AUTHORISED" : "SUBMITTED";
      const { ExpenseClaimID, Receipts } = await claimed(given, { Status: first });
      await moved(given, ExpenseClaimID, { Status });
      const free = await receipt(given, Receipts[0].ReceiptID);
      expect(free.Status).toBe("DRAFT");
      expect(free.ExpenseClaim).toBeUndefined();
      expect((await claim(given, ExpenseClaimID)).Receipts).toHaveLength(1);
      expect(await movements(given)).toEqual({ Total: 0 });
      expect(await faultsIn(given)).toEqual([]);
    },
  );

  test("a claim is refused without receipts, with those of another person, or with a void one", async () => {
    const given = await world();
    const User = await ana(given);
    const mine = await spent(given, User);
    const other = (await given.ok("PUT", "/Employees", { FirstName: "Bo", LastName: "Ito" }))
      .Employees[0];
    const put = (fields: object) => given.refused("PUT", "/ExpenseClaims", { User, ...fields });
    expect(await put({ Receipts: [] })).toEqual([
      "An expense claim has at least one of the Receipts.",
    ]);
    expect(
      await put({ User: { UserID: other.EmployeeID }, Receipts: [{ ReceiptID: mine.ReceiptID }] }),
    ).toEqual(["Receipt 1 is of another person than the claim."]);
    await given.ok("POST", `/Receipts/${mine.ReceiptID}`, { Status: "VOIDED" });
    expect(await put({ Receipts: [{ ReceiptID: mine.ReceiptID }] })).toEqual([
      "Receipt 1 is void and cannot be claimed.",
    ]);
    expect(await put({ User: undefined, Receipts: [{ ReceiptID: mine.ReceiptID }] })).not.toEqual(
      [],
    );
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a claim adds up receipts with and without tax in their amounts", async () => {
    const given = await world();
    const User = await ana(given);
    const all = [
      await spent(given, User),
      await spent(given, User, {
        LineAmountTypes: "Exclusive",
        LineItems: [{ ...line, Quantity: 3, UnitAmount: 33.33 }],
      }),
      await spent(given, User, { LineAmountTypes: "NoTax" }),
    ];
    const Receipts = all.map(({ ReceiptID }) => ({ ReceiptID }));
    const sent = { User, Receipts, Status: "AUTHORISED", ReportingDate: "2026-03-01" };
    const [made] = (await given.ok("PUT", "/ExpenseClaims", sent)).ExpenseClaims;
    const sum = (name: string) =>
      all.reduce((total, each) => total + Math.round(each[name] * 100), 0);
    for (const name of ["SubTotal", "TotalTax", "Total"]) {
      expect([name, Math.round(made[name] * 100)]).toEqual([name, sum(name)]);
    }
    expect(await faultsIn(given)).toEqual([]);
  });
});

describe("what a claim posts", () => {
  test("an approved claim posts its lines and tax against unpaid expense claims, and a payment clears it", async () => {
    const given = await world();
    const { ExpenseClaimID, Receipts } = await claimed(given, { ReportingDate: "2026-03-01" });
    await moved(given, ExpenseClaimID, { Status: "AUTHORISED" });
    expect((await receipt(given, Receipts[0].ReceiptID)).Status).toBe("AUTHORISED");
    expect(await movements(given)).toMatchObject({
      "Advertising (400)": 100,
      "GST (820)": 15,
      "Unpaid Expense Claims (801)": -115,
    });
    await pay(given, ExpenseClaimID, 40);
    expect(await claim(given, ExpenseClaimID)).toMatchObject({
      AmountDue: 75,
      Status: "AUTHORISED",
    });
    await pay(given, ExpenseClaimID, 75);
    expect(await claim(given, ExpenseClaimID)).toMatchObject({
      AmountPaid: 115,
      Status: "PAID",
      Payments: [{ Amount: 40 }, { Amount: 75 }],
    });
    const { Journals } = await given.ok("GET", "/Journals");
    expect(Journals.map((each: Json) => each.SourceType)).toEqual([
      "EXPCLAIM",
      "EXPPAYMENT",
      "EXPPAYMENT",
    ]);
    expect(await movements(given)).toEqual({
      "Advertising (400)": 100,
      "Business Account (090)": -115,
      "GST (820)": 15,
      Total: 0,
    });
    const cash = await given.ok("GET", "/Reports/ProfitAndLoss", undefined, {
      query: { fromDate: "2026-03-01", toDate: "2026-03-31", paymentsOnly: "true" },
    });
    expect(JSON.stringify(cash)).toContain('"100.00"');
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a paid claim is void only once its payment is reversed", async () => {
    const given = await world();
    const { ExpenseClaimID } = await claimed(given, { Status: "AUTHORISED" });
    const [{ PaymentID }] = (await pay(given, ExpenseClaimID, 115)).Payments;
    expect(
      await given.refused("POST", `/ExpenseClaims/${ExpenseClaimID}`, { Status: "VOIDED" }),
    ).not.toEqual([]);
    await given.ok("POST", `/Payments/${PaymentID}`, { Status: "DELETED" });
    expect((await moved(given, ExpenseClaimID, { Status: "VOIDED" })).Status).toBe("VOIDED");
    expect(await movements(given)).toEqual({ Total: 0 });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a claim on a locked day waits for approval until its day is open", async () => {
    const given = await world();
    const { ExpenseClaimID } = await claimed(given, { ReportingDate: "2026-01-31" });
    await changeBook(given.book, { PeriodLockDate: "2026-02-28" });
    const approve = { Status: "AUTHORISED" };
    expect((await given.refused("POST", `/ExpenseClaims/${ExpenseClaimID}`, approve))[0]).toMatch(
      /lock/,
    );
    const later = { ...approve, ReportingDate: "2026-03-01" };
    expect((await moved(given, ExpenseClaimID, later)).Status).toBe("AUTHORISED");
    expect(await faultsIn(given)).toEqual([]);
  });
});

test("claims are listed by status, day and person, and have history, notes and files", async () => {
  const given = await world();
  const { ExpenseClaimID, User } = await claimed(given, { ReportingDate: "2026-02-27" });
  const listed = async (where: string) =>
    (await given.ok("GET", "/ExpenseClaims", undefined, { query: { where } })).ExpenseClaims.length;
  expect(await listed('Status=="SUBMITTED"')).toBe(1);
  expect(await listed(`User.UserID==Guid("${User.UserID}")`)).toBe(1);
  expect(await listed("ReportingDate<DateTime(2026,2,1)")).toBe(0);
  expect(await listed("Total>100")).toBe(1);
  await moved(given, ExpenseClaimID, { Status: "AUTHORISED" });
  await given.ok("PUT", `/ExpenseClaims/${ExpenseClaimID}/History`, {
    HistoryRecords: [{ Details: "Rang" }],
  });
  const { HistoryRecords } = await given.ok("GET", `/ExpenseClaims/${ExpenseClaimID}/History`);
  expect(HistoryRecords.map((each: Json) => each.Details)).toEqual([
    "Rang",
    "Expense claim EC-1 was approved.",
    "Expense claim was created.",
  ]);
  await given.ok("PUT", `/ExpenseClaims/${ExpenseClaimID}/Attachments/taxi.txt`, "57.50", {
    headers: { "content-type": "text/plain" },
  });
  expect((await claim(given, ExpenseClaimID)).HasAttachments).toBe(true);
});

describe("undo of what was done to a claim", () => {
  const live = async (given: World) => {
    const query = { where: 'Status!="VOIDED" AND Status!="DELETED"' };
    return (await given.ok("GET", "/ExpenseClaims", undefined, { query })).ExpenseClaims;
  };

  test.each([
    ["an approval", "SUBMITTED", "AUTHORISED", 0],
    ["a void", "AUTHORISED", "VOIDED", 115],
    ["a claim sent back", "SUBMITTED", "DELETED", 0],
  ])("undo of %s leaves a claim %s", async (_what, first, then, owed) => {
    const given = await world();
    const { ExpenseClaimID, Receipts } = await claimed(given, { Status: first });
    await moved(given, ExpenseClaimID, { Status: then });
    await undone(given);
    const [only, ...others] = await live(given);
    expect([only.Status, others]).toEqual([first, []]);
    const paper = await receipt(given, Receipts[0].ReceiptID);
    expect(paper).toMatchObject({
      Status: first,
      ExpenseClaim: { ExpenseClaimID: only.ExpenseClaimID },
    });
    expect((await movements(given))["Unpaid Expense Claims (801)"] ?? 0).toBe(0 - owed);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("undo of a payment leaves the claim due, and undo of a new claim its receipts as drafts", async () => {
    const given = await world();
    const { ExpenseClaimID, Receipts } = await claimed(given, { Status: "AUTHORISED" });
    await pay(given, ExpenseClaimID, 115);
    await undone(given);
    expect(await claim(given, ExpenseClaimID)).toMatchObject({
      Status: "AUTHORISED",
      AmountDue: 115,
    });
    await moved(given, ExpenseClaimID, { Status: "VOIDED" });
    const User = (await claim(given, ExpenseClaimID)).User;
    const { ReceiptID } = Receipts[0];
    await given.ok("PUT", "/ExpenseClaims", {
      User: { UserID: User.UserID },
      Receipts: [{ ReceiptID }],
    });
    await undone(given);
    expect((await receipt(given, ReceiptID)).Status).toBe("DRAFT");
    expect(await live(given)).toEqual([]);
    expect(await faultsIn(given)).toEqual([]);
  });
});
