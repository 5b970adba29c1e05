/** The currencies an organisation keeps books in, and the accounts that take their gains. */
import { type AccountSeed, classOf } from "../../ledger/regions/region.ts";
import type { Account } from "../../resources/account.ts";
import { account, currency } from "../../resources/index.ts";
import type { Organisation } from "../../resources/organisation.ts";
import { list, save } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/store.ts";
import { fold } from "../../wire/fold.ts";

/** The moment at which records are made, and their ids. */
export interface Making {
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  readonly newId: () => string;
}

/** The codes of the currencies that documents may be in, that of the books among them. */
export async function subscribedCurrencies(tx: Tx): Promise<ReadonlySet<string>> {
  const { records } = await list(tx, currency);
  return new Set(records.map((each) => each.Code));
}

/** The refusal of a currency that the organisation has not added. */
export function notSubscribed(code: string): string {
  return `Users Organisation is not subscribed to currency ${code}`;
}

/** Names that differ from those of the Unicode project. */
const ownNames: Readonly<Record<string, string>> = { USD: "United States Dollar" };

/** What a currency is called in English: `Euro`, `New Zealand Dollar`. */
export function currencyName(code: string): string {
  return ownNames[code] ?? new Intl.DisplayNames("en", { type: "currency" }).of(code) ?? code;
}

/**
 * Makes the accounts that gains and losses on currencies go to, as far as the chart lacks them.
 *
 * They have the codes of the region's chart, or the next free ones where those are taken.
 */
export async function addCurrencyAccounts(
  making: Making,
  tx: Tx,
  organisation: Organisation,
): Promise<void> {
  const { regionAt } = await import("../../ledger/regions/index.ts");
  const { accounts } = regionAt(organisation.CountryCode);
  const seeds = accounts.filter((seed) => seed.multicurrency === true);
  await addSystemAccounts(making, tx, seeds);
}

/** Adds accounts that the service posts to by their marker; those that are there stay as they are. */
export async function addSystemAccounts(
  { now, newId }: Making,
  tx: Tx,
  seeds: readonly Omit<AccountSeed, "multicurrency">[],
): Promise<void> {
  const { records: chart } = await list(tx, account);
  const markers = new Set(chart.map((each) => each.SystemAccount));
  const live = chart.filter((each) => each.Status !== "DELETED");
  const codes = new Set(live.map((each) => fold(each.Code ?? "")));
  const names = new Set(live.map((each) => fold(each.Name)));
  const made = seeds
    .filter((seed) => !markers.has(seed.system))
    .map((seed): Account => {
      const Code = freeCode(seed.code, codes);
      const Name = freeName(seed.name, names);
      return {
        AccountID: newId(),
        Code,
        Name,
        Status: "ACTIVE",
        Type: seed.type as Account["Type"],
        Class: classOf(seed.type),
        TaxType: seed.tax,
        SystemAccount: seed.system,
        EnablePaymentsToAccount: false,
        ShowInExpenseClaims: false,
        AddToWatchlist: false,
        HasAttachments: false,
        UpdatedDateUTC: now,
      };
    });
  await save(tx, account, made);
}

/** The code, or the next number that is free. */
function freeCode(wanted: string, taken: Set<string>): string {
  let code = wanted;
  for (let next = Number(wanted) + 1; taken.has(fold(code)); next += 1) code = String(next);
  taken.add(fold(code));
  return code;
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let next = 2; taken.has(fold(name)); next += 1) name = `${wanted} ${next}`;
  taken.add(fold(name));
  return name;
}
