/** Taking back what was done to contacts, fixed assets and lines of the bank. */
import { describe, expect, test } from "vitest";
import { contact, faultsIn, type Json, reportRows, type World, world } from "../fixture.ts";
import { log, refusal, undone } from "./undoing.ts";

test("undoing a change of a contact clears the fields that the contact did not have before", async () => {
  const given = await world();
  const { ContactID } = await contact(given);
  const read = async () => {
    const { UpdatedDateUTC: _, ...rest } = (await given.ok("GET", `/Contacts/${ContactID}`))
      .Contacts[0];
    return rest;
  };
  const before = await read();
  await given.ok("POST", `/Contacts/${ContactID}`, {
    PaymentTerms: { Sales: { Day: 7, Type: "DAYSAFTERBILLDATE" } },
    Addresses: [{ AddressType: "STREET", AddressLine1: "1 Quay St", City: "Nelson" }],
    Phones: [{ PhoneType: "MOBILE", PhoneNumber: "021" }],
    ContactPersons: [{ FirstName: "Ann" }],
  });
  await given.ok("POST", `/Contacts/${ContactID}`, {
    PaymentTerms: { Bills: { Day: 20, Type: "OFCURRENTMONTH" } },
    Addresses: [{ AddressType: "STREET", AddressLine2: "Level 2" }],
  });
  const between = await read();
  expect(between.PaymentTerms).toMatchObject({ Sales: { Day: 7 }, Bills: { Day: 20 } });
  await undone(given);
  const { PaymentTerms, Addresses } = await read();
  expect(PaymentTerms).toEqual({ Sales: { Day: 7, Type: "DAYSAFTERBILLDATE" } });
  const street = Addresses.find((each: Json) => each.AddressType === "STREET");
  expect([street.AddressLine1, street.AddressLine2 ?? ""]).toEqual(["1 Quay St", ""]);
  await undone(given);
  expect(await read()).toEqual(before);
});

describe("undoing changes of lines", () => {
  const line = (AccountCode: string, amount: object) => ({
    Description: "A",
    AccountCode,
    ...amount,
  });

  test("undo restores the lines of a manual journal, even if they summed to zero", async () => {
    const given = await world();
    const lines = (LineAmount: number, to = "404") => ({
      ...{ Narration: "Moved", Date: "2026-02-28", LineAmountTypes: "NoTax" },
      JournalLines: [line("400", { LineAmount }), line(to, { LineAmount: -LineAmount })],
    });
    const balance = () => reportRows(given, "TrialBalance", { date: "2026-03-31" });
    const own = { ...lines(0), Status: "POSTED" };
    const { ManualJournalID } = (await given.ok("PUT", "/ManualJournals", own)).ManualJournals[0];
    const path = `/ManualJournals/${ManualJournalID}`;
    const states: Json[] = [];
    for (const sent of [lines(5), lines(7), lines(7, "408")]) {
      states.push(await balance());
      await given.ok("POST", path, sent);
    }
    for (const before of states.toReversed()) {
      expect((await log(given))[0].Summary).toMatch(/changed manual journal Moved|^undid/);
      await undone(given);
      const [now, then] = [await balance(), before].map((rows) =>
        Object.entries(rows).filter(([, cells]) =>
          (cells as string[]).some((each) => Number(each)),
        ),
      );
      expect(now).toEqual(then);
    }
    expect(await faultsIn(given)).toEqual([]);
  });

  test("undo restores the lines of a bill that were recoded to another account for the same amount", async () => {
    const given = await world();
    const { ContactID } = await contact(given);
    const lines = (account: string) => ({
      LineItems: [line(account, { Quantity: 1, UnitAmount: 100 })],
    });
    const made = await given.ok("PUT", "/Invoices", {
      ...{ Type: "ACCPAY", InvoiceNumber: "B-1", Contact: { ContactID }, Status: "AUTHORISED" },
      ...{ Date: "2026-03-05", DueDate: "2026-03-20", ...lines("400") },
    });
    const path = `/Invoices/${made.Invoices[0].InvoiceID}`;
    await given.ok("POST", path, lines("404"));
    expect((await log(given))[0].Summary).toBe("changed bill B-1");
    await undone(given);
    const [bill] = (await given.ok("GET", path)).Invoices;
    expect(bill.LineItems).toMatchObject([{ AccountCode: "400" }]);
  });
});

describe("undoing depreciation", () => {
  const own = {
    ...{ PurchaseDate: "2026-01-10", Method: "StraightLine", Rate: 40 },
    ...{ AssetAccount: { Code: "710" }, AccumulatedAccount: { Code: "711" } },
    ExpenseAccount: { Code: "416" },
  };
  const register = async (given: World, Name: string, Cost: number): Promise<Json> =>
    (await given.ok("PUT", "/Extensions/Assets", { ...own, Name, Cost })).Assets[0];
  const depreciate = (given: World, to: string, headers: Record<string, string> = {}) =>
    given.ok("POST", "/Extensions/Assets/Depreciate", undefined, { query: { to }, headers });
  const dispose = (given: World, { AssetID }: Json) =>
    given.ok("POST", `/Extensions/Assets/${AssetID}/Dispose`, {
      ...{ Date: "2026-03-20", Proceeds: 500, ProceedsAccount: { Code: "260" } },
      ...{ GainAccount: { Code: "270" }, LossAccount: { Code: "429" } },
    });
  const registered = (given: World) => reportRows(given, "FixedAssets", { date: "2026-03-31" });
  const balance = (given: World) => reportRows(given, "TrialBalance", { date: "2026-03-31" });

  test("undoing one depreciation run keeps the depreciation of other assets and all disposals", async () => {
    const given = await world();
    const press = await register(given, "Press", 3000);
    await depreciate(given, "2026-02-28");
    await dispose(given, press);
    await register(given, "Laptop", 1200);
    const before = [await registered(given), await balance(given)];
    await depreciate(given, "2026-02-28");
    const [run] = await log(given);
    const after = [await registered(given), await balance(given)];
    await undone(given, run.Number);
    expect([await registered(given), await balance(given)]).toEqual(before);
    await undone(given, (await log(given))[0].Number);
    expect([await registered(given), await balance(given)]).toEqual(after);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("depreciation is undone together with the other changes of its operation", async () => {
    const given = await world();
    const press = await register(given, "Press", 3000);
    const before = await registered(given);
    const headers = { "x-operation-id": "5f1f5f60-8c63-4f1b-9a3e-5f2f6f0e7d12" };
    await depreciate(given, "2026-01-31", headers);
    await given.ok("PUT", "/Contacts", { Name: "Heron" }, { headers });
    await given.ok(
      "POST",
      `/Extensions/Assets/${press.AssetID}`,
      { Name: "Big press" },
      { headers },
    );
    await undone(given);
    expect(await registered(given)).toEqual(before);
    const query = { where: 'Name=="Heron"', includeArchived: "true" };
    const { Contacts } = await given.ok("GET", "/Contacts", undefined, { query });
    expect(Contacts).toMatchObject([{ ContactStatus: "ARCHIVED" }]);
  });

  test("undoing a depreciation run with a later run of the same asset is refused", async () => {
    const given = await world();
    await register(given, "Press", 3000);
    await depreciate(given, "2026-01-31");
    const [run] = await log(given);
    await depreciate(given, "2026-02-28");
    expect(await refusal(given, run.Number)).toMatch(
      /depreciation: Depreciation of FA-0001 is posted up to 28 February 2026; roll back what is later first/,
    );
  });

  test("undoing a rollback of depreciation is accepted only if it posts the same amounts again", async () => {
    const given = await world();
    const press = await register(given, "Press", 3000);
    await depreciate(given, "2026-01-31");
    await given.ok("POST", "/Extensions/Assets/Rollback", undefined, {
      query: { to: "2025-12-31" },
    });
    const [rollback] = await log(given);
    await given.ok("POST", `/Extensions/Assets/${press.AssetID}`, { Cost: 4000 });
    expect(await refusal(given, rollback.Number)).toMatch(
      /since assets have changed; acct asset depreciate/,
    );
  });

  test("depreciation of named journals can be rolled back separately", async () => {
    const given = await world();
    const path = "/Extensions/Assets/Rollback";
    const refused = (query: Record<string, string>) =>
      given.ask("POST", path, undefined, { query });
    expect((await refused({ journals: "5f1f5f60-8c63-4f1b-9a3e-5f2f6f0e7d13" })).text).toContain(
      "has no depreciation",
    );
    expect((await refused({ journals: "a", to: "2026-01-31" })).text).toContain("not both");
    expect((await refused({})).text).toContain("Say with `to`");
  });
});

test("verification accepts the history left by a removed bank line", async () => {
  const given = await world();
  await given.ok("PUT", "/Extensions/BankStatements", {
    BankAccount: { Code: "090" },
    StatementLines: [{ Key: "1", Date: "2026-03-10", Amount: 50, Payee: "Heron" }],
  });
  const lines = "/Extensions/BankStatementLines";
  const [line] = (await given.ok("GET", lines)).BankStatementLines;
  await given.ok("POST", `${lines}/${line.BankStatementLineID}/Ignore`, {});
  await undone(given);
  await undone(given);
  expect((await given.ok("GET", lines)).BankStatementLines).toEqual([]);
  expect(await faultsIn(given)).toEqual([]);
});
