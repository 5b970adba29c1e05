/**
 * JSON Schema of records in the plain form (`plain.ts`), as printed for programs and accepted from
 * them.
 */
import type { Field, FieldOf, Fields, Kind, Resource } from "../resources/field.ts";

export type Schema = Readonly<Record<string, unknown>>;

/** Whether the schema describes printed records or records accepted by a command. */
export type SchemaSide = "printed" | "taken";

type SchemaOf<K extends Kind> = (field: FieldOf<K>, side: SchemaSide) => Schema;

const number = () => ({ type: "number" });

const schemas = {
  id: () => ({ type: "string", format: "uuid" }),
  text: ({ max }, side) => ({
    type: "string",
    ...(max === undefined || side === "printed" ? {} : { maxLength: max }),
  }),
  choice: ({ values }) => ({ type: "string", enum: values }),
  boolean: () => ({ type: "boolean" }),
  integer: ({ min, max }, side) => ({
    type: "integer",
    ...(min === undefined || side === "printed" ? {} : { minimum: min }),
    ...(max === undefined || side === "printed" ? {} : { maximum: max }),
  }),
  date: () => ({ type: "string", format: "date" }),
  timestamp: () => ({ type: "string", format: "date-time" }),
  money: number,
  unitAmount: number,
  quantity: number,
  percent: number,
  rate: number,
  ref: ({ fields }, side) => objectOf(fields, side, false),
  one: ({ fields }, side) => objectOf(fields, side, true),
  many: ({ fields }, side) => ({ type: "array", items: objectOf(fields, side, true) }),
  texts: () => ({ type: "array", items: { type: "string" } }),
} satisfies { [K in Kind]: SchemaOf<K> };

/**
 * The schema of an object.
 * @param whole  false for a reference, which has its keys and perhaps more
 */
function objectOf(fields: Fields, side: SchemaSide, whole: boolean): Schema {
  const named = Object.entries(fields).filter(
    ([, field]) => side === "printed" || field.readOnly !== true,
  );
  const required = named.filter(([, field]) => whole && isRequired(field, side));
  return {
    type: "object",
    properties: Object.fromEntries(named.map(([name, field]) => [name, schemaOf(field, side)])),
    ...(required.length === 0 ? {} : { required: required.map(([name]) => name) }),
    additionalProperties: false,
  };
}

const isRequired = (field: Field, side: SchemaSide) => side === "taken" && field.required === true;

function schemaOf(field: Field, side: SchemaSide): Schema {
  const schema = (schemas[field.kind] as SchemaOf<Kind>)(field, side);
  return field.help === undefined ? schema : { ...schema, description: field.help };
}

/** The schema of one record of a resource. */
export function plainSchema({ name, summary, fields }: Resource, side: SchemaSide): Schema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: name,
    description: summary,
    ...objectOf(fields, side, true),
  };
}
