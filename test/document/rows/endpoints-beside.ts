/** Endpoints: Attachments, Reports. */
import { expect } from "vitest";
import type { Country } from "../../../src/ledger/regions/index.ts";
import type { Json } from "../../service/fixture.ts";
import type { Desk } from "../desk.ts";
import type { parents } from "../endpoints.ts";
import { rateFlags } from "../rate-flags.ts";
import { at, type Heading, type Row, row } from "../row.ts";

const text = { headers: { "content-type": "text/plain" } };

/** A record of each kind that the document says may have files. */
const records: Readonly<Record<(typeof parents)[number], (desk: Desk) => Promise<string>>> = {
  Invoices: async (desk) => (await desk.invoice()).InvoiceID,
  Receipts: async (desk) => {
    const { ContactID } = await desk.contact();
    const made = await desk.put("/Receipts", {
      Date: "2026-03-01",
      Contact: { ContactID },
      User: { UserID: (await desk.read("/Users"))[0].UserID },
      LineItems: [desk.line({ AccountCode: "429" })],
    });
    return made.ReceiptID;
  },
  CreditNotes: async (desk) => {
    const { ContactID } = await desk.contact();
    const LineItems = [desk.line()];
    const credit = { Type: "ACCRECCREDIT", Contact: { ContactID }, LineItems };
    return (await desk.put("/CreditNotes", credit)).CreditNoteID;
  },
  BankTransactions: async (desk) => {
    const { ContactID } = await desk.contact();
    const made = await desk.put("/BankTransactions", {
      Type: "RECEIVE",
      Contact: { ContactID },
      BankAccount: { Code: "090" },
      LineItems: [desk.line()],
    });
    return made.BankTransactionID;
  },
  BankTransfers: async (desk) => {
    const made = await desk.put("/BankTransfers", {
      FromBankAccount: { Code: "090" },
      ToBankAccount: { Code: "091" },
      Amount: 5,
    });
    return made.BankTransferID;
  },
  ManualJournals: async (desk) => {
    const made = await desk.put("/ManualJournals", {
      Narration: "Kiln",
      JournalLines: [
        { LineAmount: 5, AccountCode: "429" },
        { LineAmount: -5, AccountCode: "404" },
      ],
    });
    return made.ManualJournalID;
  },
  RepeatingInvoices: async (desk) => {
    const { ContactID } = await desk.contact();
    const made = await desk.put("/RepeatingInvoices", {
      Type: "ACCREC",
      Contact: { ContactID },
      LineItems: [desk.line()],
      Schedule: {
        Period: 1,
        Unit: "MONTHLY",
        DueDate: 20,
        DueDateType: "OFFOLLOWINGMONTH",
        StartDate: "2026-04-01",
      },
    });
    return made.RepeatingInvoiceID;
  },
  Contacts: async (desk) => (await desk.contact()).ContactID,
  Accounts: async (desk) => (await desk.read("/Accounts"))[0].AccountID,
  PurchaseOrders: async (desk) => (await desk.order()).PurchaseOrderID,
};

async function bytesOf(desk: Desk, path: string) {
  desk.asked.push(`GET ${path}`);
  const headers = { accept: desk.type };
  const file = await desk.given.book.transport({ method: "GET", path, query: [], headers });
  const parts: Uint8Array[] = [];
  if (typeof file.body === "string") parts.push(Buffer.from(file.body));
  else if (file.body instanceof Uint8Array) parts.push(file.body);
  else for await (const part of file.body) parts.push(part);
  return { ...file, text: Buffer.concat(parts).toString() };
}

export const attachments: Heading = {
  heading: "Endpoints: Attachments",
  rows: [
    ...Object.entries(records).flatMap(([name, make]): Row[] => [
      at(`GET /${name}/{Guid}/Attachments/`, "lists the files, each with its url", async (desk) => {
        const path = `/${name}/${await make(desk)}/Attachments/`;
        await desk.well("PUT", `${path}a.txt`, "x", text);
        const [file] = await desk.read(path);
        expect(file.Url).toMatch(/^https?:\/\/.*\/Attachments\/a\.txt$/);
      }),
      at(
        `GET /${name}/{Guid}/Attachments/{Filename}`,
        "is the raw file, and no XML or JSON",
        async (desk) => {
          const path = `/${name}/${await make(desk)}/Attachments/a.txt`;
          await desk.well("PUT", path, "<x>", text);
          const file = await bytesOf(desk, path);
          expect([file.status, file.text]).toEqual([200, "<x>"]);
          expect(file.headers["content-type"]).toMatch(/^text\/plain/);
          expect(file.headers["content-disposition"]).toMatch(/a\.txt/);
        },
      ),
      ...["POST", "PUT"].map((method) =>
        at(
          `${method} /${name}/{Guid}/Attachments/{Filename}`,
          "keeps the body as the file",
          async (desk) => {
            const path = `/${name}/${await make(desk)}/Attachments/a.png`;
            const { records } = await desk.well(method, path, "bytes", {
              headers: { "content-type": "image/png" },
            });
            expect(records).toMatchObject([
              { FileName: "a.png", MimeType: "image/png", ContentLength: "5" },
            ]);
          },
        ),
      ),
    ]),
    row("uploading to the address of a file replaces it", async (desk) => {
      const path = `/Invoices/${(await desk.invoice()).InvoiceID}/Attachments`;
      for (const [method, body] of [
        ["PUT", "1"],
        ["POST", "2"],
      ] as const) {
        await desk.well(method, `${path}/a.txt`, body, text);
      }
      expect(await desk.read(path)).toHaveLength(1);
      expect((await bytesOf(desk, `${path}/a.txt`)).text).toBe("2");
    }),
    row("IncludeOnline is for sales invoices and sales credit notes", async (desk) => {
      const query = { IncludeOnline: "true" };
      const sale = await desk.invoice();
      const path = `/Invoices/${sale.InvoiceID}/Attachments/a.txt`;
      const said = await desk.well("PUT", path, "x", { ...text, query });
      expect(said.records[0].IncludeOnline).toBe("true");
      const bill = await desk.put("/Invoices", await desk.bill());
      const other = `/Invoices/${bill.InvoiceID}/Attachments/a.txt`;
      const refused = await desk.ask("PUT", other, "x", { ...text, query });
      if (refused.status === 200) expect(refused.records[0].IncludeOnline).toBeUndefined();
      else expect(refused.status).toBe(400);
    }),
    row("special characters of a name come as they are, brackets encoded", async (desk) => {
      const path = `/Invoices/${(await desk.invoice()).InvoiceID}/Attachments`;
      const name = "50% off & more, it's ok! %5B1%5D.txt";
      await desk.well("PUT", `${path}/${name.replaceAll(" ", "%20")}`, "x", text);
      const [file] = await desk.read(path);
      expect(file.FileName).toBe("50% off & more, it's ok! [1].txt");
    }),
  ],
};

/** The kinds of row that a report has, at any depth. */
function kinds(rows: readonly Json[] = []): string[] {
  return rows.flatMap((each) => [each.RowType, ...kinds(each.Rows)]);
}

/** The names of the columns. */
function columns(report: Json): string[] {
  const header = report.Rows.find((each: Json) => each.RowType === "Header");
  return header.Cells.map((each: Json) => each.Value ?? "");
}

interface Made {
  readonly name: string;
  readonly says: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly country?: Country;
  readonly holds?: (report: Json, desk: Desk) => void | Promise<void>;
}

const month = { fromDate: "2026-03-01", toDate: "2026-03-31" };

const made: readonly Made[] = [
  {
    name: "BalanceSheet",
    says: "is as at the end of the month of date; periods, timeframe, standardLayout, paymentsOnly",
    query: {
      date: "2026-02-10",
      periods: "2",
      timeframe: "MONTH",
      standardLayout: "true",
      paymentsOnly: "false",
    },
    holds: (report) => expect(JSON.stringify(report)).toMatch(/28 Feb(ruary)? (20)?26/),
  },
  {
    name: "BankSummary",
    says: "is from one day to another",
    query: month,
    holds: (report) => expect(JSON.stringify(report)).toMatch(/Business Account|Closing Balance/),
  },
  {
    name: "BudgetSummary",
    says: "takes date, periods and timeframe 1, 3 or 12",
    query: { date: "2026-03-01", periods: "4", timeframe: "3" },
    holds: (report) => expect(columns(report).length).toBe(5),
  },
  { name: "ExecutiveSummary", says: "takes date", query: { date: "2026-03-01" } },
  {
    name: "ProfitAndLoss",
    says: "is of this month by default",
    holds: (report) => expect(JSON.stringify(report.ReportTitles)).toMatch(/31 March 2026/),
  },
  {
    name: "ProfitAndLoss",
    says: "takes fromDate, toDate, periods, timeframe, standardLayout and paymentsOnly",
    query: {
      ...month,
      periods: "11",
      timeframe: "MONTH",
      standardLayout: "true",
      paymentsOnly: "true",
    },
    holds: (report) => expect(columns(report)).toHaveLength(13),
  },
  {
    name: "TrialBalance",
    says: "is as at date, with the year to date; paymentsOnly",
    query: { date: "2026-03-31", paymentsOnly: "false" },
    holds: (report) => expect(columns(report).join()).toMatch(/YTD Debit,YTD Credit/),
  },
];

async function tracked(desk: Desk) {
  const found: Record<string, Json> = {};
  for (const Name of ["Region", "Team"]) {
    const category = await desk.put("/TrackingCategories", { Name });
    const path = `/TrackingCategories/${category.TrackingCategoryID}/Options`;
    const { records } = await desk.well("PUT", path, [
      { Name: `${Name} 1` },
      { Name: `${Name} 2` },
    ]);
    found[Name] = { id: category.TrackingCategoryID, options: records };
  }
  const Tracking = [
    { Name: "Region", Option: "Region 1" },
    { Name: "Team", Option: "Team 2" },
  ];
  await desk.approved({ LineItems: [desk.line({ Tracking })] });
  return found as Record<"Region" | "Team", Json>;
}

const optionId = (option: Json) => option.TrackingOptionID;

export const reports: Heading = {
  heading: "Endpoints: Reports",
  rows: [
    at(
      "GET /Reports/TenNinetyNine",
      "takes reportYear, in the United States alone",
      async (desk) => {
        expect((await desk.read("/Reports/TenNinetyNine", { reportYear: "2025" })).length).toBe(2);
      },
      "US",
    ),
    at("GET /Reports/TenNinetyNine", "is refused elsewhere", async (desk) => {
      await desk.refused("GET", "/Reports/TenNinetyNine", undefined, {
        query: { reportYear: "2025" },
      });
    }),
    ...["AgedPayablesByContact", "AgedReceivablesByContact"].map((name) =>
      at(`GET /Reports/${name}`, "takes contactID, date, fromDate and toDate", async (desk) => {
        const { ContactID } = await desk.contact();
        const Type = name === "AgedPayablesByContact" ? "ACCPAY" : "ACCREC";
        await desk.approved({ Type, Contact: { ContactID } });
        const plain = await desk.one(`/Reports/${name}`, { contactID: ContactID });
        expect(JSON.stringify(plain)).toMatch(/31 March 2026/);
        expect(JSON.stringify(plain.Rows)).toMatch(/"115/);
        const query = { contactID: ContactID, date: "2026-04-30", ...month };
        expect((await desk.one(`/Reports/${name}`, query)).ReportID).toBe(name);
      }),
    ),
    ...made.map(({ name, says, query, country, holds }) =>
      at(
        `GET /Reports/${name}`,
        says,
        async (desk) => {
          await desk.approved();
          const report = await desk.one(`/Reports/${name}`, query);
          expect(kinds(report.Rows)).toEqual(expect.arrayContaining(["Header", "Section"]));
          await holds?.(report, desk);
        },
        country,
      ),
    ),
    at("GET /Reports/BalanceSheet", "takes trackingOptionID1 and 2", async (desk) => {
      const { Region, Team } = await tracked(desk);
      const query = {
        date: "2026-03-31",
        trackingOptionID1: optionId(Region.options[0]),
        trackingOptionID2: optionId(Team.options[1]),
      };
      expect((await desk.one("/Reports/BalanceSheet", query)).ReportID).toBe("BalanceSheet");
    }),
    at("GET /Reports/ProfitAndLoss", "has a column per tracking option", async (desk) => {
      const { Region, Team } = await tracked(desk);
      const by = async (query: Record<string, string>) =>
        columns(await desk.one("/Reports/ProfitAndLoss", { ...month, ...query }));
      const all = await by({ trackingCategoryID: Region.id });
      expect(all).toEqual(expect.arrayContaining(["Region 1", "Region 2"]));
      const one = await by({
        trackingCategoryID: Region.id,
        trackingOptionID: optionId(Region.options[0]),
      });
      expect(one).toContain("Region 1");
      expect(one).not.toContain("Region 2");
      const pairs = await by({
        trackingCategoryID: Region.id,
        trackingCategoryID2: Team.id,
        trackingOptionID2: optionId(Team.options[1]),
      });
      expect(pairs.join()).toMatch(/Region 1.*Team 2/);
    }),
    ...(["AU", "NZ"] as const).map((country) =>
      at(
        "GET /Reports",
        `lists what was published in ${country}`,
        async (desk) => {
          expect(await desk.read("/Reports")).toEqual([]);
        },
        country,
      ),
    ),
    at("GET /Reports/{ReportID}", "is one that was published", async (desk) => {
      const headers = { "content-type": "application/json" };
      await desk.well(
        "PUT",
        "/Reports",
        JSON.stringify({ ReportType: "GSTReturn", FromDate: "2026-02-01", ToDate: "2026-02-28" }),
        { headers },
      );
      const [listed] = await desk.read("/Reports");
      expect((await desk.one(`/Reports/${listed.ReportID}`)).ReportID).toBe(listed.ReportID);
    }),
    row("a report is rows of cells: headers, sections, rows and summary rows", async (desk) => {
      await desk.approved();
      const report = await desk.one("/Reports/ProfitAndLoss", month);
      expect(new Set(kinds(report.Rows))).toEqual(
        new Set(["Header", "Section", "Row", "SummaryRow"]),
      );
      const [cell] = report.Rows.flatMap((each: Json) => each.Rows ?? [])
        .flatMap((each: Json) => each.Cells)
        .filter((each: Json) => each.Attributes);
      expect(cell).toMatchObject({
        Value: "Sales",
        Attributes: [{ Id: "account", Value: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
      });
    }),
    row("reports are read and not written", async (desk) => {
      for (const method of ["POST", "PUT", "DELETE"]) {
        expect((await desk.ask(method, "/Reports/ProfitAndLoss", "{}")).status).toBe(501);
      }
    }),
  ],
};

const kindsOfAccount = ["Assets", "Equity", "Expenses", "Liabilities", "Revenue"];

export const rateTables: Heading = {
  heading: "Endpoints: TaxRates by region",
  rows: Object.entries(rateFlags).map(([country, flags]) =>
    row(
      `${country}: which accounts each rate may be used with`,
      async (desk) => {
        const found = Object.fromEntries(
          (await desk.read("/TaxRates")).map((each) => [
            each.TaxType,
            kindsOfAccount
              .map((kind) => (each[`CanApplyTo${kind}`] === "true" ? "T" : "F"))
              .join(""),
          ]),
        );
        const expected = Object.entries(flags).flatMap(([pattern, types]) =>
          types.split(" ").map((type) => [type, pattern]),
        );
        expect(found).toMatchObject(Object.fromEntries(expected));
      },
      country as Country,
    ),
  ),
};
