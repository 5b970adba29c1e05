/**
 * The language of resource descriptions.
 *
 * A field declares its name, its possible values and who may set it; from that the TypeScript
 * types, codecs, validation, store columns and command-line flags are derived. Each derivation is a
 * table of functions by `Kind`, closed with `satisfies`, so that a new kind does not compile until
 * every table has it.
 */
import type { Cents, LineQuantity, Percent, Quantity, Rate, UnitAmount } from "./decimal.ts";

/** Options that every kind of field has. */
export interface Common {
  /** Whether the field must be given on create. */
  readonly required?: boolean;
  /** Whether only the service sets the field: it is ignored on input and has no flag. */
  readonly readOnly?: boolean;
  /** Whether the field is returned with every record, so that its type is never undefined. */
  readonly always?: boolean;
  /** Whether `list` has a flag for the field, and an index supports it in `where` and `order`. */
  readonly filter?: boolean;
  /** Whether the field names a record to people, such as its number. */
  readonly key?: boolean;
  /** Reads that return the field: all (default), paged and single reads, or single reads only. */
  readonly shown?: "paged" | "single";
  /**
   * Whether the field is computed on read: it has no column in the store, and cannot be used in
   * `where` and `order`.
   */
  readonly computed?: boolean;
  /**
   * Whether the field is not in the public API; it is not sent to a service that does not describe
   * it.
   */
  readonly extension?: true;
  /** One line for the help and for the description of the API. */
  readonly help?: string;
}

export interface IdField extends Common {
  readonly kind: "id";
}
export interface TextField extends Common {
  readonly kind: "text";
  /** Maximum length in characters. */
  readonly max?: number;
  /** Minimum length in characters. */
  readonly min?: number;
  /** Whether the text is stored exactly as sent; otherwise spaces at both ends are trimmed. */
  readonly verbatim?: boolean;
  /**
   * Whether the text is a name or number, without line ends, tabs and control characters; so is
   * every `key`.
   */
  readonly oneLine?: true;
  /**
   * Whether JSON has empty text where the field is not set, since clients read it in every record.
   */
  readonly blank?: true;
  /** Prefix of the handle that the field holds, or prefixes by the type of the record. */
  readonly handle?: HandlePrefix;
}
export type HandlePrefix = string | Readonly<Record<string, string>>;
export interface ChoiceField<V extends string = string> extends Common {
  readonly kind: "choice";
  readonly values: readonly V[];
  /** Default value on create. */
  readonly default?: V;
  /**
   * Whether answers have the value in capitals, where callers know the values of another resource
   * that way.
   */
  readonly capitals?: true;
}
export interface BooleanField extends Common {
  readonly kind: "boolean";
  readonly default?: boolean;
}
export interface IntegerField extends Common {
  readonly kind: "integer";
  readonly min?: number;
  readonly max?: number;
}
/** A calendar day, `YYYY-MM-DD`. */
export interface DateField extends Common {
  readonly kind: "date";
  /** Name of an earlier date in the record that relative dates on the command line count from. */
  readonly follows?: string;
}
/** A time, in milliseconds since 1970 UTC. */
export interface TimestampField extends Common {
  readonly kind: "timestamp";
  /** Name of a second field in JSON with the time as ISO text. */
  readonly twin?: string;
}
export interface MoneyField extends Common {
  readonly kind: "money";
  /** Name of a second field in JSON with the same value. */
  readonly twin?: string;
  /** Minimum in cents; 1 where the amount must be positive. */
  readonly min?: number;
  /** Maximum absolute value in cents. */
  readonly max?: number;
  /**
   * Currency of the amount: base currency, that of the `Account` beside it, or the currency of
   * another record; when not given, the `CurrencyCode` beside it.
   */
  readonly currency?: "base" | "account" | "other";
}
export interface UnitAmountField extends Common {
  readonly kind: "unitAmount";
  readonly currency?: "other";
  /** Whether more than four decimal places are rounded instead of refused. */
  readonly rounds?: true;
}
export interface QuantityField extends Common {
  readonly kind: "quantity";
  /** Minimum in ten-thousandths; 1 where the number must be positive. */
  readonly min?: number;
  /** Maximum number of digits as written; when not given, those of a safe integer. */
  readonly digits?: number;
}
export interface PercentField extends Common {
  readonly kind: "percent";
}
export interface RateField extends Common {
  readonly kind: "rate";
}
/** A reference to another record by any of its keys. */
export interface RefField<T extends Fields = Fields> extends Common {
  readonly kind: "ref";
  /** Name of the resource that is referred to. */
  readonly to: string;
  /** Keys that may identify the other record, in the order in which they are tried. */
  readonly by: readonly string[];
  /** Fields of the other record that may be shown. */
  readonly fields: T;
}
/** An object inside the record. */
export interface OneField<T extends Fields = Fields> extends Common {
  readonly kind: "one";
  readonly fields: T;
}
/** A list of objects inside the record. */
export interface ManyField<T extends Fields = Fields> extends Common {
  readonly kind: "many";
  /** Name of an element in XML. */
  readonly child: string;
  readonly fields: T;
  readonly min?: number;
  readonly max?: number;
  /** Key field by which elements are merged into the list on update, instead of replacing it. */
  readonly mergeBy?: string;
  /** Whether unpaged lists return the list empty. */
  readonly emptyInLists?: boolean;
  /** Whether JSON answers leave out an empty list. */
  readonly whenAny?: boolean;
  /** Columns of elements in tables for people; all fields but ids when not given. */
  readonly columns?: readonly string[];
}
/** A list of texts inside the record. */
export interface TextsField extends Common {
  readonly kind: "texts";
  readonly child: string;
}

export type Field =
  | IdField
  | TextField
  | ChoiceField
  | BooleanField
  | IntegerField
  | DateField
  | TimestampField
  | MoneyField
  | UnitAmountField
  | QuantityField
  | PercentField
  | RateField
  | RefField
  | OneField
  | ManyField
  | TextsField;

export type Kind = Field["kind"];
/** Field description of a kind. */
export type FieldOf<K extends Kind> = Extract<Field, { kind: K }>;
export type Fields = { readonly [name: string]: Field };

/** Kinds that hold a single value rather than an object or a list. */
export type ScalarKind = Exclude<Kind, "ref" | "one" | "many" | "texts">;

export function isScalar(field: Field): field is FieldOf<ScalarKind> {
  return (
    field.kind !== "ref" && field.kind !== "one" && field.kind !== "many" && field.kind !== "texts"
  );
}

// --- types of values -------------------------------------------------------------------------

type FieldValue<F> = F extends { kind: "id" | "text" | "date" }
  ? string
  : F extends ChoiceField<infer V>
    ? V
    : F extends { kind: "boolean" }
      ? boolean
      : F extends { kind: "integer" | "timestamp" }
        ? number
        : F extends { kind: "money" }
          ? Cents
          : F extends { kind: "unitAmount" }
            ? UnitAmount
            : F extends { kind: "quantity" }
              ? F extends { digits: number }
                ? LineQuantity
                : Quantity
              : F extends { kind: "percent" }
                ? Percent
                : F extends { kind: "rate" }
                  ? Rate
                  : F extends { kind: "ref"; fields: infer T extends Fields }
                    ? Partial<ShapeOf<T>>
                    : F extends { kind: "one"; fields: infer T extends Fields }
                      ? ShapeOf<T>
                      : F extends { kind: "many"; fields: infer T extends Fields }
                        ? ShapeOf<T>[]
                        : F extends { kind: "texts" }
                          ? string[]
                          : never;

type InputValue<F> = F extends { kind: "ref"; fields: infer T extends Fields }
  ? Partial<ShapeOf<T>>
  : F extends { kind: "one"; fields: infer T extends Fields }
    ? InputOf<T>
    : F extends { kind: "many"; fields: infer T extends Fields }
      ? InputOf<T>[]
      : FieldValue<F>;

type Present<T extends Fields> = {
  [K in keyof T]: T[K] extends { always: true } | { required: true } ? K : never;
}[keyof T];

/**
 * Type of a record that the service returns: fields that are always present, and optional others.
 */
export type ShapeOf<T extends Fields> = { -readonly [K in Present<T>]: FieldValue<T[K]> } & {
  -readonly [K in Exclude<keyof T, Present<T>>]?: FieldValue<T[K]> | undefined;
};

/**
 * Type of a record that a caller sends. All fields are optional, since an update sends a part; the
 * service checks required ones.
 */
export type InputOf<T extends Fields> = {
  -readonly [K in keyof T as T[K] extends { readOnly: true } ? never : K]?:
    | InputValue<T[K]>
    | undefined;
};

// --- constructors ----------------------------------------------------------------------------

type Opt<F extends Field> = Omit<F, "kind">;

export const id = <const O extends Opt<IdField>>(o: O = {} as O) => ({ kind: "id", ...o }) as const;
export const text = <const O extends Opt<TextField>>(o: O = {} as O) =>
  ({ kind: "text", ...o }) as const;
/**
 * The handle of a record without a number of its own: its prefix, `P`, and a number counted per
 * organisation, given once. It is not part of the public API, whose answers have it when asked.
 */
export const shortId = (prefix: HandlePrefix) =>
  ({ kind: "text", handle: prefix, readOnly: true, help: "short name of the record" }) as const;
export const choice = <const V extends string, const O extends Omit<Opt<ChoiceField<V>>, "values">>(
  values: readonly V[],
  o: O = {} as O,
) => ({ kind: "choice", values, ...o }) as const;
export const boolean = <const O extends Opt<BooleanField>>(o: O = {} as O) =>
  ({ kind: "boolean", ...o }) as const;
export const integer = <const O extends Opt<IntegerField>>(o: O = {} as O) =>
  ({ kind: "integer", ...o }) as const;
export const date = <const O extends Opt<DateField>>(o: O = {} as O) =>
  ({ kind: "date", ...o }) as const;
export const timestamp = <const O extends Opt<TimestampField>>(o: O = {} as O) =>
  ({ kind: "timestamp", ...o }) as const;
export const money = <const O extends Opt<MoneyField>>(o: O = {} as O) =>
  ({ kind: "money", ...o }) as const;
export const unitAmount = <const O extends Opt<UnitAmountField>>(o: O = {} as O) =>
  ({ kind: "unitAmount", ...o }) as const;
export const quantity = <const O extends Opt<QuantityField>>(o: O = {} as O) =>
  ({ kind: "quantity", ...o }) as const;
export const percent = <const O extends Opt<PercentField>>(o: O = {} as O) =>
  ({ kind: "percent", ...o }) as const;
export const rate = <const O extends Opt<RateField>>(o: O = {} as O) =>
  ({ kind: "rate", ...o }) as const;
export const texts = <const O extends Omit<Opt<TextsField>, "child">>(
  child: string,
  o: O = {} as O,
) => ({ kind: "texts", child, ...o }) as const;
// The signature without options is separate: an absent `O` would be inferred from the context and
// hide the field types.
export function one<const T extends Fields>(fields: T): { kind: "one"; fields: T };
export function one<const T extends Fields, const O extends Omit<Opt<OneField>, "fields">>(
  fields: T,
  o: O,
): { kind: "one"; fields: T } & O;
export function one(fields: Fields, o: object = {}) {
  return { kind: "one", fields, ...o };
}

export function many<const T extends Fields>(
  child: string,
  fields: T,
): { kind: "many"; child: string; fields: T };
export function many<
  const T extends Fields,
  const O extends Omit<Opt<ManyField>, "fields" | "child">,
>(child: string, fields: T, o: O): { kind: "many"; child: string; fields: T } & O;
export function many(child: string, fields: Fields, o: object = {}) {
  return { kind: "many", child, fields, ...o };
}

export function ref<const T extends Fields>(
  to: string,
  by: readonly (keyof T & string)[],
  fields: T,
): { kind: "ref"; to: string; by: readonly string[]; fields: T };
export function ref<
  const T extends Fields,
  const O extends Omit<Opt<RefField>, "fields" | "by" | "to">,
>(
  to: string,
  by: readonly (keyof T & string)[],
  fields: T,
  o: O,
): { kind: "ref"; to: string; by: readonly string[]; fields: T } & O;
export function ref(to: string, by: readonly string[], fields: Fields, o: object = {}) {
  return { kind: "ref", to, by, fields, ...o };
}

// --- resources -------------------------------------------------------------------------------

/** A query parameter of a collection, beyond `where` and `order`. */
export interface ListParameter {
  /** Name in the query, matched in any letter case. */
  readonly name: string;
  /** Dotted path of the field it filters, by equality with any of a comma-separated list. */
  readonly field: string;
  /** Comparison of the field with the value, `in` when not given; `from` and `to` take a day. */
  readonly test?: "in" | "from" | "to";
}

/** Field by which a payment names the document it settles. */
export type PaymentTarget =
  | "Invoice"
  | "CreditNote"
  | "Prepayment"
  | "Overpayment"
  | "ExpenseClaim";

/** Traits of a resource whose records are documents, with lines and a contact or bank account. */
export type DocumentTraits = NumberedTraits & (OneType | { readonly type?: undefined });

/** Traits of a resource with documents of one type; its lists, export and undo follow. */
export interface OneType {
  /** Type of the documents; callers may omit it. */
  readonly type: string;
  readonly side: "sales" | "purchases";
}

interface NumberedTraits {
  /** Field of the document number; undefined for documents without a number. */
  readonly number?: string;
  /** Documents whose numbers must be unique: of one type, and for receipts per user. */
  readonly unique?: {
    readonly type: string;
    /** Statuses in which the number of a document may be used again. */
    readonly freedBy: readonly string[];
    readonly perUser?: true;
  };
  /** Field of the unsettled amount; undefined for documents that nothing settles. */
  readonly open?: "AmountDue" | "RemainingCredit";
  /** Field by which payments name the document; undefined for documents that take no payments. */
  readonly paidAs?: PaymentTarget;
}

export interface ResourceOptions {
  /** Collection name: the path segment, the JSON key and the XML list element. */
  readonly plural: string;
  /** Whether the resource is not in the public API: its routes are below `/Extensions`. */
  readonly extension?: true;
  /** Alternative spellings of the path segment. */
  readonly aliases?: readonly string[];
  /** Field of the GUID of a record (or, for tax rates, its code). */
  readonly id: string;
  /** Fields, besides the id, that identify a record in a path. */
  readonly keys?: readonly string[];
  /** HTTP methods on the collection; then those on a record. */
  readonly collection: readonly ("GET" | "PUT" | "POST")[];
  readonly record: readonly ("GET" | "POST" | "DELETE")[];
  /** Maximum number of records in one write. */
  readonly batchMax: number;
  readonly paged?: "asked" | "enforced";
  /**
   * Number field by which lists continue, for lists without pages: `offset` is the number of the
   * last record read.
   */
  readonly offsetBy?: string;
  /** Whether lists take conditions; `here` where the public API does not document it. */
  readonly where?: true | "here";
  readonly order?: boolean;
  readonly modifiedSince?: boolean;
  /** Field of the time of the last change, for `modifiedSince`; `UpdatedDateUTC` when not given. */
  readonly changedAt?: string;
  /** Whether unit amounts have 4 decimals with `unitdp=4`, or always; otherwise they have 2. */
  readonly unitdp?: boolean | "always";
  /** Whether lists can be requested without the lists inside records (`summaryOnly`). */
  readonly summaryOnly?: boolean;
  /** Whether its lines move tracked items; `stockCosts` then returns their cost. */
  readonly movesStock?: boolean;
  /**
   * Further fields that a summary list leaves out, besides inner lists and fields shown only on
   * pages.
   */
  readonly summaryLacks?: readonly string[];
  /** Whether lists take the parameter `createdByMyApp`. */
  readonly createdByMyApp?: boolean;
  /** Whether lists take the parameter `includeArchived`. */
  readonly includeArchived?: boolean;
  readonly summarizeErrors?: boolean;
  readonly history?: boolean;
  /** Whether records can be allocated to invoices and bills. */
  readonly allocations?: boolean;
  /** Fields for the chart of a list: a date, and amounts that are summed by its month. */
  readonly chart?: { readonly date: string; readonly amounts: readonly [string, ...string[]] };
  /** Whether a record is available as PDF. */
  readonly printed?: boolean | undefined;
  /** Whether records can have attachments; `online` if some are shown with the online invoice. */
  readonly attachments?: true | "online";
  /** Whether customers can see some of its records on a web page. */
  readonly online?: true | undefined;
  readonly parameters?: readonly ListParameter[];
  /** Fields that `searchTerm` searches. */
  readonly search?: readonly string[];
  /** Category of webhook events when records are created or changed. */
  readonly eventCategory?: string;
  /** Fields of the record that its events contain. */
  readonly eventData?: readonly string[];
  /**
   * Amount fields that lists total, in the currency of the record; all amounts of a document when
   * not given.
   */
  readonly sums?: readonly string[];
  /** Default columns of tables and CSV, as dotted paths. */
  readonly columns: readonly string[];
  /** Default order of lists for people. */
  readonly listOrder?: string;
  /** Dotted paths of indexed fields; filtering by other fields scans the records. */
  readonly indexed?: readonly string[];
  /** Criteria for likely duplicates; undefined where unique keys prevent them. */
  readonly alike?: Alike;
  /** Document traits; undefined for resources whose records are no documents. */
  readonly document?: DocumentTraits | undefined;
  /** Name of one record, `credit note`. */
  readonly noun: string;
  /** Names of records by type, where they differ: bills are stored as invoices. */
  readonly nouns?: Readonly<Record<string, string>>;
  readonly summary: string;
  /** Example of a record's number for help, quoted for a shell: `CN-0002`. */
  readonly example?: string;
  /** Example number of a draft; then of a record that is allocated to an invoice. */
  readonly exampleDraft?: string;
  readonly exampleApplied?: string;
}

/** Methods and batches of a resource; without them it has no addresses, as what lies in others. */
type Access = Pick<ResourceOptions, "collection" | "record" | "batchMax">;

/** Options of a field that the service sets; then of one that is also kept nowhere. */
export const readOnly = { readOnly: true } as const;
export const computed = { readOnly: true, computed: true } as const;

/** How most records are read and written: in batches, found by conditions, each with its history. */
export const usualAccess = {
  collection: ["GET", "PUT", "POST"],
  record: ["GET", "POST"],
  batchMax: 500,
  where: true,
  order: true,
  modifiedSince: true,
  summarizeErrors: true,
  history: true,
} as const satisfies Partial<ResourceOptions>;

/** Criteria by which two records are likely duplicates. */
export interface Alike {
  /** Fields that are equal in duplicates; for a list of lines, their total. */
  readonly fields: readonly string[];
  /**
   * Field of the contact's own document number, for these types; with the contact it distinguishes
   * documents. Numbers of other types are kept unique by the service.
   */
  readonly number?: { readonly field: string; readonly types: readonly string[] };
}

export interface Resource<T extends Fields = Fields> extends ResourceOptions {
  /** Name of one record, also of its XML element. */
  readonly name: string;
  readonly fields: T;
}

export type DocumentResource = Resource & { readonly document: DocumentTraits };

/** Path of the collection below the API root. */
export function pathOf({ plural, extension }: Resource): string {
  return extension === true ? `${extensionRoot}/${plural}` : `/${plural}`;
}

/** Root path of routes that the public API does not have. */
export const extensionRoot = "/Extensions";

/** Name of a record, by its type where that has a name of its own. */
export function nounOf({ noun, nouns }: Pick<Resource, "noun" | "nouns">, record: object): string {
  return nouns?.[String((record as { Type?: unknown }).Type)] ?? noun;
}

/** Prefix of the handle of a record; undefined where it has none. */
export function prefixOf(field: Field | undefined, record: object): string | undefined {
  const prefix = field?.kind === "text" ? field.handle : undefined;
  return typeof prefix === "object" ? prefix[String((record as { Type?: unknown }).Type)] : prefix;
}

/** Whether a text has the form of a handle of these records, in any letter case. */
export function isHandle({ fields: { Handle } }: Pick<Resource, "fields">, text: string): boolean {
  const [, prefix = ""] = /^([a-z]{1,2})-[1-9]\d{0,14}$/i.exec(text) ?? [];
  const own = Handle?.kind === "text" ? Handle.handle : undefined;
  const prefixes = typeof own === "string" ? [own] : Object.values(handlePrefixes(Handle));
  return prefixes.includes(prefix.toUpperCase());
}

/** Prefixes of handles by the type of the record; empty where there is one prefix, or none. */
export function handlePrefixes(field: Field | undefined): Readonly<Record<string, string>> {
  const ownPrefixes = field?.kind === "text" ? field.handle : undefined;
  return typeof ownPrefixes === "object" ? ownPrefixes : {};
}

/** Id of a record. */
export function idOf({ id }: Pick<Resource, "id">, record: object): string {
  return (record as Readonly<Record<string, string>>)[id] as string;
}

/** Field values by name, for a resource known only by its description. */
export type FieldValues = Readonly<Record<string, unknown>>;

export type Shape<R extends Resource> = ShapeOf<R["fields"]>;
export type Input<R extends Resource> = InputOf<R["fields"]>;

/** Creates the description of a resource; see the files beside this one. */
export function resource<
  const N extends string,
  const T extends Fields,
  const I extends string,
  const D extends DocumentTraits | undefined = undefined,
  const O extends true | undefined = undefined,
  const P extends boolean | undefined = undefined,
>(
  name: N,
  fields: T | (() => T),
  options: Omit<ResourceOptions, keyof Access> &
    Partial<Access> & {
      readonly id: I;
      readonly document?: D;
      readonly online?: O;
      readonly printed?: P;
    },
): Resource<T> & Traits<N, I, D, O, P> {
  const access: Access = { collection: [], record: [], batchMax: 1 };
  let made: T | undefined;
  const lazy = {
    name,
    get fields() {
      made ??= typeof fields === "function" ? fields() : fields;
      return made;
    },
  };
  return Object.assign(lazy, access, options) as Resource<T> & Traits<N, I, D, O, P>;
}

/** Type traits that other tables, such as rows and pages, depend on. */
interface Traits<N, I, D, O, P> {
  readonly name: N;
  readonly id: I;
  readonly document: D;
  readonly online: O;
  readonly printed: P;
}

/** Finds the field at a dotted path in any letter case, with its canonical path. */
export function fieldAt(
  fields: Fields,
  path: readonly string[],
): { readonly path: string; readonly field: Field } | undefined {
  const [head, ...rest] = path;
  if (head === undefined) return undefined;
  const name = fieldNamed(fields, head);
  const field = name === undefined ? undefined : fields[name];
  if (name === undefined || field === undefined) return undefined;
  if (rest.length === 0) return { path: name, field };
  if (field.kind !== "ref" && field.kind !== "one") return undefined;
  const innerField = fieldAt(field.fields, rest);
  return innerField && { path: `${name}.${innerField.path}`, field: innerField.field };
}

const namesByFields = new WeakMap<Fields, Map<string, string>>();

/** Canonical name of a field given in any letter case. */
export function fieldNamed(fields: Fields, name: string): string | undefined {
  if (Object.hasOwn(fields, name)) return name;
  let nameByKey = namesByFields.get(fields);
  if (nameByKey === undefined) {
    nameByKey = new Map(Object.keys(fields).map((key) => [key.toLowerCase(), key]));
    namesByFields.set(fields, nameByKey);
  }
  return nameByKey.get(name.toLowerCase());
}
