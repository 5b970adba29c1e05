/** The dialects of databases that hold many organisations, by the scheme of their URL. */
import { UsageError } from "../../resources/errors.ts";
import type { StoreDialect } from "../tx/dialect.ts";

type DialectAt = (url: string) => StoreDialect;

const postgres = async (): Promise<DialectAt> =>
  (await import("./postgres/postgres.ts")).postgresAt;

const byScheme: Readonly<Record<string, () => Promise<DialectAt>>> = {
  postgres,
  postgresql: postgres,
};

/**
 * Opens the dialect of a database URL.
 * @throws UsageError `BadValue` when the URL names no supported database
 */
export async function databaseDialect(url: string): Promise<StoreDialect> {
  const scheme = url.slice(0, url.indexOf(":")).toLowerCase();
  const dialectAt = byScheme[scheme];
  if (dialectAt !== undefined) return (await dialectAt())(url);
  const message = `There is no database at ${scheme}://; postgres:// begins the address of one, and --base-url names a service.`;
  throw new UsageError("BadValue", message);
}
