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
  return fields.flatMap((ownField): readonly RecordField[] => {
    const value = String(ownField.cell?.value);
    const toldField = (path: string, text: string) => [
      { path, field: { kind: "text" } as const, cell: textCell(text) },
    ];
    const isRateOfOne = ownField.path === "CurrencyRate" && ownField.cell?.value === rateOfOne;
    if (pathsForPrograms.has(ownField.path) || isRateOfOne) return [];
    if (ownField.path.startsWith("BatchPayment."))
      return ownField.path === "BatchPayment.Handle" ? toldField("BatchPayment", value) : [];
    if (ownField.path === "Timezone") return toldField("Timezone", ianaName(value) ?? value);
    if (ownField.path === "FinancialYearEndDay") {
      const end = `2000-${String(month).padStart(2, "0")}-${value.padStart(2, "0")}` as DateText;
      return toldField("FinancialYearEnd", longDate(end).slice(0, -" 2000".length));
    }
    if (!kinds.includes(ownField)) return [ownField];
    const names = kinds.map(({ path }) => path.slice("CanApplyTo".length).toLowerCase());
    return ownField === kinds[0] ? toldField("CanApplyTo", names.join(", ")) : [];
  });
}
