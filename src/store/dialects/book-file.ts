/** The dialect of a book in a file: functions to open it. */
export { copyOf, organisationIn, sqliteDialect as fileDialect } from "./sqlite/sqlite.ts";
