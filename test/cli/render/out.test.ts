import { setImmediate } from "node:timers/promises";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { createOut, type OutOptions } from "../../../src/cli/render/out.ts";
import { safeText } from "../../../src/cli/render/safe.ts";
import { ClosedPipeError, memorySink, type Sink } from "../../../src/cli/render/sinks/sink.ts";
import { unguardCell } from "../../../src/output/csv-output.ts";
import { displayWidth } from "../../../src/output/display-width.ts";
import { RefusedError, UsageError } from "../../../src/resources/errors.ts";
import type { Resource } from "../../../src/resources/field.ts";
import { account, contact, invoice, item, payment } from "../../../src/resources/index.ts";
import type { Invoice } from "../../../src/resources/invoice.ts";
import { zeroId } from "../../../src/resources/scalar.ts";
import { encodeCollection } from "../../../src/wire/encode/encode.ts";
import { fc } from "../../support/properties.ts";
import {
  agedReceivables,
  anyText,
  controlCharacters,
  harbour,
  invoices,
  kiln,
  printed,
  profitAndLoss,
  yearByMonth,
} from "./samples.ts";

const clock = () => 0;

const golden = (name: string) => `../../golden/render-${name}`;

describe("output of a list", () => {
  test.each<[name: string, options: Partial<OutOptions>]>([
    ["list-piped.txt", {}],
    ["list-80.txt", { width: 80 }],
    ["list-80-color.txt", { width: 80, color: true }],
    ["list-50.txt", { width: 50 }],
    [
      "list-columns.txt",
      { columns: ["invoice-number", "Contact", "lineitems.description", "total"] },
    ],
    ["list.csv", { format: "csv" }],
    ["list-columns.csv", { format: "csv", columns: ["InvoiceNumber", "LineItems", "Contact"] }],
    ["list.json", { format: "json" }],
    [
      "list-columns.json",
      { format: "json", columns: ["Total", "contact.name", "LineItems.Tracking.Option"] },
    ],
    ["list-terminal.json", { format: "json", width: 80, columns: ["InvoiceNumber", "Contact"] }],
    ["list.ndjson", { format: "ndjson" }],
    ["list-columns.ndjson", { format: "ndjson", columns: ["Total", "contact.name"], width: 40 }],
    ["list-ids.txt", { format: "id" }],
  ])("the printed list matches the golden file %s", async (name, options) => {
    const { stdout, stderr } = await printed(options, (out) => out.records(invoice, invoices));
    expect(stderr).toBe("");
    await expect(stdout).toMatchFileSnapshot(golden(name));
  });

  test.each<[OutOptions["format"], string, string]>([
    ["table", "", "No invoices found.\n"],
    ["json", "[]\n", ""],
    ["ndjson", "", ""],
    ["csv", "InvoiceNumber,Contact.Name,Date,DueDate,Status,Total,AmountDue\n", ""],
    ["xml", `${xml(invoice, [])}\n`, ""],
    ["id", "", ""],
  ])(
    "an empty list in the format %s is printed as an empty list",
    async (format, stdout, stderr) => {
      expect(await printed({ format, clock }, (out) => out.records(invoice, []))).toEqual({
        stdout,
        stderr,
      });
    },
  );

  test("a list in XML is one document, whatever the number of batches", async () => {
    const many = Array.from({ length: 250 }, (_, at) => numbered(at));
    const { stdout } = await printed({ format: "xml", clock }, (out) => out.records(invoice, many));
    expect(stdout).toBe(`${xml(invoice, many)}\n`);
  });

  test("a list is printed while its records arrive", async () => {
    const stdout = memorySink();
    const seen: number[] = [];
    async function* slowly() {
      for (let at = 0; at < 3; at += 1) {
        yield numbered(at);
        await setImmediate();
        seen.push(stdout.text.split("\n").length - 1);
      }
    }
    const out = createOut({
      format: "csv",
      color: false,
      width: undefined,
      stdout,
      stderr: memorySink(),
    });
    await out.records(invoice, slowly());
    expect(seen).toEqual([2, 3, 4]);
  });

  test.each(["table", "csv", "json", "ndjson", "id"] as const)(
    "a list interrupted by a failure prints the records received so far, in the format %s",
    async (format) => {
      async function* failing() {
        yield numbered(1);
        throw new RefusedError("LockDate", "The books are locked.");
      }
      const stdout = memorySink();
      const out = createOut({
        format,
        color: false,
        width: undefined,
        stdout,
        stderr: memorySink(),
      });
      await expect(out.records(invoice, failing())).rejects.toThrow("The books are locked.");
      expect(stdout.text).toContain(format === "id" ? kiln.InvoiceID : "INV-0001");
    },
  );

  test("a list stops reading records when its pipe is closed", async () => {
    let asked = 0;
    let closed = false;
    function* endless() {
      try {
        for (;;) yield numbered(asked++);
      } finally {
        closed = true;
      }
    }
    let written = 0;
    const stdout: Sink = {
      write: () => {
        written += 1;
        if (written > 3) throw new ClosedPipeError();
      },
    };
    const out = createOut({
      format: "csv",
      color: false,
      width: undefined,
      stdout,
      stderr: memorySink(),
    });
    await expect(out.records(invoice, endless())).rejects.toBeInstanceOf(ClosedPipeError);
    expect(closed).toBe(true);
    expect(asked).toBeLessThan(10_000);
  });

  test("a list in a pipe widens its columns for later rows, and truncates no cell", async () => {
    const many = Array.from({ length: 101 }, (_, at) => numbered(at));
    const last = { ...kiln, Contact: { Name: "x".repeat(300) } } as Invoice;
    const { stdout } = await printed({}, (out) => out.records(invoice, [...many, last]));
    expect(stdout).toContain("x".repeat(300));
  });
});

describe("the columns of a list", () => {
  test.each([
    ["Totl", 'Invoice has no column "Totl". Did you mean Total?'],
    ["Contact.Nam", 'Invoice has no column "Contact.Nam". Did you mean Contact.Name?'],
    ["Number.Length", /^Invoice has no column "Number.Length". It has Type, InvoiceID, /],
    ["", /^Invoice has no column ""\./],
    ["constructor", /^Invoice has no column "constructor"\./],
  ])('the unknown column "%s" of a list is refused', async (path, message) => {
    for (const format of ["table", "csv", "json", "ndjson"] as const) {
      const run = printed({ format, columns: [path] }, (out) => out.records(invoice, invoices));
      await expect(run).rejects.toThrow(message);
      await expect(run).rejects.toBeInstanceOf(UsageError);
    }
  });

  test("columns are refused for a report", async () => {
    const run = printed({ columns: ["Sales"] }, (out) => out.report(profitAndLoss));
    await expect(run).rejects.toBeInstanceOf(UsageError);
  });
});

describe("output of one record", () => {
  test.each<[name: string, resource: Resource, record: object, options: Partial<OutOptions>]>([
    ["invoice-piped.txt", invoice, kiln, {}],
    ["invoice-80.txt", invoice, kiln, { width: 80 }],
    ["invoice-40.txt", invoice, kiln, { width: 40 }],
    ["invoice.json", invoice, kiln, { format: "json" }],
    ["invoice-terminal.json", invoice, kiln, { format: "json", width: 80 }],
    ["invoice.csv", invoice, kiln, { format: "csv" }],
    ["invoice-columns.txt", invoice, kiln, { columns: ["Status", "Contact.Name", "LineItems"] }],
    ["contact-60.txt", contact, harbour, { width: 60 }],
  ])("the printed record matches the golden file %s", async (name, resource, record, options) => {
    const { stdout } = await printed(options, (out) => out.record(resource, record as never));
    await expect(stdout).toMatchFileSnapshot(golden(name));
  });
});

describe("output of a report", () => {
  test.each([
    ["profit-and-loss-80.txt", profitAndLoss, { width: 80 }],
    ["profit-and-loss-30.txt", profitAndLoss, { width: 30 }],
    ["profit-and-loss.csv", profitAndLoss, { format: "csv" }],
    ["profit-and-loss.ndjson", profitAndLoss, { format: "ndjson" }],
    ["profit-and-loss.json", profitAndLoss, { format: "json" }],
    ["aged-receivables-80.txt", agedReceivables, { width: 80 }],
    ["aged-receivables.csv", agedReceivables, { format: "csv" }],
    ["aged-receivables.json", agedReceivables, { format: "json" }],
    ["year-80.txt", yearByMonth, { width: 80 }],
    ["year-piped.txt", yearByMonth, {}],
  ] as const)("the printed report matches the golden file %s", async (name, report, options) => {
    const { stdout } = await printed(options, (out) => out.report(report));
    await expect(stdout).toMatchFileSnapshot(golden(name));
  });

  test("a report in XML is printed as the service sent it, with control characters escaped", async () => {
    const report = { ...profitAndLoss, ReportName: "P&L\u009b" };
    const { stdout } = await printed({ format: "xml" }, (out) => out.report(report));
    expect(stdout).toContain("<ReportName>P&amp;L&#x9b;</ReportName>");
  });

  test("a report in the format id is refused", async () => {
    const run = printed({ format: "id" }, (out) => out.report(profitAndLoss));
    await expect(run).rejects.toBeInstanceOf(UsageError);
  });
});

describe("output of other answers", () => {
  test("a single value is printed as plain text in tables, and as a record in CSV and JSON", async () => {
    const run = (out: ReturnType<typeof createOut>) =>
      out.value({ url: "https://a.example" }, "https://a.example");
    expect((await printed({}, run)).stdout).toBe("https://a.example\n");
    expect((await printed({ format: "id" }, run)).stdout).toBe("https://a.example\n");
    expect((await printed({ format: "csv" }, run)).stdout).toBe("url\nhttps://a.example\n");
    expect((await printed({ format: "json" }, run)).stdout).toBe('{"url":"https://a.example"}\n');
  });

  test("bytes are written unchanged, and escape sequences of text are made visible only on a terminal", async () => {
    const raw = "a\u001b[2Jb\n";
    const bytes = (value: string | Uint8Array) => (out: ReturnType<typeof createOut>) =>
      out.bytes(value);
    expect((await printed({ width: 80 }, bytes(new TextEncoder().encode(raw)))).stdout).toBe(raw);
    expect((await printed({}, bytes(raw))).stdout).toBe(raw);
    expect((await printed({ width: 80 }, bytes(raw))).stdout).toBe("a␛[2Jb\n");
  });

  test("messages are printed to stderr, and a closed stderr causes no error", async () => {
    const { stdout, stderr } = await printed({}, async (out) =>
      out.say("Paid \u001b[31mINV-7.\nTwo lines."),
    );
    expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "Paid ␛[31mINV-7.\nTwo lines.\n" });
    const failing: Sink = { write: () => Promise.reject(new Error("gone")) };
    await printed({ stderr: failing }, async (out) => out.say("hello"));
  });
});

const anyInvoice = fc.record({
  InvoiceNumber: anyText,
  Contact: fc.record({ Name: anyText }),
  Reference: anyText,
  Status: fc.constantFrom("DRAFT", "AUTHORISED", "PAID"),
  Date: fc.constant("2026-02-27"),
  Total: fc.integer({ min: -99_999_999, max: 99_999_999 }),
  AmountDue: fc.integer({ min: -99_999_999, max: 99_999_999 }),
  LineItems: fc.array(fc.record({ Description: anyText, LineAmount: fc.integer() }), {
    maxLength: 3,
  }),
}) as unknown as fc.Arbitrary<Invoice>;

describe("properties of any output", () => {
  test("each line of NDJSON output is the same record as in JSON output", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyInvoice, { maxLength: 5 }),
        fc.constantFrom(undefined, 60),
        async (records, width) => {
          const outputs = await Promise.all(
            (["ndjson", "json"] as const).map((format) =>
              printed({ format, width }, (out) => out.records(invoice, records)),
            ),
          );
          const [lines = "", list = ""] = outputs.map(({ stdout }) => stdout);
          const each = lines.split("\n").slice(0, -1);
          expect(each.map((line) => JSON.parse(line) as unknown)).toEqual(JSON.parse(list));
        },
      ),
    );
  });

  test("CSV output read back has the same cells, with control characters as visible symbols", async () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no book keeps these
    const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;
    const told = (text: string) => (controls.test(text) ? safeText(text) : text);
    await fc.assert(
      fc.asyncProperty(fc.array(anyInvoice, { maxLength: 5 }), async (records) => {
        const columns = ["InvoiceNumber", "Contact.Name", "Reference", "Total"];
        const { stdout } = await printed({ format: "csv", columns }, (out) =>
          out.records(invoice, records),
        );
        const [heading, ...rows] = parse(stdout) as string[][];
        expect(heading).toEqual(columns);
        expect(rows.map((row) => row.slice(0, 3).map(unguardCell))).toEqual(
          records.map((record) =>
            [record.InvoiceNumber, record.Contact?.Name, record.Reference].map(String).map(told),
          ),
        );
        // Nothing that a spreadsheet would run.
        for (const cell of rows.flat())
          if (/^[=+\-@\t\r]/.test(cell)) expect(cell).toMatch(/^[+-]?\d+(\.\d+)?$/);
      }),
    );
  });

  test("no line of a printed table is wider than the terminal", async () => {
    const wide = fc.integer({ min: 40, max: 200 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyInvoice, { minLength: 1, maxLength: 4 }),
        wide,
        async (records, width) => {
          const list = await printed({ width }, (out) => out.records(invoice, records));
          const one = await printed({ width }, (out) => out.record(invoice, records[0]!));
          for (const line of `${list.stdout}${one.stdout}`.split("\n")) {
            expect(displayWidth(line)).toBeLessThanOrEqual(width);
          }
        },
      ),
    );
  });

  test("numbers in a printed table are never truncated", async () => {
    await fc.assert(
      fc.asyncProperty(anyInvoice, fc.integer({ min: 20, max: 120 }), async (record, width) => {
        const { stdout } = await printed({ width }, (out) => out.records(invoice, [record]));
        expect(stdout.replaceAll(",", "")).toContain((record.Total / 100).toFixed(2));
      }),
    );
  });

  test.each(["table", "csv", "json", "ndjson", "id", "xml"] as const)(
    "no control character of a record is printed to a terminal in the format %s",
    async (format) => {
      const resources = [invoice, contact, account, item, payment];
      await fc.assert(
        fc.asyncProperty(
          anyInvoice,
          fc.constantFrom(...resources),
          anyText,
          async (record, resource, text) => {
            const options = { format, width: 60 };
            const named = { ...record, Name: text, Code: text, InvoiceID: text } as never;
            const outputs = await Promise.all([
              printed(options, (out) => out.records(resource, [named])),
              printed(options, (out) => out.record(resource, named)),
              printed(options, async (out) => out.say(text)),
              printed(options, (out) => out.value(text, text)),
            ]);
            for (const { stdout, stderr } of outputs) {
              expect(stdout + stderr).not.toMatch(controlCharacters);
            }
          },
        ),
      );
    },
  );

  test("JSON output is always valid, and the same on a terminal", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyInvoice, { maxLength: 3 }), async (records) => {
        const read = async (width: number | undefined) =>
          JSON.parse(
            (await printed({ format: "json", width }, (out) => out.records(invoice, records)))
              .stdout,
          );
        const piped = await read(undefined);
        expect(piped).toHaveLength(records.length);
        expect(await read(80)).toEqual(piped);
      }),
    );
  });
});

function numbered(at: number): Invoice {
  return { ...kiln, InvoiceNumber: `INV-${String(at).padStart(4, "0")}` };
}

function xml(resource: Resource, records: readonly object[]): string {
  const envelope = { id: zeroId, provider: "acct", at: 0 };
  const options = { view: "single", unitDecimals: 4 } as const;
  return encodeCollection("xml", resource, records, envelope, options);
}
