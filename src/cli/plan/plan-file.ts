/** Plan files: readable JSON with a content digest that reveals changes. */

import { stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { asDiskError } from "../../platform/disk.ts";
import { readInput } from "../../platform/input-file.ts";
import { inputBounds } from "../../resources/bounds.ts";
import { RefusedError, UsageError } from "../../resources/errors.ts";
import { type Plan, plan } from "../../resources/plan.ts";
import { decodeAnswer } from "../../wire/decode/decode-answer.ts";
import { plainRecord } from "../../wire/plain.ts";
import { contentDigest } from "../../wire/plan-digest.ts";
import { indentJson } from "../render/formats/json.ts";

/**
 * Checks the path of a plan.
 *
 * @throws UsageError `FileExists`, `CannotWrite`
 */
export async function checkPlanFile(path: string): Promise<void> {
  if ((await stat(path).catch(() => undefined)) !== undefined) {
    const message = `${path} is there already: a plan is not written over anything.`;
    throw new UsageError("FileExists", message);
  }
  const folder = await stat(dirname(path)).catch(() => undefined);
  if (folder?.isDirectory() === true) return;
  throw new UsageError("CannotWrite", `Cannot write ${path}: there is no such folder.`);
}

/**
 * Writes a plan file.
 *
 * @throws UsageError, DiskError
 */
export async function writePlan(path: string, newPlan: Plan): Promise<void> {
  const text = `${indentJson(plainRecord(plan, newPlan))}\n`;
  try {
    await writeFile(path, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    throw asDiskError(path, error);
  }
}

/**
 * Reads a plan file.
 *
 * @throws UsageError `NoFile`; RefusedError `NoPlan` where the file is not a plan, `PlanChanged`
 *   where its content digest does not match
 */
export async function readPlanFile(path: string): Promise<Plan> {
  const text = (await readInput(path, inputBounds.plan)).toString("utf8");
  const parsed = planIn(text);
  if (parsed === undefined) throw new RefusedError("NoPlan", `${path} holds no plan.`);
  if (parsed.ContentDigest === contentDigest(parsed)) return parsed;
  const message = `${path} was changed since the plan was made: make it anew.`;
  throw new RefusedError("PlanChanged", message);
}

function planIn(text: string): Plan | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const [first] = decodeAnswer(plan, `{"Plans":[${text}]}`).records as unknown as Plan[];
    return first?.PlanID === undefined || first.Signature === undefined ? undefined : first;
  } catch {
    return undefined;
  }
}
