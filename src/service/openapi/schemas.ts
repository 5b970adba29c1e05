/**
 * JSON Schemas of records, derived from resource descriptions.
 *
 * Each resource has two: as answered, and as sent. One table gives the schema of each kind of field
 * in both.
 */
import type { Field, FieldOf, Fields, Kind, Resource } from "../../resources/field.ts";
import { answeredValues } from "../../resources/scalar.ts";

export type Schema = Readonly<Record<string, unknown>>;

/** Direction of a value: in an answer or in a request. */
type Direction = "answered" | "sent";

const moment = "^/Date\\(-?\\d+([+-]\\d{4})?\\)/$";
const isoDay = "^\\d{4}-\\d{2}-\\d{2}";

/** Returns the schema members of a field: itself, and a second name where it has one. */
type MemberSchemas<K extends Kind> = (
  name: string,
  field: FieldOf<K>,
  direction: Direction,
) => Readonly<Record<string, Schema>>;

const sameSchema =
  (schema: Schema) =>
  (name: string): Readonly<Record<string, Schema>> => ({ [name]: schema });

const number = sameSchema({ type: "number" });

const members = {
  id: sameSchema({ type: "string", format: "uuid" }),
  text: (name, { max, min }, direction) => ({
    [name]: {
      type: "string",
      maxLength: max,
      ...(min === undefined || direction === "answered" ? {} : { minLength: min }),
    },
  }),
  choice: (name, field) => {
    const { values, default: usual } = field;
    const answeredTexts = answeredValues(field);
    return {
      [name]: {
        type: "string",
        enum: answeredTexts,
        ...(usual === undefined ? {} : { default: answeredTexts[values.indexOf(usual)] }),
      },
    };
  },
  boolean: (name, { default: usual }) => ({
    [name]: { type: "boolean", default: usual },
  }),
  integer: (name, { min, max }) => ({
    [name]: {
      type: "integer",
      minimum: min,
      maximum: max,
    },
  }),
  date: (name, _field, direction) =>
    direction === "sent"
      ? { [name]: { type: "string", description: "YYYY-MM-DD", pattern: `${isoDay}|${moment}` } }
      : {
          [name]: { type: "string", description: "midnight UTC of the day", pattern: moment },
          [`${name}String`]: { type: "string", pattern: isoDay },
        },
  timestamp: (name, { twin }, direction) => ({
    [name]: { type: "string", ...(direction === "answered" ? { pattern: moment } : {}) },
    ...(twin === undefined || direction === "sent"
      ? {}
      : { [twin]: { type: "string", pattern: isoDay } }),
  }),
  money: number,
  unitAmount: number,
  quantity: number,
  percent: number,
  rate: number,
  ref: (name, { fields }, direction) => ({
    [name]: { ...objectOf(fields, direction), required: [] },
  }),
  one: (name, { fields }, direction) => ({ [name]: objectOf(fields, direction) }),
  many: (name, { fields, min, max }, direction) => ({
    [name]: {
      type: "array",
      items: objectOf(fields, direction),
      ...(direction === "answered" || min === undefined ? {} : { minItems: min }),
      ...(direction === "answered" || max === undefined ? {} : { maxItems: max }),
    },
  }),
  texts: sameSchema({ type: "array", items: { type: "string" } }),
} satisfies { [K in Kind]: MemberSchemas<K> };

/** Returns the schema of an object; fields that are always present are required in answers. */
function objectOf(fields: Fields, direction: Direction): Schema {
  const named = Object.entries(fields).filter(
    ([, field]) => direction === "answered" || field.readOnly !== true,
  );
  return {
    type: "object",
    properties: Object.assign({}, ...named.map(([name, field]) => noted(name, field, direction))),
    required: direction === "sent" ? [] : named.filter(isAlwaysSent).map(([name]) => name),
  };
}

function isAlwaysSent([, field]: [string, Field]): boolean {
  return field.always === true && field.shown === undefined;
}

function noted(name: string, field: Field, direction: Direction): Record<string, Schema> {
  const makeSchemas = members[field.kind] as MemberSchemas<Kind>;
  const notes = {
    ...(field.help === undefined ? {} : { description: field.help }),
    ...(field.readOnly === true ? { readOnly: true } : {}),
  };
  return Object.fromEntries(
    Object.entries(makeSchemas(name, field, direction)).map(([each, schema]) => [
      each,
      { ...schema, ...notes },
    ]),
  );
}

/** Returns the fields that a new record must have. */
export function requiredOf({ fields }: Resource): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.required === true);
}

/** Returns the schema of a sent value by name. */
export function sentSchema(name: string, field: Field): Schema {
  const makeSchemas = members[field.kind] as MemberSchemas<Kind>;
  return makeSchemas(name, field, "sent")[name] ?? {};
}

/** Returns a reference to a schema of the document. */
export function schemaRef(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

const messages = {
  type: "array",
  items: { type: "object", properties: { Message: { type: "string" } }, required: ["Message"] },
} as const;

const faults = {
  type: "array",
  items: {
    type: "object",
    properties: { Message: { type: "string" }, Rule: { type: "string" } },
    required: ["Message"],
  },
} as const;

/** Schemas of the envelope of answers, and of refusals. */
export const commonSchemas: Readonly<Record<string, Schema>> = {
  Envelope: {
    type: "object",
    properties: {
      Id: { type: "string", format: "uuid", description: "of the answer" },
      Status: { const: "OK" },
      ProviderName: { type: "string", description: "name of the app that asked" },
      DateTimeUTC: { type: "string", pattern: moment },
      pagination: schemaRef("Pagination"),
      Warnings: messages,
    },
    required: ["Id", "Status", "ProviderName", "DateTimeUTC"],
  },
  Pagination: {
    type: "object",
    properties: Object.fromEntries(
      ["page", "pageSize", "pageCount", "itemCount"].map((name) => [name, { type: "integer" }]),
    ),
    required: ["page", "pageSize", "pageCount"],
  },
  RejectedRecord: {
    description: "a record that was not kept, as it was sent, with what is wrong with it",
    type: "object",
    properties: { StatusAttributeString: { const: "ERROR" }, ValidationErrors: faults },
    required: ["ValidationErrors"],
  },
  ApiException: {
    type: "object",
    properties: {
      ErrorNumber: { type: "integer" },
      Type: { type: "string" },
      Message: { type: "string" },
      Rule: { type: "string" },
      Elements: { type: "array", items: schemaRef("RejectedRecord") },
    },
    required: ["ErrorNumber", "Type", "Message"],
  },
  Problem: {
    type: "object",
    properties: {
      type: { type: "string" },
      title: { type: "string" },
      status: { type: "integer" },
      detail: { type: "string" },
      Title: { type: "string" },
      Status: { type: "integer" },
      Detail: { type: "string" },
      Instance: { type: "string", format: "uuid" },
    },
    required: ["title", "status", "detail"],
  },
  ReportRow: {
    type: "object",
    properties: {
      RowType: { enum: ["Header", "Section", "Row", "SummaryRow"] },
      Title: { type: "string" },
      Cells: {
        type: "array",
        items: {
          type: "object",
          properties: {
            Value: { type: "string" },
            Attributes: {
              type: "array",
              items: {
                type: "object",
                properties: { Id: { type: "string" }, Value: { type: "string" } },
              },
            },
          },
        },
      },
      Rows: { type: "array", items: schemaRef("ReportRow") },
    },
    required: ["RowType"],
  },
  ReportsAnswer: {
    allOf: [
      schemaRef("Envelope"),
      {
        type: "object",
        properties: {
          Reports: {
            type: "array",
            items: {
              type: "object",
              properties: {
                ReportID: { type: "string" },
                ReportName: { type: "string" },
                Rows: { type: "array", items: schemaRef("ReportRow") },
              },
            },
          },
        },
        required: ["Reports"],
      },
    ],
  },
};

/** Returns the schemas of a resource: as answered, as sent, and as lists. */
export function schemasOf(resource: Resource): Record<string, Schema> {
  const { name, plural, fields, noun } = resource;
  const record = schemaRef(name);
  const item =
    resource.summarizeErrors === true ? { anyOf: [record, schemaRef("RejectedRecord")] } : record;
  return {
    [name]: { description: noun, ...objectOf(fields, "answered") },
    [`${name}Input`]: objectOf(fields, "sent"),
    [answerName(resource)]: {
      allOf: [
        schemaRef("Envelope"),
        {
          type: "object",
          properties: { [plural]: { type: "array", items: item } },
          required: [plural],
        },
      ],
    },
  };
}

export function answerName({ name }: Pick<Resource, "name">): string {
  return `${name}Answer`;
}
