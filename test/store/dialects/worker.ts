/**
 * A process of its own with a book open: `node worker.ts PATH NAME TIMES`.
 *
 * It posts TIMES journals, each in its own transaction with a history entry, and tells of each when
 * it is done. A test may kill it.
 */
import { writeSync } from "node:fs";
import { sqliteDialect } from "../../../src/store/dialects/sqlite/sqlite.ts";
import { appendJournals } from "../../../src/store/ledger/journals.ts";
import { addHistory } from "../../../src/store/records/history.ts";
import { openStore } from "../../../src/store/store.ts";
import { cents, guid } from "../samples.ts";

const [path = "", name = "", times = "0"] = process.argv.slice(2);
const store = await openStore(sqliteDialect(path));
writeSync(1, "open\n");
let count = 0;
const newId = () => {
  count += 1;
  return `01990000-0000-7000-8${name.padStart(3, "0")}-${count.toString(16).padStart(12, "0")}`;
};
for (let i = 0; i < Number(times); i += 1) {
  const amount = 100 + i;
  const [number] = await store.write(1, async (tx) => {
    const numbers = await appendJournals(
      tx,
      [
        {
          basis: "accrual",
          date: `2026-01-${String((i % 28) + 1).padStart(2, "0")}`,
          sourceType: "MANJOURNAL",
          sourceId: guid(Number(name)),
          documentId: guid(Number(name)),
          postings: [
            { account: guid(0xd1), amount: cents(amount) },
            { account: guid(0xd3), amount: cents(-amount) },
          ],
        },
      ],
      i,
      newId,
    );
    await addHistory(tx, [
      {
        id: newId(),
        resource: "Invoice",
        recordId: guid(1),
        at: i,
        user: name,
        changes: "Created",
        details: String(numbers[0]),
      },
    ]);
    return numbers;
  });
  writeSync(1, `${number}\n`);
}
await store.close();
