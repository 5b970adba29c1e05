/** Bank transactions, among which are prepayments and overpayments. */
import { addColumns, createIndex, type IndexDefinition, type Migration } from "./tools.ts";

const indexes: readonly IndexDefinition[] = [
  // The few that leave a credit, by their update and by their date.
  ...(["PREPAYMENT", "OVERPAYMENT"] as const).flatMap((name): IndexDefinition[] => {
    const view = `document_${name.toLowerCase()}`;
    const where = `type in ('RECEIVE-${name}', 'SPEND-${name}')`;
    return [
      {
        name: `${view}_by_update`,
        on: "document",
        columns: ["org", "kind", "updated_date_utc", "id"],
        where,
        rows: [10_000, 10_000, 10_000, 10, 1],
      },
      {
        name: `${view}_by_date`,
        on: "document",
        columns: ["org", "kind", "date", "id"],
        where,
        rows: [10_000, 10_000, 10_000, 10, 1],
      },
    ];
  }),
  {
    name: "payment_by_prepayment",
    on: "payment",
    columns: ["org", "prepayment_id"],
    where: "prepayment_id is not null",
    rows: [5000, 5000, 1],
  },
  {
    name: "payment_by_overpayment",
    on: "payment",
    columns: ["org", "overpayment_id"],
    where: "overpayment_id is not null",
    rows: [5000, 5000, 1],
  },
];

export const bank: Migration = async (db, dialect) => {
  await addColumns(db, dialect, "document", {
    bank_account_id: "text?",
    // Of a bank transaction: whether it stands. As a credit it may be used up, in `status`.
    bank_status: "text?",
    is_reconciled: "integer?",
  });
  for (const index of indexes) await createIndex(db, dialect, index);
};
