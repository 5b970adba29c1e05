/**
 * JSON Schema of records in the plain form (`plain.ts`), as printed for programs and accepted from
 * them.
 */
import type { Field, FieldOf, Fields, Kind, Resource } from "../resources/field.ts";

export type Schema = Readonly<Record<string, unknown>>;

/** Whether the schema describes printed records or records accepted by a command. */
export type SchemaSide = "printed" | "taken";

type SchemaOf<K extends Kind> = (field: FieldOf<K>, schemaSide: SchemaSide) => Schema;

const number = () => ({ type: "number" });

const schemas = {
  id: () => ({ type: "string", format: "uuid" }),
  text: ({ max }, schemaSide) => ({
    type: "string",
    ...(max === undefined || schemaSide === "printed" ? {} : { maxLength: max }),
  }),
  choice: ({ values }) => ({ type: "string", enum: values }),
  boolean: () => ({ type: "boolean" }),
  integer: ({ min, max }, schemaSide) => ({
    type: "integer",
    ...(min === undefined || schemaSide === "printed" ? {} : { minimum: min }),
    ...(max === undefined || schemaSide === "printed" ? {} : { maximum: max }),
  }),
  date: () => ({ type: "string", format: "date" }),
  timestamp: () => ({ type: "string", format: "date-time" }),
  money: number,
  unitAmount: number,
  quantity: number,
  percent: number,
  rate: number,
  ref: ({ fields }, schemaSide) => objectOf(fields, schemaSide, false),
  one: ({ fields }, schemaSide) => objectOf(fields, schemaSide, true),
  many: ({ fields }, schemaSide) => ({ type: "array", items: objectOf(fields, schemaSide, true) }),
  texts: () => ({ type: "array", items: { type: "string" } }),
} satisfies { [K in Kind]: SchemaOf<K> };

/**
 * The schema of an object.
 * @param isWhole  false for a reference, which has its keys and perhaps more
 */
function objectOf(fields: Fields, side: SchemaSide, isWhole: boolean): Schema {
  const members = Object.entries(fields).filter(
    ([, field]) => side === "printed" || field.readOnly !== true,
  );
  const required = members.filter(([, field]) => isWhole && isRequired(field, side));
  return {
    type: "object",
    properties: Object.fromEntries(members.map(([name, field]) => [name, schemaOf(field, side)])),
    ...(required.length === 0 ? {} : { required: required.map(([name]) => name) }),
    additionalProperties: false,
  };
}

const isRequired = (field: Field, side: SchemaSide) => side === "taken" && field.required === true;

function schemaOf(field: Field, schemaSide: SchemaSide): Schema {
  const schema = (schemas[field.kind] as SchemaOf<Kind>)(field, schemaSide);
  return field.help === undefined ? schema : { ...schema, description: field.help };
}

/** The schema of one record of a resource. */
export function plainSchema({ name, summary, fields }: Resource, schemaSide: SchemaSide): Schema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: name,
    description: summary,
    ...objectOf(fields, schemaSide, true),
  };
}
