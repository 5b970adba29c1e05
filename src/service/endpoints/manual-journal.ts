/** /ManualJournals: debits and credits that a person posts by hand. */
import { manualJournal } from "../../resources/index.ts";
import { linesOf } from "../../store/mapping/lines.ts";
import type { StoredManualJournal, Work } from "../manual-journals/manual-journal.ts";
import { journalLines } from "../manual-journals/manual-lines.ts";
import type { Endpoint } from "./endpoint.ts";

export const manualJournals: Endpoint<StoredManualJournal, Work> = {
  resource: manualJournal,
  cacheable: true,

  async expand(_call, tx, records, view) {
    if (view === "list") return records;
    const lines = await linesOf(
      tx,
      records.map((record) => record.ManualJournalID),
    );
    return records.map((record) => ({
      ...record,
      JournalLines: journalLines(lines.get(record.ManualJournalID) ?? []),
    }));
  },

  writer: async () => (await import("../manual-journals/manual-journal.ts")).manualJournalWriting,
};
