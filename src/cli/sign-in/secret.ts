/** Reads the client secret of an app, never from the command line, which other users can read. */
import { UsageError } from "../../resources/errors.ts";
import type { Context } from "../context/context.ts";
import { readBytes } from "../framework/input.ts";

export interface SecretOptions {
  readonly clientCredentials?: boolean | undefined;
  readonly clientSecretStdin?: boolean | undefined;
}

/**
 * Reads the secret from standard input, `ACCT_CLIENT_SECRET` or a prompt without echo; an app for
 * user sign-ins may have none.
 *
 * @throws UsageError `MissingValue`
 */
export async function secretOf(ctx: Context, options: SecretOptions): Promise<string | undefined> {
  if (options.clientSecretStdin === true) {
    const text = Buffer.from(await readBytes(ctx, "-"))
      .toString("utf8")
      .trim();
    if (text !== "") return text;
    throw new UsageError("MissingValue", "Standard input holds no secret.");
  }
  const secret = ctx.env.ACCT_CLIENT_SECRET?.trim();
  if (secret) return secret;
  if (options.clientCredentials !== true) return undefined;
  if (!ctx.flags.input) {
    throw new UsageError(
      "MissingValue",
      "The app's secret is missing: set ACCT_CLIENT_SECRET, or pipe it in with --client-secret-stdin.",
    );
  }
  const { password } = await import("@inquirer/prompts");
  const typedSecret = await password(
    {
      message: "Secret of the app (it is not shown)",
      mask: false,
      validate: (text) => text.trim() !== "" || "Give the secret.",
    },
    { output: process.stderr, signal: ctx.interrupted },
  );
  return typedSecret.trim();
}
