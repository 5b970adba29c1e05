/** Taking operations back: what is done, in which order, and what is refused with which remedy. */
import { describe, expect, test } from "vitest";
import {
  contact,
  faultsIn,
  invoiced,
  type Json,
  paid,
  reportRows,
  sale,
  type World,
  world,
} from "../fixture.ts";
import { log, path, planned, refusal, undone } from "./undoing.ts";

const approved = async (given: World, fields: object = {}): Promise<Json> =>
  (
    await given.ok(
      "PUT",
      "/Invoices",
      sale(await contact(given), { Status: "AUTHORISED", ...fields }),
    )
  ).Invoices[0];

const invoice = async (given: World, id: string): Promise<Json> =>
  (await given.ok("GET", `/Invoices/${id}`)).Invoices[0];

const trialBalance = (given: World) => reportRows(given, "TrialBalance", { date: "2026-12-31" });

describe("undo", () => {
  test("undo voids an approved invoice as its plan showed, and is itself an operation in the log", async () => {
    const given = await world();
    const before = await trialBalance(given);
    const { InvoiceID, InvoiceNumber } = await approved(given);
    const [made] = await log(given);
    const plan = await planned(given, made.Number);
    expect(plan.Records).toMatchObject([
      { Resource: "Invoice", Name: InvoiceNumber, Change: "CHANGED" },
    ]);
    expect((await invoice(given, InvoiceID)).Status).toBe("AUTHORISED");
    await given.ok("POST", "/Extensions/Plans/Apply", plan);
    expect((await invoice(given, InvoiceID)).Status).toBe("VOIDED");
    const [last, first] = await log(given);
    expect(last).toMatchObject({
      Undoes: made.OperationID,
      Summary: `undid ${made.Number}: voided invoice INV-0001`,
    });
    expect(first).toMatchObject({ UndoneBy: last.OperationID });
    expect(await trialBalance(given)).toEqual(before);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("undo deletes a new draft, and restores the changed fields and lines of an edited draft", async () => {
    const given = await world();
    const { InvoiceID } = await invoiced(given, { Status: "DRAFT", Reference: "PO 7" });
    const before = await invoice(given, InvoiceID);
    const LineItems = [
      { Description: "Other", Quantity: 2, UnitAmount: 33.3333, AccountCode: "200" },
    ];
    await given.ok("POST", `/Invoices/${InvoiceID}`, { Reference: "", LineItems });
    await undone(given);
    const after = await invoice(given, InvoiceID);
    expect(after).toMatchObject({ Reference: "PO 7", Total: before.Total });
    expect(after.LineItems).toMatchObject([{ Description: before.LineItems[0].Description }]);
    await undone(given);
    expect((await invoice(given, InvoiceID)).Status).toBe("DELETED");
  });

  test("repeated undo of several operations undoes them from the latest to the first", async () => {
    const given = await world();
    const party = await contact(given);
    const bill = await approved(given, { Contact: { ContactID: party.ContactID } });
    await paid(given, bill, { Amount: 50 });
    await paid(given, bill, { Amount: 65 });
    for (const due of [65, 115]) {
      await undone(given);
      expect((await invoice(given, bill.InvoiceID)).AmountDue).toBe(due);
    }
    await undone(given);
    expect((await invoice(given, bill.InvoiceID)).Status).toBe("VOIDED");
  });

  test("undo reverses an import as a whole, in one transaction", async () => {
    const given = await world();
    const headers = { "x-operation-id": "5f1f5f60-8c63-4f1b-9a3e-5f2f6f0e7d11" };
    const party = (await given.ok("PUT", "/Contacts", { Name: "Heron" }, { headers })).Contacts[0];
    for (let batch = 0; batch < 3; batch += 1) {
      const Invoices = Array.from({ length: 30 }, () => sale(party, { Status: "AUTHORISED" }));
      await given.ok("PUT", "/Invoices", { Invoices }, { headers });
    }
    const plan = await planned(given);
    expect(plan.Requests.length).toBeLessThan(5);
    await given.ok("POST", "/Extensions/Plans/Apply", plan);
    const { Invoices } = await given.ok("GET", "/Invoices");
    expect(new Set(Invoices.map(({ Status }: Json) => Status))).toEqual(new Set(["VOIDED"]));
    expect(Invoices).toHaveLength(90);
    const { Contacts } = await given.ok("GET", `/Contacts/${party.ContactID}`);
    expect(Contacts[0].ContactStatus).toBe("ARCHIVED");
    expect(await faultsIn(given)).toEqual([]);
  });

  test("undoing an undo recreates the deleted records, under the same numbers", async () => {
    const given = await world();
    const { InvoiceNumber } = await approved(given);
    const after = await trialBalance(given);
    await undone(given);
    const [taken] = await log(given);
    await undone(given, taken.OperationID);
    const { Invoices } = await given.ok("GET", "/Invoices", undefined, {
      query: { Statuses: "AUTHORISED" },
    });
    expect(Invoices).toMatchObject([{ InvoiceNumber, Total: 115 }]);
    expect(await trialBalance(given)).toEqual(after);
  });

  test("undoing an approval voids the document, and recreates it as a draft", async () => {
    const given = await world();
    const { InvoiceID, InvoiceNumber } = await invoiced(given, { Status: "DRAFT" });
    await given.ok("POST", `/Invoices/${InvoiceID}`, { Status: "AUTHORISED" });
    await undone(given);
    const { Invoices } = await given.ok("GET", "/Invoices", undefined, {
      query: { Statuses: "DRAFT" },
    });
    expect(Invoices).toMatchObject([{ InvoiceNumber, Total: 115 }]);
    expect((await invoice(given, InvoiceID)).Status).toBe("VOIDED");
  });
});

describe("undo that is refused", () => {
  test("undo is refused if later operations depend on the records, and the message names them", async () => {
    const given = await world();
    const made = await approved(given);
    const [first] = await log(given);
    await paid(given, made, { Amount: 50 });
    const [later] = await log(given);
    expect(await refusal(given, first.Number)).toBe(
      `Operation ${first.Number} cannot be undone before what was done later to invoice INV-0001: ` +
        `${later.Number} (PUT /Payments). Undo that first, the latest first (acct undo ${later.Number}).`,
    );
    await undone(given, later.Number);
    await undone(given, first.Number);
    expect((await invoice(given, made.InvoiceID)).Status).toBe("VOIDED");
  });

  test("undo of an operation that is already undone is refused", async () => {
    const given = await world();
    await approved(given);
    const [first] = await log(given);
    await undone(given, first.Number);
    const [by] = await log(given);
    expect(await refusal(given, first.Number)).toBe(
      `Operation ${first.Number} was undone by operation ${by.Number}; acct undo ${by.Number} does it again.`,
    );
  });

  test("undo of a document in a locked period is refused, with the credit note that corrects it as the remedy", async () => {
    const given = await world();
    await approved(given, { Date: "2026-03-05" });
    const [first] = await log(given);
    await given.ok("POST", "/Organisation/Settings", { PeriodLockDate: "2026-03-31" });
    expect(await refusal(given, first.Number)).toMatch(
      /^Operation \d+ cannot be undone: invoice INV-0001: The document date is on or before the lock date, .*; a credit note dated after it \(acct credit-note create\) corrects it\.$/,
    );
    expect((await log(given))[0].Number).toBe(first.Number + 1);
  });

  test("undo of a document in a published tax return is refused until the publication is undone", async () => {
    const given = await world();
    await approved(given, { Date: "2026-03-05" });
    const [first] = await log(given);
    await given.ok("POST", "/Organisation/Settings", {
      SalesTaxBasis: "INVOICE",
      TaxNumber: "49-091-850",
      PaysTax: true,
    });
    await given.ok("PUT", "/Reports", {
      ReportType: "GSTReturn",
      FromDate: "2026-03-01",
      ToDate: "2026-03-31",
    });
    const published = (await log(given))[0];
    expect(published.Summary).toContain("published return");
    expect(await refusal(given, first.Number)).toMatch(
      /stands in a tax return up to 2026-03-31 that was published; a credit note/,
    );
    await undone(given, published.Number);
    await undone(given, first.Number);
  });

  test("undo of a bank transaction matched with a bank line is refused", async () => {
    const given = await world();
    const made = await approved(given);
    const payment = await paid(given, made, { Amount: 50, Date: "2026-03-10" });
    const [first] = await log(given);
    await given.ok("PUT", "/Extensions/BankStatements", {
      BankAccount: { Code: "090" },
      StatementLines: [{ Key: "1", Date: "2026-03-10", Amount: 50, Payee: "Heron" }],
    });
    const {
      BankStatementLines: [line],
    } = await given.ok("GET", "/Extensions/BankStatementLines");
    await given.ok("POST", `/Extensions/BankStatementLines/${line.BankStatementLineID}/Match`, {
      Records: [{ RecordID: payment.PaymentID }],
    });
    const [matched] = await log(given);
    expect(await refusal(given, first.Number)).toContain(
      `${matched.Number} (POST /Extensions/BankStatementLines/`,
    );
    await undone(given, matched.Number);
    await undone(given, first.Number);
    expect((await invoice(given, made.InvoiceID)).AmountDue).toBe(115);
  });

  test("undo of added notes is refused, and they stay in the history", async () => {
    const given = await world();
    const { InvoiceID } = await approved(given);
    await given.ok("PUT", `/Invoices/${InvoiceID}/History`, {
      HistoryRecords: [{ Details: "Rang" }],
    });
    expect(await refusal(given)).toMatch(
      /what it did is undone already, or stays as a note in the history; acct undo \d+ takes back an earlier one\.$/,
    );
  });

  test("a refused undo suggests an earlier operation only if that one can be undone", async () => {
    const given = await world();
    const { InvoiceID } = await approved(given);
    const [approval] = await log(given);
    for (const Details of ["Rang", "Rang again"]) {
      await given.ok("PUT", `/Invoices/${InvoiceID}/History`, { HistoryRecords: [{ Details }] });
    }
    const named = async () => /acct undo (\d+) takes back/.exec(await refusal(given))?.[1];
    expect(Number(await named())).toBe(approval.Number);
    for (let number = await named(); number !== undefined; number = await named()) {
      await undone(given, number);
    }
    expect((await invoice(given, InvoiceID)).Status).toBe("VOIDED");
  });

  test("undo of an operation done by no user is refused", async () => {
    const given = await world();
    expect((await given.ask("POST", `${path}/4711/Undo`, {})).status).toBe(404);
  });
});

describe("a plan to undo an operation", () => {
  test("a plan to undo is refused if the books have changed since, or if another user must approve it", async () => {
    const given = await world();
    const { InvoiceID } = await approved(given);
    const plan = await planned(given);
    await given.ok("POST", `/Invoices/${InvoiceID}`, { Reference: "PO 8" });
    expect(await given.refused("POST", "/Extensions/Plans/Apply", plan)).toEqual([
      expect.stringContaining("The books have moved since the plan was made: invoice INV-0001"),
    ]);
  });

  test("a plan to undo is refused if the operation in it was replaced by another, since its signature covers it", async () => {
    const given = await world();
    await approved(given);
    const [first] = await log(given);
    const plan = await planned(given);
    const other = { ...plan, Undoes: "5f1f5f60-8c63-4f1b-9a3e-5f2f6f0e7d11" };
    expect(await given.refused("POST", "/Extensions/Plans/Apply", other)).toEqual([
      expect.stringContaining("not as this server made it"),
    ]);
    expect(plan.Undoes).toBe(first.OperationID);
  });
});
