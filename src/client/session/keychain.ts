/**
 * System keychain: macOS Keychain, Windows credentials, Secret Service on a Linux desktop.
 *
 * Without a Secret Service the library falls back on the Linux kernel keyring, which loses
 * everything at a restart. So the Secret Service is required.
 */
import { AuthError } from "../../resources/errors.ts";

const service = "acct";
/**
 * Maximum length of a keychain entry on Windows (UTF-16 units); other systems have no such limit.
 */
const partLettersMax = 1200;

/**
 * Stores a secret, in as many entries as needed.
 *
 * @returns the number of entries
 * @throws AuthError `NoKeychain`
 */
export async function writeSecret(name: string, text: string): Promise<number> {
  const parts = text.match(new RegExp(`[^]{1,${partLettersMax}}`, "g")) ?? [];
  await withKeychain(async (entry) => {
    for (const [at, part] of parts.entries())
      await (await entry(`${name}.${at}`)).setPassword(part);
  });
  return parts.length;
}

/**
 * Reads a secret from its entries.
 *
 * @throws AuthError `NoKeychain`
 */
export function readSecret(name: string, partCount: number): Promise<string> {
  return withKeychain(async (entry) => {
    let text = "";
    for (let at = 0; at < partCount; at++) {
      const part = await (await entry(`${name}.${at}`)).getPassword();
      if (part === undefined || part === null) throw new Error("the entry was removed from it");
      text += part;
    }
    return text;
  });
}

/**
 * Deletes the entries of a secret.
 *
 * @throws AuthError `NoKeychain`
 */
export function deleteSecret(name: string, partCount: number): Promise<void> {
  return withKeychain(async (entry) => {
    for (let at = 0; at < partCount; at++) await (await entry(`${name}.${at}`)).deleteCredential();
  });
}

/**
 * Checks that the keychain can be opened.
 *
 * @throws AuthError `NoKeychain`
 */
export function tryKeychain(): Promise<void> {
  return withKeychain(async (entry) => {
    await (await entry("nothing")).getPassword();
  });
}

type Keyring = typeof import("@napi-rs/keyring");
type KeychainEntry = InstanceType<Keyring["AsyncEntry"]>;

async function withKeychain<T>(
  action: (entry: (name: string) => Promise<KeychainEntry>) => Promise<T>,
): Promise<T> {
  try {
    const { AsyncEntry } = await import("@napi-rs/keyring");
    const options = { linux: { store: "secret-service" } } as const;
    return await action(async (name) => new AsyncEntry(service, name, options));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === "MODULE_NOT_FOUND" || code === "ERR_MODULE_NOT_FOUND";
    const reason = isMissing
      ? "the program was installed without what opens it"
      : message.split("\n")[0]?.replace(/\.$/, "");
    throw new AuthError("NoKeychain", `The keychain of the system does not open: ${reason}.`);
  }
}
