/** E-invoices of every kind against the official rules of every profile. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { embeddedXml, isPdf } from "../../../src/e-invoices/embedded-file.ts";
import { britishKinds, germanKinds, issued, type Kind, pintKinds, type Trader } from "./kinds.ts";
import { broken, type RuleSet, ruleSetsOf, rulesMissing } from "./rule-sets.ts";

const missing = rulesMissing();
if (missing !== undefined) {
  console.log(`left out, because ${missing}: e-invoices by the official rules`);
}

const folder = mkdtempSync(join(tmpdir(), "acct-test-rules-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Traders = Trader & { readonly kinds: readonly Kind[] };

async function documentsOf({ given, kinds }: Traders): Promise<Map<RuleSet, Map<string, Buffer>>> {
  const bySet = new Map<RuleSet, Map<string, Buffer>>();
  for (const kind of kinds) {
    for (const format of kind.formats) {
      const bytes = await issued(given, kind, format);
      const xml = isPdf(bytes) ? Buffer.from(embeddedXml(bytes)) : bytes;
      for (const set of ruleSetsOf[format]) {
        const documents = bySet.get(set) ?? new Map<string, Buffer>();
        documents.set(`${format} - ${kind.name}`.replace(/[^\w -]/g, ""), xml);
        bySet.set(set, documents);
      }
    }
  }
  return bySet;
}

describe.skipIf(missing !== undefined)("no rule is broken by e-invoices", () => {
  test.each<[country: string, kinds: () => Promise<Traders>]>([
    ["Germany", germanKinds],
    ["Australia", () => pintKinds("AU")],
    ["New Zealand", () => pintKinds("NZ")],
    ["the United Kingdom", britishKinds],
  ])("of a seller in %s", { timeout: 600_000 }, async (country, kinds) => {
    const trader = await kinds();
    const bySet = await documentsOf(trader);
    await trader.close();
    const found: Record<string, string[]> = {};
    const counts: string[] = [];
    for (const [set, documents] of bySet) {
      const faults = broken(set, join(folder, country), documents);
      if (faults.length > 0) found[set] = faults;
      counts.push(`${documents.size} by ${set}`);
    }
    console.log(`${country}: ${counts.join(", ")}`);
    expect(found).toEqual({});
  });
});
