/** What a book begins with, as `acct opening set --file` takes it. */
import type { Client } from "../../client/types.ts";
import { AuthError, NotFoundError } from "../../resources/errors.ts";
import { type OpeningBalance, openingBalance } from "../../resources/opening-balance.ts";
import { plainRecord } from "../../wire/plain.ts";
import type { Context } from "../context/context.ts";
import { sayWritten, written } from "../render/sinks/file-sink.ts";
import { announceExport } from "./audit-export.ts";

async function openingOf(client: Client): Promise<OpeningBalance | undefined> {
  for await (const found of client.list(openingBalance)) return found;
  return undefined;
}

/** Ids of the documents that came with the opening balances. */
export async function openingIds(client: Client): Promise<ReadonlySet<string>> {
  try {
    const { Documents = [], StockDocumentID } = (await openingOf(client)) ?? {};
    return new Set([StockDocumentID, ...Documents.map((each) => each.DocumentID)].map(String));
  } catch (error) {
    // Another service has none, and some people may not see them.
    if (error instanceof NotFoundError || error instanceof AuthError) return new Set();
    throw error;
  }
}

/** @throws NotFoundError where the book begins with nothing */
export async function exportOpening(
  ctx: Context,
  outputFile: string | undefined,
  to = written,
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
