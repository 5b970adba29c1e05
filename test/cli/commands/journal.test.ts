/** `acct journal` and `acct export journal`: what they ask of a service, and what they make of it. */
import { expect, test } from "vitest";
import { type Answers, records } from "../../client/service.ts";
import { acct } from "../line.ts";

const guid = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;

function journal(JournalNumber: number, JournalDate = "2026-03-01") {
  const line = (at: number, NetAmount: number) => ({
    JournalLineID: guid(at),
    AccountID: guid(at),
    AccountCode: `10${at}`,
    AccountType: at === 1 ? "BANK" : "REVENUE",
    AccountName: at === 1 ? "Till" : "Sales",
    Description: "",
    NetAmount,
    GrossAmount: NetAmount,
    TaxAmount: 0,
    TrackingCategories: [],
  });
  return {
    JournalID: guid(100 + JournalNumber),
    JournalDate: `/Date(${Date.parse(JournalDate)}+0000)/`,
    JournalNumber,
    CreatedDateUTC: "/Date(1772160011270+0000)/",
    Reference: `INV-${JournalNumber}`,
    SourceType: "ACCREC",
    SourceID: guid(200 + JournalNumber),
    JournalLines: [line(1, 80.5), line(2, -80.5)],
  };
}

/** A service that gives two journals at a time. */
function serving(all: readonly ReturnType<typeof journal>[]): Answers {
  return {
    "GET /Journals": ({ query }) => {
      const after = Number(query.find(([name]) => name === "offset")?.[1]);
      return records("Journals", all.filter((each) => each.JournalNumber > after).slice(0, 2));
    },
    "GET /Journals/2": records("Journals", all.slice(1, 2)),
    "GET /Organisation": records("Organisations", [{ Name: "Blue Kiln", BaseCurrency: "NZD" }]),
    "GET /Accounts": records("Accounts", [
      { AccountID: guid(1), Code: "101", Name: "Till", Type: "BANK" },
    ]),
  };
}

/** A book is asked for its currency, which journals do not name. */
const ofBook = "GET /Organisation";

const five = [1, 2, 3, 4, 5].map((at) => journal(at, at === 4 ? "2026-02-27" : "2026-03-01"));

test("the list of journals requests page after page until the last journal", async () => {
  const { code, stdout, lines } = await acct(
    ["journal", "list", "-o", "csv", "--columns", "JournalNumber"],
    serving(five),
  );
  expect([code, stdout]).toEqual([0, "JournalNumber\n1\n2\n3\n4\n5\n"]);
  expect(lines).toEqual([0, 2, 4, 5].map((at) => `GET /Journals?paymentsOnly=false&offset=${at}`));
});

test("journals are filtered by number, days, time and basis, and a list cut at its limit says so", async () => {
  const listed = async (...words: string[]) => {
    const ran = await acct(["journal", "list", "-o", "id", ...words], serving(five));
    return { ...ran, ids: ran.stdout.trim().split("\n") };
  };
  expect((await listed("--period", "2026-02")).ids).toEqual([guid(104)]);
  expect((await listed("--from", "2026-03-01", "--offset", "3")).ids).toEqual([guid(105)]);
  const limited = await listed("--limit", "2");
  expect(limited.ids).toEqual([guid(101), guid(102)]);
  expect(limited.lines).toHaveLength(2);
  const cash = await listed("--payments-only", "--modified-since", "2026-03-01");
  expect(cash.lines[0]).toBe("GET /Journals?paymentsOnly=true&offset=0");
  expect(cash.asked[0]?.headers["if-modified-since"]).toBe("2026-03-01T00:00:00");
  const many = Array.from({ length: 101 }, (_, at) => journal(at + 1));
  const cut = await acct(["journal", "list", "-o", "id"], serving(many));
  expect(cut.stdout.trim().split("\n")).toHaveLength(100);
  expect(cut.stderr).toContain("These are the first 100; --all shows every one");
  const whole = await acct(["journal", "list", "-o", "id", "--all"], serving(many));
  expect([whole.stdout.trim().split("\n").length, whole.stderr]).toEqual([101, ""]);
  expect((await listed("--all", "--limit", "5")).code).toBe(2);
});

test("a journal is shown by its number, on the accrual or cash basis", async () => {
  const shown = await acct(["journal", "show", "2", "--payments-only"], serving(five));
  expect(shown.lines).toEqual(["GET /Journals/2?paymentsOnly=true", ofBook]);
  expect(shown.stdout).toContain("INV-2");
  const none = await acct(["journal", "show", "9"], serving(five));
  expect([none.code, none.stderr]).toEqual([3, "acct: There is no journal 9.\n"]);
});

test("the ledger is exported page by page, with the journals posted meanwhile", async () => {
  const { code, stdout, lines } = await acct(
    ["export", "journal", "--basis", "cash", "--period", "2026-02"],
    serving(five),
  );
  expect(code).toBe(0);
  expect(stdout).toBe(`; The ledger of Blue Kiln, cash basis.

decimal-mark .
commodity 1000.00 NZD

account assets:bank:101 Till  ; type: C

account revenues:revenue:102 Sales  ; type: R

2026-02-27 (4) ACCREC INV-4  ; journal-id:${guid(104)}, source-id:${guid(204)}
    assets:bank:101 Till  80.50 NZD
    revenues:revenue:102 Sales  -80.50 NZD
`);
  expect(lines.filter((line) => line.startsWith("GET /Journals"))).toEqual(
    [0, 2, 4, 5].map((at) => `GET /Journals?paymentsOnly=true&offset=${at}`),
  );
});

test("the export of a ledger with an account of an unknown type is refused with the name of the account", async () => {
  const odd = { AccountID: guid(9), Code: "9", Name: "Odd", Type: "MYSTERY" };
  const { code, stderr } = await acct(["export", "journal"], {
    ...serving(five),
    "GET /Accounts": records("Accounts", [odd]),
  });
  expect([code, stderr]).toEqual([
    6,
    expect.stringContaining("The account Odd is of a type MYSTERY"),
  ]);
});
