/** Walks every description and holds it to what the derivations count on. */
import { describe, expect, test } from "vitest";
import {
  type Field,
  type Fields,
  fieldAt,
  isScalar,
  type Resource,
} from "../../src/resources/field.ts";
import { historyRecord, resources, trackingOption } from "../../src/resources/index.ts";

const all: readonly Resource[] = [...resources, historyRecord, trackingOption];
const named = all.map((resource) => [resource.name, resource] as const);

/** Every object of a description with its path, the record itself first. */
function objectsIn(fields: Fields, path: string): (readonly [path: string, fields: Fields])[] {
  return [
    [path, fields] as const,
    ...Object.entries(fields).flatMap(([name, field]) =>
      "fields" in field ? objectsIn(field.fields, `${path}.${name}`) : [],
    ),
  ];
}

const duplicates = (names: readonly string[]) => {
  const lower = names.map((name) => name.toLowerCase());
  return lower.filter((name, index) => lower.indexOf(name) !== index);
};

const at = (resource: Resource, path: string) => fieldAt(resource.fields, path.split("."));

test("no two resources share a name or a path", () => {
  expect(duplicates(all.map((each) => each.name))).toEqual([]);
  expect(duplicates(all.flatMap((each) => [each.plural, ...(each.aliases ?? [])]))).toEqual([]);
  expect(duplicates(all.map((each) => each.noun))).toEqual([]);
});

describe.each(named)("the description of %s", (name, resource) => {
  const objects = objectsIn(resource.fields, name);

  test("field names are unique in any letter case, also against the second names of date fields", () => {
    for (const [path, fields] of objects) {
      const names = Object.entries(fields).flatMap(([each, field]) => [
        each,
        ...twinsOf(each, field),
      ]);
      expect([path, duplicates(names)]).toEqual([path, []]);
    }
  });

  test("field names are valid names of XML elements and of object keys", () => {
    for (const [, fields] of objects) {
      for (const [each, field] of Object.entries(fields)) {
        expect(each).toMatch(/^[A-Z][A-Za-z0-9]*$/);
        if ("child" in field) expect(field.child).toMatch(/^[A-Z][A-Za-z0-9]*$/);
      }
    }
    expect([resource.name, resource.plural].join("")).toMatch(/^[A-Za-z]+$/);
  });

  test("the id and the keys of a resource are declared as fields", () => {
    expect(Object.keys(resource.fields)).toContain(resource.id);
    for (const key of resource.keys ?? []) {
      expect(["text", "integer"]).toContain(resource.fields[key]?.kind);
    }
    const own = Object.values(resource.fields).filter((field) => field.key === true);
    expect(own.length).toBeLessThan(2);
  });

  test("columns, orders, parameters and searches of a resource refer to existing fields", () => {
    const orders = (resource.listOrder ?? "").split(",").filter((term) => term.trim() !== "");
    const paths = [
      ...resource.columns,
      ...orders.map((term) => {
        expect(term.trim()).toMatch(/^[\w.]+ (ASC|DESC)$/);
        return term.trim().split(" ")[0] ?? "";
      }),
      ...(resource.parameters ?? []).map((parameter) => parameter.field),
      ...(resource.search ?? []),
    ];
    for (const path of paths) expect(at(resource, path)?.path).toBe(path);
    for (const path of resource.columns)
      expect(isScalar(at(resource, path)?.field as Field)).toBe(true);
    for (const path of resource.search ?? []) expect(at(resource, path)?.field.kind).toBe("text");
    expect(resource.columns.length).toBeGreaterThan(0);
  });

  test("a paged list that takes no where condition has a parameter for each field that can be filtered", () => {
    if (resource.where === true || resource.paged === undefined) return;
    const asked = (resource.parameters ?? []).map(({ field }) => field.split(".")[0]);
    for (const [each, field] of Object.entries(resource.fields)) {
      if (field.filter === true) expect(asked).toContain(each);
    }
  });

  test("choices differ in more than letter case, and a default is one of the choices", () => {
    for (const [, fields] of objects) {
      for (const field of Object.values(fields)) {
        if (field.kind !== "choice") continue;
        expect(duplicates(field.values)).toEqual([]);
        if (field.default !== undefined) expect(field.values).toContain(field.default);
      }
    }
  });

  test("references and merged lists refer to existing fields of their target", () => {
    for (const [, fields] of objects) {
      for (const field of Object.values(fields)) {
        if (field.kind === "ref") {
          expect(field.by.length).toBeGreaterThan(0);
          for (const key of field.by) expect(["id", "text"]).toContain(field.fields[key]?.kind);
          const target = all.find((each) => each.name === field.to);
          if (target !== undefined) {
            for (const key of field.by) expect(Object.keys(target.fields)).toContain(key);
          }
        }
        if (field.kind === "many" && field.mergeBy !== undefined) {
          // Without it an element could not be told which one it replaces.
          const by = field.fields[field.mergeBy];
          expect(by?.required === true || (by?.kind === "choice" && by.default !== undefined)).toBe(
            true,
          );
        }
      }
    }
  });

  test("read-only fields are not required", () => {
    for (const [path, fields] of objects) {
      for (const [each, field] of Object.entries(fields)) {
        if (field.readOnly === true)
          expect([path, each, field.required]).toEqual([path, each, undefined]);
      }
    }
  });
});

function twinsOf(name: string, field: Field): string[] {
  if (field.kind === "date") return [`${name}String`];
  if (field.kind === "timestamp" && field.twin !== undefined) return [field.twin];
  return [];
}
