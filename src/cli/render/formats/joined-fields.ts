/** Fields of a record for people: related fields combined, fields for programs left out. */
import { type DateText, longDate } from "../../../ledger/dates/calendar.ts";
import { ianaName } from "../../../ledger/dates/timezones.ts";
import type { RecordField } from "../../../output/record-parts.ts";
import { textCell } from "../../../output/table.ts";
import { rateOfOne } from "../../../resources/decimal.ts";

const pathsForPrograms: ReadonlySet<string> = new Set([
  ...["APIKey", "Version", "Edition", "ShortCode", "OrganisationID"],
  ...["OrganisationEntityType", "DisplayTaxRate", "FinancialYearEndMonth"],
  ...["Direction", "HasAccount"],
]);

export function joinedFields(fields: readonly RecordField[]): readonly RecordField[] {
  const kinds = fields.filter(({ path }) => path.startsWith("CanApplyTo"));
  const month = fields.find(({ path }) => path === "FinancialYearEndMonth")?.cell?.value;
  return fields.flatMap((own): readonly RecordField[] => {
    const value = String(own.cell?.value);
    const said = (path: string, text: string) => [
      { path, field: { kind: "text" } as const, cell: textCell(text) },
    ];
    const isRateOfOne = own.path === "CurrencyRate" && own.cell?.value === rateOfOne;
    if (pathsForPrograms.has(own.path) || isRateOfOne) return [];
    if (own.path.startsWith("BatchPayment."))
      return own.path === "BatchPayment.Handle" ? said("BatchPayment", value) : [];
    if (own.path === "Timezone") return said("Timezone", ianaName(value) ?? value);
    if (own.path === "FinancialYearEndDay") {
      const end = `2000-${String(month).padStart(2, "0")}-${value.padStart(2, "0")}` as DateText;
      return said("FinancialYearEnd", longDate(end).slice(0, -" 2000".length));
    }
    if (!kinds.includes(own)) return [own];
    const names = kinds.map(({ path }) => path.slice("CanApplyTo".length).toLowerCase());
    return own === kinds[0] ? said("CanApplyTo", names.join(", ")) : [];
  });
}
