/** Finds credits: credit notes, prepayments and overpayments. */

import { creditNote } from "../../../resources/credit-note.ts";
import { NotFoundError, UsageError } from "../../../resources/errors.ts";
import { isHandle, type Resource, type Shape } from "../../../resources/field.ts";
import { overpayment, prepayment } from "../../../resources/prepayment.ts";
import { counted } from "../../../resources/scalar.ts";
import { allOf, compare, isGuid } from "../../../wire/query/condition.ts";
import type { Context } from "../../context/context.ts";
import { nameOfRecord } from "../../framework/confirm.ts";
import { contactId } from "../filters.ts";
import { type Noun, nounOf } from "../verbs.ts";

export type Credit = typeof creditNote | typeof prepayment | typeof overpayment;

/** The noun of a credit, which the name of a contact stands for where it has one alone. */
export const creditNoun = <R extends Credit>(resource: R): Noun<R> =>
  nounOf(resource, {
    find: async (ctx, key) => (await findCredit(ctx, resource, key)) as Shape<R>,
  });

/**
 * Finds a credit by number, handle or id, else by its contact.
 *
 * @throws NotFoundError, UsageError `Ambiguous` where a contact has several
 */
export async function findCredit(
  ctx: Context,
  resource: Credit,
  key: string,
): Promise<Shape<Credit>> {
  const client = await ctx.client();
  try {
    return await client.find(resource, key);
  } catch (error) {
    if (!(error instanceof NotFoundError) || isGuid(key)) throw error;
  }
  return creditOfContact(ctx, resource, key);
}

/** Returns the only credit of a contact with a remaining amount. */
async function creditOfContact(
  ctx: Context,
  resource: Credit,
  key: string,
): Promise<Shape<Credit>> {
  const client = await ctx.client();
  const { noun: called } = resource;
  const ContactID = await contactId(client, { Name: key }).catch((error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
    const message = `There is no ${called} ${key}, and no contact of that name.`;
    throw new NotFoundError("NotFound", message, [], { cause: error });
  });
  const { fields } = resource;
  const condition = allOf([
    compare(fields, "Contact.ContactID", "==", ContactID),
    compare(fields, "Status", "==", "AUTHORISED"),
  ]);
  const all: Shape<Credit>[] = await Array.fromAsync(client.list(resource, { where: condition }));
  const found = all.filter(({ RemainingCredit }) => RemainingCredit > 0);
  const [only, ...others] = found;
  if (only === undefined) {
    throw new NotFoundError("NotFound", `${key} has no ${called} of which something is left.`);
  }
  if (others.length > 0) {
    const names = found.map((record) => nameOfRecord(resource, record));
    throw new UsageError(
      "Ambiguous",
      `${key} has ${counted(found.length, called)} of which something is left; name one: ${names.join(", ")}.`,
    );
  }
  return only;
}

/**
 * Finds a credit of any kind by number or id.
 *
 * @returns undefined where there is none
 */
export async function creditNamed(
  ctx: Context,
  key: string,
): Promise<{ readonly resource: Credit; readonly found: Shape<Credit> } | undefined> {
  const client = await ctx.client();
  const advances = [prepayment, overpayment].filter(
    (resource: Resource) => isGuid(key) || isHandle(resource, key),
  );
  const kinds: readonly Credit[] = [creditNote, ...advances];
  for (const resource of kinds) {
    try {
      return { resource, found: await client.find(resource, key) };
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
  return undefined;
}
