/** /Receipts: what users have spent on behalf of the business. It never touches the ledger. */
import { receipt } from "../../resources/index.ts";
import { families } from "../documents/family.ts";
import { withContents } from "../documents/shown.ts";
import type { StoredDocument } from "../documents/stored.ts";
import type { Work } from "../documents/work.ts";
import type { Endpoint } from "../endpoint.ts";
import { loaded } from "../loaded.ts";

export const receipts: Endpoint<StoredDocument, Work> = {
  resource: receipt,
  timeless: true,

  decorate: (_call, tx, records, view) => withContents(tx, families.receipt, records, view),

  writing: loaded(async () =>
    (await import("../documents/writing.ts")).documentWriting(families.receipt),
  ),
};
