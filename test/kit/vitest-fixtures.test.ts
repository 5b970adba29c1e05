/** The fixture of vitest: each test begins in the first state, alone with its server. */
import { expect, it, onTestFinished } from "vitest";
import type { Acct } from "../../src/kit/face.ts";
import { startAcct } from "../../src/kit/start.ts";
import { acctFixtures } from "../../src/kit/vitest-fixtures.ts";

it("a test begins in the first state, and one that is concurrent is refused", async () => {
  const server = await startAcct();
  onTestFinished(() => server.stop());
  const { acct } = acctFixtures();
  const tenants: string[] = [];
  const addSecond = async (given: Acct) =>
    void tenants.push((await given.organisation("Second")).tenant);
  const begin = (task: { readonly concurrent?: boolean }) =>
    acct({ server, task, onTestFailed: () => undefined }, addSecond);
  await begin({});
  await begin({ concurrent: false });
  expect(tenants).toHaveLength(2);
  await expect(begin({ concurrent: true })).rejects.toThrow("is not concurrent");
  expect(tenants).toHaveLength(2);
});
