/** The dialect of a book in a file: functions to open it. */
export { copyOf, listedIn, sqliteDialect as fileDialect } from "./sqlite/sqlite.ts";
