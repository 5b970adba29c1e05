/** Bank transfers: money between bank accounts, and the two bank transactions that show it. */
import { describe, expect, test } from "vitest";
import { faultsIn, type Json, movements, reportRows, type World, world } from "../fixture.ts";

const moving = {
  FromBankAccount: { Code: "090" },
  ToBankAccount: { Code: "091" },
  Amount: 250,
  Date: "2026-03-02",
};

async function moved(given: World, fields: object = {}): Promise<Json> {
  const answer = await given.ok("PUT", "/BankTransfers", { ...moving, ...fields });
  return answer.BankTransfers[0];
}

const sideOf = async (given: World, id: string): Promise<Json> =>
  (await given.ok("GET", `/BankTransactions/${id}`)).BankTransactions[0];

/** A bank account in euros, of which 0.50 are worth one dollar of the books. */
async function euros(given: World): Promise<void> {
  await given.ok("PUT", "/Currencies", { Code: "EUR" });
  await given.ok("PUT", "/Currencies/EUR/Rates", { Date: "2026-01-01", Rate: 0.5 });
  await given.ok("PUT", "/Accounts", {
    Code: "095",
    Name: "Euros",
    Type: "BANK",
    BankAccountNumber: "01-0001-0001-01",
    CurrencyCode: "EUR",
  });
}

describe("a bank transfer", () => {
  test.each(["From", "To"])(
    "files can be attached to the %s side of a bank transfer, and deleted",
    async (side) => {
      const given = await world();
      const made = await moved(given);
      const other = side === "From" ? "To" : "From";
      const on = `/BankTransactions/${made[`${side}BankTransactionID`]}`;
      await given.ok("PUT", `${on}/Attachments/slip.txt`, "x");
      const { HasAttachments, Attachments } = await sideOf(given, made[`${side}BankTransactionID`]);
      expect([HasAttachments, Attachments.length]).toEqual([true, 1]);
      expect(Attachments[0].Url).toContain(`${on}/Attachments/slip.txt`);
      expect((await sideOf(given, made[`${other}BankTransactionID`])).HasAttachments).toBe(false);
      await given.ok("PUT", `/BankTransfers/${made.BankTransferID}/Attachments/whole.txt`, "x");
      expect(await faultsIn(given)).toEqual([]);
      await given.ok("DELETE", `${on}/Attachments/slip.txt`);
      expect((await sideOf(given, made[`${side}BankTransactionID`])).HasAttachments).toBe(false);
      expect(await faultsIn(given)).toEqual([]);
    },
  );

  test("a bank transfer is posted from one account to the other, on both bases", async () => {
    const given = await world();
    const made = await moved(given, { Reference: "To savings", ToIsReconciled: true });
    expect(made).toMatchObject({
      Amount: 250,
      Reference: "To savings",
      Status: "AUTHORISED",
      FromIsReconciled: false,
      ToIsReconciled: true,
      CurrencyRate: 1,
      HasAttachments: false,
      FromBankAccount: { Code: "090", Name: "Business Account" },
      ToBankAccount: { Code: "091", Name: "Savings" },
    });
    expect(made.CreatedDateUTC).toBeDefined();
    const posted = { "Business Account (090)": -250, "Savings (091)": 250, Total: 0 };
    expect(await movements(given)).toEqual(posted);
    const cash = { date: "2026-03-31", paymentsOnly: "true" };
    expect(await reportRows(given, "TrialBalance", cash)).toEqual(
      await reportRows(given, "TrialBalance", { date: "2026-03-31" }),
    );
    const [journal] = (await given.ok("GET", "/Journals")).Journals;
    expect(journal).toMatchObject({
      SourceType: "TRANSFER",
      SourceID: made.BankTransferID,
      Reference: "To savings",
    });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a bank transfer is shown as two bank transactions, which can be read by id and are not listed", async () => {
    const given = await world();
    const made = await moved(given, { FromIsReconciled: true });
    expect(await sideOf(given, made.FromBankTransactionID)).toMatchObject({
      BankTransactionID: made.FromBankTransactionID,
      Type: "SPEND-TRANSFER",
      Status: "AUTHORISED",
      Total: 250,
      TotalTax: 0,
      IsReconciled: true,
      BankAccount: { Code: "090" },
      LineItems: [{ LineAmount: 250, AccountCode: "091" }],
    });
    expect(await sideOf(given, made.ToBankTransactionID)).toMatchObject({
      Type: "RECEIVE-TRANSFER",
      Total: 250,
      IsReconciled: false,
      BankAccount: { Code: "091" },
    });
    expect((await given.ok("GET", "/BankTransactions")).BankTransactions).toEqual([]);
    for (const change of [{ Status: "DELETED" }, { Reference: "x" }]) {
      expect(
        await given.refused("POST", `/BankTransactions/${made.FromBankTransactionID}`, change),
      ).toEqual(["A bank transaction of the type SPEND-TRANSFER is made with its bank transfer."]);
    }
    const history = await given.ok("GET", `/BankTransactions/${made.ToBankTransactionID}/History`);
    expect(history.HistoryRecords).toEqual([]);
  });

  test("a bank transfer has the tracking of each of its sides", async () => {
    const given = await world();
    await given.ok("PUT", "/TrackingCategories", { Name: "Region" });
    const Options: Json[] = [];
    for (const Name of ["North", "South"]) {
      Options.push(
        (await given.ok("PUT", "/TrackingCategories/Region/Options", { Name })).Options[0],
      );
    }
    const [category] = (await given.ok("GET", "/TrackingCategories")).TrackingCategories;
    const tracked = (option: Json) => [
      {
        TrackingCategoryID: category.TrackingCategoryID,
        TrackingOptionID: option.TrackingOptionID,
      },
    ];
    const { BankTransferID } = await moved(given, {
      FromTracking: tracked(Options[0]),
      ToTracking: tracked(Options[1]),
    });
    const [read] = (await given.ok("GET", `/BankTransfers/${BankTransferID}`)).BankTransfers;
    expect(read.FromTracking).toMatchObject([{ Name: "Region", Option: "North" }]);
    expect(read.ToTracking).toMatchObject([{ Name: "Region", Option: "South" }]);
    const [{ JournalLines }] = (await given.ok("GET", "/Journals")).Journals;
    const optionOn = (code: string) =>
      JournalLines.find((each: Json) => each.AccountCode === code).TrackingCategories[0].Option;
    expect([optionOn("090"), optionOn("091")]).toEqual(["North", "South"]);
    const id = (option: Json) => option.TrackingOptionID;
    await given.ok("DELETE", `/TrackingCategories/Region/Options/${id(Options[0])}`);
    const [{ Options: left }] = (
      await given.ok("GET", "/TrackingCategories", undefined, {
        query: { includeArchived: "true" },
      })
    ).TrackingCategories;
    expect(left.find((each: Json) => id(each) === id(Options[0])).Status).toBe("ARCHIVED");
  });

  test("a bank transfer to an account in another currency uses the exchange rate of its day", async () => {
    const given = await world();
    await euros(given);
    const out = await moved(given, { ToBankAccount: { Code: "095" } });
    expect(out).toMatchObject({ Amount: 250, CurrencyRate: 0.5 });
    expect(await sideOf(given, out.ToBankTransactionID)).toMatchObject({
      Total: 125,
      CurrencyCode: "EUR",
      CurrencyRate: 0.5,
    });
    expect(await sideOf(given, out.FromBankTransactionID)).toMatchObject({
      Total: 250,
      CurrencyCode: "NZD",
      CurrencyRate: 1,
    });
    await moved(given, { FromBankAccount: { Code: "095" }, Amount: 25 });
    expect(await movements(given)).toMatchObject({
      "Business Account (090)": -250,
      "Euros (095)": 200,
      "Savings (091)": 50,
    });
    expect(await faultsIn(given)).toEqual([]);
  });

  test.each([
    [{ FromBankAccount: undefined }, "FromBankAccount"],
    [{ ToBankAccount: { Code: "200" } }, "The account '200' is not a bank account."],
    [{ ToBankAccount: { Code: "090" } }, "A bank transfer is between two bank accounts."],
    [{ Amount: 0 }, "The Amount of a bank transfer must be above zero."],
    [{ Amount: -5 }, "The Amount of a bank transfer must be above zero."],
    [{ Status: "DELETED" }, "A new bank transfer has the Status AUTHORISED."],
    [{ FromTracking: [{ Name: "Moon", Option: "Dark" }] }, "There is no tracking category 'Moon'."],
  ])("a bank transfer is refused: %j", async (fields, part) => {
    const given = await world();
    const sentences = await given.refused("PUT", "/BankTransfers", { ...moving, ...fields });
    expect(sentences.join(" ")).toContain(part);
    expect((await given.ok("GET", "/Journals")).Journals).toEqual([]);
  });
});

describe("deleting bank transfers", () => {
  test("deleting a bank transfer reverses its postings, and removes it from the list", async () => {
    const given = await world();
    const { BankTransferID, ToBankTransactionID } = await moved(given);
    const kept = await moved(given, { Amount: 1 });
    const path = `/BankTransfers/${BankTransferID}`;
    const [gone] = (await given.ok("POST", path, { Status: "DELETED" })).BankTransfers;
    expect(gone).toMatchObject({ BankTransferID, Status: "DELETED", Amount: 250 });
    expect(await movements(given)).toMatchObject({ "Savings (091)": 1 });
    const ids = async (query = {}) =>
      (await given.ok("GET", "/BankTransfers", undefined, { query })).BankTransfers.map(
        (each: Json) => each.BankTransferID,
      );
    expect(await ids()).toEqual([kept.BankTransferID]);
    expect(await ids({ includeDeleted: "true" })).toEqual([BankTransferID, kept.BankTransferID]);
    expect((await given.ok("GET", path)).BankTransfers[0].Status).toBe("DELETED");
    expect((await sideOf(given, ToBankTransactionID)).Status).toBe("DELETED");
    expect(await given.refused("POST", path, { Status: "DELETED" })).toEqual([
      "The bank transfer is deleted already.",
    ]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("several bank transfers can be deleted in one request, each named by its id", async () => {
    const given = await world();
    const both = [await moved(given), await moved(given)];
    await given.ok("POST", "/BankTransfers", {
      BankTransfers: both.map(({ BankTransferID }) => ({ BankTransferID, Status: "DELETED" })),
    });
    expect(await movements(given)).toEqual({ Total: 0 });
  });

  test("deleting a bank transfer together with another change is refused", async () => {
    const given = await world();
    const { BankTransferID } = await moved(given);
    expect(await given.refused("POST", `/BankTransfers/${BankTransferID}`, { Amount: 5 })).toEqual([
      "A bank transfer cannot be changed; its Status can be set to DELETED.",
    ]);
    expect(await given.refused("POST", "/BankTransfers", moving)).toEqual([
      "A bank transfer is made with PUT; POST deletes the one that its BankTransferID names.",
    ]);
  });
});

describe("the list of bank transfers", () => {
  test("bank transfers can be filtered, ordered and read with If-Modified-Since by creation time", async () => {
    const given = await world();
    const first = await moved(given, { Date: "2026-03-05" });
    given.now += 60_000;
    const since = new Date(given.now).toISOString().slice(0, 19);
    const second = await moved(given, { Date: "2026-03-03", Amount: 5 });
    const ids = async (query: Record<string, string>, headers = {}) =>
      (await given.ok("GET", "/BankTransfers", undefined, { query, headers })).BankTransfers.map(
        (each: Json) => each.BankTransferID,
      );
    const [one, two] = [first.BankTransferID, second.BankTransferID];
    expect(await ids({})).toEqual([one, two]);
    expect(await ids({ order: "CreatedDateUTC DESC" })).toEqual([two, one]);
    expect(await ids({ order: "Date" })).toEqual([two, one]);
    expect(await ids({ where: "Amount<100" })).toEqual([two]);
    expect(await ids({ where: 'FromBankAccount.Code=="091"' })).toEqual([]);
    expect(await ids({}, { "if-modified-since": since })).toEqual([two]);
  });
});

test("a bank transfer has a history, to which notes can be added", async () => {
  const given = await world();
  const { BankTransferID } = await moved(given);
  const path = `/BankTransfers/${BankTransferID}/History`;
  await given.ok("PUT", path, { HistoryRecords: [{ Details: "For the tax" }] });
  const { HistoryRecords } = await given.ok("GET", path);
  expect(HistoryRecords.map((each: Json) => each.Details)).toEqual([
    "For the tax",
    "Bank transfer of 250.00 from Business Account to Savings was made.",
  ]);
});

test("bank transfers are read and written as XML", async () => {
  const given = await world();
  const answer = await given.ask(
    "PUT",
    "/BankTransfers",
    `<BankTransfers><BankTransfer><FromBankAccount><Code>090</Code></FromBankAccount>
      <ToBankAccount><Code>091</Code></ToBankAccount><Amount>20.00</Amount></BankTransfer>
      </BankTransfers>`,
    { headers: { "content-type": "text/xml", accept: "text/xml" } },
  );
  expect(answer.status).toBe(200);
  expect(answer.text).toContain("<Amount>20.00</Amount>");
  expect(answer.text).toContain("<CurrencyRate>1.000000</CurrencyRate>");
});
