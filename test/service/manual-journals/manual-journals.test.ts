/** Manual journals: drafted, posted, edited, voided, and kept off the cash basis. */
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { faultsIn, type Json, movements, reportRows, type World, world } from "../fixture.ts";

const insurance = [
  { LineAmount: 55, AccountCode: "433", Description: "Kiln insurance" },
  { LineAmount: -55, AccountCode: "620" },
];

const entry = (fields: object = {}) => ({
  Narration: "Kiln insurance, March share",
  Date: "2026-03-31",
  JournalLines: insurance,
  ...fields,
});

async function made(given: World, fields: object = {}): Promise<Json> {
  const answer = await given.ok("PUT", "/ManualJournals", entry(fields));
  return answer.ManualJournals[0];
}

const posted = (given: World, fields: object = {}) => made(given, { Status: "POSTED", ...fields });

async function changed(given: World, { ManualJournalID }: Json, fields: object): Promise<Json> {
  const answer = await given.ok("POST", `/ManualJournals/${ManualJournalID}`, fields);
  return answer.ManualJournals[0];
}

async function journals(given: World, paymentsOnly = "false"): Promise<Json[]> {
  return (await given.ok("GET", "/Journals", undefined, { query: { paymentsOnly } })).Journals;
}

/** Account codes with net amounts and tax, as the ledger has them. */
const lines = (journal: Json) =>
  journal.JournalLines.map((each: Json) => [each.AccountCode, each.NetAmount, each.TaxAmount]);

describe("creating a manual journal", () => {
  test("a new manual journal is a draft that posts nothing", async () => {
    const given = await world();
    expect(await made(given, { Date: undefined, Url: "https://heron.example/m/1" })).toMatchObject({
      Narration: "Kiln insurance, March share",
      DateString: "2026-03-01T00:00:00",
      Status: "DRAFT",
      LineAmountTypes: "NoTax",
      ShowOnCashBasisReports: true,
      HasAttachments: false,
      Url: "https://heron.example/m/1",
      JournalLines: [
        {
          LineAmount: 55,
          AccountCode: "433",
          Description: "Kiln insurance",
          TaxType: "NONE",
          TaxAmount: 0,
          IsBlank: false,
        },
        { LineAmount: -55, AccountCode: "620" },
      ],
    });
    expect(await journals(given)).toEqual([]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a manual journal is posted on both accounting bases, also from XML", async () => {
    const given = await world();
    const body = `<ManualJournal><Narration>Kiln insurance</Narration><Date>2026-03-31</Date>
      <Status>POSTED</Status><JournalLines>
      <JournalLine><LineAmount>55.00</LineAmount><AccountCode>433</AccountCode></JournalLine>
      <JournalLine><LineAmount>-55.00</LineAmount><AccountCode>620</AccountCode></JournalLine>
      </JournalLines></ManualJournal>`;
    const headers = { "content-type": "application/xml" };
    const { ManualJournals } = await given.ok("PUT", "/ManualJournals", body, { headers });
    for (const paymentsOnly of ["false", "true"]) {
      const [journal, ...others] = await journals(given, paymentsOnly);
      expect(others).toEqual([]);
      expect(journal).toMatchObject({
        SourceType: "MANJOURNAL",
        SourceID: ManualJournals[0].ManualJournalID,
        Reference: "Kiln insurance",
      });
      expect(lines(journal)).toEqual([
        ["433", 55, 0],
        ["620", -55, 0],
      ]);
    }
    expect(await faultsIn(given)).toEqual([]);
  });

  test("lines of a manual journal may name accounts by id, and have tracking", async () => {
    const given = await world();
    await given.ok("PUT", "/TrackingCategories", { Name: "Studio" });
    await given.ok("PUT", "/TrackingCategories/Studio/Options", { Name: "North Quay" });
    const { Accounts } = await given.ok("GET", "/Accounts");
    const { AccountID } = Accounts.find((each: Json) => each.Code === "433");
    await posted(given, {
      JournalLines: [
        {
          LineAmount: 7,
          AccountID,
          Tracking: [{ Name: "studio", Option: "north quay" }],
        },
        { LineAmount: -7, AccountCode: "620" },
        { Description: "a word on it", IsBlank: true },
      ],
    });
    const [journal] = await journals(given);
    expect(journal.JournalLines[0].TrackingCategories).toMatchObject([
      { Name: "Studio", Option: "North Quay" },
    ]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a manual journal line with only a description is kept", async () => {
    const given = await world();
    const { JournalLines } = await made(given, {
      JournalLines: [...insurance, { Description: "see the policy", IsBlank: true }],
    });
    expect(JournalLines[2]).toEqual({
      Description: "see the policy",
      IsBlank: true,
      Tracking: [],
    });
  });

  test("a manual journal may post to retained earnings", async () => {
    const given = await world();
    const { Accounts } = await given.ok("GET", "/Accounts");
    const retained = Accounts.find((each: Json) => each.SystemAccount === "RETAINEDEARNINGS");
    const JournalLines = [
      { LineAmount: 10, AccountCode: retained.Code },
      { LineAmount: -10, AccountCode: "970" },
    ];
    expect((await posted(given, { JournalLines })).Status).toBe("POSTED");
  });
});

describe("tax on manual journals", () => {
  const taxed = (cost: number, other: number) => [
    { LineAmount: cost, AccountCode: "433", TaxType: "INPUT2" },
    { LineAmount: other, AccountCode: "620", TaxType: "NONE" },
  ];

  test.each([
    ["Exclusive", taxed(100, -115)],
    ["Inclusive", taxed(115, -115)],
  ])(
    "the tax of a manual journal line (%s) is posted to the tax account on the same side as the line",
    async (LineAmountTypes, sent) => {
      const given = await world();
      const journal = await posted(given, { LineAmountTypes, JournalLines: sent });
      expect(journal.JournalLines[0]).toMatchObject({ TaxType: "INPUT2", TaxAmount: 15 });
      expect(lines((await journals(given))[0])).toEqual([
        ["433", 100, 15],
        ["820", 15, 0],
        ["620", -115, 0],
      ]);
      expect(await faultsIn(given)).toEqual([]);
    },
  );

  test("the tax of a credit line in a manual journal is a credit", async () => {
    const given = await world();
    await posted(given, { LineAmountTypes: "Exclusive", JournalLines: taxed(-100, 115) });
    expect(await movements(given)).toMatchObject({ "GST (820)": -15, "Insurance (433)": -100 });
  });

  test("a manual journal line without a tax rate gets the rate of its account", async () => {
    const given = await world();
    const JournalLines = [
      { LineAmount: 100, AccountCode: "433" },
      { LineAmount: -100, AccountCode: "429" },
    ];
    const journal = await posted(given, { LineAmountTypes: "Exclusive", JournalLines });
    expect(journal.JournalLines.map((each: Json) => each.TaxAmount)).toEqual([15, -15]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a tax amount sent with a manual journal line is stored unchanged", async () => {
    const given = await world();
    const JournalLines = [
      { LineAmount: 100, AccountCode: "433", TaxType: "INPUT2", TaxAmount: 14.99 },
      { LineAmount: -114.99, AccountCode: "620", TaxType: "NONE" },
    ];
    await posted(given, { LineAmountTypes: "Exclusive", JournalLines });
    expect(await movements(given)).toMatchObject({ "GST (820)": 14.99 });
  });

  test("a manual journal whose lines balance only without tax is refused", async () => {
    const given = await world();
    const body = entry({ LineAmountTypes: "Exclusive", JournalLines: taxed(100, -100) });
    expect(await given.refused("PUT", "/ManualJournals", body)).toEqual([
      "The total debits (115.00) must equal total credits (-100.00)",
    ]);
  });
});

describe("manual journals that are refused", () => {
  const two = (first: object, second: object = { LineAmount: -1, AccountCode: "620" }) => ({
    JournalLines: [{ LineAmount: 1, ...first }, second],
  });

  test.each<[string, object, string[]]>([
    [
      "out of balance",
      two({ LineAmount: 100, AccountCode: "433" }, { LineAmount: -10, AccountCode: "620" }),
      ["The total debits (100.00) must equal total credits (-10.00)"],
    ],
    [
      "with one line",
      { JournalLines: [{ LineAmount: 0, AccountCode: "433" }] },
      ["A manual journal needs at least 2 lines."],
    ],
    ["without lines", { JournalLines: undefined }, ["A manual journal needs at least 2 lines."]],
    ["without a narration", { Narration: undefined }, ["Narration is required."]],
    ["without an account", two({}), ["Account code or ID must be specified. (line 1)"]],
    [
      "on an account that is not there",
      two({ AccountCode: "nope" }),
      ["Account code 'nope' is not a valid code for this document. (line 1)"],
    ],
    [
      "on receivables",
      two({ AccountCode: "610" }),
      ["Account code '610' is not a valid code for this document. (line 1)"],
    ],
    [
      "on payables",
      two({ AccountCode: "800" }),
      ["Account code '800' is not a valid code for this document. (line 1)"],
    ],
    [
      "on a bank account",
      two({ AccountCode: "090" }),
      ["Account code '090' is not a valid code for this document. (line 1)"],
    ],
    [
      "on an inventory account",
      two({ AccountCode: "630" }),
      ["Account code '630' is an inventory account: it stands at its items. (line 1)"],
    ],
    [
      "with a blank line that has an amount",
      two({ AccountCode: "433", IsBlank: true }),
      ["A blank line has neither an amount nor an account. (line 1)"],
    ],
    [
      "with tax that does not fit its account",
      { LineAmountTypes: "Inclusive", ...two({ AccountCode: "433", TaxType: "OUTPUT2" }) },
      ["The TaxType code 'OUTPUT2' cannot be used with account code '433'. (line 1)"],
    ],
    [
      "with tracking that is not there",
      two({ AccountCode: "433", Tracking: [{ Name: "Studio", Option: "North" }] }),
      ["There is no tracking category 'Studio'. (line 1)"],
    ],
    ["as void", { Status: "VOIDED" }, ["Manual Journal not of valid status for creation"]],
  ])("a manual journal is refused: %s", async (_name, fields, messages) => {
    const given = await world();
    const body = entry({ Status: "POSTED", ...fields });
    expect(await given.refused("PUT", "/ManualJournals", body)).toEqual(messages);
    expect(await journals(given)).toEqual([]);
  });

  test("a manual journal on or before a lock date is refused", async () => {
    const given = await world();
    const { changeBook } = await import("../../../src/service/books/book.ts");
    const journal = await posted(given);
    await changeBook(given.book, { PeriodLockDate: "2026-03-31" });
    const message =
      "The document date cannot be before the period lock date, currently set at 31-Mar-2026";
    const path = `/ManualJournals/${journal.ManualJournalID}`;
    const body = entry({ Status: "POSTED" });
    expect(await given.refused("PUT", "/ManualJournals", body)).toEqual([message]);
    expect(await given.refused("POST", path, { Date: "2026-04-01" })).toEqual([message]);
    expect(await given.refused("POST", path, { ShowOnCashBasisReports: false })).toEqual([message]);
    expect(await given.refused("POST", path, { Status: "VOIDED" })).toEqual([message]);
    await given.ok("POST", path, { Narration: "Kiln insurance", Url: "https://heron.example/m" });
    const draft = await made(given);
    await given.ok("POST", `/ManualJournals/${draft.ManualJournalID}`, { Status: "DELETED" });
    expect(await journals(given)).toHaveLength(1);
  });

  test("with SummarizeErrors=false a refused manual journal does not stop others from being stored", async () => {
    const given = await world();
    const ManualJournals = [entry(), entry({ JournalLines: [] })];
    const query = { SummarizeErrors: "false" };
    const answer = await given.ok("PUT", "/ManualJournals", { ManualJournals }, { query });
    expect(answer.ManualJournals.map((each: Json) => each.StatusAttributeString)).toEqual([
      "OK",
      "ERROR",
    ]);
    expect((await given.ok("GET", "/ManualJournals")).ManualJournals).toHaveLength(1);
  });
});

describe("the status of a manual journal", () => {
  const statuses = ["DRAFT", "POSTED", "DELETED", "VOIDED", "ARCHIVED"];
  const allowed: Record<string, string[]> = {
    DRAFT: ["DRAFT", "POSTED", "DELETED", "ARCHIVED"],
    POSTED: ["POSTED", "VOIDED"],
    DELETED: [],
    VOIDED: [],
    ARCHIVED: ["DRAFT"],
  };

  test.each(statuses)(
    "a %s manual journal can change only to its allowed statuses",
    async (from) => {
      const given = await world();
      for (const to of statuses) {
        const journal = await (from === "POSTED" || from === "VOIDED" ? posted : made)(given);
        if (from !== journal.Status) await changed(given, journal, { Status: from });
        const answer = await given.ask("POST", `/ManualJournals/${journal.ManualJournalID}`, {
          Status: to,
        });
        expect([to, answer.status]).toEqual([to, allowed[from]?.includes(to) ? 200 : 400]);
      }
      expect(await faultsIn(given)).toEqual([]);
    },
  );

  test("voiding a manual journal posts its reversal on the date of the journal", async () => {
    const given = await world();
    const journal = await posted(given);
    given.now += 40 * 86_400_000;
    expect((await changed(given, journal, { Status: "VOIDED" })).JournalLines).toHaveLength(2);
    const [, reversal] = await journals(given);
    expect(reversal).toMatchObject({ SourceType: "MANJOURNAL" });
    expect(reversal.JournalDate).toBe(journal.Date);
    expect(lines(reversal)).toEqual([
      ["433", -55, 0],
      ["620", 55, 0],
    ]);
    expect(await given.refused("POST", "/ManualJournals", { ...journal, Narration: "x" })).toEqual([
      "Manual Journal not of valid status for modification",
    ]);
    expect(await faultsIn(given)).toEqual([]);
  });
});

describe("edits of a posted manual journal", () => {
  test("an edited amount reverses and reposts the manual journal", async () => {
    const given = await world();
    const journal = await posted(given);
    await changed(given, journal, {
      JournalLines: [
        { LineAmount: 60, AccountCode: "433" },
        { LineAmount: -60, AccountCode: "620" },
      ],
    });
    expect((await journals(given)).map(lines)).toEqual([
      [
        ["433", 55, 0],
        ["620", -55, 0],
      ],
      [
        ["433", -55, 0],
        ["620", 55, 0],
      ],
      [
        ["433", 60, 0],
        ["620", -60, 0],
      ],
    ]);
    expect(await movements(given)).toMatchObject({
      "Insurance (433)": 60,
      "Prepayments (620)": -60,
    });
    expect(await faultsIn(given)).toEqual([]);
  });

  test.each<[string, object]>([
    ["its narration", { Narration: "Kiln and shed" }],
    ["its link", { Url: "https://heron.example/m/2" }],
    ["everything as it was read", {}],
  ])("an edit of %s in a manual journal posts nothing", async (_name, fields) => {
    const given = await world();
    const journal = await posted(given, { LineAmountTypes: "Inclusive" });
    await changed(given, journal, { ...journal, ...fields });
    expect(await journals(given)).toHaveLength(1);
  });

  test("an edited manual journal may keep lines on an archived account; new journals may not use it", async () => {
    const given = await world();
    const journal = await posted(given);
    const { Accounts } = await given.ok("GET", "/Accounts");
    const { AccountID } = Accounts.find((each: Json) => each.Code === "433");
    await given.ok("POST", `/Accounts/${AccountID}`, { Status: "ARCHIVED" });
    await changed(given, journal, { Date: "2026-03-30", JournalLines: journal.JournalLines });
    expect(await given.refused("PUT", "/ManualJournals", entry())).toEqual([
      "Account code '433' has been removed as it does not match a recognised account. (line 1)",
    ]);
  });

  test("an edit of the LineAmountTypes of a manual journal recomputes its tax", async () => {
    const given = await world();
    const JournalLines = [
      { LineAmount: 115, AccountCode: "433", TaxType: "INPUT2" },
      { LineAmount: -115, AccountCode: "429", TaxType: "INPUT2" },
    ];
    const journal = await posted(given, { LineAmountTypes: "Inclusive", JournalLines });
    const after = await changed(given, journal, { LineAmountTypes: "Exclusive" });
    expect(after.JournalLines.map((each: Json) => each.TaxAmount)).toEqual([17.25, -17.25]);
    expect(await faultsIn(given)).toEqual([]);
  });
});

describe("manual journals on the cash basis", () => {
  test("a manual journal is included on the cash basis only with ShowOnCashBasisReports", async () => {
    const given = await world();
    const journal = await posted(given, { ShowOnCashBasisReports: false });
    expect(await journals(given, "true")).toEqual([]);
    expect(await faultsIn(given)).toEqual([]);
    await changed(given, journal, { ShowOnCashBasisReports: true });
    expect(await journals(given, "true")).toHaveLength(1);
    const query = { fromDate: "2026-03-01", toDate: "2026-03-31", paymentsOnly: "true" };
    expect((await reportRows(given, "ProfitAndLoss", query)).Insurance).toEqual(["55.00"]);
    await changed(given, journal, { ShowOnCashBasisReports: false });
    expect((await reportRows(given, "ProfitAndLoss", query)).Insurance).toBeUndefined();
    // What it counts on accrual basis has not changed.
    expect(await journals(given)).toHaveLength(1);
    expect(await faultsIn(given)).toEqual([]);
  });
});

describe("verification of manual journals changed by SQL", () => {
  test.each<[string, string, RegExp]>([
    [
      "in which a line is changed",
      "update document_line set line_amount = 1 where ord = 0",
      /Manual journal \S+ is out of balance by -54\.99/,
    ],
    [
      "in which a posting stands on another line",
      "update posting set line = 1 where ord = 0 and basis = 0",
      /Manual journal \S+: 0\.00 of line 1 is posted, not 55\.00/,
    ],
    [
      "in which a draft is posted",
      "update manual_journal set status = 'DRAFT'",
      /Manual journal \S+: 55\.00 of line 1 is posted, not 0\.00/,
    ],
    [
      "in which one counts on cash basis that should not",
      "update manual_journal set show_on_cash_basis_reports = 0",
      /Manual journal \S+: 55\.00 of line 1 is posted on cash basis, not 0\.00/,
    ],
    [
      "in which one is gone",
      "delete from manual_journal",
      /There are lines of a document \S+, which does not exist/,
    ],
  ])("verification finds a book %s", async (_name, statement, fault) => {
    const given = await world();
    await posted(given);
    const { store, org } = given.book;
    const own = `${statement} ${statement.includes(" where ") ? "and" : "where"} org = ${org}`;
    given.isTampered = true;
    await store.write(org, async ({ db }) => void (await sql.raw(own).execute(db)));
    expect((await faultsIn(given)).join("\n")).toMatch(fault);
  });
});

describe("reading manual journals", () => {
  test("a list of manual journals has no lines; a page of them and a single journal have", async () => {
    const given = await world();
    const { ManualJournalID } = await made(given);
    const [listed] = (await given.ok("GET", "/ManualJournals")).ManualJournals;
    expect(listed.JournalLines).toEqual([]);
    const query = { page: "1" };
    const page = await given.ok("GET", "/ManualJournals", undefined, { query });
    expect(page.pagination).toMatchObject({ page: 1, itemCount: 1 });
    expect(page.ManualJournals[0].JournalLines).toHaveLength(2);
    const path = `/ManualJournals/${ManualJournalID}`;
    expect((await given.ok("GET", path)).ManualJournals[0].JournalLines).toMatchObject([
      { AccountCode: "433", LineAmount: 55 },
      { AccountCode: "620", LineAmount: -55 },
    ]);
    expect(
      (await given.ask("GET", "/ManualJournals/00000000-0000-7000-8000-999999999999")).status,
    ).toBe(404);
  });

  test("manual journals can be filtered, ordered and read with If-Modified-Since", async () => {
    const given = await world();
    const draft = await made(given, { Date: "2026-03-02" });
    given.now += 5000;
    const since = new Date(given.now).toISOString();
    await posted(given, { Narration: "Wages", Date: "2026-03-01" });
    const narrations = async (query: Record<string, string>, headers = {}) =>
      (await given.ok("GET", "/ManualJournals", undefined, { query, headers })).ManualJournals.map(
        (each: Json) => each.Narration,
      );
    expect(await narrations({ where: 'Status=="POSTED"' })).toEqual(["Wages"]);
    expect(await narrations({ where: "Date<DateTime(2026,3,2)" })).toEqual(["Wages"]);
    expect(await narrations({ order: "Date" })).toEqual(["Wages", draft.Narration]);
    expect(await narrations({}, { "if-modified-since": since })).toEqual(["Wages"]);
  });

  test("the history of a manual journal lists its changes and notes", async () => {
    const given = await world();
    const journal = await made(given);
    for (const Status of ["ARCHIVED", "DRAFT", "POSTED", "POSTED", "VOIDED"]) {
      given.now += 1000;
      await changed(given, journal, { Status });
    }
    const path = `/ManualJournals/${journal.ManualJournalID}/History`;
    given.now += 1000;
    await given.ok("PUT", path, { HistoryRecords: [{ Details: "asked the broker" }] });
    const { HistoryRecords } = await given.ok("GET", path);
    expect(HistoryRecords.map((each: Json) => each.Changes)).toEqual([
      "Note",
      "Voided",
      "Edited",
      "Posted",
      "Restored",
      "Archived",
      "Created",
    ]);
  });

  test("files can be attached to a manual journal", async () => {
    const given = await world();
    const { ManualJournalID } = await made(given);
    const path = `/ManualJournals/${ManualJournalID}`;
    const headers = { "content-type": "text/plain" };
    await given.ok("PUT", `${path}/Attachments/policy.txt`, "policy", { headers });
    expect((await given.ok("GET", path)).ManualJournals[0].HasAttachments).toBe(true);
    expect(await faultsIn(given)).toEqual([]);
  });
});
