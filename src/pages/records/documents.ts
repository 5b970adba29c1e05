/** The page of a document of which only the id is known, as reports name them. */

import { NotFoundError } from "../../resources/errors.ts";
import type { Resource } from "../../resources/field.ts";
import {
  bankTransaction,
  bankTransfer,
  creditNote,
  invoice,
  manualJournal,
  overpayment,
  payment,
  prepayment,
  receipt,
} from "../../resources/index.ts";
import { recordAddress } from "../catalogue.ts";
import { withTrailOf } from "../trail.ts";
import type { Shown, Visit } from "../visit.ts";

const kinds: readonly Resource[] = [
  invoice,
  creditNote,
  prepayment,
  overpayment,
  bankTransaction,
  receipt,
  manualJournal,
  payment,
  bankTransfer,
];

export async function showDocument(visit: Visit, id = ""): Promise<Shown> {
  for (const kind of kinds) {
    const found = await visit.site.client.find(kind, id).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
    });
    const address = found && recordAddress(kind.name, id, found);
    if (address !== undefined) return { seeOther: withTrailOf(visit, address) };
  }
  throw new NotFoundError("NotFound", "There is no such document.");
}
