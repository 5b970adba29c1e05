/** Converts 1099 reports to rows, as reports are displayed. */
import { header, row } from "../../../output/tax-return.ts";
import { writeDecimal } from "../../../resources/decimal.ts";
import { counted } from "../../../resources/scalar.ts";
import type { Report, ReportContact } from "../../../wire/report.ts";

const noNumber = "no tax number";

/** Merges 1099 reports to one, a section per form and a column per box that has amounts. */
export function rowsOfContacts(reports: readonly Report[]): Report {
  const contacts = reports.flatMap(({ Contacts = [] }) => Contacts);
  const isNumbered = ({ Texts }: ReportContact) => Texts.some(([name]) => name === "TaxID");
  const idOf = ({ Texts }: ReportContact) => Texts.find(([name]) => name === "ContactId")?.[1];
  const unnumbered = new Set(contacts.filter((contact) => !isNumbered(contact)).map(idOf)).size;
  const boxes = [...new Set(contacts.flatMap(({ Boxes }) => Boxes.map(([name]) => name)))].sort(
    (a, b) => Number(a.slice(3)) - Number(b.slice(3)),
  );
  return {
    ReportID: "TenNinetyNine",
    ReportName: "1099 reports",
    ReportType: "TenNinetyNine",
    ReportTitles: ["1099 reports", reports[0]?.ReportDate ?? ""],
    ReportDate: reports[0]?.ReportDate ?? "",
    UpdatedDateUTC: 0,
    Rows: [
      header(["Name", "Tax number", ...boxes.map((name) => name.replace("Box", "Box "))]),
      ...reports.map(({ ReportName, Contacts = [] }) => ({
        RowType: "Section" as const,
        Title: ReportName,
        Rows: Contacts.map(({ Boxes, Texts }) => {
          const text = (textName: string) => Texts.find(([name]) => name === textName)?.[1] ?? "";
          const amounts = boxes.map((name) => {
            const amount = Boxes.find(([box]) => box === name)?.[1];
            return amount === undefined ? "" : writeDecimal(amount, 2);
          });
          return row([text("Name"), text("TaxID") || noNumber, ...amounts]);
        }),
      })),
      ...(unnumbered === 0
        ? []
        : [
            row([
              `${counted(unnumbered, "payee has", "payees have")} no tax number`,
              "",
              ...boxes.map(() => ""),
            ]),
          ]),
    ],
  };
}
