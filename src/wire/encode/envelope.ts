/** The envelope of answers, and the messages in it. */
import type { Detail } from "../../resources/errors.ts";
import type { Envelope, Format } from "../codec.ts";
import { isoTicks } from "../dates.ts";
import { escapeXml } from "../xml.ts";

/** XML namespaces, declared by the outermost element of every answer. */
export const namespaces =
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"';

/**
 * Puts an envelope around `content`.
 * @param content  JSON members, each after a comma, or XML elements
 * @returns the whole body
 */
export function envelop(format: Format, envelope: Envelope, content: string): string {
  const { id, provider, at, pagination, warnings = [] } = envelope;
  if (format === "json") {
    const paging =
      pagination === undefined ? "" : `,"pagination":${JSON.stringify(paginationOf(pagination))}`;
    const warned = warnings.length === 0 ? "" : `,"Warnings":${jsonMessages(warnings)}`;
    return (
      `{"Id":${JSON.stringify(id)},"Status":"OK","ProviderName":${JSON.stringify(provider)},` +
      `"DateTimeUTC":"/Date(${at})/"${paging}${warned}${content}}`
    );
  }
  const paging =
    pagination === undefined
      ? ""
      : `<pagination>${Object.entries(paginationOf(pagination))
          .map(([name, value]) => `<${name}>${value}</${name}>`)
          .join("")}</pagination>`;
  const warned = warnings.length === 0 ? "" : xmlMessages("Warnings", "Warning", warnings);
  return (
    `<Response ${namespaces}><Id>${escapeXml(id)}</Id><Status>OK</Status>` +
    `<ProviderName>${escapeXml(provider)}</ProviderName><DateTimeUTC>${isoTicks(at)}</DateTimeUTC>` +
    `${paging}${warned}${content}</Response>`
  );
}

function paginationOf({
  page,
  pageSize,
  pageCount,
  itemCount,
}: NonNullable<Envelope["pagination"]>) {
  return { page, pageSize, pageCount, ...(itemCount === undefined ? {} : { itemCount }) };
}

/** Encodes warnings as JSON. */
export function jsonMessages(messages: readonly string[]): string {
  return JSON.stringify(messages.map((Message) => ({ Message })));
}

/** Encodes faults as JSON. */
export function jsonFaults(faults: readonly Detail[]): string {
  return JSON.stringify(faults.map(({ message, rule }) => ({ Message: message, Rule: rule })));
}

/** Encodes faults as the XML element `ValidationErrors`. */
export function xmlFaults(faults: readonly Detail[]): string {
  if (faults.length === 0) return "<ValidationErrors />";
  const faultElements = faults.map(({ message, rule }) => {
    const ruleXml = rule === undefined ? "" : `<Rule>${rule}</Rule>`;
    return `<ValidationError><Message>${escapeXml(message)}</Message>${ruleXml}</ValidationError>`;
  });
  return `<ValidationErrors>${faultElements.join("")}</ValidationErrors>`;
}

/** Encodes warnings as the XML element `list` with elements `child`. */
export function xmlMessages(list: string, child: string, messages: readonly string[]): string {
  if (messages.length === 0) return `<${list} />`;
  const messageElements = messages.map(
    (message) => `<${child}><Message>${escapeXml(message)}</Message></${child}>`,
  );
  return `<${list}>${messageElements.join("")}</${list}>`;
}
