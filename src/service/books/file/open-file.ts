/** The store in the file of a book. */
import { fileDialect } from "../../../store/dialects/book-file.ts";
import { openStore, type Store } from "../../../store/store.ts";
import { OlderSchemaError } from "../../../store/upgrade/state.ts";
import { type OperatorIdentity, operatorOf } from "../operator.ts";
import type { Upgrading } from "./upgrade-book.ts";

export interface OpenFileOptions extends OperatorIdentity {
  /** Milliseconds since 1970 UTC. */
  readonly clock?: (() => number) | undefined;
  /** Options for migrating a file of an earlier version. */
  readonly upgrading?: Upgrading | undefined;
  /** Name of the file in messages, where not its path. */
  readonly called?: string | undefined;
}

/**
 * Opens the store of a file, and migrates an earlier version first.
 *
 * @throws as `openStore`, `upgradeFile`
 */
export async function openFile(path: string, options: OpenFileOptions = {}): Promise<Store> {
  try {
    return await openStore(fileDialect(path, options));
  } catch (error) {
    if (!(error instanceof OlderSchemaError)) throw error;
    const { upgradeFile } = await import("./upgrade-book.ts");
    const upgrader = { by: operatorOf(options), at: (options.clock ?? Date.now)() };
    await upgradeFile(path, upgrader, options.upgrading);
    return openStore(fileDialect(path, options));
  }
}
