/** Acts of tests, as the audit log has them. */
import type { Actor, Audited } from "../../src/store/operations/audit-log.ts";
import type { Store } from "../../src/store/store.ts";

/** A transaction as though an act had been entered, for tests of what lies below the audit log. */
export const acted = <T>(tx: T): Audited<T> => tx as Audited<T>;

export const tester: Actor = {
  user: "Tess Tester",
  email: "tess@heron.example",
  through: "TERMINAL",
};

/** The server of a book that is served alone. */
export const serverOf = (store: Store) => ({ store: async () => store, isOfMany: false });
