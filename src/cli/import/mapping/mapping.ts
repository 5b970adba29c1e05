/**
 * Maps columns to fields, by the settings and the headings of a file.
 *
 * A fault here is a fault of the command, not of a row, and is reported before any row is read.
 */
import { UsageError } from "../../../resources/errors.ts";
import { parseValue } from "../../values/value.ts";
import type { ImportNoun } from "../options.ts";
import { cellReader } from "./cell-values.ts";
import { type Columns, reasonHeading } from "./heading-row.ts";
import type { Settings } from "./settings.ts";
import { type FieldTarget, isCell, targetNamed } from "./targets.ts";
import { compileTemplate, type Template } from "./template.ts";

/** A field, and the source of its value. */
export interface Mapped {
  readonly target: FieldTarget;
  /** Name in messages: the heading of its column, or the field. */
  readonly shownAs: string;
  /** Description of the source in the plan. */
  readonly from: string;
  /** Column or template; undefined for a constant. */
  readonly template: Template | undefined;
  /**
   * Returns the value in a row, undefined when there is none.
   *
   * @throws CellFault
   */
  readonly read: (cells: readonly string[]) => unknown;
}

export interface Mapping {
  readonly fields: readonly Mapped[];
  /** Headings of unused columns. */
  readonly unused: readonly string[];
  /** Paths of fields that a flag, a mapping file or the command itself settles. */
  readonly stated: ReadonlySet<string>;
}

/**
 * Builds the mapping.
 *
 * @param settings  with the delimiter of the file, found out where it is not given
 * @param fixedByPath  values set by the command itself, by the path of the field
 * @param today  base of relative dates in `--set`
 * @throws UsageError
 */
export function mappingOf(
  noun: ImportNoun,
  columns: Columns,
  settings: Settings,
  fixedByPath: ReadonlyMap<string, string>,
  today: string,
): Mapping {
  const fields = new Map<string, Mapped>();
  const stated = new Set([...settings.map.keys(), ...settings.set.keys(), ...fixedByPath.keys()]);
  const targetByPath = new Map<string, { target: FieldTarget; heading: string }>();
  for (const heading of columns.headings) {
    const target = heading === reasonHeading ? undefined : targetNamed(noun, heading);
    if (target === undefined || stated.has(target.path)) continue;
    const former = targetByPath.get(target.path);
    if (former !== undefined) {
      if (former.heading === heading) columns.find(heading); // says that there are two of them
      throw new UsageError(
        "AmbiguousColumn",
        `The columns ${former.heading} and ${heading} both mean ${target.path}; say which one does, with --map ${target.path}=${former.heading} for example.`,
      );
    }
    targetByPath.set(target.path, { target, heading });
  }
  for (const { target, heading } of targetByPath.values()) {
    fields.set(target.path, fromColumns(target, heading, columns, settings));
  }
  for (const [path, { target, text }] of settings.map) {
    if (text !== "" && !fixedByPath.has(path)) {
      fields.set(path, fromColumns(target, text, columns, settings));
    }
  }
  for (const [path, { target, text }] of settings.set) {
    if (!fixedByPath.has(path)) fields.set(path, constantMapping(target, text, today));
  }
  for (const [path, text] of fixedByPath) {
    const fieldTarget = targetNamed(noun, path);
    if (fieldTarget !== undefined) fields.set(path, constantMapping(fieldTarget, text, today));
  }
  const used = new Set([...fields.values()].flatMap(({ template }) => template?.columns ?? []));
  const unused = columns.headings.flatMap((heading, at) => {
    if (used.has(at) || heading === reasonHeading) return [];
    return [heading === "" ? `column ${at + 1}` : heading];
  });
  return { fields: [...fields.values()], unused, stated };
}

function fromColumns(
  target: FieldTarget,
  text: string,
  columns: Columns,
  { dateFormat, decimal, delimiter }: Settings,
): Mapped {
  const template = compileTemplate(text, columns, target.path);
  const shownAs = template.column ?? target.path;
  const form = { dateFormat, decimal, delimiter };
  const name = target.name.split(".").at(-1) ?? target.name;
  const readCell = cellReader(target.field, name, shownAs, form);
  const { read } = template;
  return { target, shownAs, from: text, template, read: (cells) => readCell(read(cells)) };
}

/**
 * Returns the mapping of a constant.
 *
 * @throws UsageError `BadValue`, `BadDate`
 */
function constantMapping(fieldTarget: FieldTarget, text: string, today: string): Mapped {
  const { field } = fieldTarget;
  const name = `--set ${fieldTarget.path}`;
  const read = () =>
    isCell(field)
      ? cellReader(field, fieldTarget.name, name, {})(text)
      : parseValue(field, text, { name, today: () => today });
  const value = text === "" ? undefined : read();
  return {
    target: fieldTarget,
    shownAs: fieldTarget.path,
    from: JSON.stringify(text),
    template: undefined,
    read: () => value,
  };
}
