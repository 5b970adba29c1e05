/**
 * Parses an object given as one flag, `--component 'name=GST,rate=15'`: field names in kebab case,
 * values parsed by their descriptions.
 */
import { UsageError } from "../../resources/errors.ts";
import { type Fields, fieldNamed, type InputOf, isScalar } from "../../resources/field.ts";
import { didYouMean } from "../values/suggest.ts";
import { parseValue } from "../values/value.ts";
import { toKebab } from "./flags.ts";

export interface PairsOptions<T extends Fields> {
  /** Name of the flag, `--component`. */
  readonly flag: string;
  /** Short aliases of fields. */
  readonly aliases?: Readonly<Record<string, keyof T & string>>;
  /** Fields that cannot be given. */
  readonly omit?: readonly (keyof T & string)[];
}

/**
 * Parses `key=value,key=value`; a comma inside double quotes is text.
 *
 * @throws UsageError `BadPairs` for the syntax, `BadValue` for a value
 */
export function parsePairs<T extends Fields>(
  text: string,
  fields: T,
  options: PairsOptions<T>,
): InputOf<T> {
  const { flag, aliases = {}, omit = [] } = options;
  const keyNames = [
    ...Object.keys(aliases),
    ...Object.keys(fields)
      .filter((name) => !omit.includes(name))
      .map(toKebab),
  ];
  const parsed: Record<string, unknown> = {};
  for (const pair of splitPairs(text, flag)) {
    const equals = pair.indexOf("=");
    const key = pair.slice(0, Math.max(0, equals)).trim().toLowerCase();
    const name = aliases[key] ?? fieldNamed(fields, key.replaceAll("-", ""));
    const field = name === undefined || omit.includes(name) ? undefined : fields[name];
    if (name === undefined || field === undefined || !isScalar(field)) {
      const what = equals < 0 ? `"${pair}" is not key=value` : `it knows no "${key}"`;
      const hint = didYouMean(key, keyNames);
      throw new UsageError("BadPairs", `${flag}: ${what}.${hint} It takes ${keyNames.join(", ")}.`);
    }
    if (name in parsed) throw new UsageError("BadPairs", `${flag}: ${key} is given twice.`);
    parsed[name] = parseValue(field, pair.slice(equals + 1).trim(), { name: `${key} in ${flag}` });
  }
  return parsed as InputOf<T>;
}

/** Matches one pair: unquoted text, and quoted text in which a backslash escapes a character. */
const pair = /(?:[^,"]|"(?:[^"\\]|\\.)*")+/g;
const pairs = new RegExp(`^${pair.source}(?:,${pair.source})*,?$`);

function splitPairs(text: string, flag: string): string[] {
  if (!pairs.test(text)) {
    throw new UsageError("BadPairs", `${flag}: "${text}" is not key=value,key=value.`);
  }
  return (text.match(pair) ?? []).map((text) =>
    text.replace(/"((?:[^"\\]|\\.)*)"/g, (_, inside: string) => inside.replace(/\\(.)/g, "$1")),
  );
}
