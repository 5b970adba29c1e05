/** The documents of linked (billable) expenses, with the fields that a link needs. */
import { sql } from "kysely";
import { keyLists } from "../operations/bulk.ts";
import type { Tx } from "../tx/tx.ts";

export interface LinkedDocument {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly contactId: string | null;
  /** Ids of the document's lines. */
  readonly lineIds: Set<string>;
}

/** Documents of any kind by their ids. */
export async function linkedDocuments(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, LinkedDocument>> {
  const documentById = new Map<string, LinkedDocument>();
  for (const list of keyLists(ids)) {
    const { rows } = await sql<Omit<LinkedDocument, "lines"> & { line: string | null }>`
      select d.id, d.type, d.status, d.contact_id as "contactId", l.id as line
      from document as d
      left join document_line as l on l.org = d.org and l.document_id = d.id
      where d.org = ${tx.org} and d.id in (${sql.join(list)})`.execute(tx.db);
    for (const { line, ...row } of rows) {
      const linkedDocument = documentById.get(row.id) ?? { ...row, lineIds: new Set<string>() };
      if (line !== null) linkedDocument.lineIds.add(line);
      documentById.set(row.id, linkedDocument);
    }
  }
  return documentById;
}
