/** Page of a document identified only by its id, as links in reports do; finds its resource. */

import { NotFoundError } from "../../../resources/errors.ts";
import type { Resource } from "../../../resources/field.ts";
import {
  bankTransaction,
  bankTransfer,
  batchPayment,
  creditNote,
  invoice,
  manualJournal,
  overpayment,
  payment,
  prepayment,
  receipt,
} from "../../../resources/index.ts";
import { withTrailOf } from "../../frame/breadcrumbs.ts";
import type { PageResponse } from "../../frame/page-context.ts";
import { recordAddress } from "../catalogue.ts";
import type { BooksContext } from "../context.ts";

const kinds: readonly Resource[] = [
  invoice,
  creditNote,
  prepayment,
  overpayment,
  bankTransaction,
  receipt,
  manualJournal,
  payment,
  batchPayment,
  bankTransfer,
];

export async function showDocument(ctx: BooksContext, id = ""): Promise<PageResponse> {
  for (const kind of kinds) {
    const document = await ctx.client.find(kind, id).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
    });
    const address = document && recordAddress(kind.name, id, document);
    if (address !== undefined) return { seeOther: withTrailOf(ctx, address) };
  }
  throw new NotFoundError("NotFound", "There is no such document.");
}
