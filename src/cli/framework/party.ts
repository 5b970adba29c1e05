/** Flag parsers that contacts and the organisation share: addresses and payment terms. */
import { addressFields, paymentTerms } from "../../resources/common.ts";
import { UsageError } from "../../resources/errors.ts";
import type { InputOf } from "../../resources/field.ts";
import { parsePairs } from "./pairs.ts";

export type Address = InputOf<typeof addressFields>;
export type Terms = NonNullable<InputOf<typeof paymentTerms.fields>["Sales"]>;

const addressAliases = {
  line1: "AddressLine1",
  line2: "AddressLine2",
  line3: "AddressLine3",
  line4: "AddressLine4",
  street: "AddressLine1",
  postcode: "PostalCode",
} as const;

/**
 * Parses `street=4 Heron Lane,city=Wellington`.
 *
 * @throws UsageError `BadPairs`
 */
export const readAddress =
  (flag: string) =>
  (text: string): Address =>
    parsePairs(text, addressFields, { flag, aliases: addressAliases, omit: ["AddressType"] });

const termTypes = paymentTerms.fields.Sales.fields.Type.values;

/** Parses payment terms: `20 days`, `20 following-month`. */
export const readTerms =
  (flag: string) =>
  (text: string): Terms => {
    const match = /^(\d{1,2})[ :]+(\S+)$/.exec(text.trim());
    const word = match?.[2]?.toUpperCase().replaceAll("-", "") ?? "";
    const Type =
      { DAYS: termTypes[0], MONTHEND: termTypes[1] }[word] ?? termTypes.find((t) => t === word);
    const Day = Number(match?.[1]);
    if (Type === undefined || !(Day <= 31)) {
      const forms = ["days", "month-end", ...termTypes.slice(2)].join(", ");
      throw new UsageError(
        "BadValue",
        `${flag} takes a day and a kind, such as "20 days"; kinds: ${forms}.`,
      );
    }
    return { Day, Type };
  };
