/**
 * Settings for reading a file, from flags and a mapping file.
 *
 * A flag overrides the mapping of the same field. Only given settings are stored, not detected
 * ones, so that each file is detected anew.
 */
import { UsageError } from "../../../resources/errors.ts";
import { didYouMean } from "../../values/suggest.ts";
import { type ImportNoun, type ImportOptions, pluralOf } from "../options.ts";
import { readDelimiter } from "../readers/csv-reader.ts";
import { type KeptMapping, type MappingForms, readMapping, writeMapping } from "./mapping-file.ts";
import { type FieldTarget, targetNamed, targetNames } from "./targets.ts";

/** The setting of one field. */
export interface FieldSetting {
  readonly target: FieldTarget;
  /** Column or template; empty to ignore the detected column. */
  readonly text: string;
}

export interface Settings {
  /** Settings by field path. */
  readonly map: ReadonlyMap<string, FieldSetting>;
  readonly set: ReadonlyMap<string, FieldSetting>;
  readonly dateFormat: string | undefined;
  readonly decimal: "comma" | "point" | undefined;
  /** Delimiter as given; `readDelimiter` converts it to a character. */
  readonly delimiter: string | undefined;
  readonly encoding: string | undefined;
}

const forms = {
  map: "texts",
  set: "texts",
  dateFormat: "text",
  decimal: "text",
  delimiter: "text",
  encoding: "text",
} as const satisfies MappingForms;

/** A mapping as it is stored. */
type StoredMapping = Omit<KeptMapping<typeof forms>, "decimal"> &
  Partial<Pick<Settings, "decimal">>;

/**
 * Combines flags and mapping.
 *
 * @throws UsageError
 */
export function settingsOf(noun: ImportNoun, options: ImportOptions): Settings {
  const mapping = options.mapping === undefined ? {} : readStoredMapping(options.mapping, noun);
  const keptMap = saidOf(noun, Object.entries(mapping.map ?? {}), options.mapping ?? "");
  const keptSet = saidOf(noun, Object.entries(mapping.set ?? {}), options.mapping ?? "");
  const mapByPath = saidOf(
    noun,
    (options.map ?? []).map((text) => pairOf("--map", text)),
    "--map",
  );
  const set = saidOf(
    noun,
    (options.set ?? []).map((text) => pairOf("--set", text)),
    "--set",
  );
  for (const [path, { text }] of mapByPath) {
    if (text === "" || !set.has(path)) continue;
    throw new UsageError(
      "BadMap",
      `--map and --set both say what ${path} is. For a value where the column is empty, write --map '${path}=${text}|${set.get(path)?.text}'.`,
    );
  }
  // A flag for a field overrides both kinds of stored setting, column and constant.
  for (const path of [...mapByPath.keys(), ...set.keys()]) {
    keptMap.delete(path);
    keptSet.delete(path);
  }
  const delimiter = options.delimiter ?? mapping.delimiter;
  return {
    map: new Map([...keptMap, ...mapByPath]),
    set: new Map([...keptSet, ...set]),
    dateFormat: options.dateFormat ?? mapping.dateFormat,
    decimal: options.decimal ?? mapping.decimal,
    delimiter: delimiter === undefined ? undefined : readDelimiter(delimiter),
    encoding: options.encoding ?? mapping.encoding,
  };
}

/** Writes the settings to a file for `--mapping`. */
export function keepSettings(path: string, noun: ImportNoun, settings: Settings): void {
  const settingTexts = (allSettings: ReadonlyMap<string, FieldSetting>) =>
    Object.fromEntries([...allSettings].map(([name, { text }]) => [name, text]));
  const { dateFormat, decimal, delimiter, encoding } = settings;
  const stored = { map: settingTexts(settings.map), set: settingTexts(settings.set) };
  writeMapping(path, pluralOf(noun), { ...stored, dateFormat, decimal, delimiter, encoding });
}

function pairOf(flag: string, text: string): [string, string] {
  const equalsAt = text.indexOf("=");
  if (equalsAt > 0) return [text.slice(0, equalsAt).trim(), text.slice(equalsAt + 1).trim()];
  const form = flag === "--map" ? "FIELD=COLUMN" : "FIELD=VALUE";
  throw new UsageError("BadMap", `${flag} is ${form}, not "${text}".`);
}

function saidOf(
  noun: ImportNoun,
  pairs: readonly (readonly [string, string])[],
  flagText: string,
): Map<string, FieldSetting> {
  const settingByPath = new Map<string, FieldSetting>();
  for (const [name, text] of pairs) {
    const fieldTarget = targetNamed(noun, name);
    if (fieldTarget === undefined) {
      const suggestion = didYouMean(name, targetNames(noun));
      throw new UsageError(
        "UnknownField",
        `${flagText}: ${pluralOf(noun)} have no field "${name}" that a file can give.${suggestion}`,
      );
    }
    if (settingByPath.has(fieldTarget.path)) {
      throw new UsageError("BadMap", `${flagText} says twice what ${fieldTarget.path} is.`);
    }
    settingByPath.set(fieldTarget.path, { target: fieldTarget, text });
  }
  return settingByPath;
}

function readStoredMapping(path: string, noun: ImportNoun): StoredMapping {
  const mapping = readMapping(path, pluralOf(noun), forms);
  const { decimal } = mapping;
  if (decimal === undefined || decimal === "comma" || decimal === "point") {
    return { ...mapping, decimal };
  }
  throw new UsageError(
    "BadMapping",
    `The mapping ${path} has a value of "decimal" other than comma and point.`,
  );
}
