/** No row of the tables of endpoints is without a test, and none is called what another is. */
import { expect, test } from "vitest";
import { documented } from "./endpoints.ts";
import { headings } from "./headings.ts";
import { testName } from "./row.ts";

/** Beside the document: a note on an item, whose address it does not show. */
const undocumented = ["PUT /Items/{id}/History", "POST /Invoices/{id}"];

test("every endpoint of the service document has a test, and every tested endpoint is in the document", () => {
  const covered = new Set(
    headings.flatMap(({ rows }) => rows.flatMap(({ endpoint }) => endpoint ?? [])),
  );
  expect([...covered].sort()).toEqual([...documented, ...undocumented].sort());
});

test("the tests of the service document have unique names under their heading", () => {
  for (const { heading, rows } of headings) {
    const names = rows.map((each) => `${testName(each)} ${each.country ?? ""}`);
    expect(names, heading).toEqual([...new Set(names)]);
  }
});
