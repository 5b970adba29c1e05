/** Books that are kept of a seed, which the built program alone does: here a build is feigned. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { startAcct } from "../../src/kit/start.ts";

vi.mock("../../src/platform/version.ts", async (load) => ({
  ...(await load<object>()),
  build: "tested",
}));

const folder = mkdtempSync(join(tmpdir(), "acct-kept-"));
vi.stubEnv("XDG_CACHE_HOME", folder);
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

it("a book is copied on the same day of its organisation, and made anew on the next", async () => {
  const seed = join(folder, "seed.json");
  const LineItems = [{ Description: "Mugs", Quantity: 1, UnitAmount: 20, AccountCode: "200" }];
  const invoice = { Contact: { Name: "Ann" }, Date: "-30d", DueDate: "+0d", LineItems };
  const documents = [{ invoice: { ...invoice, Status: "AUTHORISED" } }];
  writeFileSync(seed, JSON.stringify({ contacts: [{ Name: "Ann" }], documents }));
  const started = async (now: string) => {
    vi.useFakeTimers({ now: new Date(now), toFake: ["Date"] });
    await using acct = await startAcct({ seed });
    const headers = { authorization: `Bearer ${await acct.token()}`, accept: "application/json" };
    const response = await fetch(`${acct.url}/Invoices`, { headers });
    const [, dueDay] = /"DueDateString":"([^T"]+)/.exec(await response.text()) ?? [];
    return [dueDay, readdirSync(join(folder, "acct/seeds")).length];
  };
  // A day of New Zealand begins at 11:00 UTC in summer.
  expect(await started("2026-03-01T10:59:00Z")).toEqual(["2026-03-01", 1]);
  expect(await started("2026-03-01T11:01:00Z")).toEqual(["2026-03-02", 2]);
  expect(await started("2026-03-02T10:59:00Z")).toEqual(["2026-03-02", 2]);
});
