/** Bank statements: importing them, and reconciling their lines with the book. */
import { describe, expect, test } from "vitest";
import { contact, faultsIn, type Json, reportRows, type World, world } from "../fixture.ts";

const lines = "/Extensions/BankStatementLines";

/** A statement of the bank account 090, a line for each amount. */
async function imported(given: World, sent: readonly Json[], fields: object = {}): Promise<Json> {
  const StatementLines = sent.map((line, place) => ({
    Key: `1:${line.Date}:${line.Amount}:${place}`,
    ...line,
  }));
  const answer = await given.ok("PUT", "/Extensions/BankStatements", {
    BankAccount: { Code: "090" },
    Source: "march.ofx",
    FromDate: "2026-03-01",
    ToDate: "2026-03-31",
    StatementLines,
    ...fields,
  });
  return answer.BankStatements[0];
}

const listed = async (given: World): Promise<Json[]> =>
  (await given.ok("GET", lines, undefined, { query: { order: "Date" } })).BankStatementLines;

/** Reconciles what needs no person. @returns the lines that were */
const decided = async (given: World): Promise<Json[]> =>
  (await given.ok("POST", `${lines}/Reconcile`, undefined, { query: { account: "090" } }))
    .BankStatementLines;

async function invoiced(given: World, number: string, amount: number, fields: object = {}) {
  const answer = await given.ok("PUT", "/Invoices", {
    Type: "ACCREC",
    InvoiceNumber: number,
    Contact: await contact(given),
    Date: "2026-03-01",
    DueDate: "2026-03-20",
    Status: "AUTHORISED",
    LineAmountTypes: "NoTax",
    LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: amount, AccountCode: "200" }],
    ...fields,
  });
  return answer.Invoices[0];
}

const balance = async (given: World) =>
  JSON.stringify(await reportRows(given, "TrialBalance", { date: "2026-12-31" }));

const payee = (Amount: number, Description: string, fields: object = {}) => ({
  Date: "2026-03-10",
  Amount,
  Payee: "Kowhai Ltd",
  Description,
  ...fields,
});

describe("importing a statement", () => {
  test("an imported statement has unreconciled lines, and posts nothing", async () => {
    const given = await world();
    const before = await balance(given);
    const made = await imported(given, [payee(100, "INV-1"), payee(-20.5, "Fee")]);
    expect(made).toMatchObject({ LinesAdded: 2, LinesKnown: 0, BankAccount: { Code: "090" } });
    expect((await listed(given)).map(({ Amount, Status }) => [Amount, Status])).toEqual([
      [100, "UNRECONCILED"],
      [-20.5, "UNRECONCILED"],
    ]);
    expect(await balance(given)).toBe(before);
  });

  test("a statement imported again adds only the new lines", async () => {
    const given = await world();
    await imported(given, [payee(100, "a"), payee(100, "a")]);
    const again = await imported(given, [payee(100, "a"), payee(100, "a"), payee(100, "a")]);
    expect(again).toMatchObject({ LinesAdded: 1, LinesKnown: 2 });
    expect(await listed(given)).toHaveLength(3);
  });

  test("a statement that does not open with the last closing balance is imported with a warning", async () => {
    const given = await world();
    const whole = { OpeningBalance: 0, ClosingBalance: 100 };
    await imported(given, [payee(100, "a")], whole);
    const answer = await given.ok("PUT", "/Extensions/BankStatements", {
      BankAccount: { Code: "090" },
      FromDate: "2026-04-01",
      ToDate: "2026-04-30",
      OpeningBalance: 90,
      StatementLines: [],
    });
    expect(JSON.stringify(answer)).toContain(
      "The statement begins at 90.00, but on 31 Mar 2026 the account had 100.00",
    );
  });

  test.each([
    ["without a day", { Key: "a", Amount: -7 }, "Date"],
    ["without an amount", { Key: "a", Date: "2026-03-05" }, "Amount"],
    ["without a key", { Date: "2026-03-05", Amount: -7 }, "Key"],
  ])("a statement with a line %s is refused", async (_what, line, field) => {
    const given = await world();
    const refused = await given.refused("PUT", "/Extensions/BankStatements", {
      BankAccount: { Code: "090" },
      StatementLines: [line],
    });
    expect(refused.join()).toContain(field);
  });

  test("a statement for an account that is not a bank account is refused", async () => {
    const given = await world();
    const refused = await given.refused("PUT", "/Extensions/BankStatements", {
      BankAccount: { Code: "200" },
      StatementLines: [],
    });
    expect(refused.join()).toContain("200");
  });
});

describe("a bank statement line", () => {
  test("a bank line with the number and the amount of one invoice is reconciled with it automatically", async () => {
    const given = await world();
    const invoice = await invoiced(given, "INV-0042", 115);
    await imported(given, [payee(115, "payment INV-0042"), payee(77, "who knows")]);
    const done = await decided(given);
    expect(done).toHaveLength(1);
    expect(done[0]).toMatchObject({
      Status: "RECONCILED",
      Matches: [{ Kind: "Payment", Amount: 115, Number: "INV-0042", Made: true }],
    });
    const paid = (await given.ok("GET", `/Invoices/${invoice.InvoiceID}`)).Invoices[0];
    expect(paid).toMatchObject({ Status: "PAID", AmountDue: 0 });
    const payment = (await given.ok("GET", `/Payments/${paid.Payments[0].PaymentID}`)).Payments[0];
    expect(payment).toMatchObject({ IsReconciled: true, Amount: 115 });
    expect((await listed(given)).filter(({ Status }) => Status === "UNRECONCILED")).toHaveLength(1);
  });

  test("unmatching a bank line restores the book as it was before the match", async () => {
    const given = await world();
    await invoiced(given, "INV-0042", 115);
    await imported(given, [payee(115, "payment INV-0042")]);
    const before = await balance(given);
    const [line] = await decided(given);
    expect(await balance(given)).not.toBe(before);
    await given.ok("POST", `${lines}/${line?.BankStatementLineID}/Unmatch`);
    expect(await balance(given)).toBe(before);
    const [again] = await listed(given);
    expect(again).toMatchObject({ Status: "UNRECONCILED" });
    expect(again?.Matches).toEqual([]);
    expect(await faultsIn(given)).toEqual([]);
    // A person took it back: no program decides it again.
    const done = await decided(given);
    expect(done).toEqual([]);
  });

  test("a bank line may pay several documents, less a bank fee", async () => {
    const given = await world();
    await invoiced(given, "INV-0001", 60);
    await invoiced(given, "INV-0002", 40);
    await imported(given, [payee(97.5, "both")]);
    const [line] = await listed(given);
    const path = `${lines}/${line?.BankStatementLineID}/Match`;
    const documents = [{ Number: "INV-0001" }, { Number: "INV-0002" }];
    expect(await given.refused("POST", path, { Documents: documents })).toEqual([
      "The line comes to 97.50, but what it is matched with to 100.00.",
    ]);
    const matched = await given.ok("POST", path, {
      Documents: documents,
      Lines: [{ AccountCode: "404", Amount: -2.5 }],
    });
    expect(
      matched.BankStatementLines[0].Matches.map(({ Kind, Amount }: Json) => [Kind, Amount]).sort(),
    ).toEqual([
      ["BankTransaction", -2.5],
      ["Payment", 40],
      ["Payment", 60],
    ]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a bank line may be a part payment of an invoice", async () => {
    const given = await world();
    await invoiced(given, "INV-0001", 100);
    await imported(given, [payee(30, "on account")]);
    const [line] = await listed(given);
    await given.ok("POST", `${lines}/${line?.BankStatementLineID}/Match`, {
      Documents: [{ Number: "INV-0001" }],
    });
    const [invoice] = (await given.ok("GET", "/Invoices/INV-0001")).Invoices;
    expect(invoice).toMatchObject({ AmountDue: 70, AmountPaid: 30 });
  });

  test("a bank line is posted as money spent on an account, with a new contact named after the payee", async () => {
    const given = await world();
    await imported(given, [payee(-23, "stamps", { Payee: "Post Office" })]);
    const [line] = await listed(given);
    await given.ok("POST", `${lines}/${line?.BankStatementLineID}/Match`, {
      Lines: [{ AccountCode: "429" }],
    });
    const [made] = (await given.ok("GET", "/BankTransactions")).BankTransactions;
    expect(made).toMatchObject({
      Type: "SPEND",
      Contact: { Name: "Post Office" },
      Total: 23,
      IsReconciled: true,
    });
  });

  test("a bank line is matched with an existing payment, and no second payment is made", async () => {
    const given = await world();
    const invoice = await invoiced(given, "INV-0042", 115);
    const paid = await given.ok("PUT", "/Payments", {
      Invoice: { InvoiceID: invoice.InvoiceID },
      Account: { Code: "090" },
      Date: "2026-03-09",
      Amount: 115,
    });
    await imported(given, [payee(115, "payment INV-0042")]);
    const [line] = await decided(given);
    const { PaymentID } = paid.Payments[0];
    expect(line.Matches).toEqual([
      expect.objectContaining({ RecordID: PaymentID, Made: false, Kind: "Payment" }),
    ]);
    // It may not be undone behind the line's back; taken back, it stays in the book.
    expect(await given.refused("POST", `/Payments/${PaymentID}`, { Status: "DELETED" })).toEqual([
      "It is reconciled with the bank statement line of 2026-03-10; take that back first (unmatch).",
    ]);
    await given.ok("POST", `${lines}/${line.BankStatementLineID}/Unmatch`);
    const [kept] = (await given.ok("GET", `/Payments/${PaymentID}`)).Payments;
    expect(kept).toMatchObject({ Status: "AUTHORISED", IsReconciled: false });
  });

  test("a bank line may be posted as a transfer to another bank account", async () => {
    const given = await world();
    await imported(given, [payee(-500, "to savings")]);
    const [line] = await listed(given);
    await given.ok("POST", `${lines}/${line?.BankStatementLineID}/Match`, {
      TransferAccount: { Code: "091" },
    });
    const [made] = (await given.ok("GET", "/BankTransfers")).BankTransfers;
    expect(made).toMatchObject({ Amount: 500, FromIsReconciled: true, ToIsReconciled: false });
  });

  test("a bank line is ignored on request, and is unreconciled again when that is undone", async () => {
    const given = await world();
    await imported(given, [payee(1, "test")]);
    const [line] = await listed(given);
    const path = `${lines}/${line?.BankStatementLineID}`;
    const ignored = await given.ok("POST", `${path}/Ignore`);
    expect(ignored.BankStatementLines[0].Status).toBe("IGNORED");
    expect(
      await given.refused("POST", `${path}/Match`, { Lines: [{ AccountCode: "429" }] }),
    ).toEqual(["The line is ignored already."]);
    const back = await given.ok("POST", `${path}/Unmatch`);
    expect(back.BankStatementLines[0].Status).toBe("UNRECONCILED");
  });

  test("a bank line pays an invoice in another currency at the exchange rate that the bank gave", async () => {
    const given = await world();
    await given.ok("PUT", "/Currencies", { Code: "USD" });
    await invoiced(given, "INV-0009", 100, { CurrencyCode: "USD", CurrencyRate: 0.6 });
    await imported(given, [payee(163.27, "INV-0009")]);
    const [line] = await listed(given);
    const matched = await given.ok("POST", `${lines}/${line?.BankStatementLineID}/Match`, {
      Documents: [{ Number: "INV-0009" }],
    });
    expect(matched.BankStatementLines[0].Matches).toMatchObject([{ Amount: 163.27 }]);
    const [invoice] = (await given.ok("GET", "/Invoices/INV-0009")).Invoices;
    expect(invoice).toMatchObject({ Status: "PAID", AmountDue: 0 });
  });
});

describe("a bank rule", () => {
  const rent = {
    Name: "Rent",
    Conditions: [{ Field: "payeeOrText", Value: "landlord" }],
    Contact: { Name: "Harbour Trust" },
    Lines: [{ AccountCode: "469", Percent: 80 }, { AccountCode: "429" }],
  };

  async function ruled(given: World) {
    await given.ok("PUT", "/Contacts", { Name: "Harbour Trust" });
    return (await given.ok("PUT", "/Extensions/BankRules", rent)).BankRules[0];
  }

  test("a bank rule posts a bank line, split by percent", async () => {
    const given = await world();
    const rule = await ruled(given);
    expect(rule).toMatchObject({ Position: 1, Status: "ACTIVE" });
    await imported(given, [payee(-1000, "LANDLORD MARCH", { Payee: "x" })]);
    const done = await decided(given);
    expect(done).toHaveLength(1);
    const [made] = (await given.ok("GET", "/BankTransactions", undefined, { query: { page: "1" } }))
      .BankTransactions;
    expect(made.Contact.Name).toBe("Harbour Trust");
    expect(made.LineItems.map((line: Json) => [line.AccountCode, line.LineAmount])).toEqual([
      ["469", 800],
      ["429", 200],
    ]);
  });

  test("a bank rule without an outcome, conditions or existing accounts is refused", async () => {
    const given = await world();
    expect(
      await given.refused("PUT", "/Extensions/BankRules", {
        Name: "x",
        Conditions: [{ Field: "amount" }],
        Lines: [{ AccountCode: "99999" }],
      }),
    ).toEqual(["There is no active account 99999.", "An amount has a From, a To or both."]);
  });
});

describe("the bank reconciliation", () => {
  /** Description and amount of each row. */
  async function reported(given: World, date: string): Promise<string[][]> {
    const answer = await given.ok("GET", "/Reports/BankReconciliation", undefined, {
      query: { accountID: "090", date },
    });
    return answer.Reports[0].Rows.flatMap(({ Rows = [] }: Json) => Rows).map(({ Cells }: Json) =>
      [Cells[0], Cells[2]].map(({ Value }: Json) => Value),
    );
  }

  test("the bank reconciliation explains the difference between book and bank balance by items on one side only", async () => {
    const given = await world();
    await invoiced(given, "INV-0042", 115);
    const Contact = await contact(given, { Name: "Cuba Street Gifts" });
    const other = await invoiced(given, "INV-0043", 30, { Contact });
    await given.ok("PUT", "/Payments", {
      Invoice: { InvoiceID: other.InvoiceID },
      Account: { Code: "090" },
      Date: "2026-03-30",
      Amount: 30,
    });
    await imported(given, [payee(115, "INV-0042"), payee(-4, "fee"), payee(9, "test")], {
      OpeningBalance: 0,
      ClosingBalance: 120,
    });
    await decided(given);
    const ignored = (await listed(given)).find(({ Amount }) => Amount === 9);
    await given.ok("POST", `${lines}/${ignored?.BankStatementLineID}/Ignore`);
    expect(await reported(given, "2026-03-31")).toEqual([
      ["Balance of the book", "145.00"],
      ["Payment INV-0043 Cuba Street Gifts", "-30.00"],
      ["Total not on the statement", "-30.00"],
      ["Kowhai Ltd · fee", "-4.00"],
      ["Kowhai Ltd · test (ignored)", "9.00"],
      ["Total not in the book", "5.00"],
      ["Balance that the bank should have", "120.00"],
      ["Balance of the bank", "120.00"],
      ["as on the statement of 31 March 2026", ""],
      ["Difference", "0.00"],
    ]);
  });

  test.each([
    [
      "entered by a person",
      { OpeningBalance: 0, ClosingBalance: 120, BalanceSource: "TYPED" },
      "2026-03-31",
      "as typed for 31 March 2026",
      "120.00",
    ],
    [
      "computed from an earlier statement",
      { OpeningBalance: 0, ClosingBalance: 120 },
      "2026-04-30",
      "as on the statement of 31 March 2026, with the lines after it",
      "120.00",
    ],
    ["not on any statement", {}, "2026-03-31", "no statement on hand", "not known"],
  ])(
    "the bank reconciliation names the source of a bank balance that is %s",
    async (_, fields, date, words, difference) => {
      const given = await world();
      await imported(given, [payee(120, "a")], fields);
      await imported(given, [{ Date: "2026-04-02", Amount: 5 }], {
        FromDate: "2026-04-01",
        ToDate: "2026-04-30",
      });
      const rows = await reported(given, date);
      expect(rows.at(-2)?.[0]).toBe(words);
      expect(rows.at(-1)).toEqual(["Difference", difference === "not known" ? difference : "0.00"]);
    },
  );

  test("the bank reconciliation shows the part of a balance that no lines explain as a separate row", async () => {
    const given = await world();
    const gap = { OpeningBalance: 0, ClosingBalance: 132.5, Gap: 12.5 };
    await imported(given, [payee(120, "a")], gap);
    const rows = await reported(given, "2026-03-31");
    expect(rows).toContainEqual([
      "Missing among the lines of the statement of 31 March 2026",
      "12.50",
    ]);
    expect(rows.at(-1)).toEqual(["Difference", "0.00"]);
  });

  test("the bank reconciliation includes a match only on dates when both the payment and the bank line exist", async () => {
    const given = await world();
    const invoice = await invoiced(given, "INV-0042", 115);
    await given.ok("PUT", "/Payments", {
      Invoice: { InvoiceID: invoice.InvoiceID },
      Account: { Code: "090" },
      Date: "2026-03-08",
      Amount: 115,
    });
    await imported(given, [payee(115, "INV-0042")], { OpeningBalance: 0, ClosingBalance: 115 });
    expect(await decided(given)).toHaveLength(1);
    const before = await reported(given, "2026-03-09");
    expect(before).toContainEqual(["Balance of the book", "115.00"]);
    expect(before).toContainEqual(["Total not on the statement", "-115.00"]);
    expect(before).toContainEqual(["Difference", "0.00"]);
    const after = await reported(given, "2026-03-10");
    expect(after).toContainEqual(["Difference", "0.00"]);
    expect(after).toContainEqual(["Balance of the bank", "115.00"]);
  });

  test("the bank reconciliation of an account that is not a bank account is refused", async () => {
    const given = await world();
    const refused = await given.ask("GET", "/Reports/BankReconciliation", undefined, {
      query: { accountID: "200" },
    });
    expect(refused.status).toBe(400);
  });
});

describe("a match suggestion for one line", () => {
  test("the match suggestion for one bank line equals its suggestion in the list of all lines", async () => {
    const given = await world();
    await invoiced(given, "INV-0042", 115);
    await imported(given, [payee(115, "INV-0042"), payee(115, "INV-0042"), payee(3, "x")]);
    const suggested = async (query: Record<string, string>) =>
      (
        await given.ok("GET", `${lines}/Suggestions`, undefined, {
          query: { account: "090", ...query },
        })
      ).BankSuggestions as Json[];
    const all = await suggested({});
    const id = all[0].BankStatementLineID;
    const one = await suggested({ line: id });
    expect(one).toEqual(all.filter(({ BankStatementLineID }) => BankStatementLineID === id));
    // Two lines claim one invoice, so neither is certain.
    expect(all.map(({ IsCertain, Obstacles }) => [IsCertain, Obstacles])).toEqual([
      [false, "another line has a claim on it"],
      [false, "another line has a claim on it"],
    ]);
  });
});
