/** Verification of attachments: each belongs to a record and has its original bytes. */
import { type RawBuilder, sql } from "kysely";
import { chunkOf } from "../records/attachments.ts";
import { targetOf } from "../schema/tables.ts";
import type { Tx } from "../tx/tx.ts";
import type { Findings } from "./findings.ts";

interface StoredContent {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly content_id: string;
}

/**
 * Finds attachments of removed records, content without an attachment, and content with a wrong
 * hash.
 */
export async function checkAttachments(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  await findings.counted("attachments", sql`attachment where org = ${org}`);
  await checkContents(findings);
  await findings.each(
    sql<{ content_id: string }>`
      select distinct c.content_id from attachment_chunk as c
      left join attachment as a on a.org = c.org and a.content_id = c.content_id
      where c.org = ${org} and a.id is null`,
    (row) => `There are bytes of a file ${row.content_id}, which does not exist.`,
  );
  const kinds = await findings.rows(
    sql<{ resource: string }>`select distinct resource from attachment where org = ${org}`,
  );
  for (const { resource } of kinds) await checkParents(findings, resource);
}

/** Attachments checked together. */
const batchSize = 100;

/** Reads content one piece at a time, so that files of any size need little memory. */
async function checkContents(findings: Findings): Promise<void> {
  const { tx } = findings;
  for (let afterId = ""; ; ) {
    const contents = await findings.rows(
      sql<StoredContent>`select id, name, size, sha256, content_id from attachment
        where org = ${tx.org} and id > ${afterId} order by id limit ${batchSize}`,
    );
    for (const file of contents) {
      if (await isIntact(tx, file)) continue;
      findings.faults.push(`The bytes of the file ${file.name} (${file.id}) are not those it had.`);
    }
    const lastContent = contents.at(-1);
    if (lastContent === undefined) return;
    afterId = lastContent.id;
  }
}

async function isIntact(tx: Tx, { content_id, size, sha256 }: StoredContent): Promise<boolean> {
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
  let bytes = 0;
  for (let ordinal = 0; ; ordinal += 1) {
    const piece = await chunkOf(tx, content_id, ordinal);
    if (piece === undefined) break;
    hash.update(piece);
    bytes += piece.length;
  }
  return bytes === size && hash.digest("hex") === sha256;
}

/**
 * Whether a row refers to a side of a bank transfer, which is read as a bank transaction but has no
 * row of its own.
 * @param alias  of a table with `org` and `record_id`
 */
export function isTransferSide(alias: string): RawBuilder<unknown> {
  return sql`exists (select 1 from bank_transfer as t where t.org = ${sql.ref(`${alias}.org`)} and
    ${sql.ref(`${alias}.record_id`)} in (t.from_bank_transaction_id, t.to_bank_transaction_id))`;
}

async function checkParents(findings: Findings, resource: string): Promise<void> {
  const { org } = findings.tx;
  const table = targetOf(resource);
  const column = table?.column("HasAttachments");
  if (table === undefined) {
    findings.faults.push(`There are files on ${resource}, which this book does not keep.`);
    return;
  }
  const marked = column === undefined ? sql`1` : sql`r.${sql.ref(column.name)}`;
  await findings.each(
    sql<{ id: string; name: string; found: string | null }>`
      select a.id, a.name, r.id as found from attachment as a
      left join ${sql.table(table.name)} as r on r.org = a.org and r.id = a.record_id
      where a.org = ${org} and a.resource = ${resource} and (r.id is null or ${marked} <> 1)
        and not (a.resource = 'BankTransaction' and ${isTransferSide("a")})`,
    ({ id, name, found }) =>
      found === null
        ? `The file ${name} (${id}) is on a record that does not exist.`
        : `The file ${name} (${id}) is on a record that says it has none.`,
  );
}
