/** From the rows of a file to a document: what each row says of it, and what is wrong with the row. */
import type { LineItem } from "../../../resources/line-item.ts";
import { shown } from "../../../resources/scalar.ts";
import type { CsvRow } from "../../../wire/csv.ts";
import { readAmount } from "../../values/read-number.ts";
import type { Mapped, Mapping } from "../mapping/mapping.ts";
import type { TargetPart } from "../mapping/targets.ts";
import { type ExactDecimal, product, readExact, times } from "../records/decimal-sum.ts";
import type { ImportChart } from "../records/import-chart.ts";
import { currencyFaults, rawText, readCell } from "../records/row-records.ts";
import type { DocumentInProgress, Line } from "./document-record.ts";

/** The fields that a file gives, by what they are of. */
export class DocumentFields {
  readonly record: readonly Mapped[];
  readonly line: readonly Mapped[];
  readonly contact: readonly Mapped[];
  readonly item: readonly Mapped[];

  constructor({ fields }: Mapping) {
    const of = (part: TargetPart) => fields.filter(({ target }) => target.part === part);
    this.record = of("record");
    this.line = of("line");
    this.contact = of("contact");
    this.item = of("item");
  }

  named(part: TargetPart, name: string): Mapped | undefined {
    return this[part].find(({ target }) => target.name === name);
  }
}

export interface RowOptions {
  readonly type: "ACCREC" | "ACCPAY";
  readonly chart: ImportChart;
  readonly decimal: "comma" | "point" | undefined;
}

export class RowReader {
  readonly #options: RowOptions;
  readonly #fields: DocumentFields;
  /** Columns from which the sum of a row is read when its values cannot be kept. */
  readonly #factors: { readonly quantity: Mapped | undefined; readonly unit: Mapped | undefined };

  constructor(options: RowOptions, fields: DocumentFields) {
    this.#options = options;
    this.#fields = fields;
    this.#factors = {
      quantity: fields.named("line", "Quantity"),
      unit: fields.named("line", "UnitAmount"),
    };
  }

  /** Reads a row into the document that it is of, with what is wrong with it. */
  gather(document: DocumentInProgress, { row, cells, fault }: CsvRow): void {
    const faults: string[] = fault === undefined ? [] : [`The row ${fault}.`];
    const line: Line = {};
    let itemDetails: Record<string, unknown> | undefined;
    const read = (mapped: Mapped, take: (value: unknown) => void) =>
      readCell(mapped, cells, faults, take);
    if (fault === undefined) {
      for (const mapped of this.#fields.record) {
        read(mapped, (value) => {
          const conflict = document.say(mapped, value, row, document.record);
          if (conflict !== undefined) faults.push(conflict);
        });
      }
      for (const mapped of this.#fields.contact) {
        read(mapped, (value) => {
          const conflict = document.say(mapped, value, row, document.contact);
          // Rows may differ in what is only good to know of a contact; not in which contact it is.
          const isKey = /^(Name|ContactNumber|ContactID)$/.test(mapped.target.name);
          if (conflict !== undefined && isKey) faults.push(conflict);
        });
      }
      for (const mapped of this.#fields.line) {
        read(mapped, (value) => mapped.target.put(line, value));
      }
      for (const mapped of this.#fields.item) {
        read(mapped, (value) => {
          itemDetails ??= {};
          mapped.target.put(itemDetails, value);
        });
      }
      if (faults.length === 0) {
        faults.push(...this.#lineFaults(line, document.isComplete));
        faults.push(...this.#currencyFaults(document, cells));
      }
    }
    if (faults.length > 0) document.reasons.set(row, [...new Set(faults)].join(" "));
    document.add(row, line, itemDetails, this.#amountOf(line, cells), cells);
  }

  /** A code beside an amount says the currency of a document that nothing else says it of. */
  #currencyFaults({ record }: DocumentInProgress, cells: readonly string[]): string[] {
    const { BaseCurrency } = this.#options.chart.organisation;
    const { CurrencyCode = BaseCurrency } = record;
    const { line } = this.#fields;
    const faults = currencyFaults(line, cells, String(CurrencyCode));
    if (faults.length > 0 && record.CurrencyCode === undefined) {
      faults.push("Map or set CurrencyCode.");
    }
    if (line.some((mapped) => currencyFaults([mapped], cells, "").length > 0)) {
      record.CurrencyCode ??= BaseCurrency;
    }
    return faults;
  }

  /** What the row comes to: Quantity × UnitAmount, or its LineAmount when it has no factors. */
  #amountOf(line: Line, cells: readonly string[]): ExactDecimal | undefined {
    const { Quantity, UnitAmount, LineAmount } = line;
    if (Quantity !== undefined && UnitAmount !== undefined) return product(Quantity, UnitAmount);
    if (Quantity === undefined && UnitAmount === undefined && LineAmount !== undefined) {
      return { value: BigInt(LineAmount), scale: 2 };
    }
    const { quantity, unit } = this.#factors;
    const decimal = this.#options.decimal === "comma" ? "," : this.#options.decimal && ".";
    const factors = [quantity, unit].map((mapped) => {
      const text = readAmount(rawText(mapped, cells), { decimal });
      return text === undefined ? undefined : readExact(text);
    });
    const [a, b] = factors;
    return a === undefined || b === undefined ? undefined : times(a, b);
  }

  #lineFaults(line: Line, complete: boolean): string[] {
    const { chart, type } = this.#options;
    const faults = trackingFaults(line, chart);
    const { quantity, unit } = this.#factors;
    const isPriced =
      line.Quantity !== undefined || line.UnitAmount !== undefined || line.LineAmount !== undefined;
    if (!isPriced && line.Description === undefined && line.ItemCode === undefined) {
      return ["The row has no description, no item and no amount."];
    }
    if (line.Quantity === undefined && line.UnitAmount !== undefined && quantity !== undefined) {
      faults.push(`${quantity.shownAs} is empty.`);
    }
    if (line.Quantity === undefined && line.UnitAmount !== undefined && quantity === undefined) {
      line.Quantity = 10_000 as NonNullable<LineItem["Quantity"]>; // one of it
    }
    const needsPrice = line.Quantity !== undefined && line.ItemCode === undefined;
    if (needsPrice && line.UnitAmount === undefined && line.LineAmount === undefined) {
      faults.push(`${unit?.shownAs ?? "UnitAmount"} is empty.`);
    }
    if (line.AccountCode !== undefined) {
      const fault = chart.accountFault(line.AccountCode);
      if (fault !== undefined) faults.push(fault);
      line.AccountCode = chart.account(line.AccountCode)?.Code ?? line.AccountCode;
    } else if (complete && isPriced && line.ItemCode === undefined) {
      faults.push("The row has no AccountCode.");
    }
    if (complete && line.Description === undefined && line.ItemCode === undefined) {
      faults.push("The row has no description.");
    }
    if (line.TaxType !== undefined) {
      const taxType = chart.taxType(line.TaxType);
      if (taxType === undefined) faults.push(`There is no tax rate ${shown(line.TaxType)} in use.`);
      else line.TaxType = taxType;
    }
    if (type === "ACCPAY" && (line.DiscountRate || line.DiscountAmount)) {
      faults.push("Bills have no discounts; give the price after it.");
    }
    return faults;
  }
}

/** What is wrong with the tracking of a line, from which what says nothing is taken off. */
function trackingFaults(line: Line, chart: ImportChart): string[] {
  if (line.Tracking === undefined) return [];
  const said = line.Tracking.filter(({ Option }) => Option !== undefined);
  line.Tracking = said.length === 0 ? undefined : said;
  return said.flatMap((each) => {
    if (each.Name === undefined) return "Tracking has no category.";
    const found = chart.tracked(each.Name, each.Option ?? "");
    if (typeof found === "string") return found;
    Object.assign(each, found);
    return [];
  });
}
