/** Programs that send invoices from one organisation of a database at the same time. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject, onTestFinished, test } from "vitest";
import { emailAtOnce, expectExactly } from "../cli/emails-at-once.ts";
import { newOrganisation } from "./organisations.ts";

test("simultaneous processes together send no more emails than the daily limit", async () => {
  const home = mkdtempSync(join(tmpdir(), "acct-emails-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const { shared } = inject("postgres");
  const made = { name: "Heron Lane Ltd", country: "NZ", demo: true } as const;
  const { OrganisationID } = await newOrganisation(made, {});
  const flags = ["--database", shared, "--tenant", OrganisationID];
  const left = 3;
  const place = `${shared}#${OrganisationID}`;
  expectExactly(left, await emailAtOnce(place, flags, { home, left, processes: 7 }));
});
