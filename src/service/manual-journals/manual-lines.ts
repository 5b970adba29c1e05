/**
 * Coding and tax of manual journal lines.
 *
 * They have no ids: an update sends all lines. They are stored among the lines of documents.
 */
import { checkBalance, type ManualLineFacts } from "../../ledger/postings/manual-journal.ts";
import { lineTax } from "../../ledger/tax.ts";
import type { Account } from "../../resources/account.ts";
import { type LineAmountTypes, smallestAmount } from "../../resources/common.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { LineItem } from "../../resources/line-item.ts";
import type { ManualJournalLine } from "../../resources/manual-journal.ts";
import type { Organisation } from "../../resources/organisation.ts";
import {
  type AddFault,
  accountNamed,
  faultOf,
  isKeptByLedger,
  ledgerLine,
  noLineAccount,
  taxRateNamed,
  trackingNamed,
} from "../documents/coding.ts";
import type { Chart } from "../lookups/chart-of-accounts.ts";
import type { Faults } from "../request/faults.ts";

export interface ManualLineContext {
  readonly chart: Chart;
  readonly organisation: Organisation;
  readonly types: LineAmountTypes;
  /** Date of the journal. */
  readonly date: string | undefined;
  /** Whether the journal is to be posted, so that its lines must be complete. */
  readonly isComplete: boolean;
  /** Current lines: their accounts stay valid, even if archived since. */
  readonly storedLines: readonly ManualJournalLine[];
}

const linesMin = 2;
const zero = 0 as Cents;

/** Resolves and checks every line; faults go to `faults`. */
export function completeJournalLines(
  sent: readonly ManualJournalLine[],
  context: ManualLineContext,
  faults: Faults,
): ManualJournalLine[] {
  if (sent.length < linesMin)
    faults.add("Required", `A manual journal needs at least ${linesMin} lines.`);
  const lines = sent.map((line, index) => complete(line, context, faultOf(sent, index, faults)));
  const { types, organisation } = context;
  const amounts = lines.map((line) => grossOf(line, types));
  faults.collect(() => checkBalance(amounts, organisation.BaseCurrency));
  return lines;
}

function complete(
  sent: ManualJournalLine,
  context: ManualLineContext,
  fault: AddFault,
): ManualJournalLine {
  if (isBlank(sent)) return { Description: sent.Description, IsBlank: true };
  if (sent.IsBlank === true) fault("Form", "A blank line has neither an amount nor an account.");
  const line: ManualJournalLine = { ...sent, IsBlank: false, LineAmount: sent.LineAmount ?? zero };
  const { chart, types, isComplete, storedLines: kept } = context;
  const account = accountNamed(
    line,
    chart,
    ({ AccountID }) => kept.some((manualJournalLine) => manualJournalLine.AccountID === AccountID),
    fault,
  );
  if (account !== undefined) checkAccount(account, fault);
  else if (isComplete && line.AccountCode === undefined && line.AccountID === undefined) {
    fault("Required", "Account code or ID must be specified");
  }
  const isKeptType = (taxType: string) => kept.some((keptLine) => keptLine.TaxType === taxType);
  const rate = taxRateNamed(line, account, { ...context, isKept: isKeptType }, fault);
  line.Tracking = trackingNamed(line, chart.tracking, (id) => hasOption(kept, id), fault);
  const baseCurrency = context.organisation.BaseCurrency;
  line.TaxAmount =
    types === "NoTax"
      ? zero
      : (line.TaxAmount ??
        lineTax(line.LineAmount ?? zero, rate?.EffectiveRate, types, smallestAmount(baseCurrency)));
  return line;
}

function hasOption(lines: readonly ManualJournalLine[], id: string): boolean {
  return lines.some(({ Tracking }) => Tracking?.some((record) => record.TrackingOptionID === id));
}

function isBlank({ LineAmount, TaxAmount, AccountCode, AccountID }: ManualJournalLine): boolean {
  return !LineAmount && !TaxAmount && AccountCode === undefined && AccountID === undefined;
}

/**
 * Refuses accounts whose balance belongs to records: bank, control, inventory and calculated
 * accounts.
 */
function checkAccount(account: Account, fault: AddFault): void {
  const { Code, Name, Type, SystemAccount } = account;
  const isAutomatic = isKeptByLedger(account) && SystemAccount !== "RETAINEDEARNINGS";
  if (Type === "BANK" || isAutomatic) fault("SystemAccount", noLineAccount(Code ?? Name));
  if (Type === "INVENTORY") {
    fault(
      "SystemAccount",
      `Account code '${Code ?? Name}' is an inventory account: it stands at its items.`,
    );
  }
}

/** Returns the gross amount of a line. */
function grossOf({ LineAmount = zero, TaxAmount = zero }: ManualJournalLine, types: string): Cents {
  return (types === "Exclusive" ? LineAmount + TaxAmount : LineAmount) as Cents;
}

/** Converts lines for the ledger, without blank ones. */
export function ledgerLines(
  lines: readonly ManualJournalLine[],
  types: LineAmountTypes,
  chart: Chart,
): ManualLineFacts[] {
  return lines.flatMap((line, at) =>
    line.AccountID === undefined ? [] : ledgerLine(line, at, types, chart, chart.smallest),
  );
}

/** Converts stored lines to their form in answers. */
export function journalLines(lines: readonly LineItem[]): ManualJournalLine[] {
  return lines.map((line) => ({ ...line, IsBlank: isBlank(line) }));
}
