/** JSON Schema of seeds, made of the descriptions of the records, so that an editor completes fields. */

import { commonSchemas, schemasOf, sentSchema } from "../../service/openapi/schemas.ts";
import { organisationRoles } from "../../service/request/scopes.ts";
import { type SeedKind, seedDocuments, seedLists, seedParts } from "./seed-file.ts";

/** Returns the schema, draft 2020-12. */
export function seedSchema(): object {
  const kinds = [...Object.values(seedLists), ...Object.values(seedDocuments)];
  const described = kinds.map(({ resource }) => schemasOf(resource));
  const lists = Object.entries(seedLists).map(([name, kind]) => [name, listOf(recordOf(kind))]);
  const documents = Object.entries(seedDocuments).map(([name, kind]) => [name, recordOf(kind)]);
  const { organisation, people } = seedParts;
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Seed of acct: what a book begins with",
    type: "object",
    properties: {
      organisation: objectOf(Object.fromEntries(organisation.map((key) => [key, text]))),
      ...Object.fromEntries(lists),
      documents: listOf({ ...objectOf(Object.fromEntries(documents)), maxProperties: 1 }),
      people: listOf(
        objectOf({
          ...Object.fromEntries(people.map((key) => [key, text])),
          role: { enum: Object.keys(organisationRoles) },
        }),
      ),
    },
    additionalProperties: false,
    components: { schemas: Object.assign({}, commonSchemas, ...described) },
  };
}

const text = { type: "string" };
/** A name of an earlier record stands for it, and a number of days for a day. */
const placeholderSchema = { type: "string", pattern: "^(\\$\\w[\\w-]*|[+-]\\d{1,5}d)$" };

const listOf = (items: object) => ({ type: "array", items });
const objectOf = (properties: object) => ({
  type: "object",
  properties,
  additionalProperties: false,
});

function recordOf({ resource }: SeedKind): object {
  const fields = Object.entries(resource.fields).map(([name, field]) => [
    name,
    { anyOf: [sentSchema(name, field), placeholderSchema] },
  ]);
  return objectOf({ as: text, ...Object.fromEntries(fields) });
}
