/** An import is undone as a whole or not at all: what became of one record since is said, with the lawful way. */
import { describe, expect, test } from "vitest";
import { contact, faultsIn, type Json, paid, sale, type World, world } from "../fixture.ts";
import { log, planned, refusal, undone } from "./undoing.ts";

const days = ["2026-02-10", "2026-03-05", "2026-04-07"];

interface Imported {
  readonly given: World;
  readonly number: number;
  readonly invoices: readonly Json[];
}

/** Three invoices of different days, imported in two requests. */
async function imported(): Promise<Imported> {
  const given = await world();
  const party = await contact(given);
  const headers = { "x-operation-id": given.book.dependencies.newId() };
  const all = days.map((day) => sale(party, { Date: day, Status: "AUTHORISED" }));
  await given.ok("PUT", "/Invoices", { Invoices: all.slice(0, 2) }, { headers });
  await given.ok("PUT", "/Invoices", { Invoices: all.slice(2) }, { headers });
  const [{ Number: number }] = (await log(given)) as [Json];
  const { Invoices } = await given.ok("GET", "/Invoices", undefined, { query: { order: "Date" } });
  return { given, number, invoices: Invoices };
}

const statuses = async (given: World): Promise<string[]> =>
  (await given.ok("GET", "/Invoices", undefined, { query: { order: "Date" } })).Invoices.map(
    ({ Status }: Json) => Status,
  );

const register = (given: World) =>
  given.ok("POST", "/Organisation/Settings", {
    ...{ SalesTaxBasis: "INVOICE", TaxNumber: "49-091-850", PaysTax: true },
  });
const publish = (given: World) =>
  given.ok("PUT", "/Reports", {
    ...{ ReportType: "GSTReturn", FromDate: "2026-02-01", ToDate: "2026-02-28" },
  });
const lock = (given: World, PeriodLockDate: string) =>
  given.ok("POST", "/Organisation/Settings", { PeriodLockDate });

async function received(given: World, fields: object = {}): Promise<Json> {
  const Contact = await contact(given);
  const own = { Description: "Fee", Quantity: 1, UnitAmount: 40, AccountCode: "200" };
  const answer = await given.ok("PUT", "/BankTransactions", {
    ...{ Type: "RECEIVE", Contact, BankAccount: { Code: "090" }, Date: "2026-03-10" },
    LineAmountTypes: "NoTax",
    LineItems: [own],
    ...fields,
  });
  return answer.BankTransactions[0];
}

/** Reconciles a record with a new line of the bank. */
async function reconciled(given: World, RecordID: string, Amount: number): Promise<void> {
  await given.ok("PUT", "/Extensions/BankStatements", {
    BankAccount: { Code: "090" },
    StatementLines: [{ Key: "1", Date: "2026-03-10", Amount, Payee: "Heron" }],
  });
  const lines = "/Extensions/BankStatementLines";
  const [line] = (await given.ok("GET", lines)).BankStatementLines;
  await given.ok("POST", `${lines}/${line.BankStatementLineID}/Match`, { Records: [{ RecordID }] });
}

describe("undoing an import", () => {
  type Since = (imported: Imported) => Promise<unknown>;
  test.each<[string, Since, RegExp]>([
    [
      "was paid since is refused, and the payment to undo first is named",
      async ({ given, invoices }) => paid(given, invoices[1]),
      /^Operation \d+ cannot be undone before what was done later to invoice INV-0002: (\d+) \(PUT \/Payments\)\. Undo that first, the latest first \(acct undo \1\)\.$/,
    ],
    [
      "was changed since is refused, and the change is named",
      async ({ given, invoices }) =>
        given.ok("POST", `/Invoices/${invoices[2].InvoiceID}`, { Reference: "PO 7" }),
      /later to invoice INV-0003: (\d+) \(POST \/Invoices\/[^)]*\)\. Undo that first/,
    ],
    [
      "was locked since is refused, with a credit note as the remedy",
      async ({ given }) => lock(given, "2026-02-28"),
      /^Operation \d+ cannot be undone: invoice INV-0001: The document date is on or before the lock date, [^;]*; a credit note dated after it \(acct credit-note create\) corrects it\.$/,
    ],
    [
      "is in a tax return published since is refused, with a credit note as the remedy",
      async ({ given }) => {
        await register(given);
        await publish(given);
      },
      /^Operation \d+ cannot be undone: invoice INV-0001 stands in a tax return up to 2026-02-28 that was published; a credit note dated after it \(acct credit-note create\) corrects it\.$/,
    ],
    [
      "was paid and reconciled since is refused, and the payment is named",
      async ({ given, invoices }) => {
        const payment = await paid(given, invoices[1]);
        const [{ Number: number }] = (await log(given)) as [Json];
        await reconciled(given, payment.PaymentID, payment.Amount);
        expect(await refusal(given, number)).toMatch(
          /later to payment P-\d+ of [\d.]+ for INV-\d+ on 2026-03-10: (\d+) \(POST \/Extensions\/BankStatementLines.*\(acct undo \1\)\.$/,
        );
      },
      /later to invoice INV-0002: (\d+) \(PUT \/Payments\)\. Undo that first/,
    ],
  ])(
    "undoing an import of which one record %s, and nothing is undone",
    async (_what, since, sentence) => {
      const made = await imported();
      const { given, number } = made;
      await since(made);
      const before = await statuses(given);
      expect(await refusal(given, number)).toMatch(sentence);
      expect(await statuses(given)).toEqual(before);
      expect(await faultsIn(given)).toEqual([]);
    },
  );

  test("undoing an import of which one record was voided since undoes the other records", async () => {
    const { given, number, invoices } = await imported();
    await given.ok("POST", `/Invoices/${invoices[0].InvoiceID}`, { Reference: "PO 7" });
    await given.ok("POST", `/Invoices/${invoices[0].InvoiceID}`, { Status: "VOIDED" });
    await undone(given, number);
    expect(await statuses(given)).toEqual(["VOIDED", "VOIDED", "VOIDED"]);
    // What was voided by hand is no part of the undo.
    await undone(given, (await log(given))[0].Number);
    expect((await statuses(given)).toSorted()).toEqual([
      ...["AUTHORISED", "AUTHORISED", "VOIDED", "VOIDED", "VOIDED"],
    ]);
  });

  test("an import after which a lock date was set and removed is undone by an entry that changes nothing", async () => {
    const given = await world();
    await contact(given);
    const [{ Number: before }] = (await log(given)) as [Json];
    const headers = { "x-operation-id": given.book.dependencies.newId() };
    const settings = "/Organisation/Settings";
    await given.ok("POST", settings, { PeriodLockDate: "2026-01-31" }, { headers });
    await given.ok("POST", settings, { PeriodLockDate: "" }, { headers });
    const [{ Number: number }] = (await log(given)) as [Json];
    await undone(given);
    const [undo, operation] = (await log(given)) as [Json, Json];
    expect(undo).toMatchObject({
      Requests: 1,
      Summary: `undid ${number}: changed nothing`,
      Undoes: operation.OperationID,
    });
    // The next is the one before it.
    expect((await planned(given)).Command).toContain(`takes back operation ${before} `);
    expect(await refusal(given, number)).toMatch(/was undone by operation/);
    expect(await refusal(given, undo.Number)).toMatch(/cannot be undone: it changed nothing\.$/);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("undoing an import with a reconciled bank transaction is refused naming the match, and done once unmatched", async () => {
    const given = await world();
    const headers = { "x-operation-id": given.book.dependencies.newId() };
    const own = await received(given);
    await given.ok("PUT", "/Contacts", { Name: "Heron" }, { headers });
    const LineItems = [{ Description: "A", Quantity: 1, UnitAmount: 70, AccountCode: "200" }];
    const body = {
      ...{ Type: "RECEIVE", Contact: own.Contact, BankAccount: { Code: "090" } },
      ...{ Date: "2026-03-10", LineAmountTypes: "NoTax", LineItems },
    };
    const all = { BankTransactions: [body, { ...body, Date: "2026-03-11" }] };
    const made = await given.ok("PUT", "/BankTransactions", all, { headers });
    const [{ Number: number }] = (await log(given)) as [Json];
    await reconciled(given, made.BankTransactions[0].BankTransactionID, 70);
    const [{ Number: match }] = (await log(given)) as [Json];
    expect(await refusal(given, number)).toMatch(
      new RegExp(
        `cannot be undone before what was done later to bank transaction .*: ${match} \\(`,
      ),
    );
    await undone(given, match);
    await undone(given, number);
    const query = { where: 'Status=="AUTHORISED"' };
    const left = (await given.ok("GET", "/BankTransactions", undefined, { query }))
      .BankTransactions;
    expect(left).toHaveLength(1);
  });
});

describe("a plan to undo an import", () => {
  test("a plan to undo an import is refused if a lock date was set since, and nothing is undone", async () => {
    const { given, number } = await imported();
    const plan = await planned(given, number);
    await lock(given, "2026-02-28");
    expect(await given.refused("POST", "/Extensions/Plans/Apply", plan)).toEqual([
      expect.stringMatching(
        /^Nothing of the plan was done, since its first request, .* is refused now: .*lock date/,
      ),
    ]);
    expect(await statuses(given)).toEqual(["AUTHORISED", "AUTHORISED", "AUTHORISED"]);
    await lock(given, "");
    await given.ok("POST", "/Extensions/Plans/Apply", plan);
    expect(await statuses(given)).toEqual(["VOIDED", "VOIDED", "VOIDED"]);
  });

  test("a plan to undo an import is refused if a tax return was published since", async () => {
    const { given, number } = await imported();
    await register(given);
    const plan = await planned(given, number);
    await publish(given);
    expect(await given.refused("POST", "/Extensions/Plans/Apply", plan)).toEqual([
      "A tax return up to 2026-02-28 was published since the plan was made. Nothing was done; make the plan anew.",
    ]);
    expect(await statuses(given)).toEqual(["AUTHORISED", "AUTHORISED", "AUTHORISED"]);
    expect(await refusal(given, number)).toContain("a credit note dated after it");
  });
});
