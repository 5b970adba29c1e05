/** E-invoices of others as drafts: those of this program, and the public examples of the standards. */

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ReadEInvoice, readEInvoice, totalsFaults } from "../../../src/e-invoices/index.ts";
import { runAtOnce } from "../../../src/platform/slices.ts";
import type { Json } from "../fixture.ts";
import { german, germanKinds, issued, pintKinds, rate, type Trader } from "./kinds.ts";
import { rulesMissing } from "./rule-sets.ts";

interface Taken {
  readonly document?: Json;
  readonly said?: string;
}

/** Imports a file, as cost where the tax is not of this book. */
async function take(given: Trader["given"], file: Buffer, isCredit: boolean): Promise<Taken> {
  given.now += 1;
  const response = await given.book.transport({
    method: "POST",
    path: `/Extensions/EInvoices/${isCredit ? "CreditNotes" : "Bills"}`,
    query: [
      ["createContact", "true"],
      ["taxAsCost", "true"],
      ["currencyRate", "1"],
    ],
    headers: { accept: "application/json", "content-type": "application/octet-stream" },
    body: file,
  });
  const json = JSON.parse(String(response.body));
  if (response.status === 200) return { document: (json.Invoices ?? json.CreditNotes)[0] };
  const [first] = (json.Elements ?? []).flatMap((each: Json) => each.ValidationErrors ?? []);
  return { said: first?.Message ?? json.Message };
}

const cents = (amount: number) => Math.round(amount * 100);

test("sample e-invoices of every kind are received with their exact amounts", {
  timeout: 600_000,
}, async () => {
  for (const kinds of [germanKinds, () => pintKinds("AU"), () => pintKinds("NZ")]) {
    const { given, kinds: all, close } = await kinds();
    const buyer = await german();
    for (const Code of ["USD", "JPY", "AUD", "NZD"]) {
      await buyer.given.ok("PUT", "/Currencies", { Code });
    }
    for (const kind of all) {
      const [document] = (await given.ok("GET", `/${kind.of}/${kind.id}`))[kind.of];
      for (const format of kind.formats.slice(0, 2)) {
        const file = await issued(given, kind, format);
        const { document: made, said } = await take(buyer.given, file, kind.of === "CreditNotes");
        const again = format === kind.formats[1];
        if (again) expect(said).toMatch(/is there already/);
        else
          expect({ kind: kind.name, said, Total: made?.Total }).toEqual({
            kind: kind.name,
            said: undefined,
            Total: document.Total,
          });
      }
    }
    await Promise.all([close(), buyer.close()]);
  }
});

function* filesIn(folder: string): Generator<string> {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* filesIn(path);
    else if (/\.(?:xml|pdf)$/i.test(name)) yield path;
  }
}

const modules = ["en16931", "peppol", "peppol-pint", "xrechnung", "zugferd"];

describe.skipIf(rulesMissing() !== undefined)("public e-invoice examples", () => {
  test.each(modules)(
    "the public e-invoices of %s are received with exact amounts, or refused with a message",
    { timeout: 600_000 },
    async (module) => {
      const folder = join(
        process.env.ACCT_TEST_E_INVOICE_RULES ?? "",
        `phive-rules-${module}/src/test/resources/external/test-files`,
      );
      if (!existsSync(folder)) {
        console.log(`left out, because there is no ${folder}: public examples of ${module}`);
        return;
      }
      const { given, close } = await german();
      const { Currencies } = await given.ok("GET", "/Currencies");
      expect(Currencies).toHaveLength(1);
      for (const Code of [
        "NOK",
        "SEK",
        "DKK",
        "USD",
        "GBP",
        "AUD",
        "NZD",
        "HUF",
        "PLN",
        "CZK",
        "SGD",
        "CHF",
        "MYR",
        "JPY",
        "RON",
      ]) {
        await given.ok("PUT", "/Currencies", { Code });
      }
      await rate(given, "25 %", 25);
      const counts = { taken: 0, uneven: 0, refused: 0 };
      const refusals = new Map<string, number>();
      const seen = new Set<string>();
      for (const path of filesIn(folder)) {
        const file = readFileSync(path);
        // Most examples stand in several versions of the rules.
        const digest = createHash("sha256").update(file).digest("hex");
        if (seen.has(digest)) continue;
        seen.add(digest);
        let read: ReadEInvoice | undefined;
        try {
          read = runAtOnce(readEInvoice(file));
        } catch (error) {
          expect((error as Error).message).toMatch(/^[A-Z0-9"].*\.$/s);
        }
        const isBelow = read !== undefined && read.invoice.totals.gross < 0;
        const isCredit = read !== undefined && read.invoice.isCreditNote !== isBelow;
        const taken = await take(given, file, isCredit);
        if (taken.document !== undefined && read !== undefined) {
          const { totals } = read.invoice;
          expect([path, cents(taken.document.Total)]).toEqual([
            path,
            Math.abs(totals.gross + totals.rounding),
          ]);
          counts.taken += 1;
        } else if (read !== undefined && totalsFaults(read.invoice).length > 0) counts.uneven += 1;
        else {
          const known = String(taken.said)
            .replace(/\d[\d.,-]*/g, "#")
            .replace(/^(The (?:bill|credit note)).*(is there already).*/, "$1 $2")
            .slice(0, 110);
          refusals.set(known, (refusals.get(known) ?? 0) + 1);
          counts.refused += 1;
        }
      }
      console.log(module, counts, Object.fromEntries(refusals));
      expect(counts.taken).toBeGreaterThan(0);
      expect(given.bugs).toEqual([]);
      await close();
    },
  );
});
