/** Manual journals that are posted together: all or none, and taken back together. */
import { describe, expect, test } from "vitest";
import { faultsIn, type Json, reportRows, type World, world } from "../fixture.ts";

const path = "/Extensions/JournalSeries";
const lines = [
  { AccountCode: "445", LineAmount: 80 },
  { AccountCode: "835", LineAmount: -80 },
];
const series = (own: object) => ({
  Narration: "Power of March",
  Date: "2026-03-31",
  JournalLines: lines,
  ...own,
});

const posted = async (given: World, own: object): Promise<Json[]> =>
  (await given.ok("POST", path, series(own))).ManualJournals;

const statuses = async (given: World) =>
  (await given.ok("GET", "/ManualJournals")).ManualJournals.map((each: Json) => each.Status);

const balance = async (given: World, account: string, date: string) => {
  const [debit, credit] = (
    (await reportRows(given, "TrialBalance", { date }))[account] ?? []
  ).slice(-2);
  return Number(debit || 0) - Number(credit || 0);
};

test("a manual journal and its automatic reversal are posted at once and voided together", async () => {
  const given = await world();
  const [first, second] = await posted(given, { ReverseOn: "2026-04-01" });
  expect([first?.Status, second?.Status, second?.Narration]).toEqual([
    "POSTED",
    "POSTED",
    "Reversal: Power of March",
  ]);
  expect(await balance(given, "Light, Power, Heating (445)", "2026-03-31")).toBe(80);
  expect(await balance(given, "Revenue Received in Advance (835)", "2026-03-31")).toBe(-80);
  expect(await balance(given, "Revenue Received in Advance (835)", "2026-04-30")).toBe(0);
  await given.ok("POST", `/ManualJournals/${second?.ManualJournalID}`, { Status: "VOIDED" });
  expect(await statuses(given)).toEqual(["VOIDED", "VOIDED"]);
  expect(await balance(given, "Light, Power, Heating (445)", "2026-03-31")).toBe(0);
  const history = `/ManualJournals/${first?.ManualJournalID}/History`;
  const [last] = (await given.ok("GET", history)).HistoryRecords;
  expect(last.Details).toBe("The manual journal was voided.");
  expect(await faultsIn(given)).toEqual([]);
});

test("voiding a journal with an automatic reversal is refused if either date is locked, and both stay posted", async () => {
  const given = await world();
  const [, second] = await posted(given, { ReverseOn: "2026-04-01" });
  await given.ok("POST", "/Organisation/Settings", { PeriodLockDate: "2026-03-31" });
  const voided = { Status: "VOIDED" };
  const [reason] = await given.refused(
    "POST",
    `/ManualJournals/${second?.ManualJournalID}`,
    voided,
  );
  expect(reason).toMatch(/period lock date/);
  expect(await statuses(given)).toEqual(["POSTED", "POSTED"]);
  expect(await faultsIn(given)).toEqual([]);
});

test("a cost is spread over months by journals through the prepayments account", async () => {
  const given = await world();
  const JournalLines = [{ AccountCode: "433", LineAmount: 1000 }];
  const made = await posted(given, { Date: "2026-04-01", Months: 3, JournalLines });
  expect(made).toHaveLength(4);
  const prepaid = (date: string) => balance(given, "Prepayments (620)", date);
  expect(await Promise.all(["2026-04-15", "2026-04-30", "2026-05-31"].map(prepaid))).toEqual([
    1000, 666.67, 333.33,
  ]);
  expect(await prepaid("2026-06-30")).toBe(0);
  await given.ok("POST", `/ManualJournals/${made[2]?.ManualJournalID}`, { Status: "VOIDED" });
  expect(new Set(await statuses(given))).toEqual(new Set(["VOIDED"]));
});

test("each of a series of repeated journals can be voided without the others", async () => {
  const given = await world();
  const made = await posted(given, { Date: "2026-01-31", Every: "MONTH", Times: 3 });
  expect(made.map((each) => each.DateString?.slice(0, 10) ?? each.Date)).toHaveLength(3);
  await given.ok("POST", `/ManualJournals/${made[1]?.ManualJournalID}`, { Status: "VOIDED" });
  expect((await statuses(given)).sort()).toEqual(["POSTED", "POSTED", "VOIDED"]);
});

describe("series of manual journals that are refused", () => {
  test.each([
    ["no kind", {}, "A series has one of ReverseOn, Months and Every."],
    [
      "two kinds",
      { ReverseOn: "2026-04-01", Months: 2 },
      "A series has one of ReverseOn, Months and Every.",
    ],
    [
      "a repetition without an end",
      { Every: "MONTH" },
      "What is repeated has either Times or Until.",
    ],
    [
      "a reversal before the journal",
      { ReverseOn: "2026-03-01" },
      "A reversal comes after the journal, which is of 2026-03-31.",
    ],
    [
      "a spread amount with tax",
      { Months: 2, LineAmountTypes: "Exclusive" },
      "Amounts are spread without tax: LineAmountTypes is NoTax.",
    ],
    [
      "a prepayment account that is none",
      { Months: 2, PrepaymentAccount: { Code: "nope" } },
      "There is no active account 'nope' for prepayments.",
    ],
    [
      "a single line",
      { ReverseOn: "2026-04-01", JournalLines: lines.slice(1) },
      "A manual journal needs at least 2 lines",
    ],
  ])(
    "a series of manual journals is refused and nothing posted: %s",
    async (_what, own, sentence) => {
      const given = await world();
      expect((await given.refused("POST", path, series(own))).join(" ")).toContain(sentence);
      expect(await statuses(given)).toEqual([]);
    },
  );

  test("a series of manual journals with one date in a locked period is refused", async () => {
    const given = await world();
    await given.ok("POST", "/Organisation/Settings", { PeriodLockDate: "2026-02-28" });
    const own = { Date: "2026-01-31", Every: "MONTH", Times: 3 };
    const [reason] = await given.refused("POST", path, series(own));
    expect(reason).toMatch(/period lock date/);
    expect(await statuses(given)).toEqual([]);
  });
});
