/** Initial contents of a new book besides its chart: currency, branding theme, and owner. */
import { brandingTheme, currency, user } from "../../resources/index.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { User } from "../../resources/user.ts";
import { save } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { currencyName } from "../lookups/currencies.ts";
import { partsOf } from "../lookups/person-name.ts";

export interface Owner {
  /** Full name, such as `Ana Reid`. */
  readonly name: string;
  readonly email: string;
}

/** Writes the initial contents of an organisation, in the transaction that creates it. */
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

/** Returns the user of the creator, who may do everything in the book. */
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
