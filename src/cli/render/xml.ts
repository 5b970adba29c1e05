/** The service's own XML, written as the records arrive. */
import type { Resource } from "../../resources/field.ts";
import { safeXml } from "./safe.ts";

/** Writes whole records as one XML document. */
export type WriteXml = (resource: Resource, records: readonly unknown[]) => string;

/**
 * Joins the documents of several batches into the one document that all records together would
 * have made, so that a long list needs no more memory than a short one.
 *
 * Each document holds its records inside one element of the resource's plural name; what stands
 * around it is taken from the first.
 */
export class XmlList {
  readonly #resource: Resource;
  readonly #write: WriteXml;
  /** What closes the document. */
  #end: string | undefined;

  constructor(resource: Resource, write: WriteXml) {
    this.#resource = resource;
    this.#write = write;
  }

  /** The next piece of the document. */
  more(records: readonly unknown[]): string {
    const document = safeXml(this.#write(this.#resource, records)).trimEnd();
    const { from, to } = this.#inside(document);
    const begin = this.#end === undefined ? document.slice(0, from) : "";
    this.#end ??= document.slice(to);
    return begin + document.slice(from, to);
  }

  /** The last piece; the whole document where there were no records at all. */
  end(): string {
    if (this.#end !== undefined) return `${this.#end}\n`;
    return `${safeXml(this.#write(this.#resource, [])).trimEnd()}\n`;
  }

  /** Where the records stand: after the first opening tag, before the last closing one. */
  #inside(document: string): { from: number; to: number } {
    const { plural } = this.#resource;
    const open = document.indexOf(`<${plural}>`);
    const to = document.lastIndexOf(`</${plural}>`);
    if (open < 0 || to < open) throw new Error(`The XML of ${plural} has no element ${plural}.`);
    return { from: open + plural.length + 2, to };
  }
}
