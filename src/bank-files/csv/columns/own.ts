import { createHash } from "node:crypto";
import { hasFormOfIban } from "../../../resources/common.ts";
import type { AccountId, ReadOptions } from "../../bank-statement.ts";

import { isDayLike } from "../../days.ts";
import type { Row } from "../cells.ts";
import type { Table } from "../find-tables.ts";
import type { Form } from "./bank-forms.ts";
import { headingMeaning, isOwnHeading, plainHeading } from "./headings.ts";
import { hasRepeats, resolveRoles } from "./roles.ts";

/** Maximum length of a heading key stored with a statement. */
const keyMax = 64;

/**
 * Key of the headings, equal for files with the same headings; long ones are shortened and hashed.
 */
export function headingKeyOf({ headings, body }: Table): string {
  if (headings.length === 0) return `${body[0]?.texts.length ?? 0} columns`;
  const headingKey = headings.map(plainHeading).join("|");
  if (headingKey.length <= keyMax) return headingKey;
  const hash = createHash("sha256").update(headingKey).digest("hex").slice(0, 16);
  return `${headingKey.slice(0, keyMax - hash.length - 1)}#${hash}`;
}

export function findOwnNumber(
  { headings, body }: Table,
  width: number,
  options: ReadOptions,
  form: Form | undefined,
): AccountId | undefined {
  const columnIndex = ownAccountColumn(headings, body, width, options, form);
  if (columnIndex === undefined) return undefined;
  return accountNamed(
    body.map(({ texts }) => texts[columnIndex] ?? "").find((text) => text !== "") ?? "",
  );
}

export function accountNamed(text: string): AccountId {
  if (hasFormOfIban(text)) return { iban: text.replaceAll(" ", "").toUpperCase() };
  return (text.match(/\d/g) ?? []).length >= 4 ? { number: text } : { name: text };
}

/** Headings of columns that name the account of a line, where a file has several. */
const accountNames =
  /^(?:account (?:name|label)|rubrieknaam|nom du compte|szamla neve|nazev uctu)$/;

const linesOf = (body: readonly Row[]) => body.filter(({ texts }) => texts.some(isDayLike));
const isFilled = (body: readonly Row[], columnIndex: number): boolean =>
  linesOf(body).every(({ texts }) => (texts[columnIndex] ?? "") !== "");
const hasSeveral = (body: readonly Row[], columnIndex: number): boolean =>
  new Set(linesOf(body).map(({ texts }) => texts[columnIndex] ?? "")).size > 1;

export function ownAccountColumn(
  headings: readonly string[],
  body: readonly Row[],
  width: number,
  { columns }: ReadOptions,
  form: Form | undefined,
): number | undefined {
  const [chosen] =
    resolveRoles(
      columns?.ownAccount === undefined ? {} : { ownAccount: columns.ownAccount },
      headings,
      width,
    ).get("ownAccount") ?? [];
  if (chosen !== undefined || columns?.ownAccount !== undefined) return chosen;
  const plainHeadings = headings.map(plainHeading);
  const formed = form?.columns.find(({ role }) => role === "ownAccount");
  if (form !== undefined)
    return formed === undefined || !plainHeadings.includes(formed.heading)
      ? undefined
      : plainHeadings.indexOf(formed.heading);
  const numberedIndex = headings.findIndex(
    (heading, at) =>
      headingMeaning(heading)?.role === "ownAccount" &&
      (isOwnHeading(heading) ? isFilled(body, at) : hasRepeats(body, at)),
  );
  if (numberedIndex >= 0) return numberedIndex;
  const namedColumn = plainHeadings.findIndex(
    (heading, at) => accountNames.test(heading) && isFilled(body, at) && hasSeveral(body, at),
  );
  return namedColumn < 0 ? undefined : namedColumn;
}
