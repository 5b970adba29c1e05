/**
 * Settings of the construction industry scheme (CIS) of the United Kingdom: roles and deduction
 * rate.
 */
import type { AccountSeed } from "../../ledger/regions/region.ts";
import { type Percent, scaleOf, writeDecimal } from "../../resources/decimal.ts";
import { refusal } from "../../resources/errors.ts";
import { type Actor, type AuditChange, recordAct } from "../../store/operations/audit-log.ts";
import { organisationOf, updateOrganisation } from "../../store/records/organisations.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { type AccountDependencies, addSystemAccounts } from "./currencies.ts";

/** CIS settings to change: undefined keeps a setting, null removes the rate. */
export interface CisSettings {
  /** Whether the organisation deducts from payments to subcontractors. */
  readonly contractor?: boolean | undefined;
  /** Whether customers deduct from payments to the organisation. */
  readonly subContractor?: boolean | undefined;
  /** Deduction rate of the organisation's own sales, in 10⁻⁴ percent. */
  readonly rate?: Percent | null | undefined;
}

/** Deduction rates in percent: subcontractors with gross payment, verified, unverified. */
const cisRates: readonly number[] = [0, 20, 30];

/** @throws RefusedError for a rate that the scheme does not have */
export function checkCisRate(rate: Percent): void {
  if (cisRates.includes(rate / 10_000)) return;
  throw refusal(
    "Form",
    `The rate of the construction industry scheme is ${cisRates.slice(0, -1).join(", ")} or ${cisRates.at(-1)} percent.`,
  );
}

/** Accounts for contractors. Their codes may be taken: the service finds the accounts by marker. */
const contractorAccounts: readonly AccountSeed[] = [
  seed("322", "CIS Labour Expense", "DIRECTCOSTS", "CISLABOUREXPENSE"),
  seed("323", "CIS Materials Purchased", "DIRECTCOSTS", "CISMATERIALS"),
  seed("837", "CIS Liability", "CURRLIAB", "CISLIABILITY"),
];
const subContractorAccounts: readonly AccountSeed[] = [
  seed("211", "CIS Labour Income", "REVENUE", "CISLABOURINCOME"),
  seed("836", "CIS Asset", "CURRENT", "CISASSETS"),
];

function seed(
  code: string,
  name: string,
  type: AccountSeed["type"],
  system: NonNullable<AccountSeed["system"]>,
): AccountSeed {
  return { code, name, type, system, tax: "NONE" };
}

/**
 * Changes the CIS settings of the organisation, and adds the accounts they need.
 *
 * @throws RefusedError outside the United Kingdom, or for a rate that the scheme does not have
 */
export async function changeCis(
  tx: Tx,
  settings: CisSettings,
  making: AccountDependencies & { readonly by: Actor },
): Promise<void> {
  const { contractor, subContractor, rate } = settings;
  if (contractor === undefined && subContractor === undefined && rate === undefined) return;
  const organisation = await organisationOf(tx);
  const { Version } = organisation;
  if (Version !== "UK") {
    throw refusal(
      "Country",
      "The construction industry scheme is for United Kingdom organisations only.",
    );
  }
  if (rate !== undefined && rate !== null) checkCisRate(rate);
  const audited = await recordAct(tx, {
    kind: "organisation.changed",
    by: making.by,
    at: making.now,
    subject: organisation.Name,
    subjectId: organisation.OrganisationID,
    changes: [
      settingChange("CISContractorEnabled", organisation.CISContractorEnabled, contractor),
      settingChange("CISSubContractorEnabled", organisation.CISSubContractorEnabled, subContractor),
      settingChange("CISRate", organisation.CISRate, rate),
    ],
  });
  await updateOrganisation(audited, {
    ...(contractor === undefined ? {} : { CISContractorEnabled: contractor }),
    ...(subContractor === undefined ? {} : { CISSubContractorEnabled: subContractor }),
    ...(rate === undefined ? {} : { CISRate: rate ?? undefined }),
  });
  if (contractor === true) await addSystemAccounts(making, tx, contractorAccounts);
  if (subContractor === true) await addSystemAccounts(making, tx, subContractorAccounts);
}

/** Returns the audit change of a setting, which stays the same where no value is sent. */
function settingChange(
  name: string,
  oldValue: boolean | Percent | undefined,
  sentValue: boolean | Percent | null | undefined,
): AuditChange {
  const text = (value: boolean | Percent | undefined) =>
    typeof value === "number" ? writeDecimal(value, scaleOf.percent) : value && "true";
  const newValue = sentValue === undefined ? oldValue : (sentValue ?? undefined);
  return { name, before: text(oldValue) || undefined, after: text(newValue) || undefined };
}
