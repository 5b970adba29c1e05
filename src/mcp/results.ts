/** Answers short enough to be read at every turn: what is empty is left out, what is long is cut. */
import type { AcctError } from "../resources/errors.ts";
import { nameOfRule, refusalRules, ruleOfRefusal } from "../resources/refusal-rules.ts";

/** Bytes of an answer, unless more are asked for. */
export const bytesUsual = 4096;
export const bytesMax = 16_384;

export const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");

/** Names that say nothing beside the others of a record. */
const silent = new Set(["HasValidationErrors", "UpdatedDateUTC", "Attributes"]);

/**
 * Returns a value without what is empty, without ids beside a name, and with its texts made safe.
 *
 * @param safe  shows control and direction signs as codes
 */
export function compact(value: unknown, safe: (text: string) => string): unknown {
  if (typeof value === "string") return safe(value);
  if (Array.isArray(value)) return value.map((value) => compact(value, safe));
  if (typeof value !== "object" || value === null) return value;
  const isNamed = Object.keys(value).some((name) => /(Name|Code|Number|Handle)$/.test(name));
  const entries = Object.entries(value).flatMap(([name, each]) => {
    const isSilent = silent.has(name) || (isNamed && /ID$/.test(name));
    if (isSilent || (each === false && /^Has/.test(name))) return [];
    const shown = compact(each, safe);
    return isEmpty(shown) ? [] : [[name, shown] as const];
  });
  return Object.fromEntries(entries);
}

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);

/** A list within an answer, and where it stands. */
interface Within {
  readonly path: string;
  readonly list: unknown[];
}

function* listsIn(value: unknown, path: string): Generator<Within> {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) yield { path, list: value };
  for (const [name, each] of Object.entries(value)) {
    yield* listsIn(each, Array.isArray(value) ? path : [path, name].filter(Boolean).join("."));
  }
}

/**
 * Returns an answer of at most so many bytes: of its longest list the end is left out, and counted in
 * `left_out` by the path of the list.
 */
export function fitted(answer: object, bytes: number): object {
  if (sizeOf(answer) <= bytes) return answer;
  const cut = structuredClone(answer);
  const left: Record<string, number> = {};
  const whole = () => (Object.keys(left).length === 0 ? cut : { ...cut, left_out: left });
  while (sizeOf(whole()) > bytes) {
    const lists = [...listsIn(cut, "")].filter(({ list }) => list.length > 0);
    const [longest] = lists.sort((a, b) => b.list.length - a.list.length);
    if (longest === undefined) return { left_out: { everything: 1 } };
    const gone = longest.list.splice(Math.floor(longest.list.length * 0.8));
    left[longest.path] = (left[longest.path] ?? 0) + gone.length;
  }
  return whole();
}

/** What is said of a refusal: its rule, the fields, and what to do. */
export function refusalOf({ code, message, details }: AcctError): object {
  const rule =
    nameOfRule(details.find(({ rule }) => rule !== undefined)?.rule) ?? ruleOfRefusal(code);
  return {
    code,
    rule,
    message,
    faults: details.map(({ message, record, field }) => ({ message, record, field })),
    what_to_do: rule === undefined ? undefined : refusalRules[rule].remedy,
  };
}
