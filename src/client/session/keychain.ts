/**
 * The keychain of the system: that of macOS, the credentials of Windows, the Secret Service of a
 * Linux desktop.
 *
 * The library falls back on the kernel's keyring where a Linux has no Secret Service. That forgets
 * everything at the next start of the machine, so the Secret Service is insisted on.
 */
import { AuthError } from "../../resources/errors.ts";

const service = "acct";
/** Windows takes no longer ones, of two bytes a letter; the others have no such limit. */
const partLettersMax = 1200;

/**
 * Keeps a text, in as many parts as it takes.
 *
 * @returns the number of parts
 * @throws AuthError `NoKeychain`
 */
export async function writeSecret(name: string, text: string): Promise<number> {
  const parts = text.match(new RegExp(`[^]{1,${partLettersMax}}`, "g")) ?? [];
  await opened(async (entry) => {
    for (const [at, part] of parts.entries())
      await (await entry(`${name}.${at}`)).setPassword(part);
  });
  return parts.length;
}

/** @throws AuthError `NoKeychain` */
export function readSecret(name: string, parts: number): Promise<string> {
  return opened(async (entry) => {
    let text = "";
    for (let at = 0; at < parts; at++) {
      const part = await (await entry(`${name}.${at}`)).getPassword();
      if (part === undefined || part === null) throw new Error("the entry was removed from it");
      text += part;
    }
    return text;
  });
}

/** @throws AuthError `NoKeychain` */
export function deleteSecret(name: string, parts: number): Promise<void> {
  return opened(async (entry) => {
    for (let at = 0; at < parts; at++) await (await entry(`${name}.${at}`)).deleteCredential();
  });
}

/** Looks whether it opens. @throws AuthError `NoKeychain` */
export function tryKeychain(): Promise<void> {
  return opened(async (entry) => {
    await (await entry("nothing")).getPassword();
  });
}

type Keyring = typeof import("@napi-rs/keyring");
type KeychainEntry = InstanceType<Keyring["AsyncEntry"]>;

async function opened<T>(
  work: (entry: (name: string) => Promise<KeychainEntry>) => Promise<T>,
): Promise<T> {
  try {
    const { AsyncEntry } = await import("@napi-rs/keyring");
    const options = { linux: { store: "secret-service" } } as const;
    return await work(async (name) => new AsyncEntry(service, name, options));
  } catch (error) {
    const reason = (error as Error).message.split("\n")[0]?.replace(/\.$/, "");
    throw new AuthError("NoKeychain", `The keychain of the system does not open: ${reason}.`);
  }
}
