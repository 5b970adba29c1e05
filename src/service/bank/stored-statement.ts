/** Stored forms of bank statements and their lines. */
import type { bankStatement, bankStatementLine } from "../../resources/index.ts";
import type { StoredFields } from "../../store/mapping/records.ts";

export type StoredStatement = StoredFields<typeof bankStatement.fields>;
export type StoredLine = StoredFields<typeof bankStatementLine.fields>;
