/** Copies a book between places: from a file into a database, and back. */
import { closeAtBlockEnd } from "../../platform/disposal.ts";
import { type Contents, copyOrganisation } from "../../store/maintenance/copy-organisation.ts";
import { organisationNamed } from "../../store/records/organisations.ts";
import { type BookAct, openBook, openNewStore, recordOnBook } from "./book.ts";

export interface Copied {
  readonly name: string;
  /** Row counts by table, equal in original and copy. */
  readonly tables: readonly Contents[];
  /** Verification checks of the copy, with their counts. */
  readonly checks: readonly { readonly name: string; readonly count: number }[];
}

/**
 * Copies the organisation of a book, with all its records, history and attachments.
 *
 * @param from  as for `openBook`
 * @param to  a new file, or the URL of a database
 * @param auditAct  entered in the audit log of the copy
 * @throws as `openBook`, `createBook` and `copyOrganisation`
 */
export async function copyBook(from: string, to: string, auditAct: BookAct): Promise<Copied> {
  await using book = closeAtBlockEnd(await openBook(from));
  const owner = await organisationNamed(book.store, book.tenant);
  await using store = closeAtBlockEnd(await openNewStore(to));
  const { verifyAll } = await import("../verification/verification.ts");
  const copy = await copyOrganisation(book.store, owner, store, verifyAll);
  const { tables, verification } = copy;
  // The copy equals the original up to here; this entry is the first difference.
  await recordOnBook({ store, org: copy.org }, auditAct);
  return { name: owner.Name, tables, checks: verification.checks };
}
