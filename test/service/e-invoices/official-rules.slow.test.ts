/** E-invoices of every kind, of sellers in four countries, against the official rules of every profile. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { embeddedXml, isPdf } from "../../../src/e-invoices/index.ts";
import { runAtOnce } from "../../../src/platform/slices.ts";
import { britishKinds, germanKinds, issued, pintKinds } from "./kinds.ts";
import { broken, type RuleSet, ruleSets, ruleSetsOf, rulesMissing } from "./rule-sets.ts";

const missing = rulesMissing();
if (missing !== undefined) {
  console.log(`left out, because ${missing}: e-invoices by the official rules`);
}

const folder = mkdtempSync(join(tmpdir(), "acct-test-rules-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** XML by the name of its kind and format, for each set of rules. */
const documents = new Map<RuleSet, Map<string, Buffer>>();

describe.skipIf(missing !== undefined)("the official e-invoice validation rules", () => {
  beforeAll(async () => {
    for (const make of [germanKinds, () => pintKinds("AU"), () => pintKinds("NZ"), britishKinds]) {
      const { given, kinds, close } = await make();
      for (const kind of kinds) {
        for (const format of kind.formats) {
          const bytes = await issued(given, kind, format);
          const xml = isPdf(bytes) ? Buffer.from(runAtOnce(embeddedXml(bytes))) : bytes;
          for (const set of ruleSetsOf[format]) {
            const name = `${format} - ${kind.name}`.replace(/[^\w -]/g, "");
            documents.set(set, (documents.get(set) ?? new Map()).set(name, xml));
          }
        }
      }
      await close();
    }
  });

  test.each(ruleSets)(
    "all e-invoices made from the book pass the official rules of %s",
    { timeout: 600_000 },
    (set) => {
      const own = documents.get(set) ?? new Map();
      console.log(`${own.size} e-invoices by ${set}`);
      expect(own.size).toBeGreaterThanOrEqual(20);
      expect(broken(set, join(folder, "right"), own)).toEqual([]);
    },
  );

  test.each<[set: RuleSet, rule: RegExp]>([
    ["EN 16931 1.3.16, UBL", /BR-06/],
    ["EN 16931 1.3.16, CII", /BR-06/],
    ["XRechnung 3.0.2, UBL", /BR-DE-2]/],
    ["PINT 1.1.3, shared", /ibr-006/],
    ["PINT A-NZ 1.1.3", /aligned-ibr-00[12]-aunz/],
  ])(
    "the official rules of %s report an e-invoice without the seller's name",
    { timeout: 600_000 },
    (set, rule) => {
      const xml = String([...(documents.get(set)?.values() ?? [])].at(-1))
        .replace(/<cac:PartyLegalEntity>[\s\S]*?<\/cac:PartyLegalEntity>/, "")
        .replace(/<cac:Contact>[\s\S]*?<\/cac:Contact>/, "")
        .replace(/(<ram:SellerTradeParty>\s*)<ram:Name>[^<]*<\/ram:Name>/, "$1");
      const found = broken(set, join(folder, "wrong"), new Map([["wrong", Buffer.from(xml)]]));
      expect(found).toEqual(expect.arrayContaining([expect.stringMatching(rule)]));
    },
  );
});
