/** Contents of every new book besides its chart: its currency, a theme, and its owner. */
import { brandingTheme, currency, user } from "../../resources/index.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { User } from "../../resources/user.ts";
import { save } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { currencyName } from "../lookups/currencies.ts";
import { partsOf } from "../lookups/person-name.ts";

export interface Owner {
  /** As people know them: `Ana Reid`. */
  readonly name: string;
  readonly email: string;
}

/** Writes what a new organisation starts with, in the transaction that makes it. */
export async function seedMasters(
  tx: Tx,
  { BaseCurrency }: Organisation,
  owner: Owner,
  { now, newId }: { readonly now: number; readonly newId: () => string },
): Promise<void> {
  await save(tx, currency, [{ Code: BaseCurrency, Description: currencyName(BaseCurrency) }]);
  const theme = { BrandingThemeID: newId(), Name: "Standard", Type: "INVOICE", SortOrder: 0 };
  await save(tx, brandingTheme, [{ ...theme, CreatedDateUTC: now }]);
  await save(tx, user, [ownerOf(owner, newId(), now)]);
}

/** The one who made the book may do everything in it. */
function ownerOf({ name, email }: Owner, UserID: string, now: number): User {
  const { first, last } = partsOf(name);
  return {
    UserID,
    EmailAddress: email,
    FirstName: first,
    LastName: last,
    UpdatedDateUTC: now,
    IsSubscriber: true,
    OrganisationRole: "FINANCIALADVISER",
  };
}
