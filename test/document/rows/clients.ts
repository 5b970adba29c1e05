/** What programs that speak to services of this shape rely on, beyond what the document says. */
import { expect } from "vitest";
import { AuthError } from "../../../src/resources/errors.ts";
import { usualLimits } from "../../../src/service/limits/limits.ts";
import { memoryLimits } from "../../../src/service/limits/memory.ts";
import type { Json } from "../../service/fixture.ts";
import { otherCaller } from "../other.ts";
import { type Heading, row } from "../row.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };

/** Every value in a body of JSON, with its key. */
function valuesIn(value: Json, key = ""): [string, Json][] {
  if (typeof value !== "object" || value === null) return [[key, value]];
  return Object.entries(value).flatMap(([name, each]) =>
    valuesIn(each, Array.isArray(value) ? key : name),
  );
}

export const clients: Heading = {
  heading: "What clients rely on",
  rows: [
    row("creates are 200, deletes 200 or 204", async (desk) => {
      const made = await desk.ask("PUT", "/Items", { Code: "A" });
      const gone = await desk.ask("DELETE", `/Items/${made.records[0].ItemID}`);
      expect([made.status, gone.status]).toEqual([200, 204]);
    }),
    row("a form with the field xml is a body", async (desk) => {
      const body = `xml=${encodeURIComponent("<Item><Code>A &amp; B</Code></Item>")}`;
      const said = await desk.well("PUT", "/Items", body, { headers: form });
      expect(said.records[0].Code).toBe("A & B");
    }),
    row("a body of one format is answered in the other", async (desk) => {
      const body = "<Item><Code>A</Code></Item>";
      const said = await desk.well("PUT", "/Items", body, {
        headers: { "content-type": "text/xml" },
      });
      expect(said.headers["content-type"]).toContain(desk.type);
    }),
    row("Status of an answer is OK", async (desk) => {
      expect((await desk.ask("GET", "/Invoices")).body.Status).toBe("OK");
    }),
    row("401 and 403 are JSON with Detail", async (desk) => {
      const expired = new AuthError("TokenExpired", "token expired at 03/02/2026 21:14:07");
      const said = await otherCaller(desk, { who: expired })("/Items");
      expect(JSON.parse(said.text).Detail).toMatch(/^TokenExpired: /);
      const refused = await otherCaller(desk, { who: { reports: false } })("/Journals");
      expect(JSON.parse(refused.text).Detail).toMatch(/reporting role/);
    }),
    row("503 of a rate limit is form text, with advice and headers", async (desk) => {
      const limits = memoryLimits({ ...usualLimits, minute: 0 }, () => desk.given.now);
      const limiter = limits.of({ org: 1, OrganisationID: "1" });
      const said = await otherCaller(desk, { limiter })("/Items");
      const fields = new URLSearchParams(said.text);
      expect(fields.get("oauth_problem")).toBe("rate limit exceeded");
      expect(fields.get("oauth_problem_advice")).toMatch(/./);
      for (const name of ["x-minlimit-remaining", "x-daylimit-remaining"]) {
        expect(said.headers[name]).toMatch(/^\d+$/);
      }
    }),
    row("JSON has dates as /Date()/, no null, no empty id and no quoted number", async (desk) => {
      const { InvoiceID } = await desk.approved();
      const headers = { accept: "application/json" };
      const { text } = await desk.ask("GET", `/Invoices/${InvoiceID}`, undefined, { headers });
      for (const [key, value] of valuesIn(JSON.parse(text))) {
        expect([key, value]).not.toEqual([key, null]);
        if (/ID$|^Id$/.test(key)) expect([key, value]).toEqual([key, expect.stringMatching(/./)]);
        if (/Date$|DateUTC$/.test(key)) expect(value).toMatch(/^\/Date\(-?\d+\+0000\)\/$/);
        if (/^(Total|SubTotal|Amount|Quantity|UnitAmount)/.test(key))
          expect(value).toBeTypeOf("number");
      }
    }),
    row("keys are written as the schema has them, pagination alone in lower case", async (desk) => {
      const headers = { accept: "application/json" };
      const query = { page: "1" };
      const { text } = await desk.ask("GET", "/Invoices", undefined, { headers, query });
      const lower = Object.keys(JSON.parse(text)).filter((key) => /^[a-z]/.test(key));
      expect(lower).toEqual(["pagination"]);
    }),
    row("a rejected record has the zero id, HasErrors and its errors", async (desk) => {
      const query = { SummarizeErrors: "false" };
      const bad = await desk.sale({ LineItems: [] });
      const headers = { accept: "application/json" };
      const { text } = await desk.ask("PUT", "/Invoices", bad, { query, headers });
      expect(JSON.parse(text).Invoices[0]).toMatchObject({
        InvoiceID: "00000000-0000-0000-0000-000000000000",
        HasErrors: true,
        StatusAttributeString: "ERROR",
        ValidationErrors: [{ Message: expect.any(String) }],
      });
    }),
    row("the root has no children but the header, pagination and the list", async (desk) => {
      const { body } = await desk.ask("GET", "/Accounts", undefined, { query: { page: "1" } });
      const known = ["Id", "Status", "ProviderName", "DateTimeUTC", "pagination", "Accounts"];
      expect(known).toEqual(expect.arrayContaining(Object.keys(body)));
    }),
    row("paths in any letter case, with a slash at the end, with /pdf", async (desk) => {
      const { InvoiceID } = await desk.approved();
      for (const path of [`/invoices/${InvoiceID}/`, `/INVOICES/${InvoiceID.toUpperCase()}`]) {
        expect((await desk.one(path)).InvoiceID).toBe(InvoiceID);
      }
      const said = await desk.ask("GET", `/Invoices/${InvoiceID}/pdf`);
      expect(said.headers["content-type"]).toBe("application/pdf");
    }),
    row("the tenant header may be empty, in any letter case", async (desk) => {
      const headers = { "xero-tenant-id": "" };
      expect((await desk.ask("GET", "/Items", undefined, { headers })).status).toBe(200);
    }),
    row("If-Modified-Since as ISO text, as RFC 1123 or in quotes", async (desk) => {
      await desk.invoice();
      for (const since of [
        "2026-02-01T00:00:00",
        "2026-02-01T00:00:00.000Z",
        "Sun, 01 Feb 2026 00:00:00 GMT",
        '"2026-02-01T00:00:00Z"',
      ]) {
        const headers = { "if-modified-since": since };
        const said = await desk.well("GET", "/Invoices", undefined, { headers });
        expect([since, said.records.length]).toEqual([since, 1]);
      }
    }),
    row("booleans of a query as true or True", async (desk) => {
      for (const summaryOnly of ["true", "True", "1"]) {
        await desk.read("/Invoices", { summaryOnly });
      }
    }),
  ],
};
