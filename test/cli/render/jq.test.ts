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

describe("jq", () => {
  test("jq prints texts without quotes, and amounts as they were written", async () => {
    const { stdout } = await through(
      ".[0] | .InvoiceNumber, .Total, .Contact.Name, .LineItems[0].Description",
    );
    expect(stdout).toBe("INV-0007\n92.00\nBlue Kiln Pottery\nGlaze test\nwith a second line\n");
  });

  test("jq keeps spaces around a text, and empty texts", async () => {
    expect((await through('" a ", "", "b"')).stdout).toBe(" a \n\nb\n");
  });

  test("a list is one document as json, and one a record as ndjson", async () => {
    expect((await through("length")).stdout).toBe(`${invoices.length}\n`);
    const each = await through(".InvoiceNumber", { format: "ndjson" });
    expect(each.stdout.split("\n").slice(0, -1)).toEqual(
      invoices.map(({ InvoiceNumber }) => InvoiceNumber),
    );
  });

  test("more records than are given to jq at once", async () => {
    const many = Array.from({ length: 3000 }, (_, at) => ({ ...kiln, InvoiceNumber: `N-${at}` }));
    const { stdout } = await through(".InvoiceNumber", { format: "ndjson" }, many as Invoice[]);
    expect(stdout.split("\n").slice(0, -1)).toEqual(many.map((each) => each.InvoiceNumber));
  });

  test("nothing gives nothing", async () => {
    expect((await through(".[]", {}, [])).stdout).toBe("");
    expect((await through(".", { format: "ndjson" }, [])).stdout).toBe("");
  });

  test("jq output is laid out for a terminal, and its texts cannot control the terminal", async () => {
    const { stdout } = await through('{a: .[0].Total}, "\\u001b[2J"', { width: 80 });
    expect(stdout).toBe('{\n  "a": 92.00\n}\n␛[2J\n');
  });

  test("reports and single values are filtered by --jq as well", async () => {
    const filter = await jqFilter("keys[0]");
    const report = await printed({ format: "json", filter }, (out) => out.report(profitAndLoss));
    expect(report.stdout).toBe("Columns\n");
    const value = await printed({ format: "json", filter }, (out) => out.value({ a: 1 }, "a: 1"));
    expect(value.stdout).toBe("a\n");
  });

  test("messages beside the filtered result go to stderr", async () => {
    const { stdout, stderr } = await through("length | debug");
    expect(stdout).toBe(`${invoices.length}\n`);
    expect(stderr).toBe(`["DEBUG:",${invoices.length}]\n`);
  });

  test("results before a failure of the filter are written", async () => {
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

  test("asks for JSON, whatever the environment prefers", async () => {
    for (const env of [{ ACCT_OUTPUT: "table" }, { ACCT_OUTPUT: "csv" }]) {
      const { code, stdout } = await acct([...list, "--jq", ".[0].Total"], answers, { env });
      expect({ code, stdout }).toEqual({ code: 0, stdout: "92.00\n" });
    }
  });

  test.each([
    [".[", /^\{"error":\{"code":"BadJq","message":"--jq: syntax error, unexpected end of file/],
    [".x | nothing(1)", /--jq: nothing\/1 is not defined/],
  ])("the filter %s is refused before any request", async (program, said) => {
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
