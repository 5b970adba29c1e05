/**
 * The reference of the import: the same file read, and each line of it put into one bare table, a
 * hundred lines a transaction, each on disk before the next. No checks, no documents, no books.
 *
 *   node bench/plain-insert.ts FILE.csv BOOK
 */
import { createReadStream } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { parse } from "csv-parse";

const [, , file = "", book = ""] = process.argv;
const db = new DatabaseSync(book);
db.exec("pragma journal_mode = wal; pragma synchronous = full");
db.exec("create table line (a text, b text, c text, d text, e text, f text, g text, h text)");
const insert = db.prepare("insert into line values (?, ?, ?, ?, ?, ?, ?, ?)");
let count = 0;
db.exec("begin");
for await (const row of createReadStream(file).pipe(parse({ from_line: 2 }))) {
  insert.run(...(row as string[]));
  count += 1;
  if (count % 100 === 0) db.exec("commit; begin");
}
db.exec("commit");
db.close();
