/** The dialect of a book in a file: how one is opened. */
export { copyOf, listedIn, sqliteDialect as fileDialect } from "./sqlite/sqlite.ts";
