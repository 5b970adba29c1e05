/** The XML format of the service, written as records arrive. */
import type { Resource } from "../../../resources/field.ts";
import { zeroId } from "../../../resources/scalar.ts";
import { encodeCollection } from "../../../wire/encode/encode.ts";
import { encodeReports } from "../../../wire/encode/encode-report.ts";
import { type FormatContext, type Formatter, inBatches } from "../formatter.ts";
import { safeXml } from "../safe.ts";

export const xml: Formatter = {
  holds: "records",
  keepsReports: true,
  mediaType: "application/xml",

  record: (writer, resource, record) => xml.records(writer, resource, [record]),

  records(writer, resource, records) {
    const envelope = envelopeOf(writer);
    const list = new XmlList(resource, (resource, records) =>
      encodeCollection("xml", resource, records, envelope, {
        view: "single",
        unitDecimals: 4,
        handles: true,
      }),
    );
    return writer.answer(async (sink) => {
      for await (const batch of inBatches(records)) await sink.write(list.more(batch));
      await sink.write(list.end());
    });
  },

  report: (writer, report) =>
    writer.answer((sink) => {
      // Heading cells are plain texts.
      const Rows = report.Rows.map((row) =>
        row.RowType === "Header"
          ? { ...row, Cells: row.Cells?.map(({ Value }) => ({ Value })) }
          : row,
      );
      const text = encodeReports("xml", [{ ...report, Rows }], envelopeOf(writer));
      return sink.write(`${safeXml(text).trimEnd()}\n`);
    }),
};

const envelopeOf = ({ clock }: FormatContext) => ({ id: zeroId, provider: "acct", at: clock() });

/** Function that writes records as one XML document. */
type WriteXml = (resource: Resource, records: readonly object[]) => string;

/**
 * Joins the XML documents of several batches into one, so that a long list needs no more memory
 * than a short one.
 *
 * Each document has its records inside an element with the resource's plural name; the text around
 * it is taken from the first.
 */
class XmlList {
  readonly #resource: Resource;
  readonly #write: WriteXml;
  /** Text that closes the document. */
  #end: string | undefined;

  constructor(resource: Resource, write: WriteXml) {
    this.#resource = resource;
    this.#write = write;
  }

  /** Returns the next piece of the document for a batch. */
  more(records: readonly object[]): string {
    const document = safeXml(this.#write(this.#resource, records)).trimEnd();
    const { from, to } = this.#inside(document);
    const opening = this.#end === undefined ? document.slice(0, from) : "";
    this.#end ??= document.slice(to);
    return opening + document.slice(from, to);
  }

  /** Returns the last piece; the whole document where there were no records. */
  end(): string {
    if (this.#end !== undefined) return `${this.#end}\n`;
    return `${safeXml(this.#write(this.#resource, [])).trimEnd()}\n`;
  }

  /** Returns the position of the records: between the element's opening and closing tags. */
  #inside(document: string): { from: number; to: number } {
    const { plural } = this.#resource;
    const open = document.indexOf(`<${plural}>`);
    const to = document.lastIndexOf(`</${plural}>`);
    if (open < 0 || to < open) throw new Error(`The XML of ${plural} has no element ${plural}.`);
    return { from: open + plural.length + 2, to };
  }
}
