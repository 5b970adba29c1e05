/** Moments are shown where the organisation is, on a terminal and on paper; programs get UTC. */
import { describe, expect, test } from "vitest";
import { letterheadOf } from "../../../src/output/letterhead.ts";
import { auditEntry } from "../../../src/resources/audit-entry.ts";
import type { Resource, Shape } from "../../../src/resources/field.ts";
import { historyRecord } from "../../../src/resources/history.ts";
import { operation } from "../../../src/resources/operation.ts";
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
  ["NEWZEALANDSTANDARDTIME", "2026-11-15 11:00"],
  ["PACIFICSTANDARDTIME", "2026-11-14 14:00"],
] as const;

const letterhead = (Timezone: string) => async () =>
  letterheadOf(
    { Name: "Heron", CountryCode: "NZ", Timezone: Timezone as never },
    { color: undefined, logo: undefined },
  );

describe.each(zones)("in %s", (timezone, shown) => {
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
    "%s is at the local minute on a terminal and a page, in UTC in JSON and CSV",
    async (_, resource, record) => {
      expect((await write("table", resource, record)).stdout).toContain(shown);
      expect((await write("html", resource, record)).stdout).toContain(shown);
      for (const format of ["table", "html"] as const) {
        const { stdout } = await write(format, resource, record);
        expect(stdout, "no heading says UTC over a local minute").not.toContain("UTC");
      }
      expect((await write("json", resource, record)).stdout).toContain("2026-11-14T22:00:00");
      expect((await write("csv", resource, record)).stdout).toContain("2026-11-14T22:00:00");
    },
  );

  test("a page says the day that it is there", async () => {
    const day = shown.startsWith("2026-11-15") ? "15 November 2026" : "14 November 2026";
    const [, resource, record] = lists[0] ?? ["", historyRecord, {}];
    expect((await write("html", resource, record)).stdout).toContain(day);
  });
});
