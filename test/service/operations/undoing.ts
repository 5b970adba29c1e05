/** Taking operations of a test's book back. */
import type { Json, World } from "../fixture.ts";

export const path = "/Extensions/Operations";

export const log = async (given: World): Promise<Json[]> =>
  (await given.ok("GET", path)).Operations;

/** The plan that takes an operation back. */
export const planned = async (given: World, key: string | number = "last"): Promise<Json> =>
  (await given.ok("POST", `${path}/${key}/Undo`, {})).Plans[0];

export async function undone(given: World, key?: string | number): Promise<Json> {
  const plan = await planned(given, key);
  return (await given.ok("POST", "/Extensions/Plans/Apply", plan)).Plans[0];
}

/** Why an operation is not taken back. */
export async function refusal(given: World, key: string | number = "last"): Promise<string> {
  const sentences = await given.refused("POST", `${path}/${key}/Undo`, {});
  return sentences.join(" ");
}
