/**
 * Secrets of the environment that lie in files: `ACCT_DATABASE_FILE` instead of `ACCT_DATABASE`, and
 * the credentials of a systemd unit.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { inputText } from "../../platform/input-file.ts";
import { UsageError } from "../../resources/errors.ts";
import { type Env, nonEmpty } from "./config.ts";

/** Variables that hold a secret, by the name of their setting and of their credential. */
export const secretVariables = { database: "ACCT_DATABASE", smtp: "ACCT_SMTP_URL" } as const;

const secretBounds = { bytes: 64 * 1024 };

/**
 * Returns the environment with the secrets that it keeps in files, and their files under `…_FILE`.
 *
 * @throws UsageError `BadSecret`, `NoFile`
 */
export function withSecrets(env: Env): Env {
  const secrets: Record<string, string> = {};
  for (const [name, variable] of Object.entries(secretVariables)) {
    const file = secretFile(env, name, variable);
    if (file === undefined) continue;
    secrets[variable] = readSecret(file);
    secrets[`${variable}_FILE`] = file;
  }
  return Object.keys(secrets).length === 0 ? env : { ...env, ...secrets };
}

/** Returns the file that holds the value of a variable; undefined where none does. */
function secretFile(env: Env, name: string, variable: string): string | undefined {
  const file = nonEmpty(env[`${variable}_FILE`]);
  if (nonEmpty(env[variable]) === undefined) return file ?? credentialPath(env, name);
  if (file === undefined) return undefined;
  const message = `${variable} and ${variable}_FILE both say it; give one of them.`;
  throw new UsageError("BadSecret", message);
}

/** Returns the file of a credential that systemd gave to this service. */
export function credentialPath(env: Env, name: string): string | undefined {
  const folder = nonEmpty(env.CREDENTIALS_DIRECTORY);
  const file = folder && join(folder, name);
  return file && existsSync(file) ? file : undefined;
}

/**
 * Reads a secret of one line, with or without a line end.
 *
 * @throws UsageError `BadSecret`, `NoFile`
 */
export function readSecret(file: string): string {
  const secret = inputText(file, secretBounds)
    .replace(/^\ufeff/, "")
    .trim();
  if (secret !== "" && !/[\r\n]/.test(secret)) return secret;
  const fault = secret === "" ? "is empty" : "has several lines";
  throw new UsageError("BadSecret", `The file ${file} ${fault}: it should hold the secret alone.`);
}
