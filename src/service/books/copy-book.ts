/** A book copied from one place to another: from a file into a database, and back. */
import { type Contents, copyOrganisation } from "../../store/maintenance/copy-organisation.ts";
import { organisationNamed } from "../../store/records/organisations.ts";
import { type BookAct, openBook, openNewStore, recordOnBook } from "./book.ts";

export interface Copied {
  readonly name: string;
  /** Rows of the organisation by table, in both. */
  readonly tables: readonly Contents[];
  /** Checks of the copy, with their counts. */
  readonly checks: readonly { readonly name: string; readonly count: number }[];
}

/**
 * Copies the organisation of a book, with all its records, history and files.
 *
 * @param from  as `openBook` takes it
 * @param to    a file that is not there yet, or the address of a database
 * @param act   stands in the audit log of the copy
 * @throws as `openBook`, `createBook` and `copyOrganisation` do
 */
export async function copyBook(from: string, to: string, act: BookAct): Promise<Copied> {
  const book = await openBook(from);
  try {
    const owner = await organisationNamed(book.store, book.tenant);
    const store = await openNewStore(to);
    try {
      const { verifyAll } = await import("../verification/verification.ts");
      const copied = await copyOrganisation(book.store, owner, store, verifyAll);
      const { tables, verification } = copied;
      // Equal until here, it goes its own way from now on.
      await recordOnBook({ store, org: copied.org }, act);
      return { name: owner.Name, tables, checks: verification.checks };
    } finally {
      await store.close();
    }
  } finally {
    await book.close();
  }
}
