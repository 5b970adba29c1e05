/**
 * Stores sign-ins between commands.
 *
 * Each has its own file in a folder beside the configuration, with access for the owner alone. They
 * are not in the configuration, which is rewritten as a whole: a token that changes with every
 * renewal must not be overwritten by an older copy. A file is replaced atomically: written to a
 * temporary file, flushed and renamed.
 *
 * The secrets are in that file, or in the system keychain. There each renewal writes a new numbered
 * entry, and the file names the current number, so that the two never disagree.
 */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { RefusedError } from "../../resources/errors.ts";

/** Tokens and keys, which must never be printed. */
export interface Secrets {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly clientSecret?: string | undefined;
}

export interface Organisation {
  /** Tenant id, as the tenant header has it. */
  readonly id: string;
  readonly name: string;
}

export type SecretStorage = "file" | "keychain";

/** The failure of a renewal, recorded for other processes. */
export interface Failure {
  readonly at: number;
  readonly code: string;
  readonly message: string;
  /** Whether the service refused, rather than the connection failed. */
  readonly isRefused: boolean;
}

/** A sign-in without its secrets. Times are milliseconds since 1970 UTC, by the local clock. */
export interface About {
  readonly id: string;
  /** The API root, the only address to which the tokens are sent. */
  readonly baseUrl: string;
  readonly issuer: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string | undefined;
  readonly clientId: string;
  readonly grant: "authorization_code" | "client_credentials";
  readonly scopes: readonly string[];
  /** Name of the user as the service gives it; undefined for an app's own sign-in. */
  readonly person?: string | undefined;
  /** The organisations connected to the sign-in, as of the last request. */
  readonly organisations: readonly Organisation[];
  readonly signedInAt: number;
  readonly renewedAt: number;
  /** Expiry of the access token. */
  readonly expiresAt: number;
  /** Start of a renewal whose answer is pending or was lost. */
  readonly renewingSince?: number | undefined;
  /** Failure of the last renewal, for the processes that waited for it. */
  readonly failed?: Failure | undefined;
  /** When the service ended the sign-in. */
  readonly endedAt?: number | undefined;
}

export interface SignIn extends About {
  readonly kept: SecretStorage;
  readonly secrets: Secrets;
}

/** Location of the secrets: in the file, or under a number in the keychain. */
type SecretsLocation =
  | { readonly secrets: Secrets }
  | { readonly keychain: { readonly number: number; readonly parts: number } };

type StoredSignIn = About & SecretsLocation;

/** Loads the keychain module on first use. */
const keychain = () => import("./keychain.ts");

export class SignIns {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Returns the path of a sign-in's file. */
  pathOf(id: string): string {
    if (!/^[\w-]{1,64}$/.test(id)) throw new RefusedError("BadSignIn", `"${id}" is no sign-in.`);
    return join(this.folder, `${id}.json`);
  }

  lockOf(id: string): string {
    return this.pathOf(id).replace(/json$/, "lock");
  }

  /** Whether other users can read the file; always false on Windows, which has no such modes. */
  isOpenToOthers(id: string): boolean {
    if (process.platform === "win32") return false;
    const stats = statSync(this.pathOf(id), { throwIfNoEntry: false });
    return stats !== undefined && (stats.mode & 0o077) !== 0;
  }

  /**
   * Restricts the file to its owner.
   *
   * @throws as `chmodSync` does
   */
  closeToOthers(id: string): void {
    chmodSync(this.pathOf(id), 0o600);
  }

  /** Returns a sign-in without its secrets; undefined when there is none. */
  about(id: string): (About & { readonly kept: SecretStorage }) | undefined {
    const storedSignIn = this.#read(id);
    if (storedSignIn === undefined) return undefined;
    const { about, held } = split(storedSignIn);
    return { ...about, kept: "secrets" in held ? "file" : "keychain" };
  }

  /**
   * Reads a sign-in with its secrets.
   *
   * @throws AuthError `NoKeychain` when the keychain cannot be opened
   */
  async read(id: string): Promise<SignIn | undefined> {
    const storedSignIn = this.#read(id);
    if (storedSignIn === undefined) return undefined;
    const { about, held } = split(storedSignIn);
    if ("secrets" in held) return { ...about, kept: "file", secrets: held.secrets };
    const { number, parts } = held.keychain;
    const { readSecret } = await keychain();
    let text: string;
    try {
      text = await readSecret(`${id}.${number}`, parts);
    } catch (error) {
      // Another process renewed it meanwhile, and deleted the entry that the file named.
      if (this.#keychainOf(id)?.number !== number) return this.read(id);
      throw error;
    }
    return { ...about, kept: "keychain", secrets: JSON.parse(text) as Secrets };
  }

  /** Replaces a sign-in; on return the file is flushed to disk. */
  async save({ kept, secrets, ...about }: SignIn): Promise<void> {
    const former = this.#keychainOf(about.id);
    if (kept === "file") {
      this.#write({ ...about, secrets });
    } else {
      const number = (former?.number ?? 0) + 1;
      const { writeSecret } = await keychain();
      const partCount = await writeSecret(`${about.id}.${number}`, JSON.stringify(secrets));
      this.#write({ ...about, keychain: { number, parts: partCount } });
    }
    if (former === undefined) return;
    const { deleteSecret } = await keychain();
    // A leftover entry is useless: the renewal has used up its token.
    await deleteSecret(`${about.id}.${former.number}`, former.parts).catch(() => undefined);
  }

  /** Changes fields that are not secret, and leaves the secrets unchanged. */
  note(id: string, change: Partial<About>): void {
    const storedSignIn = this.#read(id);
    if (storedSignIn !== undefined) this.#write({ ...storedSignIn, ...change });
  }

  /** Deletes a sign-in, if it exists. */
  async forget(id: string): Promise<void> {
    const locationBefore = this.#keychainOf(id);
    rmSync(this.pathOf(id), { force: true });
    // Waiting processes find that the sign-in is gone.
    rmSync(this.lockOf(id), { force: true });
    if (locationBefore === undefined) return;
    await (await keychain()).deleteSecret(`${id}.${locationBefore.number}`, locationBefore.parts);
  }

  #keychainOf(id: string) {
    const stored = this.#read(id);
    return stored !== undefined && "keychain" in stored ? stored.keychain : undefined;
  }

  #read(id: string): StoredSignIn | undefined {
    const path = this.pathOf(id);
    try {
      return JSON.parse(readFileSync(path, "utf8")) as StoredSignIn;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      if (!(error instanceof SyntaxError)) throw error;
      throw new RefusedError("BadSignIn", `The file ${path} cannot be read; sign in again.`);
    }
  }

  #write(stored: StoredSignIn): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const path = this.pathOf(stored.id);
    const partFile = `${path}.${process.pid}.part`;
    try {
      rmSync(partFile, { force: true }); // Of a process that had this number and was killed.
      const descriptor = openSync(partFile, "wx", 0o600);
      try {
        writeSync(descriptor, JSON.stringify(stored));
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(partFile, path);
    } finally {
      rmSync(partFile, { force: true });
    }
    flushFolder(this.folder);
  }
}

function split(stored: StoredSignIn): { readonly about: About; readonly held: SecretsLocation } {
  if ("secrets" in stored) {
    const { secrets, ...about } = stored;
    return { about, held: { secrets } };
  }
  const { keychain: place, ...about } = stored;
  return { about, held: { keychain: place } };
}

/** Flushes a folder, so that a rename survives a power failure; not every system supports it. */
function flushFolder(folder: string): void {
  try {
    const folderHandle = openSync(folder, "r");
    try {
      fsyncSync(folderHandle);
    } finally {
      closeSync(folderHandle);
    }
  } catch {
    // The file itself is flushed already.
  }
}
