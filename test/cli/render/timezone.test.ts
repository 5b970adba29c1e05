/** Moments are shown where the organisation is, on a terminal and on paper; programs get UTC. */
import { join } from "node:path";
import { readXlsx } from "hucre";
import { describe, expect, test } from "vitest";
import { saveRefusal } from "../../../src/cli/connection/last-refusal.ts";
import type { DirectSink } from "../../../src/cli/render/sinks/sink.ts";
import { letterheadOf } from "../../../src/output/letterhead.ts";
import { auditEntry } from "../../../src/resources/audit-entry.ts";
import { RefusedError } from "../../../src/resources/errors.ts";
import type { Resource, Shape } from "../../../src/resources/field.ts";
import { historyRecord } from "../../../src/resources/history.ts";
import { operation } from "../../../src/resources/operation.ts";
import { readPdf } from "../../service/pdf/pdf-text.ts";
import { newDesk } from "../real.ts";
import { printed } from "./samples.ts";

/** 22:00 on 14 November in UTC, which is the 15th in New Zealand. */
const at = Date.UTC(2026, 10, 14, 22);

const lists: readonly (readonly [name: string, Resource, object])[] = [
  ["history", historyRecord, { DateUTC: at, User: "ana", Changes: "Approved", Details: "" }],
  ["audit list", auditEntry, { AuditEntryID: "O1", DateUTC: at, Kind: "user.added", Act: "added" }],
  ["log", operation, { OperationID: "1", AtUTC: at, Number: 1 }],
];

/** Of Pacific/Auckland and America/Los_Angeles, as organisations name them. */
const zones = [
  ["NEWZEALANDSTANDARDTIME", "2026-11-15 11:00", "15 Nov 11:00"],
  ["PACIFICSTANDARDTIME", "2026-11-14 14:00", "14 Nov 14:00"],
] as const;

const letterhead = (Timezone: string) => async () =>
  letterheadOf(
    { Name: "Heron", CountryCode: "NZ", Timezone: Timezone as never },
    { color: undefined, logo: undefined },
  );

describe.each(zones)("times of a book in the time zone %s", (timezone, shown, short) => {
  const home = async () => ({ country: "NZ", timezone });
  const write = (format: "table" | "json" | "csv" | "html", resource: Resource, record: object) =>
    printed(
      {
        format,
        clock: () => at,
        home,
        letterhead: letterhead(timezone),
        ...(format === "table" ? { width: 200 } : {}),
      },
      (out) => out.records(resource, [record as Shape<Resource>]),
    );

  test.each(lists)(
    "%s are shown in local time on a terminal and in HTML, and in UTC in JSON and CSV",
    async (_, resource, record) => {
      expect((await write("table", resource, record)).stdout).toContain(short);
      expect((await write("html", resource, record)).stdout).toContain(shown);
      for (const format of ["table", "html"] as const) {
        const { stdout } = await write(format, resource, record);
        expect(stdout, "no heading says UTC over a local minute").not.toContain("UTC");
      }
      expect((await write("json", resource, record)).stdout).toContain("2026-11-14T22:00:00");
      expect((await write("csv", resource, record)).stdout).toContain("2026-11-14T22:00:00");
    },
  );

  /** Paper as bytes, which a sink of text does not keep. */
  async function paper(format: "pdf" | "xlsx", resource: Resource, record: object) {
    const chunks: Uint8Array[] = [];
    const stdout: DirectSink = { write: (more) => void chunks.push(Buffer.from(more)) };
    await printed(
      { format, clock: () => at, home, letterhead: letterhead(timezone), stdout },
      (out) => out.records(resource, [record as Shape<Resource>]),
    );
    return Buffer.concat(chunks);
  }

  test.each(lists)("%s are shown in local time in PDF and XLSX", async (_, resource, record) => {
    const { pages } = readPdf(await paper("pdf", resource, record));
    const text = pages.flat().join(" ");
    expect(text).toContain(shown);
    expect(text).not.toContain("UTC");
    const { sheets } = await readXlsx(await paper("xlsx", resource, record));
    const cells = sheets.flatMap(({ rows }) => rows).flat();
    const moments = cells.filter((cell) => cell instanceof Date);
    expect(moments.map((moment) => moment.toISOString().slice(0, 16))).toContain(
      shown.replace(" ", "T"),
    );
  });

  test("a page shows the day in the organisation's time zone", async () => {
    const day = shown.startsWith("2026-11-15") ? "15 November 2026" : "14 November 2026";
    const [, resource, record] = lists[0] ?? ["", historyRecord, {}];
    expect((await write("html", resource, record)).stdout).toContain(day);
  });
});

describe("explain refusal", () => {
  const { acct, home } = newDesk();

  test.each(zones)(
    "explain refusal shows the time in the book's time zone %s, and in UTC in JSON",
    async (zone, shown) => {
      const book = `--book ${join(home, zone)}.acct`;
      await acct(`init --name Heron --country NZ ${book}`);
      expect((await acct(`organisation update --timezone ${zone} ${book}`)).code).toBe(0);
      saveRefusal({ HOME: home }, new RefusedError("OpeningSet", "No."), ["contact", "create"], at);
      const { stdout } = await acct(`explain refusal ${book}`);
      expect(stdout).toContain(`acct contact create, ${shown}`);
      expect(stdout).not.toContain("UTC");
      const json = await acct(`explain refusal ${book} -o json`);
      expect(json.stdout).toContain("2026-11-14T22:00:00.000Z");
    },
  );

  test("explain refusal without a book shows times in UTC, and says so", async () => {
    saveRefusal({ HOME: home }, new RefusedError("OpeningSet", "No."), ["contact", "create"], at);
    const { stdout } = await acct(`explain refusal --book ${join(home, "nowhere.acct")}`);
    expect(stdout).toContain("2026-11-14 22:00 UTC");
  });
});
