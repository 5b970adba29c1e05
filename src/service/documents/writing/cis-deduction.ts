/**
 * Deductions under the construction industry scheme (CIS) of the United Kingdom: a contractor
 * deducts from bills of subcontractors, customers deduct from our own sales.
 */

import { lineNet } from "../../../ledger/documents/totals.ts";
import { type Cents, percentOf, sum, zeroCents } from "../../../ledger/money.ts";
import type { SystemAccount } from "../../../ledger/regions/region.ts";
import { amountText, smallestAmount } from "../../../resources/common.ts";
import type { Percent } from "../../../resources/decimal.ts";
import type { contact } from "../../../resources/index.ts";
import type { LineItem } from "../../../resources/line-item.ts";
import type { StoredFields } from "../../../store/mapping/records.ts";
import type { DocumentInProgress } from "./document-in-progress.ts";
import { changedFields } from "./posting-buffer.ts";

interface Scheme {
  /** System accounts whose lines count as labour. */
  readonly labourAccounts: ReadonlySet<SystemAccount>;
  /** Rate of the computed deduction; undefined where only a sent deduction applies. */
  readonly rate: Percent | undefined;
}

const purchaseLabour: ReadonlySet<SystemAccount> = new Set(["CISLABOUREXPENSE", "CISLABOUR"]);
const sold: ReadonlySet<SystemAccount> = new Set(["CISLABOURINCOME"]);

/** Returns the scheme that applies to the document; undefined where none does. */
function schemeOf({ kind, batch, contact: party }: DocumentInProgress): Scheme | undefined {
  const { CISContractorEnabled, CISSubContractorEnabled, CISRate } = batch.organisation;
  switch (kind.posts) {
    case "ACCPAY":
    case "ACCPAYCREDIT": {
      const { CISEnabled, CISRate: own } = (party ?? {}) as Partial<
        StoredFields<typeof contact.fields>
      >;
      if (CISContractorEnabled !== true) return undefined;
      return { labourAccounts: purchaseLabour, rate: CISEnabled === true ? own : undefined };
    }
    case "ACCREC":
    case "ACCRECCREDIT":
      return CISSubContractorEnabled === true ? { labourAccounts: sold, rate: CISRate } : undefined;
    default:
      return undefined;
  }
}

/**
 * Pipeline stage: sets the CIS deduction. A sent deduction stays until the amounts it is based on
 * change; `CISRate` is the rate of a computed deduction, and absent for a sent one.
 */
export function withhold(document: DocumentInProgress): void {
  const { record, existing, input, faults, entry } = document;
  const scheme = schemeOf(document);
  const sent = Object.hasOwn(input, "CISDeduction") ? input.CISDeduction : undefined;
  if (existing !== undefined && sent === undefined && isDeductionKept(document)) {
    record.CISDeduction = existing.CISDeduction;
    record.CISRate = existing.CISRate;
    return;
  }
  record.CISDeduction = undefined;
  record.CISRate = undefined;
  if (scheme === undefined) {
    if (sent) entry.warnings.push("CISDeduction is for the construction industry scheme only.");
    return;
  }
  const computed = computeDeduction(document, scheme);
  record.CISDeduction = sent ?? computed;
  if (record.CISDeduction === undefined) return;
  if (record.CISDeduction === computed) record.CISRate = scheme.rate;
  if (record.CISDeduction < 0)
    faults.add("NegativeTotal", "The CISDeduction must not be negative.");
  if (record.CISDeduction !== 0 && record.CISDeduction >= record.Total) {
    faults.add(
      "NegativeTotal",
      `The CISDeduction of ${amountText(record.CISDeduction, record.CurrencyCode)} must be below ` +
        `the total of ${amountText(record.Total, record.CurrencyCode)}.`,
    );
  }
}

/** Whether nothing has changed that the document's deduction is computed from. */
function isDeductionKept({
  record,
  existing,
  linesBefore,
  applied,
  approved,
  wasApproved,
}: DocumentInProgress): boolean {
  if (existing === undefined) return false;
  if (applied) return true;
  const changedNames = changedFields(existing, linesBefore, record);
  const isUnchanged =
    !changedNames.some((name) => name === "LineItems" || name === "LineAmountTypes") &&
    existing.Contact?.ContactID === record.Contact?.ContactID;
  if (!isUnchanged) return false;
  const wasSent = existing.CISDeduction !== undefined && existing.CISRate === undefined;
  return wasSent || wasApproved || !approved;
}

/**
 * Computes the deduction: the rate of the net of labour lines, rounded once; undefined without
 * labour.
 */
function computeDeduction(
  { record, work }: DocumentInProgress,
  { labourAccounts, rate }: Scheme,
): Cents | undefined {
  if (rate === undefined) return undefined;
  const isLabour = ({ AccountID }: LineItem) => {
    const marker = work.chart.account(AccountID ?? "")?.SystemAccount;
    return labourAccounts.has((marker || undefined) as SystemAccount);
  };
  const lines = record.LineItems.filter(isLabour);
  if (lines.length === 0) return undefined;
  const net = sum(lines.map((line) => lineNet(line, record.LineAmountTypes)));
  return net <= 0 ? zeroCents : percentOf(net, rate, smallestAmount(record.CurrencyCode));
}
