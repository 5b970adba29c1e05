/** /TaxRates: one rate per request; of initial rates only the name may change. */

import { hyphenDate } from "../../../ledger/dates/calendar.ts";
import { nextNumber, taxRateSeries } from "../../../ledger/documents/numbering.ts";
import { lockedUntil } from "../../../ledger/locks.ts";
import { wholePercent } from "../../../ledger/money.ts";
import { canApplyOf, effectiveRate } from "../../../ledger/tax.ts";
import { refusal } from "../../../resources/errors.ts";
import { taxRate } from "../../../resources/index.ts";
import type { Organisation } from "../../../resources/organisation.ts";
import type { TaxRate } from "../../../resources/tax-rate.ts";
import { takeNumbers } from "../../../store/chain/sequences.ts";
import { list } from "../../../store/mapping/records.ts";
import { isPostedUntil, isUsed } from "../../../store/queries/references.ts";
import { fold } from "../../../wire/fold.ts";
import type { StoredTaxRate } from "../../lookups/chart-of-accounts.ts";
import type { Endpoint, RecordWriter } from "../../request/endpoint.ts";
import { Faults } from "../../request/faults.ts";
import { withDefaults } from "../../request/merge.ts";

interface TaxRateContext {
  readonly rates: readonly StoredTaxRate[];
  /** The TaxType for a new rate. */
  readonly nextType: string;
  readonly usedTypes: ReadonlySet<string>;
  /** TaxTypes with postings on or before a lock date. */
  readonly closed: ReadonlySet<string>;
}

/** Allowed report tax types of new rates, by tax system, where one is required. */
const reportTaxTypesByVersion: Readonly<Record<string, readonly string[]>> = {
  AU: ["OUTPUT", "INPUT", "EXEMPTOUTPUT", "INPUTTAXED", "BASEXCLUDED", "EXEMPTEXPENSES"],
  NZ: ["OUTPUT", "INPUT", "EXEMPTOUTPUT", "EXEMPTINPUT"],
  UK: [
    "OUTPUT",
    "INPUT",
    "EXEMPTOUTPUT",
    "EXEMPTINPUT",
    "ECOUTPUT",
    "ECOUTPUTSERVICES",
    "ECINPUT",
    "ECACQUISITIONS",
    "CAPITALSALESOUTPUT",
    "CAPITALEXPENSESINPUT",
    "MOSSSALES",
  ],
};

export const taxRates: Endpoint<StoredTaxRate, TaxRateContext> = {
  resource: taxRate,
  listOrder: "Name",

  writer: async () => taxRateWriting,
};

const taxRateWriting: RecordWriter<StoredTaxRate, TaxRateContext> = {
  async alternates({ tx, entries }) {
    const { records } = await list(tx, taxRate);
    return entries.map(({ input }) => findNamesake(records, (input as Partial<TaxRate>).Name));
  },

  clash: () => ({ rule: "Unique", message: nameTaken }),

  async load({ tx, entries, organisation }) {
    const used = new Set<string>();
    const closed = new Set<string>();
    const locked = lockedUntil(organisation);
    for (const { existing } of entries) {
      const taxType = existing?.TaxType;
      if (taxType === undefined) continue;
      if (await isUsed(tx, taxRate, taxType)) used.add(taxType);
      if (await isPostedUntil(tx, taxRate, taxType, locked)) closed.add(taxType);
    }
    const next = entries.some((entry) => entry.existing === undefined)
      ? nextNumber(taxRateSeries, (await takeNumbers(tx, taxRateSeries.sequence, 1)) - 1)
      : "";
    return { rates: (await list(tx, taxRate)).records, nextType: next, usedTypes: used, closed };
  },

  decide({ organisation }, { rates, nextType: next, usedTypes: used, closed }, entry) {
    const { existing } = entry;
    const input = entry.input as Partial<TaxRate>;
    if (existing !== undefined) checkUpdatable(existing, input);
    const faults = new Faults();
    const record: StoredTaxRate = {
      ...(existing ?? withDefaults<StoredTaxRate>(taxRate.fields, {})),
      ...sentOf(input),
      TaxType: existing?.TaxType ?? next,
    };
    if (existing === undefined && input.TaxType !== undefined) {
      faults.add(
        "ApprovedFields",
        "TaxType is given by the service and usable on update calls only.",
      );
    }
    if (record.Status !== "ACTIVE" && (existing === undefined || record.Status !== "DELETED")) {
      faults.add(
        "Status",
        "The Status of a tax rate can be set to ACTIVE, and on updates to DELETED.",
      );
    }
    // A rate in use is archived, so that lines can still refer to it.
    if (record.Status === "DELETED" && used.has(record.TaxType ?? "")) record.Status = "ARCHIVED";
    const other = findNamesake(rates, record.Name);
    if (record.Status === "ACTIVE" && other !== undefined && other.TaxType !== record.TaxType) {
      faults.add("Unique", nameTaken);
    }
    checkReportTaxType(record, existing, organisation, faults);
    if (closed.has(record.TaxType ?? "") && record.ReportTaxType !== existing?.ReportTaxType) {
      faults.add("Country", closedReportTaxType(record, organisation));
    }
    // Components of a system rate are fixed by its region.
    if (existing?.System !== true) {
      checkComponents(record.TaxComponents ?? [], organisation, faults);
    }
    const effective = faults.collect(() => effectiveRate(record.TaxComponents ?? []));
    faults.check();
    record.EffectiveRate = effective ?? record.EffectiveRate;
    record.DisplayTaxRate = record.EffectiveRate;
    if (existing === undefined) Object.assign(record, canApplyOf(record.ReportTaxType));
    entry.record = record;
    const isDeleted = record.Status !== "ACTIVE";
    const changes = existing === undefined ? "Created" : isDeleted ? "Deleted" : "Edited";
    const details = `The tax rate ${record.Name} was ${changes.toLowerCase()}.`;
    entry.history.push({ changes, details });
  },
};

const nameTaken = "Please enter a unique Name.";

function findNamesake(
  rates: readonly StoredTaxRate[],
  name: string | undefined,
): StoredTaxRate | undefined {
  if (name === undefined) return undefined;
  return rates.find((rate) => rate.Status === "ACTIVE" && fold(rate.Name) === fold(name));
}

/** Returns the sent fields without empty ones: no field of a rate can be cleared. */
function sentOf(input: Partial<TaxRate>): Partial<TaxRate> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

/**
 * Refuses changes of initial rates except the name, since documents, accounts and returns rely on
 * them; equal values may be sent back.
 *
 * @throws RefusedError when more than the name of a system rate would change, or the rate is
 *   deleted
 */
function checkUpdatable(stored: StoredTaxRate, input: Partial<TaxRate>): void {
  const { Status = stored.Status, ReportTaxType = stored.ReportTaxType } = input;
  const isChanged =
    Status !== stored.Status ||
    ReportTaxType !== stored.ReportTaxType ||
    (input.TaxComponents !== undefined && formatComponents(input) !== formatComponents(stored));
  if (stored.System === true && isChanged) {
    throw refusal("Status", "System-defined rates cannot be updated");
  }
  if (stored.Status !== "ACTIVE") {
    throw refusal("Status", `The tax rate ${stored.Name} is deleted and cannot be updated.`);
  }
}

/** Returns the components as one text, independent of their order. */
function formatComponents({ TaxComponents = [] }: Partial<TaxRate>): string {
  return TaxComponents.map(({ Name, Rate, IsCompound = false, IsNonRecoverable = false }) =>
    JSON.stringify([Name, Rate, IsCompound, IsNonRecoverable]),
  )
    .sort()
    .join();
}

function checkReportTaxType(
  { ReportTaxType }: TaxRate,
  stored: TaxRate | undefined,
  { Version }: Organisation,
  faults: Faults,
): void {
  // An unchanged type set by the service may be sent back, though callers cannot choose it.
  if (stored !== undefined && ReportTaxType === stored.ReportTaxType) return;
  const allowed = reportTaxTypesByVersion[Version];
  if (allowed === undefined) {
    if (ReportTaxType === undefined) return;
    faults.add(
      "Country",
      "ReportTaxType is for organisations in Australia, New Zealand and the United Kingdom only.",
    );
  } else if (ReportTaxType === undefined) {
    faults.add("Required", "ReportTaxType is required.");
  } else if (!allowed.includes(ReportTaxType)) {
    faults.add(
      "Form",
      `ReportTaxType must be one of ${allowed.join(", ")}, not '${ReportTaxType}'.`,
    );
  }
}

/**
 * Returns the refusal of a new ReportTaxType: it decides the box in returns, also in locked
 * periods.
 */
function closedReportTaxType({ Name }: TaxRate, organisation: Organisation): string {
  const locked = hyphenDate(lockedUntil(organisation) ?? "");
  return (
    `The tax rate ${Name} is on transactions of the period that is locked until ${locked}, whose ` +
    "returns would change: it keeps its ReportTaxType. Make another rate for what comes after."
  );
}

function checkComponents(
  components: NonNullable<TaxRate["TaxComponents"]>,
  { CountryCode }: Organisation,
  faults: Faults,
): void {
  if (components.length === 0)
    faults.add("Required", "A tax rate needs at least one tax component.");
  const componentNames = new Set(components.map((component) => fold(component.Name)));
  if (componentNames.size < components.length) {
    faults.add("Form", "The tax components of a rate need different names.");
  }
  for (const component of components) {
    component.IsCompound ??= false;
    component.IsNonRecoverable ??= false;
    if (component.Rate < 0 || component.Rate > wholePercent) {
      faults.add(
        "Form",
        `The rate of the tax component ${component.Name} must be from 0 to 100 percent.`,
      );
    }
    if (component.IsNonRecoverable && CountryCode !== "CA") {
      faults.add("Country", "IsNonRecoverable applies to Canadian organisations only.");
    }
  }
}
