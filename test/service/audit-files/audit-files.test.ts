/** Audit files of the service: the bytes of the command, who may ask, and what is refused. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createService } from "../../../src/service/api/service.ts";
import { planKeyInMemory } from "../../../src/service/plans/plan-key.ts";
import { organisationRoles } from "../../../src/service/request/scopes.ts";
import { acct, folder } from "../../cli/export/audit.ts";
import { describeCompany } from "../../cli/export/audit-checks.ts";
import { guid } from "../../store/samples.ts";
import { serverOf } from "../../support/audit.ts";
import { type Answer, contact, invoiced, paid, sharedWorld, type World } from "../fixture.ts";

const path = "/Extensions/AuditFiles";
const days = { fromDate: "2026-03-01", toDate: "2026-03-31" };
const map = "Code;Number\n090;512000\n200;706000\n610;411000\n800;401000\n820;445710\n300;607000\n";

const company = sharedWorld(async (given) => {
  await describeCompany(given);
  const supplier = await contact(given, { Name: "Łódź Supplies" });
  const invoice = await invoiced(given, { Status: "AUTHORISED", InvoiceNumber: "INV 1" });
  await paid(given, invoice);
  await invoiced(given, {
    Type: "ACCPAY",
    InvoiceNumber: "S-9",
    Contact: supplier,
    Status: "AUTHORISED",
    LineItems: [{ Description: "Clay, “red”", UnitAmount: 115, AccountCode: "300" }],
  });
  const files = `/Invoices/${invoice.InvoiceID}/Attachments`;
  await given.ok("PUT", `${files}/order.txt`, "as it was received");
});

async function bytesOf(
  { book }: { readonly book: Pick<World["book"], "transport"> },
  format: string,
  query: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const asked = Object.entries({ ...days, ...query });
  const request = { method: "GET", path: `${path}/${format}`, query: asked, headers };
  const { status, headers: told, body } = await book.transport(request);
  const parts: Uint8Array[] = [];
  const pieces = typeof body === "string" ? [Buffer.from(body)] : body;
  for await (const each of pieces instanceof Uint8Array ? [pieces] : pieces) parts.push(each);
  return { status, headers: told, bytes: Buffer.concat(parts) };
}

const refusedAs = ({ json }: Answer) => json.Elements[0].ValidationErrors[0];

describe("audit files from the service", () => {
  test.each<[format: string, words: readonly string[], query: Record<string, string>]>([
    [
      "saft",
      ["--country", "LU", "--contact-person", "Ana Lopes"],
      { country: "LU", contactPerson: "Ana Lopes" },
    ],
    [
      "fec",
      ["--siren", "732829320", "--account-map", "MAP"],
      { siren: "732829320", accountMap: map },
    ],
    [
      "fec",
      ["--encoding", "iso-8859-15", "--account-map", "MAP"],
      { encoding: "iso-8859-15", accountMap: map },
    ],
    [
      "datev",
      [
        "--consultant",
        "29098",
        "--client",
        "55003",
        "--account-length",
        "6",
        "--account-map",
        "MAP",
        "--tax-key",
        "OUTPUT2=3",
        "--tax-key",
        "INPUT2=9",
        "--opening",
      ],
      {
        consultant: "29098",
        client: "55003",
        accountLength: "6",
        accountMap: map,
        taxKey: "OUTPUT2=3,INPUT2=9",
        opening: "true",
      },
    ],
    ["gobd", ["--attachments"], { attachments: "true" }],
  ])(
    "the audit file %s with %j from the service has the same bytes and file name as from the command line",
    async (format, words, query) => {
      const given = await company();
      const own = join(folder, "own.csv");
      writeFileSync(own, map);
      const made = join(folder, `made-${format}`);
      const asked = words.map((word) => (word === "MAP" ? own : word));
      const period = ["--from", days.fromDate, "--to", days.toDate];
      const ran = await acct(given, "export", format, ...period, ...asked, "--output-file", made);
      expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Wrote 3 journals")]);
      const { status, headers, bytes } = await bytesOf(given, format, query);
      expect([status, bytes.equals(readFileSync(made))]).toEqual([200, true]);
      expect(headers["content-length"]).toBe(String(bytes.length));
      const dryRun = await acct(given, "export", format, ...period, ...asked, "--dry-run");
      const [name] = dryRun.stderr.split(" would be written");
      expect(headers["content-disposition"]).toBe(`inline; filename="${name}"`);
      const notes = decodeURIComponent(headers["x-notes"] ?? "");
      expect(ran.stderr).toBe(`${notes}${notes && "\n"}Wrote 3 journals with 8 postings.\n`);
    },
  );

  test("an audit file request is refused with a list of all data that the book lacks", async () => {
    const given = await company();
    const answer = await given.ask("GET", `${path}/fec`, undefined, { query: days });
    expect(refusedAs(answer)).toMatchObject({
      Message: expect.stringMatching(/^\d accounts have no number of the plan comptable/),
      Rule: "Parameter",
    });
    expect(refusedAs(answer).Message).toContain('as "accountMap=FILE"; GET /Accounts writes');
    for (const format of ["saft", "fec", "datev"]) {
      const { Message } = refusedAs(
        await given.ask("GET", `${path}/${format}`, undefined, { query: days }),
      );
      expect(Message).not.toMatch(/--[a-z]|acct /);
    }
    expect(await given.refused("GET", `${path}/gobd`)).toEqual([
      "Give fromDate, and toDate not before it, as YYYY-MM-DD.",
    ]);
    expect((await given.ask("GET", `${path}/xbrl`, undefined, { query: days })).status).toBe(404);
  });

  test("an audit file from the service is entered in the audit log as from the command line, and a dry run is not", async () => {
    const given = await company();
    const entries = async () => {
      const query = { kind: "book.exported" };
      const list = await given.ok("GET", "/Extensions/AuditEntries", undefined, { query });
      return list.AuditEntries;
    };
    const before = (await entries()).length;
    await bytesOf(given, "gobd", {}, { "x-dry-run": "true" });
    expect((await entries()).length).toBe(before);
    await bytesOf(given, "gobd", {});
    const after = await entries();
    expect(after.length).toBe(before + 1);
    expect(after[0].Act).toBe("exported the ledger from 2026-03-01 to 2026-03-31 as gobd");
  });

  test("an audit file request needs the OAuth scopes of all records that the file contains", async () => {
    const given = await company();
    const asScopes = async (...scopes: string[]) => {
      const service = createService({
        store: given.book.store,
        clock: () => given.now,
        newId: () => guid(8),
        responseId: () => guid(9),
        mailer: async () => undefined,
        baseUrl: "http://x",
        publicUrl: "http://x",
        planKey: planKeyInMemory(),
        server: serverOf(given.book.store),
        authenticate: () => ({
          ...{ org: given.book.org, app: guid(1), appName: "Till", user: "Ana" },
          ...{ email: "ana@heron.example", scopes: new Set(scopes) },
          ...organisationRoles["read-only"],
        }),
      });
      return (await bytesOf({ book: service }, "gobd", {})).status;
    };
    const all = ["accounting.journals.read", "accounting.settings.read"];
    const more = ["accounting.contacts.read", "accounting.transactions.read"];
    expect(await asScopes(...all, ...more)).toBe(200);
    expect(await asScopes(...all, "accounting.contacts.read")).toBe(401);
    expect(await asScopes(...all.slice(1), ...more)).toBe(401);
  });
});
