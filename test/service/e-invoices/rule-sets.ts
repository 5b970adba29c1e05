/**
 * The official rules for e-invoices, and a validator that runs them.
 *
 * They are not part of this repository: their licences differ, and they are large. ACCT_TEST_E_INVOICE_RULES
 * names a folder that is laid out as the public repository phax/phive-rules, which has them all
 * compiled; Saxon runs them (libsaxonhe-java). Where either is missing, what is left out is said.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EInvoiceFormat } from "../../../src/resources/e-invoice.ts";

const at = (module: string, path: string) =>
  `phive-rules-${module}/src/main/resources/external/schematron/${path}`;

const sets = {
  "EN 16931 1.3.16, UBL": at("en16931", "1.3.16/ubl/EN16931-UBL-validation.xslt"),
  "EN 16931 1.3.16, CII": at("en16931", "1.3.16/cii/EN16931-CII-validation.xslt"),
  "Factur-X 1.08": at("zugferd", "2.5.2/FACTUR-X_EN16931.xslt"),
  "XRechnung 3.0.2, UBL": at("xrechnung", "3.0.2/XRechnung-UBL-validation.xslt"),
  "XRechnung 3.0.2, CII": at("xrechnung", "3.0.2/XRechnung-CII-validation.xslt"),
  "Peppol BIS 3.0, May 2026": at("peppol", "openpeppol/2026.5/xslt/PEPPOL-EN16931-UBL.xslt"),
  "France CTC 1.4.0, CII": at(
    "france",
    "ctc/1.4.0.03/xslt/20260804_BR-FR-Flux2-Schematron-CII_V1.4.0.03.xslt",
  ),
  "France CTC 1.4.0, UBL": at(
    "france",
    "ctc/1.4.0.03/xslt/20260804_BR-FR-Flux2-Schematron-UBL_V1.4.0.03.xslt",
  ),
  "PINT 1.1.3, shared": at(
    "peppol-pint",
    "pint-aunz/1.1.3/xslt/billing/PINT-UBL-validation-preprocessed.xslt",
  ),
  "PINT A-NZ 1.1.3": at(
    "peppol-pint",
    "pint-aunz/1.1.3/xslt/billing/PINT-jurisdiction-aligned-rules.xslt",
  ),
} as const;

export type RuleSet = keyof typeof sets;
export const ruleSets = Object.keys(sets) as RuleSet[];

export const ruleSetsOf = {
  ubl: ["EN 16931 1.3.16, UBL"],
  cii: ["EN 16931 1.3.16, CII", "Factur-X 1.08"],
  facturx: ["EN 16931 1.3.16, CII", "Factur-X 1.08"],
  xrechnung: ["EN 16931 1.3.16, UBL", "XRechnung 3.0.2, UBL"],
  "xrechnung-cii": ["EN 16931 1.3.16, CII", "XRechnung 3.0.2, CII"],
  peppol: ["EN 16931 1.3.16, UBL", "Peppol BIS 3.0, May 2026"],
  "pint-anz": ["PINT 1.1.3, shared", "PINT A-NZ 1.1.3"],
} as const satisfies Record<EInvoiceFormat, readonly RuleSet[]>;

const saxon = "/usr/share/java/Saxon-HE.jar";

/** Why the official rules cannot be run here; undefined where they can. */
export function rulesMissing(): string | undefined {
  const folder = process.env.ACCT_TEST_E_INVOICE_RULES;
  if (folder === undefined) return "ACCT_TEST_E_INVOICE_RULES names no folder with them";
  if (!existsSync(saxon)) return "Saxon is not installed (libsaxonhe-java)";
  const absent = Object.values(sets).find((path) => !existsSync(join(folder, path)));
  return absent === undefined ? undefined : `there is no ${absent} in ACCT_TEST_E_INVOICE_RULES`;
}

/**
 * Runs one set over many documents, in one process.
 *
 * @param folder     where they are written to
 * @param documents  XML by name
 * @returns `name: [rule] sentence` of every rule that is broken, warnings aside
 */
export function broken(
  set: RuleSet,
  folder: string,
  documents: ReadonlyMap<string, Buffer>,
): string[] {
  const [source, target] = [join(folder, set, "in"), join(folder, set, "out")];
  for (const each of [source, target]) mkdirSync(each, { recursive: true });
  for (const [name, xml] of documents) writeFileSync(join(source, `${name}.xml`), xml);
  const rules = compilable(join(process.env.ACCT_TEST_E_INVOICE_RULES ?? "", sets[set]), folder);
  execFileSync(
    "java",
    ["-cp", saxon, "net.sf.saxon.Transform", `-s:${source}`, `-o:${target}`, `-xsl:${rules}`],
    { stdio: "pipe" },
  );
  return [...documents.keys()].flatMap((name) => {
    const report = readFileSync(join(target, `${name}.xml`), "utf8");
    if (!report.includes("schematron-output")) return [`${name}: no report`];
    return failures(report).map((each) => `${name}: ${each}`);
  });
}

/**
 * Rules that Saxon 9.9 compiles: it does not take the pattern of two rules on invoices of several
 * sellers, which acct does not write, and a copy in the folder leaves them out.
 */
function compilable(rules: string, folder: string): string {
  const text = readFileSync(rules, "utf8");
  const several = /match="\(ubl:Invoice \| cn:CreditNote\)\[[^"]*"/g;
  if (!several.test(text)) return rules;
  const copy = join(folder, "rules.xslt");
  writeFileSync(copy, text.replaceAll(several, 'match="several-sellers"'));
  return copy;
}

/** Sentences of the assertions that failed, but for warnings and hints. */
function failures(report: string): string[] {
  const found = report.matchAll(/<svrl:failed-assert\b([^>]*)>([\s\S]*?)<\/svrl:failed-assert>/g);
  return [...found].flatMap(([, attributes = "", content = ""]) => {
    if (/flag="(?:warning|information|info)"/.test(attributes)) return [];
    const text = /<svrl:text>([\s\S]*?)<\/svrl:text>/.exec(content)?.[1] ?? "";
    return [text.replace(/\s+/g, " ").trim()];
  });
}
