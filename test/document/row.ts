/** One row of the service document, and what shows that it holds. */
import { describe, expect, test } from "vitest";
import type { Country } from "../../src/ledger/regions/index.ts";
import { Desk } from "./desk.ts";

export interface Row {
  /** What the row says, in a few words. */
  readonly says: string;
  /** `GET /Invoices/{id}`: what the row is about, where it is about one address. */
  readonly endpoint?: string;
  readonly country?: Country;
  readonly check: (desk: Desk) => Promise<void>;
}

/** The rows under one heading. */
export interface Heading {
  readonly heading: string;
  readonly rows: readonly Row[];
}

type Check = Row["check"];

export const row = (says: string, check: Check, country?: Country): Row => ({
  says,
  check,
  ...(country && { country }),
});

/** A row of a table of endpoints; the check must have asked it. */
export const at = (endpoint: string, says: string, check: Check, country?: Country): Row => ({
  ...row(says, check, country),
  endpoint,
});

export function testName({ endpoint, says }: Row): string {
  return endpoint === undefined ? says : `${endpoint}: ${says}`;
}

/** Makes a test of every row, in XML and in JSON. */
export function check(headings: readonly Heading[]): void {
  describe.each(headings)("$heading", ({ rows }) => {
    describe.each(["XML", "JSON"] as const)("in %s", (format) => {
      test.each(rows.map((each) => [testName(each), each] as const))(
        "the rule of the service document holds: %s",
        async (_name, each) => {
          const desk = await Desk.open(format, each.country);
          await each.check(desk);
          expect(desk.given.bugs).toEqual([]);
          if (each.endpoint !== undefined)
            expect(desk.asked).toContainEqual(addressOf(each.endpoint));
        },
      );
    });
  });
}

/** Matches a request to an endpoint; braces stand for one segment. */
function addressOf(endpoint: string) {
  const pattern = endpoint.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{[^}]*\}/g, "[^/]+");
  return expect.stringMatching(new RegExp(`^${pattern}/?$`));
}
