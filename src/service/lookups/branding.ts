/** The branding themes that documents may name. */
import type { BrandingTheme } from "../../resources/branding-theme.ts";
import { brandingTheme } from "../../resources/index.ts";
import { fetch } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/store.ts";
import { unique } from "../grouped.ts";

/** The themes that bear one of the ids, by id: an id that is not in the map is none of a theme. */
export async function brandingThemesById(
  tx: Tx,
  ids: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, BrandingTheme>> {
  const given = unique(ids);
  const found = given.length === 0 ? [] : await fetch(tx, brandingTheme, "BrandingThemeID", given);
  return new Map(found.map((each) => [each.BrandingThemeID, each]));
}

/** The refusal of a BrandingThemeID that no theme has. */
export function noSuchTheme(id: string): string {
  return `BrandingThemeID: there is no branding theme ${id}.`;
}
