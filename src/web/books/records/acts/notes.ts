/** Files and notes of a record. */
import { html } from "../../../../output/markup.ts";
import { UsageError } from "../../../../resources/errors.ts";
import { areaField, checkField, filesField, typed } from "../../../frame/forms.ts";
import type { Act } from "./act.ts";

export const attach: Act = {
  name: "attach",
  button: () => "Attach files",
  isOpen: ({ list: { resource } }) => resource.attachments !== undefined,
  permissionPath: ({ list }) => list.asked,
  hasFiles: true,
  fields: async ({ ctx, list: { resource } }) =>
    html`${filesField("attach-files", "Files", "Choose them, or drop them here: at most 10 a record, of 25 MB each.")}${
      resource.attachments === "online"
        ? checkField(ctx, "attach-online", "Customers see them with the document online")
        : ""
    }`,
  async carryOut({ ctx, list: { resource }, key }, client) {
    const { files = [] } = ctx;
    if (files.length === 0) throw new UsageError("MissingValue", "Choose a file to attach.");
    const present = new Set((await client.attachments(resource, key)).map((each) => each.FileName));
    const again = files.find(({ name }) => present.has(name.normalize("NFC")));
    if (again !== undefined) {
      throw new UsageError(
        "BadValue",
        `There is a file ${again.name} already; give yours another name.`,
      );
    }
    const includeOnline = typed(ctx, "attach-online") === "true";
    for (const { name, mimeType, bytes } of files) {
      const body = {
        [Symbol.asyncIterator]: async function* () {
          yield bytes;
        },
      };
      await client.attach(resource, key, {
        ...{ name, mimeType, includeOnline, size: bytes.length, body },
      });
    }
    return "attached";
  },
};

/** Maximum number of characters of a note. */
const noteMax = 2_500;

export const note: Act = {
  name: "note",
  button: () => "Add a note",
  isOpen: ({ list: { resource } }) => resource.history === true,
  permissionPath: ({ list }) => list.asked,
  fields: async ({ ctx }) =>
    areaField(ctx, { name: "note-text", label: "Note", max: noteMax, isRequired: true }),
  async carryOut({ ctx, list: { resource }, key }, client) {
    const text = typed(ctx, "note-text").replaceAll("\r\n", "\n");
    if (text === "") throw new UsageError("MissingValue", "Write the note.");
    await client.note(resource, key, text);
    return "noted";
  },
};
