/** JSON Lines: a record a line, written as it arrives, for programs that read one at a time. */
import { writePlain } from "../../../wire/plain.ts";
import type { Format } from "../format.ts";
import { safeJson } from "../safe.ts";
import { fieldsOf, reportJson } from "./json.ts";

export const ndjson: Format = {
  holds: "records",
  isJson: true,

  record: (writer, resource, record) => ndjson.records(writer, resource, [record]),

  records(writer, resource, records) {
    const fields = fieldsOf(writer, resource);
    return writer.answer(async (target) => {
      for await (const record of records) {
        await target.write(`${safeJson(writePlain(fields, record))}\n`);
      }
    });
  },

  report: (writer, report) =>
    writer.answer((target) => target.write(`${safeJson(reportJson(report))}\n`)),
};
