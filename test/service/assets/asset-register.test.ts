/** Fixed assets: the register, its months, disposals and taking them back. */
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { verifyAll } from "../../../src/service/verification/verification.ts";
import { contact, faultsIn, type Json, reportRows, type World, world } from "../fixture.ts";

const path = "/Extensions/Assets";

/** Balances of the year that are not zero, debits above it and credits below, by account. */
async function balances(given: World) {
  const rows = await reportRows(given, "TrialBalance", { date: "2026-03-31" });
  const found = Object.entries(rows).map(
    ([name, cells]) => [name, Number(cells.at(-2) || 0) - Number(cells.at(-1) || 0)] as const,
  );
  return Object.fromEntries(found.filter(([, amount]) => amount !== 0));
}

const laptop = (own: object = {}) => ({
  Name: "Laptop",
  PurchaseDate: "2025-12-10",
  Cost: 2400,
  Life: 2,
  AssetAccount: { Code: "720" },
  ...own,
});

const add = async (given: World, ...inputs: object[]): Promise<Json> => {
  const answer = await given.ok("PUT", path, { Assets: inputs });
  return answer.Assets[0];
};

/** What the assets cost, bought and paid, so that the accounts agree with the register. */
async function bought(given: World, amount: number, AccountCode = "720", own: object = {}) {
  const supplier = await contact(given);
  const answer = await given.ok("PUT", "/Invoices", {
    Type: "ACCPAY",
    InvoiceNumber: "BILL-12",
    Contact: { ContactID: supplier.ContactID },
    Date: "2025-12-10",
    DueDate: "2026-01-10",
    Status: "AUTHORISED",
    LineItems: [{ Description: "Laptop", Quantity: 1, UnitAmount: amount, AccountCode }],
    ...own,
  });
  return answer.Invoices[0];
}

const run = async (given: World, to: string): Promise<Json[]> =>
  (await given.ok("POST", `${path}/Depreciate`, undefined, { query: { to } })).ManualJournals;
const back = async (given: World, to: string): Promise<Json[]> =>
  (await given.ok("POST", `${path}/Rollback`, undefined, { query: { to } })).ManualJournals;
const dispose = (given: World, key: string, body: object) =>
  given.ok("POST", `${path}/${key}/Dispose`, body);
const shown = async (given: World, key: string): Promise<Json> =>
  (await given.ok("GET", `${path}/${key}`)).Assets[0];

describe("the asset register", () => {
  test("the asset register numbers assets, finds their default accounts in the chart, and shows their book values", async () => {
    const given = await world();
    await add(given, laptop(), laptop({ Name: "Desk", AssetAccount: { Code: "710" } }));
    const { Assets } = await given.ok("GET", path);
    expect(Assets).toMatchObject([
      {
        AssetNumber: "FA-0001",
        Status: "REGISTERED",
        DepreciationStartDate: "/Date(1765324800000+0000)/",
        AccumulatedAccount: { Code: "721" },
        ExpenseAccount: { Code: "416" },
        AccumulatedDepreciation: 0,
        BookValue: 2400,
      },
      { AssetNumber: "FA-0002", AccumulatedAccount: { Code: "711" } },
    ]);
  });

  test("an asset can be added from a bill line, up to the amount of the line", async () => {
    const given = await world();
    const { InvoiceID, LineItems } = await bought(given, 2760, "720", {
      LineAmountTypes: "Inclusive",
    });
    const source = { InvoiceID, LineItemID: LineItems[0].LineItemID, Life: 3 };
    const first = await add(given, { ...source, Cost: 1000 });
    expect(first).toMatchObject({
      Name: "Laptop",
      PurchaseDate: "/Date(1765324800000+0000)/",
      Cost: 1000,
      AssetAccount: { Code: "720" },
    });
    expect(await add(given, source)).toMatchObject({ Cost: 1400 });
    expect(await given.refused("PUT", path, source)).toEqual([
      "The line of the bill comes to 2400.00, of which 2400.00 is registered already.",
    ]);
  });

  test.each([
    ["FR", "218200", "INPUTBLOCKED20", 1200],
    ["FR", "218300", "CAPEX20", 1000],
    ["DE", "0650", "INPUTBLOCKED19", 1190],
    ["DE", "0650", "REVERSEEU19N", 1190],
    ["CA", "150", "CAN002", 1070],
  ] as const)(
    "in %s, an asset bought on account %s with the tax %s costs %i, with the tax that is not reclaimed, and agrees with the accounts once depreciated",
    async (country, AssetAccount, TaxType, cost) => {
      const given = await world(country);
      const line = { Description: "Van", Quantity: 1, UnitAmount: 1000, TaxType };
      const { InvoiceID, LineItems } = await bought(given, 1000, AssetAccount, {
        LineItems: [{ ...line, AccountCode: AssetAccount }],
      });
      const source = { InvoiceID, LineItemID: LineItems[0].LineItemID, Life: 5 };
      expect(await add(given, source)).toMatchObject({ Cost: cost });
      await run(given, "2026-01-31");
      const rows = await reportRows(given, "FixedAssets", { date: "2026-01-31" });
      expect(rows.Accounts).toEqual(rows.Register);
      await dispose(given, "FA-0001", { Date: "2026-02-10", Proceeds: 0 });
      expect(await faultsIn(given)).toEqual([]);
    },
  );

  test.each([
    [{ Life: undefined }, "An asset depreciates by a Rate or over a Life: give one of them."],
    [{ Rate: 10 }, "An asset depreciates by a Rate or over a Life: give one of them."],
    [{ ResidualValue: 3000 }, "The ResidualValue is more than what depreciates."],
    [{ DepreciationStartDate: "2025-11-30" }, "An asset does not depreciate before it is bought."],
    [{ OpeningAccumulated: 500 }, "Say in OpeningDate up to which day the OpeningAccumulated is."],
    [
      { AssetAccount: { Code: "200" } },
      "The AssetAccount '200' is not an active account of the type FIXED.",
    ],
    [
      { AccumulatedAccount: { Code: "720" } },
      "The AccumulatedAccount '720' is not an active account of the type FIXED, but not that of its cost.",
    ],
    [{ Name: undefined }, "An asset has a Name."],
  ])("the asset register refuses an asset with %o", async (own, said) => {
    const given = await world();
    expect(await given.refused("PUT", path, laptop(own))).toEqual([said]);
  });

  test("an asset bought on a bill in a foreign currency has its cost in the base currency", async () => {
    const given = await world();
    await given.ok("PUT", "/Currencies", { Code: "USD" });
    const { InvoiceID, LineItems } = await bought(given, 1000, "720", {
      CurrencyCode: "USD",
      CurrencyRate: 0.625,
    });
    const [{ LineItemID }] = LineItems;
    expect(await add(given, { InvoiceID, LineItemID, Life: 3 })).toMatchObject({ Cost: 1600 });
  });

  test("an asset given both a rate and later a life is depreciated by the one given last", async () => {
    const given = await world();
    const { AssetID } = await add(given, laptop());
    const change = async (input: object): Promise<Json> =>
      (await given.ok("POST", `${path}/${AssetID}`, input)).Assets[0];
    const byRate = await change({ Rate: 40 });
    expect([byRate.Rate, byRate.Life]).toEqual([40, undefined]);
    const byLife = await change({ Life: 2.5 });
    expect([byLife.Rate, byLife.Life]).toEqual([undefined, 2.5]);
    const land = await change({ Method: "NoDepreciation" });
    expect([land.Rate, land.Life]).toEqual([undefined, undefined]);
  });

  test("an asset without a named account is refused where the chart has several that fit", async () => {
    const given = await world();
    const [said] = await given.refused("PUT", path, laptop({ AssetAccount: undefined }));
    expect(said).toBe(
      "Say which AssetAccount it is, an account of the type FIXED: 710 Office Equipment, 720 Computer Equipment.",
    );
  });

  test("an asset number that another asset has, in any letter case, is refused", async () => {
    const given = await world();
    await add(given, laptop({ AssetNumber: "PC1" }));
    const [said] = await given.refused("PUT", path, laptop({ AssetNumber: "pc1" }));
    expect(said).toContain("AssetNumber");
  });

  test("an account that an asset uses cannot be deleted", async () => {
    const given = await world();
    await add(given, laptop());
    const { Accounts } = await given.ok("GET", "/Accounts/721");
    await given.refused("DELETE", `/Accounts/${Accounts[0].AccountID}`);
  });
});

describe("a depreciation run", () => {
  test("a depreciation run posts one journal a month, with two lines for each pair of accounts, and only once", async () => {
    const given = await world();
    await add(given, laptop(), laptop({ Name: "Other" }));
    await add(given, laptop({ Name: "Desk", Cost: 1200, AssetAccount: { Code: "710" } }));
    const made = await run(given, "2026-02-28");
    expect(made.map((each) => [each.Date, each.Narration, each.Status])).toEqual([
      ["/Date(1767139200000+0000)/", "Depreciation of December 2025", "POSTED"],
      ["/Date(1769817600000+0000)/", "Depreciation of January 2026", "POSTED"],
      ["/Date(1772236800000+0000)/", "Depreciation of February 2026", "POSTED"],
    ]);
    expect(made[0].JournalLines.map((each: Json) => [each.AccountCode, each.LineAmount])).toEqual([
      ["416", 200],
      ["721", -200],
      ["416", 50],
      ["711", -50],
    ]);
    expect(await run(given, "2026-02-28")).toEqual([]);
    expect(await shown(given, "FA-0001")).toMatchObject({
      AccumulatedDepreciation: 300,
      BookValue: 2100,
    });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a depreciation run posts only months that have ended, and is refused beyond the financial year", async () => {
    const given = await world();
    await add(given, laptop());
    expect(await run(given, "2026-01-30")).toHaveLength(1);
    const query = { to: "2026-04-30" };
    expect(await given.refused("POST", `${path}/Depreciate`, undefined, { query })).toEqual([
      "Depreciation is run up to the end of this financial year, 31 March 2026.",
    ]);
  });

  test("a dry run of depreciation changes nothing", async () => {
    const given = await world();
    await add(given, laptop());
    const trial = { query: { to: "2026-02-28" }, headers: { "x-dry-run": "true" } };
    const { ManualJournals } = await given.ok("POST", `${path}/Depreciate`, undefined, trial);
    expect(ManualJournals).toHaveLength(3);
    expect((await given.ok("GET", "/ManualJournals")).ManualJournals).toEqual([]);
  });

  test("a depreciation run before the lock date is refused, and so is its rollback", async () => {
    const given = await world();
    await add(given, laptop());
    await run(given, "2025-12-31");
    await given.ok("POST", "/Organisation/Settings", { PeriodLockDate: "2026-01-31" });
    const [gone] = await given.refused("POST", `${path}/FA-0001/Dispose`, { Date: "2026-01-15" });
    expect(gone).toContain("before the period lock date");
    for (const [deed, to] of [
      ["Depreciate", "2026-02-28"],
      ["Rollback", "2025-11-30"],
    ]) {
      const [said] = await given.refused("POST", `${path}/${deed}`, undefined, {
        query: { to: String(to) },
      });
      expect(said).toContain("before the period lock date");
    }
  });

  test("depreciation journals can be changed only by the asset register", async () => {
    const given = await world();
    const { AssetID } = await add(given, laptop());
    const [{ ManualJournalID }] = await run(given, "2025-12-31");
    expect(
      await given.refused("POST", `/ManualJournals/${ManualJournalID}`, { Status: "VOIDED" }),
    ).toEqual(["It is of the depreciation of assets, and is taken back with that (rollback)."]);
    expect(await given.refused("POST", `${path}/${AssetID}`, { Cost: 3000 })).toEqual([
      "Cost cannot change while depreciation is posted; roll it back first.",
    ]);
    expect(await given.refused("POST", `${path}/${AssetID}`, { Status: "DELETED" })).toEqual([
      "Status cannot change while depreciation is posted; roll it back first.",
    ]);
    await given.ok("POST", `${path}/${AssetID}`, { Name: "Laptop of Tess" });
  });
});

describe("a disposal of an asset", () => {
  test("disposing of an asset of cost 6,000, depreciated by 2,500, for 6,400 posts a capital gain of 400 and a gain of 2,500", async () => {
    const given = await world();
    await bought(given, 6000);
    await add(given, laptop({ Cost: 6000, OpeningAccumulated: 2500, OpeningDate: "2025-12-31" }));
    const line = (AccountCode: string, LineAmount: number) => ({ AccountCode, LineAmount });
    await given.ok("PUT", "/ManualJournals", {
      Narration: "Depreciation before",
      Date: "2025-12-31",
      Status: "POSTED",
      JournalLines: [line("416", 2500), line("721", -2500)],
    });
    const disposed = await dispose(given, "FA-0001", {
      Date: "2026-01-20",
      Proceeds: 6400,
      ProceedsAccount: { Code: "260" },
      GainAccount: { Code: "270" },
      CapitalGainAccount: { Code: "200" },
    });
    expect(disposed.Assets[0]).toMatchObject({
      Status: "DISPOSED",
      DisposalProceeds: 6400,
      CapitalGain: 400,
      Gain: 2500,
      AccumulatedDepreciation: 2500,
      BookValue: 0,
    });
    expect(await balances(given)).toMatchObject({
      "Other Revenue (260)": 6400,
      "Interest Income (270)": -2500,
      "Sales (200)": -400,
    });
    expect(await faultsIn(given)).toEqual([]);
    expect(await given.refused("POST", `${path}/FA-0001/Dispose`, { Date: "2026-01-21" })).toEqual([
      "The asset FA-0001 is disposed.",
    ]);
  });

  test("a disposal posts the missing depreciation up to its day; by whole months, none for the disposal month", async () => {
    const given = await world();
    await bought(given, 2400);
    await add(given, laptop());
    await run(given, "2025-12-31");
    const { Assets } = await dispose(given, "FA-0001", { Date: "2026-02-15" });
    expect(Assets[0]).toMatchObject({ AccumulatedDepreciation: 200, Gain: -2200, CapitalGain: 0 });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a disposal of an asset depreciated by actual days includes the day of disposal", async () => {
    const given = await world();
    await add(given, laptop({ Averaging: "ActualDays", Rate: 36.5, Life: undefined, Cost: 1000 }));
    const { Assets } = await dispose(given, "FA-0001", { Date: "2025-12-14" });
    expect(Assets[0].AccumulatedDepreciation).toBe(5);
  });

  test("a disposal without depreciation in its year reverses what was posted in that year", async () => {
    const given = await world();
    await bought(given, 2400);
    await add(given, laptop());
    await run(given, "2026-01-31");
    const { Assets } = await dispose(given, "FA-0001", {
      Date: "2026-02-15",
      Depreciation: "NONE",
    });
    expect(Assets[0]).toMatchObject({ AccumulatedDepreciation: 0, Gain: -2400 });
    expect(await balances(given)).toMatchObject({ "Depreciation (416)": 2400 });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a disposal of land is refused without a named account for its loss", async () => {
    const given = await world();
    const land = { Life: undefined, Method: "NoDepreciation" };
    const made = await add(given, laptop(land));
    expect(made.AccumulatedAccount).toBeUndefined();
    const body = { Date: "2026-01-15" };
    expect(await given.refused("POST", `${path}/FA-0001/Dispose`, body)).toEqual([
      "Say which LossAccount it is.",
    ]);
    const disposed = await given.ok("POST", `${path}/FA-0001/Dispose`, {
      ...body,
      LossAccount: { Code: "429" },
    });
    expect(disposed.Assets[0]).toMatchObject({ Gain: -2400, AccumulatedDepreciation: 0 });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a disposal dated before depreciation already posted is refused", async () => {
    const given = await world();
    await add(given, laptop());
    await run(given, "2026-01-31");
    expect(await given.refused("POST", `${path}/FA-0001/Dispose`, { Date: "2026-01-15" })).toEqual([
      "Depreciation is posted up to 31 January 2026; roll back what is after 15 January 2026 first.",
    ]);
  });

  test("a disposal needs an account for the proceeds, and a bank account is refused", async () => {
    const given = await world();
    await add(given, laptop());
    const body = { Date: "2026-01-15", Proceeds: 10 };
    expect(await given.refused("POST", `${path}/FA-0001/Dispose`, body)).toEqual([
      "Say which ProceedsAccount it is.",
    ]);
    const own = { ...body, ProceedsAccount: { Code: "720" } };
    expect(await given.refused("POST", `${path}/FA-0001/Dispose`, own)).toEqual([
      "The ProceedsAccount '720' is not an active account that takes it.",
    ]);
    const bank = { ...body, ProceedsAccount: { Code: "090" } };
    await given.refused("POST", `${path}/FA-0001/Dispose`, bank);
  });
});

describe("the undo of depreciation and disposals", () => {
  test("undoing a depreciation run restores every account balance, and undoes later disposals first", async () => {
    const given = await world();
    await bought(given, 2400);
    await add(given, laptop(), laptop({ Name: "Other", Cost: 500 }));
    await run(given, "2025-12-31");
    const before = await balances(given);
    await run(given, "2026-02-28");
    await dispose(given, "FA-0001", {
      Date: "2026-03-01",
      Proceeds: 100,
      ProceedsAccount: { Code: "260" },
    });
    const voided = await back(given, "2025-12-31");
    expect(voided.map((each) => each.Narration)).toEqual([
      "Disposal of FA-0001 Laptop",
      "Depreciation of February 2026",
      "Depreciation of January 2026",
    ]);
    expect(await balances(given)).toEqual(before);
    const first = await shown(given, "FA-0001");
    expect(first).toMatchObject({ Status: "REGISTERED", AccumulatedDepreciation: 100 });
    expect(first.DisposalDate).toBeUndefined();
    expect(await run(given, "2026-02-28")).toHaveLength(2);
    expect(await faultsIn(given)).toEqual([]);
  });
});

describe("the report of fixed assets", () => {
  test("the asset report reconciles to the ledger accounts, and shows any difference in its last row", async () => {
    const given = await world();
    await bought(given, 2400);
    await add(given, laptop(), laptop({ Name: "Gift", Cost: 600 }));
    await run(given, "2026-02-28");
    const rows = await reportRows(given, "FixedAssets", { date: "2026-02-28" });
    expect(rows["FA-0001"]).toEqual([
      ...["Laptop", "10 Dec 2025", "10 Dec 2025", "2400.00", "0.00", "Straight line", "2 years"],
      ...["0.00", "300.00", "300.00", "2100.00", "", "", ""],
    ]);
    expect(rows["720"]?.[3]).toBe("-600.00");
    expect(rows.Difference?.filter((each) => each !== "")).toEqual(["-600.00", "0.00", "-600.00"]);
    await bought(given, 600, "720", { InvoiceNumber: "BILL-13" });
    const agreed = await reportRows(given, "FixedAssets", { date: "2026-02-28" });
    expect(agreed.Difference?.filter((each) => each !== "")).toEqual(["0.00", "0.00", "0.00"]);
    expect(agreed["720"]).toBeUndefined();
  });

  test("the asset report of a year shows its movements; of an earlier date, the register as it was then", async () => {
    const given = await world();
    await bought(given, 2400);
    await add(given, laptop());
    await run(given, "2026-01-31");
    await dispose(given, "FA-0001", {
      Date: "2026-02-20",
      Proceeds: 2500,
      ProceedsAccount: { Code: "260" },
    });
    const rows = await reportRows(given, "FixedAssets", { date: "2026-03-31" });
    expect(rows["FA-0001"]?.slice(-4)).toEqual(["0.00", "20 Feb 2026", "2500.00", "300.00"]);
    expect(rows["Total in use"]?.[3]).toBe("0.00");
    expect(rows.Difference?.filter((each) => each !== "")).toEqual(["0.00", "0.00", "0.00"]);
    const earlier = await reportRows(given, "FixedAssets", { date: "2026-01-31" });
    expect(earlier["Total in use"]?.[3]).toBe("2400.00");
    expect(earlier["FA-0001"]?.[10]).toBe("2200.00");
    expect(earlier.Difference?.filter((each) => each !== "")).toEqual(["0.00", "0.00", "0.00"]);
    const next = await reportRows(given, "FixedAssets", { date: "2026-04-30" });
    expect(next["FA-0001"]).toBeUndefined();
  });
});

describe("verification", () => {
  test.each([
    [
      "an amount of depreciation",
      "update depreciation set amount = amount + 1",
      /posts 100.00 to Less Accumulated Depreciation .*, but its assets depreciate by 100.01/,
    ],
    [
      "a journal that is not posted",
      "update manual_journal set status = 'VOIDED'",
      /of depreciation is not posted on 2025-12-31/,
    ],
    [
      "an asset that was not disposed of",
      "update asset set status = 'DISPOSED'",
      /The asset FA-0001 is DISPOSED, which its disposal is not/,
    ],
    [
      "an asset that is not there",
      "update depreciation set asset_id = 'x'",
      /The asset_id of a depreciation names x/,
    ],
  ])("verification of the book finds a changed asset register: %s", async (_, statement, fault) => {
    const given = await world();
    await add(given, laptop());
    await run(given, "2025-12-31");
    expect(await faultsIn(given)).toEqual([]);
    const { store, org } = given.book;
    const faults = await store.write(
      org,
      async (tx) => {
        await sql.raw(`${statement} where org = ${org}`).execute(tx.db);
        return (await verifyAll(tx)).faults;
      },
      { dryRun: true },
    );
    expect(faults.join("\n")).toMatch(fault);
  });
});
