/**
 * Undo of depreciation and disposals of fixed assets: only the asset register may void the journals
 * it posted, so that register and ledger agree.
 */

import type { AcctError } from "../../resources/errors.ts";
import { type FieldValues, pathOf } from "../../resources/field.ts";
import { asset, manualJournal } from "../../resources/index.ts";
import type { PlannedRequest } from "../../resources/plan.ts";
import type { LoggedRequest } from "../../store/operations/log.ts";
import { decodeAnswer } from "../../wire/decode/decode-answer.ts";
import { effectsIn, mergeEffects } from "./operation-effects.ts";

export interface AssetDeeds {
  /** Ids of the manual journals that the operation posted or voided. */
  readonly journals: readonly string[];
  /** Ids of the journals that the operation voided. */
  readonly voided: ReadonlySet<string>;
  /** Whether the operation rolled back a disposal. */
  readonly isRestored: boolean;
}

export interface ActionResult {
  readonly text: string;
  /** Reason why the undo was refused. */
  readonly refusal?: AcctError;
}

/** Returns what requests did to depreciation and disposals. */
export function assetActions(requests: readonly LoggedRequest[]): AssetDeeds {
  const deeds = requests.filter(({ path }) =>
    /\/Assets\/.*(Depreciate|Dispose|Rollback)$/i.test(path),
  );
  const journals = mergeEffects(effectsIn(deeds)).filter(
    ({ resource, change }) => resource === manualJournal && change !== "TOUCHED",
  );
  const rolledBack = effectsIn(deeds.filter(({ path }) => /Rollback$/i.test(path)));
  const voided = journals.filter(({ change }) => change === "VOIDED");
  return {
    journals: journals.map(({ id }) => id),
    voided: new Set(voided.map(({ id }) => id)),
    isRestored:
      voided.length > 0 &&
      rolledBack.some(({ resource, change }) => resource === asset && change === "CHANGED"),
  };
}

/**
 * Undoes asset actions: rolls back journals that stand, and posts rolled-back ones again.
 *
 * @param records  the current journals
 * @returns the refusal, if the undo is impossible
 */
export async function undoActions(
  { voided, isRestored }: AssetDeeds,
  records: readonly FieldValues[],
  ask: (request: PlannedRequest) => Promise<ActionResult>,
): Promise<string | undefined> {
  const post = (deed: string) =>
    ask({
      Method: "POST",
      Path: `${pathOf(asset)}/${deed}`,
      MediaType: "application/json",
      Body: "{}",
    });
  const idOf = ({ ManualJournalID }: FieldValues) => String(ManualJournalID);
  const standing = records.filter((value) => value.Status === "POSTED" && !voided.has(idOf(value)));
  if (standing.length > 0) {
    const { refusal } = await post(`Rollback?journals=${standing.map(idOf).join(",")}`);
    if (refusal !== undefined) return `depreciation: ${refusal.message.replace(/\.$/, "")}`;
  }
  const voidedOnes = records.filter((value) => voided.has(idOf(value)));
  if (voidedOnes.length === 0) return undefined;
  if (isRestored) return "a disposal that was rolled back is entered again by acct asset dispose";
  const days = voidedOnes.map(({ Date: day }) => String(day)).sort();
  const { refusal, text } = await post(`Depreciate?to=${days.at(-1)}`);
  if (refusal !== undefined) return `depreciation: ${refusal.message.replace(/\.$/, "")}`;
  const newJournals = decodeAnswer(manualJournal, text).records as readonly FieldValues[];
  return comparePostings(newJournals) === comparePostings(voidedOnes)
    ? undefined
    : "depreciation would not be what it was, since assets have changed; acct asset depreciate runs it anew";
}

/** Returns the postings of journals by day and account, for comparison. */
function comparePostings(journals: readonly FieldValues[]): string {
  const lines = journals.flatMap(({ Date: day, JournalLines = [] }) =>
    (JournalLines as readonly FieldValues[]).map(({ AccountCode, AccountID, LineAmount }) =>
      [day, AccountID ?? AccountCode, LineAmount].join(" "),
    ),
  );
  return lines.toSorted().join("\n");
}
