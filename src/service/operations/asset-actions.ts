/**
 * Depreciation and disposals of fixed assets, taken back: journals that the register of assets has
 * posted are voided by it alone, so that the register and the ledger stay one.
 */

import type { AcctError } from "../../resources/errors.ts";
import { type FieldValues, pathOf } from "../../resources/field.ts";
import { asset, manualJournal } from "../../resources/index.ts";
import type { PlannedRequest } from "../../resources/plan.ts";
import type { LoggedRequest } from "../../store/operations/log.ts";
import { decodeAnswer } from "../../wire/decode/decode-answer.ts";
import { effectsIn, merged } from "./operation-effects.ts";

export interface AssetDeeds {
  /** The manual journals that they posted and voided. */
  readonly journals: readonly string[];
  /** Those that were voided. */
  readonly voided: ReadonlySet<string>;
  /** Whether a disposal was among what was rolled back. */
  readonly restored: boolean;
}

export interface ActionResult {
  readonly text: string;
  /** Why the request was refused. */
  readonly refusal?: AcctError;
}

/** What requests did to depreciation and disposals. */
export function deedsIn(requests: readonly LoggedRequest[]): AssetDeeds {
  const deeds = requests.filter(({ path }) =>
    /\/Assets\/.*(Depreciate|Dispose|Rollback)$/i.test(path),
  );
  const journals = merged(effectsIn(deeds)).filter(
    ({ resource, change }) => resource === manualJournal && change !== "TOUCHED",
  );
  const rolledBack = effectsIn(deeds.filter(({ path }) => /Rollback$/i.test(path)));
  const voided = journals.filter(({ change }) => change === "VOIDED");
  return {
    journals: journals.map(({ id }) => id),
    voided: new Set(voided.map(({ id }) => id)),
    restored:
      voided.length > 0 &&
      rolledBack.some(({ resource, change }) => resource === asset && change === "CHANGED"),
  };
}

/**
 * Takes deeds back: what was posted and stands is rolled back, what was rolled back is posted again.
 *
 * @param found  the journals as they are now
 * @returns why that is not done
 */
export async function undoDeeds(
  { voided, restored }: AssetDeeds,
  found: readonly FieldValues[],
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
  const standing = found.filter((each) => each.Status === "POSTED" && !voided.has(idOf(each)));
  if (standing.length > 0) {
    const { refusal } = await post(`Rollback?journals=${standing.map(idOf).join(",")}`);
    if (refusal !== undefined) return `depreciation: ${refusal.message.replace(/\.$/, "")}`;
  }
  const gone = found.filter((each) => voided.has(idOf(each)));
  if (gone.length === 0) return undefined;
  if (restored) return "a disposal that was rolled back is entered again by acct asset dispose";
  const days = gone.map(({ Date: day }) => String(day)).sort();
  const { refusal, text } = await post(`Depreciate?to=${days.at(-1)}`);
  if (refusal !== undefined) return `depreciation: ${refusal.message.replace(/\.$/, "")}`;
  const made = decodeAnswer(manualJournal, text).records as readonly FieldValues[];
  return contents(made) === contents(gone)
    ? undefined
    : "depreciation would not be what it was, since assets have changed; acct asset depreciate runs it anew";
}

/** What journals post by day and account. */
function contents(journals: readonly FieldValues[]): string {
  const lines = journals.flatMap(({ Date: day, JournalLines = [] }) =>
    (JournalLines as readonly FieldValues[]).map(({ AccountCode, AccountID, LineAmount }) =>
      [day, AccountID ?? AccountCode, LineAmount].join(" "),
    ),
  );
  return lines.toSorted().join("\n");
}
