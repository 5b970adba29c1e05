/** Branding themes, with their logo and the payment services they offer. */
import { sql } from "kysely";
import type { Logo } from "../../output/letterhead.ts";
import type { PaymentService } from "../../resources/branding-theme.ts";
import { brandingTheme, paymentService } from "../../resources/index.ts";
import type { Insertion } from "../connection/connection.ts";
import { fetch, list, remove, type StoredFields, save } from "../mapping/records.ts";
import type { Audited } from "../operations/audit-log.ts";
import { deleteRows, insertRows, ownRows } from "../operations/bulk.ts";
import type { Tx } from "../tx/tx.ts";

/** A stored theme; it also has the bank account to be paid to. */
export type StoredTheme = StoredFields<typeof brandingTheme.fields>;

const serviceInsertion: Insertion = {
  table: "branding_theme_payment_service",
  columns: ["org", "branding_theme_id", "payment_service_id"],
  tail: "on conflict do nothing",
};

/** Adds a payment service to a theme; no effect when already offered. */
export async function offer(tx: Audited<Tx>, themeId: string, serviceId: string): Promise<void> {
  await insertRows(tx, serviceInsertion, [[tx.org, themeId, serviceId]]);
}

/** The payment services of a theme, ordered by id. */
export async function servicesOf(tx: Tx, themeId: string): Promise<PaymentService[]> {
  const rows = await ownRows(tx, "branding_theme_payment_service", { branding_theme_id: themeId })
    .select("payment_service_id")
    .execute();
  const ids = rows.map((row) => row.payment_service_id);
  return fetch(tx, paymentService, "PaymentServiceID", ids);
}

/** All themes, the first one first. */
export async function themesOf(tx: Tx): Promise<StoredTheme[]> {
  const { records } = await list(tx, brandingTheme);
  return records.toSorted((a, b) => a.SortOrder - b.SortOrder);
}

const saysWhere = ({ BankDetails, BankAccountID }: StoredTheme) =>
  BankDetails !== undefined || BankAccountID !== undefined;

/**
 * Returns the branding theme whose bank details apply to payments in a currency: the theme of the
 * document if it has that currency, otherwise another theme with it; undefined without one.
 *
 * @param baseCurrency  base currency, which themes without a currency have
 */
export function themeForPayment(
  themes: readonly StoredTheme[],
  theme: StoredTheme,
  currency: string,
  baseCurrency: string,
): StoredTheme | undefined {
  const isInIt = ({ CurrencyCode = baseCurrency }: StoredTheme) => CurrencyCode === currency;
  return isInIt(theme) ? theme : themes.find((theme) => isInIt(theme) && saysWhere(theme));
}

/** Whether other currencies have bank details, and this one has none. */
export function lacksBankDetails(
  themes: readonly StoredTheme[],
  currency: string,
  base: string,
): boolean {
  const known = new Set(themes.filter(saysWhere).map(({ CurrencyCode = base }) => CurrencyCode));
  return known.size > 0 && !known.has(currency);
}

/** Deletes a theme that nothing has, with its logo and its offers of payment services. */
export async function removeTheme(tx: Audited<Tx>, themeId: string): Promise<void> {
  await removeLogo(tx, themeId);
  await deleteRows(tx, "branding_theme_payment_service", sql`branding_theme_id = ${themeId}`);
  await remove(tx, brandingTheme, [themeId]);
}

/**
 * The theme of a document: the first existing one of the given ids, else that of the currency, else
 * the first of all.
 */
export async function themeFor(
  tx: Tx,
  ids: readonly (string | undefined)[],
  currency: string,
): Promise<StoredTheme> {
  const themes = await themesOf(tx);
  const named = ids.flatMap((id) => themes.find((theme) => theme.BrandingThemeID === id) ?? []);
  const [theme] = [...named, ...themes.filter((each) => each.CurrencyCode === currency), ...themes];
  if (theme === undefined) throw new Error("An organisation has a branding theme at least.");
  return theme;
}

/** Upserts a theme. */
export async function saveTheme(tx: Audited<Tx>, theme: StoredTheme): Promise<void> {
  await save(tx, brandingTheme, [theme]);
}

/** Upserts a payment service, by which customers send money. */
export async function savePaymentService(tx: Audited<Tx>, service: PaymentService): Promise<void> {
  await save(tx, paymentService, [service]);
}

const logoInsertion: Insertion = {
  table: "branding_logo",
  columns: ["org", "branding_theme_id", "mime_type", "width", "height", "bytes"],
  tail: `on conflict (org, branding_theme_id) do update set mime_type = excluded.mime_type,
    width = excluded.width, height = excluded.height, bytes = excluded.bytes`,
  replaces: true,
};

/** Upserts the logo of a theme. */
export async function saveLogo(tx: Audited<Tx>, themeId: string, logo: Logo): Promise<void> {
  const { mimeType, width, height, bytes } = logo;
  await insertRows(tx, logoInsertion, [
    [tx.org, themeId, mimeType, width, height, Buffer.from(bytes)],
  ]);
}

export async function removeLogo(tx: Audited<Tx>, themeId: string): Promise<void> {
  await deleteRows(tx, "branding_logo", sql`branding_theme_id = ${themeId}`);
}

export async function logoOf(tx: Tx, themeId: string): Promise<Logo | undefined> {
  const row = await ownRows(tx, "branding_logo", { branding_theme_id: themeId })
    .select(["mime_type", "width", "height", "bytes"])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { mime_type, width, height, bytes } = row;
  return { mimeType: mime_type as Logo["mimeType"], width, height, bytes };
}
