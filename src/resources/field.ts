/**
 * The words in which a resource is described.
 *
 * A field says once what it is called, what it may hold and who may set it; the TypeScript types,
 * the codecs, the validation, the columns of the store and the flags of the command line are
 * derived from that. Each derivation is a table of functions by `Kind`, closed with `satisfies`,
 * so a new kind does not compile until every table knows it.
 */
import type { Cents, LineQuantity, Percent, Quantity, Rate, UnitAmount } from "./decimal.ts";

/** What every field may say about itself. */
export interface Common {
  /** Must be given on create. */
  readonly required?: boolean;
  /** Set by the service alone: ignored on input, and no flag. */
  readonly readOnly?: boolean;
  /** Returned with every record, so its type is never undefined. */
  readonly always?: boolean;
  /** A flag of `list`; stands in where and order at full speed. */
  readonly filter?: boolean;
  /** The name a person uses for a record. */
  readonly key?: boolean;
  /** Which reads carry it: every one (default), paged and single ones, or single ones alone. */
  readonly shown?: "paged" | "single";
  /** Computed when read: the store keeps no column for it, and where and order do not know it. */
  readonly computed?: boolean;
  /** The public API does not have it: to a service that does not describe it, it is not sent. */
  readonly extension?: true;
  /** One line for help and for the description of the API. */
  readonly help?: string;
}

export interface IdField extends Common {
  readonly kind: "id";
}
export interface TextField extends Common {
  readonly kind: "text";
  /** Longest text, in characters. */
  readonly max?: number;
  /** Shortest text that counts as given. */
  readonly min?: number;
  /** Kept exactly as sent; otherwise spaces at both ends are trimmed. */
  readonly verbatim?: boolean;
  /** A name or number, without line ends, tabs and control characters; every `key` is one too. */
  readonly oneLine?: true;
  /** JSON has it as empty text where it is not set, since clients read it of every record. */
  readonly blank?: true;
}
export interface ChoiceField<V extends string = string> extends Common {
  readonly kind: "choice";
  readonly values: readonly V[];
  /** What it is on create when not given. */
  readonly default?: V;
  /** Answered in capitals, where callers know the values of another resource so. */
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
  /** The field of the same record that it comes after: distances that a person types count from it. */
  readonly follows?: string;
}
/** A moment, in milliseconds since 1970 UTC. */
export interface TimestampField extends Common {
  readonly kind: "timestamp";
  /** JSON repeats it as ISO text under this name. */
  readonly twin?: string;
}
export interface MoneyField extends Common {
  readonly kind: "money";
  /** JSON repeats it under this name. */
  readonly twin?: string;
  /** In cents; 1 where it must be above zero. */
  readonly min?: number;
  /** Largest absolute value, in cents. */
  readonly max?: number;
  /** That of the books, or of a record that is named; of a `CurrencyCode` beside it when not given. */
  readonly currency?: "base" | "other";
}
export interface UnitAmountField extends Common {
  readonly kind: "unitAmount";
  readonly currency?: "other";
  /** Whether more than four decimal places are rounded instead of refused. */
  readonly rounds?: true;
}
export interface QuantityField extends Common {
  readonly kind: "quantity";
  /** In ten-thousandths; 1 where it must be above zero. */
  readonly min?: number;
  /** Most digits of the number as written; those of one without are as many as a number holds. */
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
  /** Name of the resource that is meant. */
  readonly to: string;
  /** Keys by which it may be named, in the order in which they are tried. */
  readonly by: readonly string[];
  /** What may be shown of it. */
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
  /** Name of one element in XML. */
  readonly child: string;
  readonly fields: T;
  readonly min?: number;
  readonly max?: number;
  /** On update, elements are merged into the list by this field instead of replacing it. */
  readonly mergeBy?: string;
  /** Unpaged lists show it empty. */
  readonly emptyInLists?: boolean;
  /** Answers in JSON leave it out where there is none, instead of showing an empty list. */
  readonly whenAny?: boolean;
  /** What a person is shown of each element; everything but ids where not given. */
  readonly columns?: readonly string[];
}
/** A list of plain texts inside the record. */
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
/** The field description of one kind. */
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

/** What the service returns: fields that are always there, and the others when set. */
export type ShapeOf<T extends Fields> = { -readonly [K in Present<T>]: FieldValue<T[K]> } & {
  -readonly [K in Exclude<keyof T, Present<T>>]?: FieldValue<T[K]> | undefined;
};

/** What a caller may send. Presence is checked by the service, since an update sends a part. */
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
// Without options these have a signature of their own: an absent `O` would be inferred from where
// the result is used, and hide what the fields are.
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

/** How a collection may be read beyond `where` and `order`. */
export interface ListParameter {
  /** As spelt in the query, matched in any letter case. */
  readonly name: string;
  /** The field it filters (dotted), by equality with any of a comma-separated list. */
  readonly field: string;
  /** How the value relates to the field, `in` when not given; `from` and `to` take a day. */
  readonly test?: "in" | "from" | "to";
}

/** As what a payment names the document it settles. */
export type PaymentTarget = "Invoice" | "CreditNote" | "Prepayment" | "Overpayment";

/** What a resource says whose records are documents: with a contact or a bank account, and lines. */
export interface DocumentTraits {
  /** The type of its documents where there is but one, which a caller need not say. */
  readonly type?: string;
  /** The field of its number; undefined for documents that have none. */
  readonly number?: string;
  /** Documents that have a number to themselves: of one type, and for receipts of one user. */
  readonly unique?: {
    readonly type: string;
    /** Statuses in which a document gives its number back. */
    readonly freedBy: readonly string[];
    readonly perUser?: true;
  };
  /** The field of what is still open of it; undefined for documents that nothing settles. */
  readonly open?: "AmountDue" | "RemainingCredit";
  /** Undefined for documents that take no payments. */
  readonly paidAs?: PaymentTarget;
}

export interface ResourceOptions {
  /** Collection name: the path segment, the JSON key and the XML list element. */
  readonly plural: string;
  /** Records that the public API does not have: their routes stand below `/Extensions`. */
  readonly extension?: true;
  /** Further spellings of the path segment. */
  readonly aliases?: readonly string[];
  /** The field that holds the GUID (or, for tax rates, the code) of a record. */
  readonly id: string;
  /** Fields that name a record in a path besides its id. */
  readonly keys?: readonly string[];
  /** Methods on the collection, on one record, and their bounds. */
  readonly collection: readonly ("GET" | "PUT" | "POST")[];
  readonly record: readonly ("GET" | "POST" | "DELETE")[];
  /** Most records in one write. */
  readonly batchMax: number;
  readonly paged?: "asked" | "enforced";
  /** Lists have no pages: each goes on after the record whose number, this field, is `offset`. */
  readonly offsetBy?: string;
  /** Whether lists take conditions; `here` where the public API says of none. */
  readonly where?: true | "here";
  readonly order?: boolean;
  readonly modifiedSince?: boolean;
  /** When a record changed, for lists; `UpdatedDateUTC` when not given. */
  readonly changedAt?: string;
  /** Unit amounts have 4 decimals when `unitdp=4` asks for them, or always; otherwise 2. */
  readonly unitdp?: boolean | "always";
  /** Lists may be asked for without what stands in lists inside the records. */
  readonly summaryOnly?: boolean;
  /** Its lines move tracked items: `stockCosts` shows at what cost. */
  readonly movesStock?: boolean;
  /** Fields that such a list leaves out besides its lists and what is shown on pages alone. */
  readonly summaryLacks?: readonly string[];
  /** Lists take `createdByMyApp`. */
  readonly createdByMyApp?: boolean;
  /** Lists take `includeArchived`. */
  readonly includeArchived?: boolean;
  readonly summarizeErrors?: boolean;
  readonly history?: boolean;
  /** A record may be applied to invoices and bills. */
  readonly allocations?: boolean;
  /** What a list draws with `--chart`: amounts by the month of a day. */
  readonly chart?: { readonly date: string; readonly amounts: readonly [string, ...string[]] };
  /** One record may be had as PDF. */
  readonly printed?: boolean | undefined;
  /** Files may be kept on a record; `online`, on some of them also shown with the invoice online. */
  readonly attachments?: true | "online";
  /** A customer can see some of its records on a page of their own. */
  readonly online?: true | undefined;
  readonly parameters?: readonly ListParameter[];
  /** Fields that `searchTerm` looks through. */
  readonly search?: readonly string[];
  /** Subscribers are told when a record is made or changed, under this category. */
  readonly eventCategory?: string;
  /** Fields of the record that its events carry. */
  readonly eventData?: readonly string[];
  /**
   * Fields of amounts that lists add up, in the currency of the record; of documents all their amounts
   * are when not given.
   */
  readonly sums?: readonly string[];
  /** Columns of tables and CSV, dotted paths. */
  readonly columns: readonly string[];
  /** The order in which a person reads a list. */
  readonly listOrder?: string;
  /** Fields by which an index finds records, dotted paths; records are looked through for others. */
  readonly indexed?: readonly string[];
  /** By what two records are likely one thing that was entered twice; none where keys keep them apart. */
  readonly alike?: Alike;
  /** Set for resources whose records are documents. */
  readonly document?: DocumentTraits | undefined;
  /** What a person calls one record, `credit note`; what records are, in one line. */
  readonly noun: string;
  /** Other words for records of some types: bills are kept as invoices. */
  readonly nouns?: Readonly<Record<string, string>>;
  readonly summary: string;
  /** What examples name one record by, as a shell takes it: `CN-0002`. */
  readonly example?: string;
  /** One that is a draft, and one that is applied to an invoice, where examples need such. */
  readonly exampleDraft?: string;
  readonly exampleApplied?: string;
}

/** What records have in common that are likely one thing. */
export interface Alike {
  /** Fields in which they agree; of a list of lines, in what these come to. */
  readonly fields: readonly string[];
  /**
   * The number that the other side gave a document of one of these types: with the contact it tells
   * one from another. Numbers of other types are kept apart by the service.
   */
  readonly number?: { readonly field: string; readonly types: readonly string[] };
}

export interface Resource<T extends Fields = Fields> extends ResourceOptions {
  /** Name of one record: the XML element. */
  readonly name: string;
  readonly fields: T;
}

export type DocumentResource = Resource & { readonly document: DocumentTraits };

/** Path of the collection below the API root. */
export function pathOf({ plural, extension }: Resource): string {
  return extension === true ? `${extensionRoot}/${plural}` : `/${plural}`;
}

/** Where routes begin that the public API does not have. */
export const extensionRoot = "/Extensions";

/** What a person calls a record, by its type where that has a word of its own. */
export function nounOf({ noun, nouns }: Pick<Resource, "noun" | "nouns">, record: object): string {
  return nouns?.[String((record as { Type?: unknown }).Type)] ?? noun;
}

/** The id of a record that has one. */
export function idOf({ id }: Pick<Resource, "id">, record: object): string {
  return (record as Readonly<Record<string, string>>)[id] as string;
}

/** Values by the names of their fields, of a resource that only its description tells. */
export type FieldValues = Readonly<Record<string, unknown>>;

export type Shape<R extends Resource> = ShapeOf<R["fields"]>;
export type Input<R extends Resource> = InputOf<R["fields"]>;

/** Describes one resource; see the files beside this one. */
export function resource<
  const N extends string,
  const T extends Fields,
  const I extends string,
  const D extends DocumentTraits | undefined = undefined,
  const O extends true | undefined = undefined,
  const P extends boolean | undefined = undefined,
>(
  name: N,
  fields: T,
  options: ResourceOptions & {
    readonly id: I;
    readonly document?: D;
    readonly online?: O;
    readonly printed?: P;
  },
): Resource<T> & Traits<N, I, D, O, P> {
  return { name, fields, ...options } as Resource<T> & Traits<N, I, D, O, P>;
}

/** What types demand of other places: tables, rows, pages. */
interface Traits<N, I, D, O, P> {
  readonly name: N;
  readonly id: I;
  readonly document: D;
  readonly online: O;
  readonly printed: P;
}

/** The field that `path` (dotted, any letter case) names, with its canonical path. */
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
  const inner = fieldAt(field.fields, rest);
  return inner && { path: `${name}.${inner.path}`, field: inner.field };
}

const namesByFields = new WeakMap<Fields, Map<string, string>>();

/** The canonical name of a field that was written in any letter case. */
export function fieldNamed(fields: Fields, name: string): string | undefined {
  if (Object.hasOwn(fields, name)) return name;
  let names = namesByFields.get(fields);
  if (names === undefined) {
    names = new Map(Object.keys(fields).map((known) => [known.toLowerCase(), known]));
    namesByFields.set(fields, names);
  }
  return names.get(name.toLowerCase());
}
