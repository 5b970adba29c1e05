/** Content negotiation: the format of a request and of its answer. */

export type AnswerFormat = "xml" | "json" | "pdf";

const formatByMediaType = new Map<string, AnswerFormat>([
  ["text/xml", "xml"],
  ["application/xml", "xml"],
  ["application/json", "json"],
  ["text/json", "json"],
  ["application/pdf", "pdf"],
]);

/** Specificity of wildcard ranges in an Accept header; a wildcard means XML, the default. */
const closenessByWildcard = new Map([
  ["*/*", 0],
  ["application/*", 1],
  ["text/*", 1],
]);
const exactly = 2;

/** Maximum characters of an Accept header that are read. */
const acceptCharactersMax = 4096;

/**
 * Chooses the answer format by an Accept header: the highest q, then the most specific range, then
 * the first. XML when the header is missing or names no known format.
 * @param offered  whether PDF is available
 */
export function chooseFormat(
  accept: string | undefined,
  offered: { readonly pdf: boolean } = { pdf: true },
): AnswerFormat {
  const exactFormat = formatByMediaType.get(accept ?? "");
  if (exactFormat !== undefined && exactFormat !== "pdf") return exactFormat;
  let best: { format: AnswerFormat; q: number; closeness: number } | undefined;
  const refused = new Set<AnswerFormat>();
  for (const range of rangesOf(accept)) {
    const closeness = closenessByWildcard.get(range.type) ?? exactly;
    const format = closeness === exactly ? formatOf(range.type) : "xml";
    if (format === undefined || (format === "pdf" && !offered.pdf)) continue;
    if (range.q === 0 && closeness === exactly) refused.add(format);
    if (range.q === 0) continue;
    if (
      best === undefined ||
      range.q > best.q ||
      (range.q === best.q && closeness > best.closeness)
    ) {
      best = { format, q: range.q, closeness };
    }
  }
  // A wildcard together with a refusal of XML (q=0) means JSON.
  const format = best?.format ?? "xml";
  return format === "xml" && refused.has("xml") && best?.closeness !== exactly ? "json" : format;
}

function formatOf(type: string): AnswerFormat | undefined {
  if (type.endsWith("+json")) return "json";
  return formatByMediaType.get(type);
}

function rangesOf(accept: string | undefined): readonly { type: string; q: number }[] {
  if (accept === undefined || accept.length > acceptCharactersMax) return [];
  return accept
    .toLowerCase()
    .split(",")
    .map((range) => {
      const [type = "", ...parameters] = range.split(";").map((parameter) => parameter.trim());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      const q = weight === undefined ? 1 : Number(weight.slice(2) || Number.NaN);
      return { type, q: q >= 0 && q <= 1 ? q : 0 };
    });
}

/** Content type of an answer; `application/xml` only when nothing else was accepted. */
export function contentTypeOf(format: AnswerFormat, accept?: string | undefined): string {
  if (format === "pdf") return "application/pdf";
  if (format === "json") return "application/json; charset=utf-8";
  const types = rangesOf(accept).map((range) => range.type);
  const isOnlyXml = types.length > 0 && types.every((type) => type === "application/xml");
  return `${isOnlyXml ? "application" : "text"}/xml; charset=utf-8`;
}

export type BodyFormat = "xml" | "json" | "form";

/**
 * The format of a request body: by its content type, or by its first character when the type is
 * missing, unknown, or a form with a document.
 */
export function bodyFormat(contentType: string | undefined, text: string): BodyFormat | undefined {
  const type = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "application/json" || type === "text/json" || type.endsWith("+json")) return "json";
  if (type === "application/xml" || type === "text/xml" || type.endsWith("+xml")) return "xml";
  const firstCharacter = /\S/.exec(text)?.[0];
  if (firstCharacter === "<") return "xml";
  if (firstCharacter === "{" || firstCharacter === "[") return "json";
  return type === "application/x-www-form-urlencoded" || /^\s*xml=/i.test(text)
    ? "form"
    : undefined;
}
