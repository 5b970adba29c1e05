/**
 * Sign-ins, kept from one command to the next.
 *
 * Each has a file of its own in a folder beside the configuration, both for their owner alone. The
 * configuration is rewritten as a whole by whoever changes a profile; a token that changes with every
 * use must not be undone by somebody who read it earlier. A file is replaced whole: it is written
 * beside its place, flushed to the disk, and renamed.
 *
 * The secrets stand in that file, or in the keychain of the system. There they are written anew
 * each time under another number, and the file says which number counts: so the two never disagree.
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

/** What must never be shown. */
export interface Secrets {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly clientSecret?: string | undefined;
}

export interface Organisation {
  /** What the tenant header names. */
  readonly id: string;
  readonly name: string;
}

export type Keeping = "file" | "keychain";

/** How a renewal failed, so that others need not find out for themselves. */
export interface Failure {
  readonly at: number;
  readonly code: string;
  readonly message: string;
  /** By the service, rather than on the way to it. */
  readonly isRefused: boolean;
}

/** A sign-in without its secrets. Moments are milliseconds since 1970 UTC, by this machine. */
export interface About {
  readonly id: string;
  /** The API root, the only place that is given the tokens. */
  readonly baseUrl: string;
  readonly issuer: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string | undefined;
  readonly clientId: string;
  readonly grant: "authorization_code" | "client_credentials";
  readonly scopes: readonly string[];
  /** Who signed in, as the service calls them; an app that acts for itself has nobody. */
  readonly person?: string | undefined;
  /** Those that the service connected, when it was last asked. */
  readonly organisations: readonly Organisation[];
  readonly signedInAt: number;
  readonly renewedAt: number;
  /** When the access token ends. */
  readonly expiresAt: number;
  /** Noted before a renewal is asked for; it stands while the answer is out, or was lost. */
  readonly renewingSince?: number | undefined;
  /** How the last try to renew failed, for those who waited for it. */
  readonly failed?: Failure | undefined;
  /** When the service said that the sign-in counts no longer. */
  readonly endedAt?: number | undefined;
}

export interface SignIn extends About {
  readonly kept: Keeping;
  readonly secrets: Secrets;
}

/** Where the secrets of a sign-in lie: in its file, or under a number in the keychain. */
type SecretsLocation =
  | { readonly secrets: Secrets }
  | { readonly keychain: { readonly number: number; readonly parts: number } };

type StoredSignIn = About & SecretsLocation;

/** The keychain of the system; loaded late. */
const keychain = () => import("./keychain.ts");

export class SignIns {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The file of a sign-in. */
  pathOf(id: string): string {
    if (!/^[\w-]{1,64}$/.test(id)) throw new RefusedError("BadSignIn", `"${id}" is no sign-in.`);
    return join(this.folder, `${id}.json`);
  }

  lockOf(id: string): string {
    return this.pathOf(id).replace(/json$/, "lock");
  }

  /** Whether others of this machine can read its file; Windows has no such modes. */
  isOpenToOthers(id: string): boolean {
    if (process.platform === "win32") return false;
    const stats = statSync(this.pathOf(id), { throwIfNoEntry: false });
    return stats !== undefined && (stats.mode & 0o077) !== 0;
  }

  /** Makes its file its owner's alone. @throws as `chmodSync` does */
  closeToOthers(id: string): void {
    chmodSync(this.pathOf(id), 0o600);
  }

  /** What is known without the secrets; undefined when there is no such sign-in. */
  about(id: string): (About & { readonly kept: Keeping }) | undefined {
    const stored = this.#read(id);
    if (stored === undefined) return undefined;
    const { about, held } = parted(stored);
    return { ...about, kept: "secrets" in held ? "file" : "keychain" };
  }

  /** @throws AuthError `NoKeychain` when its keychain does not open */
  async read(id: string): Promise<SignIn | undefined> {
    const stored = this.#read(id);
    if (stored === undefined) return undefined;
    const { about, held } = parted(stored);
    if ("secrets" in held) return { ...about, kept: "file", secrets: held.secrets };
    const { number, parts } = held.keychain;
    const { readSecret } = await keychain();
    let text: string;
    try {
      text = await readSecret(`${id}.${number}`, parts);
    } catch (error) {
      // Another process has renewed it meanwhile, and taken away what its file told of.
      if (this.#keychainOf(id)?.number !== number) return this.read(id);
      throw error;
    }
    return { ...about, kept: "keychain", secrets: JSON.parse(text) as Secrets };
  }

  /** Puts a sign-in in place of what there was of it. On return it is on the disk. */
  async save({ kept, secrets, ...about }: SignIn): Promise<void> {
    const before = this.#keychainOf(about.id);
    if (kept === "file") {
      this.#write({ ...about, secrets });
    } else {
      const number = (before?.number ?? 0) + 1;
      const { writeSecret } = await keychain();
      const parts = await writeSecret(`${about.id}.${number}`, JSON.stringify(secrets));
      this.#write({ ...about, keychain: { number, parts } });
    }
    if (before === undefined) return;
    const { deleteSecret } = await keychain();
    // What stays behind is of no more use: a renewal has used it up.
    await deleteSecret(`${about.id}.${before.number}`, before.parts).catch(() => undefined);
  }

  /** Changes what is no secret, and leaves the secrets where they are. */
  note(id: string, change: Partial<About>): void {
    const stored = this.#read(id);
    if (stored !== undefined) this.#write({ ...stored, ...change });
  }

  /** Removes all of a sign-in; one that is not there is removed already. */
  async forget(id: string): Promise<void> {
    const before = this.#keychainOf(id);
    rmSync(this.pathOf(id), { force: true });
    // Whoever waits for it finds that there is nothing left to be done.
    rmSync(this.lockOf(id), { force: true });
    if (before === undefined) return;
    await (await keychain()).deleteSecret(`${id}.${before.number}`, before.parts);
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
    const part = `${path}.${process.pid}.part`;
    try {
      rmSync(part, { force: true }); // Of a process that had this number and was killed.
      const file = openSync(part, "wx", 0o600);
      try {
        writeSync(file, JSON.stringify(stored));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(part, path);
    } finally {
      rmSync(part, { force: true });
    }
    flushFolder(this.folder);
  }
}

function parted(stored: StoredSignIn): { readonly about: About; readonly held: SecretsLocation } {
  if ("secrets" in stored) {
    const { secrets, ...about } = stored;
    return { about, held: { secrets } };
  }
  const { keychain: place, ...about } = stored;
  return { about, held: { keychain: place } };
}

/** So that the new name survives a power cut too; not every system lets a folder be flushed. */
function flushFolder(folder: string): void {
  try {
    const handle = openSync(folder, "r");
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // The file itself is on the disk.
  }
}
