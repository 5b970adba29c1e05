/**
 * The 1099 reports of the United States: reportable payments of a year.
 *
 * Accounts are assigned to boxes of the current forms. Since 2020 payments to non-employees are on
 * a form of their own, 1099-NEC; before, they were in box 7 of 1099-MISC, and some other payments
 * had different boxes.
 *
 * @source Internal Revenue Service, Instructions for Forms 1099-MISC and 1099-NEC, by year
 */
import { compareText } from "../../../wire/fold.ts";
import type { ReportContact } from "../../../wire/report.ts";
import { mediumDate } from "../../dates/calendar.ts";
import { add, type Cents, zeroCents } from "../../money.ts";

export const forms = ["NEC", "MISC"] as const;
export type Form = (typeof forms)[number];

/** A box of a 1099 form, by form and number. */
export interface FormBox {
  readonly form: Form;
  readonly box: number;
}

/** The first year with two forms. */
const necSince = 2020;

const upTo = (lastNumber: number) => Array.from({ length: lastNumber }, (_, index) => index + 1);

/** The amount boxes of a form in a year. */
export function boxesOf(form: Form, year: number): readonly number[] {
  if (form === "NEC") return year >= 2025 ? [1, 2, 3, 4] : year > 2020 ? [1, 2, 4] : [1, 4];
  if (year >= 2025) return upTo(11);
  if (year >= 2022) return [...upTo(11), 14];
  return year === 2021 ? [...upTo(11), 13] : [...upTo(11), 13, 14];
}

/** Boxes on the single form before 2020, by current box, where they differ. */
const before2020: Readonly<Record<string, number>> = {
  NEC1: 7, // other than employees
  NEC2: 9, // direct sales
  NEC4: 4, // withheld
  MISC7: 9,
  MISC9: 10, // crop insurance
  MISC10: 14, // paid to an attorney
  MISC11: 7, // fish bought for resale
};

/**
 * Boxes for golden parachute payments, which move every few years; an account may be assigned to
 * any of them.
 */
const parachuteBoxes: ReadonlySet<string> = new Set(["NEC3", "MISC13", "MISC14"]);

function parachuteBoxOf(year: number): FormBox {
  if (year >= 2025) return { form: "NEC", box: 3 };
  return { form: "MISC", box: year >= 2022 ? 14 : 13 };
}

/** The box of a year's forms for a current box; undefined when the year has none. */
export function boxOfYear(year: number, { form, box }: FormBox): FormBox | undefined {
  const name = `${form}${box}`;
  if (parachuteBoxes.has(name)) return parachuteBoxOf(year);
  if (year < necSince) {
    const yearBox = before2020[name] ?? (form === "MISC" ? box : undefined);
    return yearBox === undefined ? undefined : { form: "MISC", box: yearBox };
  }
  if (boxesOf(form, year).includes(box)) return { form, box };
  // In its first year 1099-NEC had no box for direct sales.
  return name === "NEC2" ? { form: "MISC", box: 7 } : undefined;
}

/** Minimum amount for reporting a box; `usual` is the minimum of the year. */
type Threshold = Cents | "usual" | "any";

const royalties = 1_000 as Cents;
const directSales = 500_000 as Cents;

const thresholds = {
  NEC: { 2: directSales, 3: "any", 4: "any" },
  MISC: { 2: royalties, 4: "any", 5: "any", 7: directSales, 8: royalties, 13: "any", 14: "any" },
} as const satisfies Record<Form, Readonly<Record<number, Threshold>>>;

/** Thresholds of boxes on the form before 2020 that later had another use. */
const thresholdsBefore2020: Readonly<Record<number, Threshold>> = {
  ...thresholds.MISC,
  7: "usual",
  9: directSales,
  14: "usual",
};

/**
 * Whether an amount reaches the threshold of its box.
 *
 * @source Internal Revenue Code section 6041, as section 70433 of Public Law 119-21 amends it: 600
 * for payments up to 2025, 2,000 from 2026 on. The indexing from 2027 on is not known yet.
 */
function isReported(year: number, { form, box }: FormBox, amount: Cents): boolean {
  const ownThresholds: Readonly<Record<number, Threshold>> =
    year < necSince ? thresholdsBefore2020 : thresholds[form];
  const threshold = ownThresholds[box] ?? "usual";
  if (threshold === "any") return amount !== 0;
  return amount >= (threshold === "usual" ? (year >= 2026 ? 200_000 : 60_000) : threshold);
}

/** Box of withheld tax: a payee with any is reported with all amounts. */
const withheldBox = 4;

/** The amount paid to a contact for one box. */
export interface PaidInBox extends FormBox {
  readonly contactId: string;
  readonly paid: Cents;
}

/** A payee as named on the form. */
export interface Payee {
  readonly contactId: string;
  readonly name: string;
  /** Name, address and tax number, in output order. */
  readonly texts: readonly (readonly [name: string, text: string])[];
}

export interface Report1099 {
  readonly name: string;
  /** Days of the report: `1 Jan 2025 to 31 Dec 2025`. */
  readonly dates: string;
  readonly contacts: readonly ReportContact[];
}

/**
 * The reports of a year: two since 2020, one before. Payees by name; payees with no box at its
 * threshold are left out, and so are boxes below it, unless tax was withheld.
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
      const Boxes = sumBoxesPaid(year, form, payee, paid);
      return Boxes.length === 0 ? [] : [{ Boxes, Texts: payee.texts }];
    }),
  });
  return year >= necSince
    ? [report("1099-NEC report", "NEC"), report("1099-MISC report", "MISC")]
    : [report("1099 report", "MISC")];
}

function sumBoxesPaid(
  year: number,
  form: Form,
  { contactId }: Payee,
  paid: readonly PaidInBox[],
): [string, Cents][] {
  const totalByBox = new Map<number, Cents>();
  for (const paidInBox of paid) {
    const stands = paidInBox.contactId === contactId ? boxOfYear(year, paidInBox) : undefined;
    if (stands?.form !== form) continue;
    totalByBox.set(stands.box, add(totalByBox.get(stands.box) ?? zeroCents, paidInBox.paid));
  }
  // Withheld tax is owed to the tax office, a credit.
  const withheld = Math.abs(totalByBox.get(withheldBox) ?? 0) as Cents;
  if (withheld !== 0) totalByBox.set(withheldBox, withheld);
  return [...totalByBox]
    .filter(([box, amount]) =>
      withheld !== 0 ? amount !== 0 : isReported(year, { form, box }, amount),
    )
    .sort(([a], [b]) => a - b)
    .map(([box, amount]) => [`Box${box}`, amount]);
}
