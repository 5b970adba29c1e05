/**
 * Validates the values of a record, as far as its description allows.
 *
 * All faults are collected before anything is refused. Checks that need other records or the life
 * cycle (whether an account exists, whether a status may follow) are the service's, as are missing
 * references and lists, for which it has messages of its own.
 */
import { currencyCodes, digitsFault, unsupportedCurrency } from "./common.ts";
import { scaleOf } from "./decimal.ts";
import type { Fault } from "./errors.ts";
import type { Field, FieldOf, Fields, FieldValues, Kind, ScalarKind } from "./field.ts";
import type { RuleName } from "./refusal-rules.ts";
import {
  checkScalar,
  counted,
  directionMarkFault,
  type ParseResult,
  readScalar,
} from "./scalar.ts";

// --- places ----------------------------------------------------------------------------------

/** Position inside a record, for programs and for people. */
export interface FieldLocation {
  /** Dotted path, with elements counted from 0: `LineItems[2].Description`. */
  readonly path: string;
  /** Prefix of the field name in a sentence, with elements counted from 1: `LineItem 3: `. */
  readonly before: string;
  /** Field name in a sentence, dotted inside objects: `SalesDetails.UnitPrice`. */
  readonly name: string;
}

export const wholeRecord: FieldLocation = { path: "", before: "", name: "" };

/** Position of the field `name` in the object at `place`. */
export function memberOf(parent: FieldLocation, name: string): FieldLocation {
  return {
    path: parent.path === "" ? name : `${parent.path}.${name}`,
    before: parent.before,
    name: parent.name === "" ? name : `${parent.name}.${name}`,
  };
}

/** Position of element `index`, from 0, of the list at `place`. */
export function elementOf(location: FieldLocation, child: string, index: number): FieldLocation {
  return {
    path: `${location.path}[${index}]`,
    before: `${location.before}${child} ${index + 1}: `,
    name: "",
  };
}

/** Creates a fault. @param fault  predicate that follows the field name: `is required` */
export function faultAt(location: FieldLocation, fault: string, rule: RuleName = "Form"): Fault {
  const fullStop = /[.?!]$/.test(fault) ? "" : ".";
  const name = location.name === "" ? "It" : location.name;
  return { rule, message: `${location.before}${name} ${fault}${fullStop}`, field: location.path };
}

// --- one value -------------------------------------------------------------------------------

/**
 * Parses and checks a value from text, as given in a flag or cell; dates are `YYYY-MM-DD` only.
 *
 * @returns the value, undefined for empty text, or the end of a sentence that begins with the
 *          name of the field or flag
 */
export function parseField(field: FieldOf<ScalarKind>, text: string): ParseResult {
  const parse = readScalar[field.kind] as (field: Field, text: string) => ParseResult;
  const parsed = parse(field, text);
  if ("fault" in parsed || parsed.value === undefined) return parsed;
  const fault = checkValue(field, parsed.value);
  return fault === undefined ? parsed : { fault };
}

function checkValue(field: FieldOf<ScalarKind>, value: unknown): string | undefined {
  return (checkScalar[field.kind] as (field: Field, value: unknown) => string | undefined)(
    field,
    value,
  );
}

// --- one record ------------------------------------------------------------------------------

export interface ValidateOptions {
  /** Whether the record is new, so that required fields must be present. */
  readonly creating: boolean;
  /**
   * Base currency, which amounts without a `CurrencyCode` beside them have. Amounts whose
   * `CurrencyCode` is not sent, and those of another record, are checked by the service.
   */
  readonly base?: string;
}

type FieldCheck<K extends Kind> = (
  field: FieldOf<K>,
  value: unknown,
  location: FieldLocation,
  walk: Walk,
) => void;

interface Walk extends ValidateOptions {
  readonly faults: Fault[];
  /** Currency of the amounts in the present object; undefined where unknown. */
  readonly currency: string | undefined;
}

function validateScalar(
  field: FieldOf<ScalarKind>,
  value: unknown,
  location: FieldLocation,
  { faults }: Walk,
): void {
  const fault = checkValue(field, value);
  if (fault !== undefined) faults.push(faultAt(location, fault));
}

function validateAmount(
  field: FieldOf<"money" | "unitAmount">,
  value: unknown,
  location: FieldLocation,
  walk: Walk,
) {
  validateScalar(field, value, location, walk);
  if (field.currency === "other") return;
  const currency = field.currency === "base" ? walk.base : walk.currency;
  const fault = currency && digitsFault(value as number, scaleOf[field.kind], currency);
  if (fault !== undefined) walk.faults.push(faultAt(location, fault, "Currency"));
}

const noCheck = () => undefined;
const entries = (count: number) => counted(count, "entry", "entries");

/** Pattern of fields that are names, numbers or codes. */
const isName = /(?:Name|Number|Code|Reference)$/;

const checks = {
  id: validateScalar,
  text: (field, value, location, walk) => {
    const faultsBefore = walk.faults.length;
    validateScalar(field, value, location, walk);
    const fault = isName.test(location.path) ? directionMarkFault(String(value)) : undefined;
    if (fault !== undefined && walk.faults.length === faultsBefore)
      walk.faults.push(faultAt(location, fault));
  },
  choice: (field, value, location, walk) => {
    validateScalar(field, value, location, walk);
    const unkept = field.values === currencyCodes ? unsupportedCurrency(String(value)) : undefined;
    if (unkept === undefined) return;
    walk.faults.push({ rule: "Currency", message: location.before + unkept, field: location.path });
  },
  boolean: validateScalar,
  integer: validateScalar,
  date: validateScalar,
  timestamp: validateScalar,
  money: validateAmount,
  unitAmount: validateAmount,
  quantity: validateScalar,
  percent: validateScalar,
  rate: validateScalar,
  // References are checked by the service, which knows how records are found.
  ref: noCheck,
  one: (field, value, place, walk) => checkFields(field.fields, value as FieldValues, place, walk),
  many: (field, value, location, walk) => {
    const elements = value as readonly FieldValues[];
    const { min = 0, max = Number.POSITIVE_INFINITY } = field;
    if (elements.length > max) {
      const fault = `takes at most ${entries(max)}, not ${elements.length}`;
      walk.faults.push(faultAt(location, fault, "Limit"));
      return;
    }
    if (elements.length < min) {
      walk.faults.push(faultAt(location, `needs at least ${entries(min)}`, "Required"));
    }
    for (const [index, element] of elements.entries()) {
      // A sent list replaces the old one, so its elements are new unless a key field identifies
      // them.
      const isCreating = !Object.entries(field.fields).some(
        ([name, { kind }]) => kind === "id" && element[name] !== undefined,
      );
      checkFields(field.fields, element, elementOf(location, field.child, index), {
        ...walk,
        creating: isCreating,
      });
    }
    checkKeys(field, elements, location, walk);
  },
  texts: noCheck,
} satisfies { [K in Kind]: FieldCheck<K> };

/**
 * Refuses two elements of one merge key; one without the key means the default one.
 */
function checkKeys(
  { mergeBy, child, fields }: FieldOf<"many">,
  elements: readonly FieldValues[],
  location: FieldLocation,
  { faults }: Walk,
): void {
  const key = mergeBy === undefined ? undefined : fields[mergeBy];
  if (mergeBy === undefined || key?.kind !== "choice") return;
  const keys = elements.map((value) => value[mergeBy] ?? key.default);
  for (const [index, value] of keys.entries()) {
    if (keys.indexOf(value) === index) continue;
    const untyped = [keys.indexOf(value), index].find(
      (at) => elements[at]?.[mergeBy] === undefined,
    );
    const at = memberOf(elementOf(location, child, untyped ?? index), mergeBy);
    faults.push(
      untyped === undefined
        ? faultAt(at, `${value} is given twice`, "Unique")
        : faultAt(at, `is required where another ${child} is the ${value} one`, "Required"),
    );
  }
}

/** Kinds of fields whose absence the service reports in its own words. */
const kindsRequiredByService: ReadonlySet<Kind> = new Set(["ref", "many"]);

function checkFields(fields: Fields, value: FieldValues, place: FieldLocation, outer: Walk): void {
  const ownCurrency = value.CurrencyCode as string | undefined;
  const walk = "CurrencyCode" in fields ? { ...outer, currency: ownCurrency } : outer;
  for (const [name, field] of Object.entries(fields)) {
    if (field.readOnly === true) continue;
    const member = value[name];
    if (member !== undefined) {
      (checks[field.kind] as FieldCheck<Kind>)(field, member, memberOf(place, name), walk);
    } else if (field.required === true && !kindsRequiredByService.has(field.kind)) {
      if (walk.creating)
        walk.faults.push(faultAt(memberOf(place, name), "is required", "Required"));
      else if (Object.hasOwn(value, name)) {
        walk.faults.push(faultAt(memberOf(place, name), "may not be empty", "Required"));
      }
    }
  }
}

/**
 * Validates a record against its description.
 *
 * @param value  typed values from the decoder; a key with undefined clears the field
 * @returns one fault per sentence, in the order of the description; empty for a valid record
 */
export function validate(fields: Fields, value: FieldValues, options: ValidateOptions): Fault[] {
  const faults: Fault[] = [];
  checkFields(fields, value, wholeRecord, { ...options, currency: options.base, faults });
  return faults;
}
