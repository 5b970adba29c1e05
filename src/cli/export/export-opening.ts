/** Exports opening balances in the format of `acct opening set --file`. */
import type { Client } from "../../client/types.ts";
import { AuthError, NotFoundError } from "../../resources/errors.ts";
import { type OpeningBalance, openingBalance } from "../../resources/opening-balance.ts";
import { plainRecord } from "../../wire/plain.ts";
import type { Context } from "../context/context.ts";
import { sayWritten, writeTo } from "../render/sinks/file-sink.ts";
import { announceExport } from "./audit-export.ts";

async function openingOf(client: Client): Promise<OpeningBalance | undefined> {
  for await (const balances of client.list(openingBalance)) return balances;
  return undefined;
}

/** Returns the ids of the documents created with the opening balances. */
export async function openingIds(client: Client): Promise<ReadonlySet<string>> {
  try {
    const { Documents = [], StockDocumentID } = (await openingOf(client)) ?? {};
    return new Set([StockDocumentID, ...Documents.map((each) => each.DocumentID)].map(String));
  } catch (error) {
    // Other services lack opening balances, and some users may not read them.
    if (error instanceof NotFoundError || error instanceof AuthError) return new Set();
    throw error;
  }
}

/**
 * Exports the opening balances.
 *
 * @throws NotFoundError where the book has none
 */
export async function exportOpening(
  ctx: Context,
  outputFile: string | undefined,
  to = writeTo,
): Promise<void> {
  await announceExport(ctx, "opening balances as json");
  const opening = await openingOf(await ctx.client());
  if (opening === undefined)
    throw new NotFoundError("NotFound", "The book has no opening balances.");
  await to(ctx, outputFile, async (sink) => {
    await sink.write(`${plainRecord(openingBalance, opening)}\n`);
  });
  sayWritten(ctx, "the opening balances", outputFile);
}
