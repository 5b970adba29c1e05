/**
 * Attempts of database work: retried after conflicts with other transactions; errors that stop
 * writes (disk trouble, foreign tables) are remembered.
 */
import type { Kysely } from "kysely";
import { DiskError, describeTrouble, diskError, type Trouble } from "../platform/disk.ts";
import {
  RefusedError,
  SchemaError,
  UnavailableError,
  validationException,
} from "../resources/errors.ts";
import type { Tables } from "./schema/index.ts";
import { storedResources, tableOf } from "./schema/tables.ts";
import type { StoreDialect } from "./tx/dialect.ts";
import { serverKey } from "./tx/tx.ts";
import { latestVersion, mismatchOf, refusalOf, schemaIn } from "./upgrade/state.ts";

/** Maximum number of retries, each after a wait of at most `retryWaitMaxMs`: a minute in all. */
const retriesMax = 250;
const retryWaitMaxMs = 250;
/** Time after which a client may ask a database again that could not be reached. */
const retryAfterMs = 2_000;

export class Attempts {
  readonly db: Kysely<Tables>;
  readonly dialect: StoreDialect;
  #trouble: Trouble | undefined;
  /** Number of retries made because of conflicting transactions. */
  #retries = 0;
  /** Organisations whose last transaction did not reach the database, or their node of it. */
  readonly #unreached = new Set<number>();
  /**
   * The error that refuses all writes: the schema check found tables or triggers the program did
   * not create.
   */
  planted: SchemaError | undefined;

  constructor(db: Kysely<Tables>, dialect: StoreDialect) {
    this.db = db;
    this.dialect = dialect;
  }

  /** Runs a write, which is repeated once where its connection ended before the commit. */
  runWrite<T>(org: number, action: () => Promise<T>): Promise<T> {
    return this.run(org, action, true);
  }

  run<T>(org: number, action: () => Promise<T>, isWrite = false): Promise<T> {
    // This function is not async, so that writers are answered in the order in which they wrote.
    return this.#retried(org, action, isWrite).catch((error) => {
      if (error instanceof DiskError) this.#trouble = error.code as Trouble;
      // Schema errors raised by a query have a cause; those found when the store opened have none.
      if (!(error instanceof SchemaError && error.cause !== undefined)) throw error;
      return this.#onSameTables(org, action);
    });
  }

  /**
   * Repeats the schema check before it refuses a write: the foreign table or trigger may be gone.
   */
  async refusePlanted(): Promise<void> {
    await this.#look();
    if (this.planted !== undefined) throw this.planted;
  }

  /** Clears the remembered disk trouble after a successful write. */
  wrote(): void {
    if (this.#trouble !== "Damaged") this.#trouble = undefined;
  }

  /** The part of `figures` of the store that attempts know. */
  figures() {
    return { retries: this.#retries, unreached: this.#unreached.size };
  }

  /** Implements `version` of the store. */
  async version() {
    const { version: found, state } = await this.#look();
    const trouble = this.#trouble;
    if (trouble !== undefined && trouble !== "Damaged" && (await this.#takesWrites())) {
      this.#trouble = undefined;
    }
    const still = this.#trouble;
    return { found, wanted: latestVersion, state, trouble: still && describeTrouble(still) };
  }

  async #look() {
    const state = await this.#retried(serverKey, () => schemaIn(this.db, this.dialect));
    this.planted = state.state === "foreign" ? refusalOf(state, this.dialect) : undefined;
    return state;
  }

  /** Runs the work once more, unless the schema differs from this program's. */
  async #onSameTables<T>(org: number, action: () => Promise<T>): Promise<T> {
    const refusal = refusalOf(await schemaIn(this.db, this.dialect), this.dialect);
    if (refusal !== undefined) throw refusal;
    return this.#retried(org, action);
  }

  async #retried<T>(org: number, action: () => Promise<T>, isWrite = false): Promise<T> {
    const dialect = this.dialect;
    for (let attempts = 1; ; attempts += 1) {
      try {
        const result = await action();
        this.#unreached.delete(org);
        return result;
      } catch (error) {
        const fault = dialect.faultOf(error);
        if (fault?.is === "transient" && attempts <= retriesMax) {
          // The random wait keeps two conflicting transactions from conflicting again.
          const { setTimeout: sleep } = await import("node:timers/promises");
          await sleep(Math.random() * Math.min(retryWaitMaxMs, 2 ** attempts));
          this.#retries += 1;
          continue;
        }
        // The connection was one to a server that has stopped; the next is to the one that runs.
        if (fault?.is === "lost" && isWrite && attempts === 1) continue;
        const isUnreached = fault?.is === "lost" || fault?.is === "unavailable";
        if (isUnreached && org !== serverKey) this.#unreached.add(org);
        throw fault === undefined ? error : errorOf(dialect, fault, error);
      }
    }
  }

  /** Whether the database can be written again, tested by rewriting a value it already holds. */
  #takesWrites(): Promise<boolean> {
    const probe = this.db.transaction().execute(async (tx) => {
      await this.dialect.lockSchema(tx);
      await this.dialect.setSchemaVersion(tx, await this.dialect.schemaVersion(tx));
    });
    return probe.then(
      () => true,
      () => false,
    );
  }
}

function errorOf(
  dialect: StoreDialect,
  fault: NonNullable<ReturnType<StoreDialect["faultOf"]>>,
  cause: unknown,
): Error {
  switch (fault.is) {
    case "transient":
      return new UnavailableError(
        "Busy",
        `${dialect.place} is in use by another program that does not let go of it; try again.`,
        { cause },
      );
    case "disk":
      return diskError(dialect.place, fault.trouble, cause);
    case "unsure":
      return new UnavailableError(
        "Unsure",
        `${dialect.place} did not confirm in time, so it is not known whether this was done; send it again under the same idempotency key.`,
        { cause },
      );
    case "lost":
    case "unavailable": {
      const reason = fault.is === "lost" || fault.because === undefined ? "" : `: ${fault.because}`;
      const message = `${dialect.place} cannot be reached or opened${reason}.`;
      return new UnavailableError("Unreachable", message, { cause, retryAfterMs });
    }
    case "schema":
      return mismatchOf(dialect, undefined, cause);
    case "unfit": {
      const message = "Text may not contain the character NUL.";
      const code = { code: validationException, rule: "Form" } as const;
      return new RefusedError(code, message, [{ message }], { cause });
    }
    case "conflict": {
      const unique = uniqueField(fault.on);
      if (unique === undefined) return cause as Error;
      const message = `Another ${unique.noun} has the same ${unique.field}.`;
      return new RefusedError("NotUnique", message, [{ message, field: unique.field }], { cause });
    }
  }
}

/**
 * The unique field that was violated, found by the index or the columns that the database names.
 */
function uniqueField(on: string): { noun: string; field: string } | undefined {
  for (const resource of storedResources) {
    const table = tableOf(resource);
    for (const { index, field } of table.unique) {
      const column = table.column(field)?.folded;
      const isColumn = on.startsWith(`${table.name}.`) && on.endsWith(`.${column}`);
      if (on === index || on === `org, ${column}` || isColumn) {
        return { noun: resource.noun, field };
      }
    }
  }
  return undefined;
}
