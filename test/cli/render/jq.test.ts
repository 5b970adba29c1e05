/** Answers through jq: exact amounts, plain texts, a record at a time, and programs that fail. */
import { describe, expect, test } from "vitest";
import { jqFilter } from "../../../src/cli/render/jq.ts";
import type { OutOptions } from "../../../src/cli/render/out.ts";
import { invoice } from "../../../src/resources/index.ts";
import type { Invoice } from "../../../src/resources/invoice.ts";
import { records } from "../../client/service.ts";
import { acct } from "../line.ts";
import { invoices, kiln, printed, profitAndLoss } from "./samples.ts";

async function through(program: string, options: Partial<OutOptions> = {}, list = invoices) {
  const filter = await jqFilter(program);
  return printed({ format: "json", filter, ...options }, (out) => out.records(invoice, list));
}

describe("the output of a jq filter", () => {
  test("--jq prints texts without quotes, and amounts as they were written", async () => {
    const { stdout } = await through(
      ".[0] | .InvoiceNumber, .Total, .Contact.Name, .LineItems[0].Description",
    );
    expect(stdout).toBe("INV-0007\n92.00\nBlue Kiln Pottery\nGlaze test\nwith a second line\n");
  });

  test("--jq keeps the spaces around a text, and prints empty texts as empty lines", async () => {
    expect((await through('" a ", "", "b"')).stdout).toBe(" a \n\nb\n");
  });

  test("a jq filter gets a list as one document with -o json, and record by record with -o ndjson", async () => {
    expect((await through("length")).stdout).toBe(`${invoices.length}\n`);
    const each = await through(".InvoiceNumber", { format: "ndjson" });
    expect(each.stdout.split("\n").slice(0, -1)).toEqual(
      invoices.map(({ InvoiceNumber }) => InvoiceNumber),
    );
  });

  test("a jq filter is applied to all records of a list larger than one batch", async () => {
    const many = Array.from({ length: 3000 }, (_, at) => ({ ...kiln, InvoiceNumber: `N-${at}` }));
    const { stdout } = await through(".InvoiceNumber", { format: "ndjson" }, many as Invoice[]);
    expect(stdout.split("\n").slice(0, -1)).toEqual(many.map((each) => each.InvoiceNumber));
  });

  test("a jq filter on an empty list prints nothing", async () => {
    expect((await through(".[]", {}, [])).stdout).toBe("");
    expect((await through(".", { format: "ndjson" }, [])).stdout).toBe("");
  });

  test("--jq output on a terminal is indented, and escape sequences in its texts are made visible", async () => {
    const { stdout } = await through('{a: .[0].Total}, "\\u001b[2J"', { width: 80 });
    expect(stdout).toBe('{\n  "a": 92.00\n}\n␛[2J\n');
  });

  test("--jq filters reports and single values as well as lists", async () => {
    const filter = await jqFilter("keys[0]");
    const report = await printed({ format: "json", filter }, (out) => out.report(profitAndLoss));
    expect(report.stdout).toBe("Columns\n");
    const value = await printed({ format: "json", filter }, (out) => out.value({ a: 1 }, "a: 1"));
    expect(value.stdout).toBe("a\n");
  });

  test("debug messages of a jq filter go to stderr", async () => {
    const { stdout, stderr } = await through("length | debug");
    expect(stdout).toBe(`${invoices.length}\n`);
    expect(stderr).toBe(`["DEBUG:",${invoices.length}]\n`);
  });

  test("results of a jq filter before its failure are written", async () => {
    const filter = await jqFilter('1, error("no")');
    const run = printed({ format: "json", filter }, async (out) => {
      await expect(out.records(invoice, invoices)).rejects.toThrow(
        "The command was carried out, but --jq fails on its answer: no.",
      );
    });
    expect((await run).stdout).toBe("1\n");
  });
});

describe("--jq", () => {
  const list = "invoice list --limit 5".split(" ");
  const answers = {
    "GET /Invoices": records("Invoices", [{ InvoiceNumber: "INV-0007", Total: 92 }]),
  };

  test("--jq requests JSON whatever ACCT_OUTPUT says", async () => {
    for (const env of [{ ACCT_OUTPUT: "table" }, { ACCT_OUTPUT: "csv" }]) {
      const { code, stdout } = await acct([...list, "--jq", ".[0].Total"], answers, { env });
      expect({ code, stdout }).toEqual({ code: 0, stdout: "92.00\n" });
    }
  });

  test.each([
    [".[", /^\{"error":\{"code":"BadJq","message":"--jq: syntax error, unexpected end of file/],
    [".x | nothing(1)", /--jq: nothing\/1 is not defined/],
  ])("the invalid jq filter %s is refused before any request", async (program, said) => {
    const { code, stderr, lines } = await acct([...list, "--jq", program], answers);
    expect({ code, lines }).toEqual({ code: 2, lines: [] });
    expect(stderr).toMatch(said);
  });

  test("--jq with an output format other than JSON is refused", async () => {
    const { code, stderr } = await acct([...list, "--jq", ".", "-o", "csv"], answers);
    expect(code).toBe(2);
    expect(stderr).toContain("--jq works on JSON, not on csv: use -o json or ndjson");
  });
});
