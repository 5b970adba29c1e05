/**
 * Compile-time check of field descriptions against tables: a field without its column, or with a
 * column of another type, is a type error here that names the column.
 *
 * Column names are derived as `tables.ts` derives them at run time.
 */
import type { Field, Kind } from "../../resources/field.ts";
import type { DocumentName, ResourceNamed } from "../../resources/index.ts";
import type { Tables } from "../schema/index.ts";
import type { ClaimColumns, DocumentColumns, PlainSettings } from "../schema/table-mapping.ts";

type IsUpper<C extends string> = C extends Lowercase<C> ? false : true;

/** The column name of a field: `DueDate` is `due_date`, `UpdatedDateUTC` is `updated_date_utc`. */
type SnakeCase<
  S extends string,
  Before extends string = "",
  Made extends string = "",
> = S extends `${infer C}${infer Rest}`
  ? SnakeCase<Rest, C, `${Made}${Separator<Before, C, Rest>}${Lowercase<C>}`>
  : Made;

type Separator<Before extends string, C extends string, Rest extends string> = Before extends ""
  ? ""
  : IsUpper<C> extends false
    ? ""
    : IsUpper<Before> extends false
      ? "_"
      : Rest extends `${infer Next}${string}`
        ? Next extends Uppercase<Next>
          ? ""
          : "_"
        : "";

/** Field kinds stored as integers; the others are stored as text. */
type IntegerKind = Extract<
  Kind,
  "boolean" | "integer" | "timestamp" | "money" | "unitAmount" | "quantity" | "percent" | "rate"
>;
type StoredValue<F> = F extends { readonly kind: IntegerKind } ? number : string;

type Renamed<N, Columns> = N extends keyof Columns
  ? Columns[N] & string
  : N extends string
    ? SnakeCase<N>
    : never;

type ColumnOf<N, F, Id, Columns> = N extends Id
  ? "id"
  : F extends { readonly kind: "ref" }
    ? `${Renamed<N, Columns>}_id`
    : Renamed<N, Columns>;

/** Columns that the fields require and the table lacks. */
type Missing<T, Id, Columns, Row> = {
  [N in keyof T]: T[N] extends { readonly computed: true }
    ? never
    : ColumnOf<N, T[N], Id, Columns> extends infer C extends string
      ? C extends keyof Row
        ? Exclude<Row[C], null> extends StoredValue<T[N]>
          ? never
          : `${C} holds another type`
        : C
      : never;
}[keyof T];

type Get<T, K extends string> = T extends { readonly [_ in K]: infer V } ? V : Record<never, Field>;

type MissingOf<S> = S extends PlainSettings
  ? Missing<
      S["resource"]["fields"] & Get<S, "hidden">,
      S["resource"]["id"],
      Get<S, "columns">,
      Tables[S["table"]]
    >
  : never;

/** Fields of documents whose column has another name. */
type RenamedInDocuments<R> = {
  RemainingCredit: "amount_due";
} & ClaimColumns &
  (R extends {
    readonly document: { readonly number: infer N extends string };
  }
    ? Record<N, "number">
    : unknown);

type MissingOfDocument<R> =
  R extends Exclude<ResourceNamed<DocumentName>, ResourceNamed<"RepeatingInvoice">>
    ? Missing<R["fields"] & DocumentColumns, R["id"], RenamedInDocuments<R>, Tables["document"]>
    : never;

type None<T extends never> = T;

export type MissingColumns = None<MissingOf<PlainSettings>>;
export type MissingDocumentColumns = None<MissingOfDocument<ResourceNamed<DocumentName>>>;
