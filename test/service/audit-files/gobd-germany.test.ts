/** The GoBD export of a German company, read by its own description. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cents, readGobd } from "../../cli/export/audit.ts";
import { contact, type Json, type World, world } from "../fixture.ts";
import { document } from "../reports/tax/returns.ts";
import { auditBytes } from "./audit-bytes.ts";

async function german(): Promise<World> {
  const given = await world("DE");
  const party = await contact(given, { Name: "Atelier; „Süd“", TaxNumber: "FR44732829320" });
  const dates = { Date: "2026-03-05", DueDate: "2026-12-31" };
  await document(given, party, { ...dates, InvoiceNumber: "R-1" }, [
    ["4400", 333.33, "OUTPUT19"],
    ["4125", 2500.4, "ECOUTPUT"],
  ]);
  await document(given, party, { ...dates, Type: "ACCPAY", InvoiceNumber: "S-1" }, [
    ["6815", 119.99, "INPUT19"],
    ["6837", 450, "REVERSEEU19"],
  ]);
  await given.ok("PUT", "/Payments", {
    ...{ Invoice: { InvoiceNumber: "R-1" }, Account: { Code: "1800" } },
    ...{ Date: "2026-04-01", Amount: 100 },
  });
  return given;
}

async function exported(given: World) {
  const path = join(mkdtempSync(join(tmpdir(), "acct-gobd-")), "books.zip");
  writeFileSync(path, await auditBytes(given, "gobd", {}));
  return { path, ...readGobd(path) };
}

test("the tables of a GoBD export are as index.xml describes them, and come to the trial balance", async () => {
  const given = await german();
  const { tables, faults } = await exported(given);
  expect(faults).toEqual([]);
  const query = { date: "2026-12-31" };
  const report = await given.ok("GET", "/Reports/TrialBalance", undefined, { query });
  const rows: Json[] = report.Reports[0].Rows.flatMap((section: Json) => section.Rows ?? []);
  const balances = rows.flatMap(({ Cells }): [string, number][] => {
    const [, code] = /\((\w+)\)$/.exec(Cells[0].Value) ?? [];
    const sum = cents(Cells[3].Value || "0") - cents(Cells[4].Value || "0");
    return code === undefined || sum === 0 ? [] : [[code, sum]];
  });
  const sums = new Map<string, number>();
  for (const { Konto = "", Soll = "", Haben = "" } of tables.Buchungen?.rows ?? []) {
    sums.set(Konto, (sums.get(Konto) ?? 0) + cents(Soll) - cents(Haben));
  }
  const moved = [...sums].filter(([, sum]) => sum !== 0);
  expect(Object.fromEntries(moved)).toEqual(Object.fromEntries(balances));
  const closing = tables.Sachkonten?.rows.filter(({ Endsaldo }) => Endsaldo !== "0,00") ?? [];
  expect(
    Object.fromEntries(closing.map(({ Konto, Endsaldo = "" }) => [Konto, cents(Endsaldo)])),
  ).toEqual(Object.fromEntries(balances));
});

test("a GoBD export says which box of the tax return and which tax accounts each tax type is of", async () => {
  const { tables } = await exported(await german());
  const shown = (type: string) => {
    const row = tables.Steuersätze?.rows.find(({ Steuerschlüssel }) => Steuerschlüssel === type);
    return [row?.Kennzahlen, row?.Steuerkonto, row?.Vorsteuerkonto];
  };
  expect(shown("OUTPUT19")).toEqual(["81", "3806", ""]);
  expect(shown("INPUT19")).toEqual(["66", "", "1406"]);
  expect(shown("ECOUTPUT")).toEqual(["41", "", ""]);
  expect(shown("REVERSEEU19")).toEqual(["46 47 67", "3837", "1407"]);
});

const hasXmllint = spawnSync("xmllint", ["--version"]).error === undefined;

test.skipIf(!hasXmllint)("index.xml of a GoBD export is valid by the DTD beside it", async () => {
  const { path } = await exported(await german());
  const folder = mkdtempSync(join(tmpdir(), "acct-gobd-"));
  expect(spawnSync("unzip", ["-q", path, "-d", folder]).status).toBe(0);
  const { status, stderr } = spawnSync("xmllint", ["--noout", "--valid", "index.xml"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
});
