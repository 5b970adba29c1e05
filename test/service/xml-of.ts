/** Request bodies in XML, from the same values as in JSON. */

/** Element names of lists whose elements are not named by the list without its last letter. */
const children: Readonly<Record<string, string>> = {
  Addresses: "Address",
  Tracking: "TrackingCategory",
  TrackingCategories: "TrackingCategory",
};

/** Writes a value as an element: lists have an element for each of theirs, named in the singular. */
export function xmlOf(name: string, value: unknown): string {
  if (typeof value !== "object" || value === null) return `<${name}>${value}</${name}>`;
  const inner = Array.isArray(value)
    ? value.map((each) => xmlOf(children[name] ?? name.slice(0, -1), each))
    : Object.entries(value).map(([key, each]) => xmlOf(key, each));
  return `<${name}>${inner.join("")}</${name}>`;
}

/** Formats of a request, each with the body it has for the records of one list. */
export const formats = [
  {
    format: "JSON",
    type: "application/json",
    bodyOf: (list: string, records: readonly object[]) => JSON.stringify({ [list]: records }),
  },
  { format: "XML", type: "text/xml", bodyOf: xmlOf },
] as const;
