/**
 * Changes the settings of an organisation: validates them for its country, and notes them in its
 * history.
 */

import { electronicAddressFault } from "../../e-invoices/identifiers.ts";
import { hyphenDate } from "../../ledger/dates/calendar.ts";
import { ianaName, timezones } from "../../ledger/dates/timezones.ts";
import { lockedUntil } from "../../ledger/locks.ts";
import { isEmailAddress } from "../../platform/mail.ts";
import { refusalFor } from "../../resources/errors.ts";
import { type Field, type Fields, isScalar } from "../../resources/field.ts";
import {
  type Organisation,
  type OrganisationSettings,
  organisation,
  organisationSetting,
  taxBases,
  taxPeriods,
} from "../../resources/organisation.ts";
import { validate } from "../../resources/validate.ts";
import {
  type Actor,
  type AuditChange,
  type Audited,
  recordAct,
} from "../../store/operations/audit-log.ts";
import { isAnythingPostedUntil } from "../../store/queries/references.ts";
import { addHistory } from "../../store/records/history.ts";
import {
  organisationOf,
  type StoredOrganisation,
  updateOrganisation,
} from "../../store/records/organisations.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { plainValue } from "../../wire/plain.ts";
import { Faults } from "../request/faults.ts";
import { mergeRecord } from "../request/merge.ts";

/** Actor and time of a change. */
export interface OrganisationChange {
  readonly user: string;
  /** The actor, for the audit log. */
  readonly by: Actor;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  readonly newId: () => string;
}

/**
 * Merges settings into those of the organisation, and notes each change in its history. A field
 * sent empty is cleared; an empty address or phone is removed.
 *
 * @throws RefusedError with every fault: a value that its country does not have, a year end that
 *   would change locked figures
 */
export async function changeOrganisation(
  tx: Tx,
  input: OrganisationSettings,
  changing: OrganisationChange,
): Promise<StoredOrganisation> {
  const faults = validate(organisationSetting.fields, input, { creating: false });
  if (faults.length > 0) throw refusalFor(faults);
  const formerSettings = await organisationOf(tx);
  const merged = normaliseSettings(mergeRecord(organisationSetting.fields, formerSettings, input));
  await check(tx, formerSettings, merged);
  const changes = changesBetween(formerSettings, merged);
  if (changes.length === 0) return formerSettings;
  const { newId, now, user } = changing;
  const audited = await recordChanges(tx, formerSettings, changes, changing);
  await updateOrganisation(audited, merged);
  await addHistory(tx, [
    {
      id: newId(),
      resource: organisation.name,
      recordId: formerSettings.OrganisationID,
      at: now,
      user,
      changes: "Edited",
      details: `${changes.map(changeText).join("; ")}.`,
    },
  ]);
  return organisationOf(tx);
}

/** Lock dates have their own audit kind, since they decide what may still change in the books. */
const lockDates: readonly string[] = ["PeriodLockDate", "EndOfYearLockDate"];

async function recordChanges(
  tx: Tx,
  { OrganisationID: subjectId, Name: subject }: StoredOrganisation,
  changes: readonly AuditChange[],
  { by, now: at }: OrganisationChange,
): Promise<Audited<Tx>> {
  const act = { by, at, subject, subjectId };
  const locks = changes.filter(({ name }) => lockDates.includes(name));
  const otherChanges = changes.filter(({ name }) => !lockDates.includes(name));
  if (otherChanges.length === 0) {
    return recordAct(tx, { ...act, kind: "lock-date.changed", changes: locks });
  }
  if (locks.length > 0) await recordAct(tx, { ...act, kind: "lock-date.changed", changes: locks });
  return recordAct(tx, { ...act, kind: "organisation.changed", changes: otherChanges });
}

/** Normalises the stored settings: without empty values, and with the time zone's standard name. */
function normaliseSettings(stored: StoredOrganisation): StoredOrganisation {
  const { Addresses = [], Phones = [], ExternalLinks = [] } = stored;
  return {
    ...stored,
    OrganisationEntityType: stored.OrganisationType,
    Timezone: timezoneOf(stored.Timezone),
    Addresses: Addresses.filter((address) => saysMoreThan(address, "AddressType")),
    Phones: Phones.filter(({ PhoneNumber }) => Boolean(PhoneNumber)),
    ExternalLinks: ExternalLinks.filter(({ Url }) => Boolean(Url)),
  };
}

const saysMoreThan = (record: object, name: string): boolean =>
  Object.entries(record).some(([key, value]) => key !== name && Boolean(value));

/** Returns the time zone of a name: `Pacific/Auckland` or `newzealandstandardtime`. */
function timezoneOf(name: string): string {
  const wantedZone = name.toLowerCase();
  return (
    timezones.find(
      (zone) => zone.toLowerCase() === wantedZone || ianaName(zone)?.toLowerCase() === wantedZone,
    ) ?? name
  );
}

// --- validation --------------------------------------------------------------------------------

/** Longest days of each month, in a leap year. */
const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

async function check(tx: Tx, former: Organisation, changed: Organisation): Promise<void> {
  const faults = new Faults();
  const version = changed.Version.replace("ONRAMP", "") as keyof typeof taxBases;
  const oneOf = (name: "SalesTaxBasis" | "SalesTaxPeriod", knownValues: readonly string[]) => {
    if (changed[name] === former[name] || knownValues.includes(changed[name])) return;
    faults.add("Form", `${name} is one of ${knownValues.join(", ")} here, not ${changed[name]}.`);
  };
  oneOf("SalesTaxBasis", taxBases[version]);
  oneOf("SalesTaxPeriod", taxPeriods[version]);
  if (ianaName(changed.Timezone) === undefined) {
    faults.add(
      "Form",
      `The time zone '${changed.Timezone}' is not known; give it as Pacific/Auckland.`,
    );
  }
  const { ElectronicAddress, EmailAddress } = changed;
  if (ElectronicAddress && ElectronicAddress !== former.ElectronicAddress) {
    const fault = electronicAddressFault(ElectronicAddress);
    if (fault !== undefined) faults.add("Form", fault);
  }
  if (EmailAddress && !isEmailAddress(EmailAddress)) {
    faults.add("Form", `EmailAddress '${EmailAddress}' is no email address.`);
  }
  const { EmployerIdentificationNumber: employer } = changed;
  if (employer && employer !== former.EmployerIdentificationNumber && version !== "US") {
    faults.add(
      "Country",
      "An EmployerIdentificationNumber is for United States organisations only.",
    );
  }
  for (const { Url } of changed.ExternalLinks ?? []) {
    if (!/^https?:$/.test(URL.parse(Url ?? "")?.protocol ?? "")) {
      faults.add(
        "Form",
        `The address ${Url?.slice(0, 100)} is none that begins with https:// or http://.`,
      );
    }
  }
  await checkYearEnd(tx, former, changed, faults);
  faults.check();
}

/** Refuses a new year end while postings are locked: retained earnings depend on it. */
async function checkYearEnd(
  tx: Tx,
  former: Organisation,
  changed: Organisation,
  faults: Faults,
): Promise<void> {
  const { FinancialYearEndDay: day, FinancialYearEndMonth: month } = changed;
  if (former.FinancialYearEndDay === day && former.FinancialYearEndMonth === month) return;
  if (day > (longest[month - 1] ?? 0)) {
    faults.add("Form", `Month ${month} has no day ${day} on which a financial year could end.`);
  }
  const locked = lockedUntil(former);
  if (locked !== undefined && (await isAnythingPostedUntil(tx, locked))) {
    faults.add(
      "LockDate",
      `The books are locked until ${hyphenDate(locked)}: another financial year end would change ` +
        "what is shown for that time. Lift the lock dates first.",
    );
  }
}

// --- history notes -----------------------------------------------------------------------------

/** Formats a change: `TaxNumber 123 → 456`. */
function changeText({ name, before, after }: AuditChange): string {
  return `${name} ${before ?? "nothing"} → ${after ?? "nothing"}`;
}

/** Returns the changes, field by field. */
function changesBetween(oldRecord: object, newRecord: object): AuditChange[] {
  const names = [...Object.keys(organisationSetting.fields), "OrganisationEntityType"];
  return names.flatMap((name) => {
    const field = (organisation.fields as Fields)[name];
    const [old, next] = [oldRecord, newRecord].map((record) =>
      textOf(field, (record as Record<string, unknown>)[name]),
    );
    return old === next ? [] : [{ name, before: old || undefined, after: next || undefined }];
  });
}

function textOf(field: Field | undefined, value: unknown): string {
  if (field === undefined || value === undefined || value === null) return "";
  if (isScalar(field)) return plainValue(field, value);
  if (field.kind === "many") {
    const objectTexts = (value as object[]).map((object) => objectText(field.fields, object));
    return objectTexts.join(", ");
  }
  return field.kind === "one" ? objectText(field.fields, value as object) : "";
}

/**
 * Formats an object: `STREET 4 Heron Lane Wellington`; with nested ones, `Sales (20
 * DAYSAFTERBILLDATE)`.
 */
function objectText(fields: Fields, value: object): string {
  return Object.entries(fields)
    .flatMap(([name, field]) => {
      const text = textOf(field, (value as Record<string, unknown>)[name]);
      if (text === "") return [];
      return isScalar(field) ? [text] : [`${name} (${text})`];
    })
    .join(" ");
}
