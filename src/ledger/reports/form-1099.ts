/**
 * The 1099 reports of the United States: what was paid in a year to those who must be reported.
 *
 * Since 2020 what is paid to those who are not employees stands on a form of its own, 1099-NEC;
 * before, it stood in box 7 of 1099-MISC.
 *
 * @source Internal Revenue Service, Instructions for Forms 1099-MISC and 1099-NEC, by year
 */
import type { ReportContact } from "../../wire/report.ts";
import { mediumDate } from "../dates/calendar.ts";
import { add, type Cents, zeroCents } from "../money.ts";
import { compareText } from "./rows.ts";

export const forms = ["NEC", "MISC"] as const;
export type Form = (typeof forms)[number];

/** A box of a form. */
export interface FormBox {
  readonly form: Form;
  readonly box: number;
}

/** The year since which there are two forms. */
const necSince = 2020;

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/** The boxes of amounts that a form has in a year. */
export function boxesOf(form: Form, year: number): readonly number[] {
  if (form === "NEC") return year >= 2025 ? [1, 2, 3, 4] : year > 2020 ? [1, 2, 4] : [1, 4];
  if (year >= 2025) return upTo(11);
  if (year >= 2022) return [...upTo(11), 14];
  return year === 2021 ? [...upTo(11), 13] : [...upTo(11), 13, 14];
}

/** Where a box of 1099-NEC stood while there was only the one form. */
const before2020: ReadonlyMap<number, number> = new Map([
  [1, 7],
  [2, 9],
  [4, 4],
]);

/** The box of a year's forms that a box stands for; undefined when the year has none. */
function boxIn(year: number, { form, box }: FormBox): FormBox | undefined {
  if (year >= necSince) return boxesOf(form, year).includes(box) ? { form, box } : undefined;
  const kept = form === "MISC" ? box : before2020.get(box);
  if (kept === undefined || !boxesOf("MISC", year).includes(kept)) return undefined;
  return { form: "MISC", box: kept };
}

/** What was paid to a contact for what stands in one box. */
export interface PaidInBox extends FormBox {
  readonly contactId: string;
  readonly paid: Cents;
}

/** Who was paid, as the form names them. */
export interface Payee {
  readonly contactId: string;
  readonly name: string;
  /** Name, address, tax number, as they are written. */
  readonly texts: readonly (readonly [name: string, text: string])[];
}

export interface Report1099 {
  readonly name: string;
  /** `1 Jan 2025 to 31 Dec 2025`. */
  readonly dates: string;
  readonly contacts: readonly ReportContact[];
}

/**
 * The reports of a year: two since 2020, one before. Payees by name; those to whom nothing was paid
 * for any box are left out, and so are boxes that come to nothing.
 */
export function reports1099(
  year: number,
  payees: readonly Payee[],
  paid: readonly PaidInBox[],
): Report1099[] {
  const dates = `${mediumDate(`${year}-01-01`)} to ${mediumDate(`${year}-12-31`)}`;
  const sorted = [...payees].sort(
    (a, b) =>
      compareText(a.name.toLowerCase(), b.name.toLowerCase()) ||
      compareText(a.contactId, b.contactId),
  );
  const report = (name: string, form: Form) => ({
    name,
    dates,
    contacts: sorted.flatMap((payee) => {
      const Boxes = boxesPaid(year, form, payee, paid);
      return Boxes.length === 0 ? [] : [{ Boxes, Texts: payee.texts }];
    }),
  });
  return year >= necSince
    ? [report("1099-NEC report", "NEC"), report("1099-MISC report", "MISC")]
    : [report("1099 report", "MISC")];
}

function boxesPaid(
  year: number,
  form: Form,
  { contactId }: Payee,
  paid: readonly PaidInBox[],
): [string, Cents][] {
  const totals = new Map<number, Cents>();
  for (const each of paid) {
    const stands = each.contactId === contactId ? boxIn(year, each) : undefined;
    if (stands?.form !== form) continue;
    totals.set(stands.box, add(totals.get(stands.box) ?? zeroCents, each.paid));
  }
  return [...totals]
    .filter(([, amount]) => amount !== 0)
    .sort(([a], [b]) => a - b)
    .map(([box, amount]) => [`Box${box}`, amount]);
}
