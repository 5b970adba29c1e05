/** A dialect whose statements fail when a test wants them to. */
import type { CompiledQuery, DatabaseConnection } from "kysely";
import type { Connection, Insertion, Row, Value } from "../../src/store/connection/connection.ts";
import type { StoreDialect, StoreDriver } from "../../src/store/tx/dialect.ts";

export interface Faults {
  /** Statements until one fails; below zero, none does. */
  left: number;
  /** What it fails with. */
  error: () => Error;
  /** Called after every commit that has reached the disk; what it returns is thrown. */
  committed?: () => Error | undefined;
  /** Called with every statement before it is run. */
  seen?: (text: string, parameters: readonly unknown[]) => void;
}

export function faultyDialect(dialect: StoreDialect, faults: Faults): StoreDialect {
  return Object.assign(Object.create(dialect) as StoreDialect, {
    createDriver: () => faultyDriver(dialect.createDriver(), faults),
  });
}

function strike(faults: Faults): void {
  if (faults.left < 0) return;
  faults.left -= 1;
  if (faults.left < 0) throw faults.error();
}

function faultyDriver(driver: StoreDriver, faults: Faults): StoreDriver {
  const real = new WeakMap<DatabaseConnection, Connection>();
  const of = (connection: DatabaseConnection) => real.get(connection) as Connection;
  return {
    init: () => driver.init(),
    figures: () => driver.figures(),
    dataVersion: () => driver.dataVersion?.(),
    async acquireConnection() {
      const inner = await driver.acquireConnection();
      const outer: Connection = {
        async executeQuery(query: CompiledQuery) {
          faults.seen?.(query.sql, query.parameters);
          strike(faults);
          return inner.executeQuery(query);
        },
        rows(text: string, parameters: readonly Value[]) {
          faults.seen?.(text, parameters);
          strike(faults);
          return inner.rows(text, parameters);
        },
        async savepoint() {
          strike(faults);
          await inner.savepoint();
        },
        async releaseSavepoint() {
          strike(faults);
          await inner.releaseSavepoint();
        },
        rollbackToSavepoint: () => inner.rollbackToSavepoint(),
        async executeDeferred(text: string, parameters: readonly Value[] = []) {
          faults.seen?.(text, parameters);
          strike(faults);
          await inner.executeDeferred(text, parameters);
        },
        streamQuery(query: CompiledQuery, size?: number) {
          faults.seen?.(query.sql, query.parameters);
          strike(faults);
          return inner.streamQuery(query, size);
        },
        async insert(insertion: Insertion, rows: readonly Row[]) {
          faults.seen?.(`insert into ${insertion.table}`, []);
          // A disk fills up in the middle of things.
          const half = Math.ceil(rows.length / 2);
          await inner.insert(insertion, rows.slice(0, half));
          strike(faults);
          await inner.insert(insertion, rows.slice(half));
        },
      };
      real.set(outer, inner);
      return outer;
    },
    async beginTransaction(connection, settings) {
      faults.seen?.(settings.accessMode === "read only" ? "begin" : "begin write", []);
      strike(faults);
      await driver.beginTransaction(of(connection), settings);
    },
    async commitTransaction(connection) {
      strike(faults);
      await driver.commitTransaction(of(connection));
      const lost = faults.committed?.();
      if (lost !== undefined) throw lost;
    },
    rollbackTransaction: (connection) => driver.rollbackTransaction(of(connection)),
    releaseConnection: (connection) => driver.releaseConnection(of(connection)),
    destroy: () => driver.destroy(),
  };
}
