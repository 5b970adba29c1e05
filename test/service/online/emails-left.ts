/** A day on which most emails are sent already. */
import type { Book } from "../../../src/service/books/book.ts";
import { raiseSequence } from "../../../src/store/chain/sequences.ts";

/** Invoice emails of an organisation that only tries the service. */
export const dailyMost = 20;

/** Lets a book have so many emails left of the day; it must have sent one. */
export async function leaveEmails(
  { store, org }: Pick<Book, "store" | "org">,
  left: number,
): Promise<void> {
  await store.write(org, async (tx) => {
    const { name } = await tx.db
      .selectFrom("sequence")
      .select("name")
      .where("org", "=", org)
      .where("name", "like", "emails %")
      .executeTakeFirstOrThrow();
    await raiseSequence(tx, name, dailyMost - left);
  });
}
