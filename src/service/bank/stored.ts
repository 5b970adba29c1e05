/** Statements and their lines as the store keeps them. */
import type { bankStatement, bankStatementLine } from "../../resources/index.ts";
import type { Kept } from "../../store/mapping/records.ts";

export type StoredStatement = Kept<typeof bankStatement.fields>;
export type StoredLine = Kept<typeof bankStatementLine.fields>;
