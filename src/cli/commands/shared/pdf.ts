/** Keeps the printed form of a record as a file. */

import { fileName } from "../../../platform/file-name.ts";
import { UsageError } from "../../../resources/errors.ts";
import type { Resource, Shape } from "../../../resources/field.ts";
import { nameOf } from "../../../wire/codec.ts";
import type { Context } from "../../framework/context.ts";
import { isTerminal } from "../../framework/global-flags.ts";
import { saveFile } from "./save-file.ts";

export interface PdfOptions {
  /** A file, a folder, or `-` for standard output; the number in this folder when not given. */
  readonly outputFile?: string | undefined;
  readonly force?: boolean | undefined;
}

/**
 * Writes one record as PDF and says where.
 *
 * @throws UsageError `BinaryToTerminal`, `NeedsConfirmation`, `CannotWrite`
 */
export async function savePdf<R extends Resource>(
  ctx: Context,
  resource: R,
  found: Shape<R>,
  { outputFile, force }: PdfOptions,
): Promise<void> {
  const record = found as Record<string, unknown>;
  const id = String(record[resource.id]);
  const client = await ctx.client();
  const warn = (characters: string) =>
    ctx.out.say(
      `No font has ${characters}: a sign stands in the PDF for each. Install one that has them, such ` +
        "as fonts-noto-cjk or fonts-noto-core, or name its file in ACCT_FONTS, where the service runs.",
    );
  if (outputFile === "-") {
    if (isTerminal(1)) {
      throw new UsageError(
        "BinaryToTerminal",
        "A PDF is not for a terminal to show: send it to a file or a program, or leave out the -.",
      );
    }
    return ctx.out.bytes(await client.printed(resource, id, warn));
  }
  const name = fileName(nameOf(resource, record), id, "pdf");
  const path = await saveFile(ctx, name, { outputFile, force }, () =>
    client.printed(resource, id, warn),
  );
  if (path !== undefined) await ctx.out.value({ FileName: path }, path);
}
