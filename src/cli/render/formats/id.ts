/** The ids alone, a line each, for other commands. */
import { plainValue } from "../../../wire/plain.ts";
import type { Format } from "../format.ts";
import { safeLine } from "../safe.ts";

export const id: Format = {
  holds: "ids",
  isTextual: true,

  record: (writer, resource, record) => id.records(writer, resource, [record]),

  records(writer, resource, records) {
    const field = resource.fields[resource.id];
    return writer.answer(async (target) => {
      for await (const record of records) {
        const value = (record as Readonly<Record<string, unknown>>)[resource.id];
        await target.write(`${field ? safeLine(plainValue(field, value)) : ""}\n`);
      }
    });
  },
};
