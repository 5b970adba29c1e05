/**
 * Allocations of credits with a date, which not every service supports for every kind of credit.
 */
import { type Allocation, allocation } from "../resources/allocation.ts";
import { creditNote } from "../resources/credit-note.ts";
import { RefusedError } from "../resources/errors.ts";
import type { Input, Resource } from "../resources/field.ts";
import type { Client } from "./types.ts";

/**
 * Allocates a credit on a date; in the public API the date is read-only except for credit notes.
 * Without a date it is the later one of the documents, or the first open day after it.
 *
 * @throws RefusedError where the service would use another date, with nothing allocated
 */
export async function allocateOn(
  client: Client,
  resource: Resource,
  input: Input<typeof allocation>,
  creditKey: string,
): Promise<Allocation> {
  const { Date: day } = input;
  const parameters: Record<string, string> =
    day === undefined ? { firstOpenDay: "true" } : resource === creditNote ? {} : { onDate: day };
  const made = await client.create(allocation, input, { under: creditKey, parameters });
  if (day === undefined || made.Date === day) return made;
  await client.remove(allocation, made.AllocationID ?? "", { under: creditKey });
  throw new RefusedError(
    "DateNotTaken",
    `This service dates an allocation of a credit of this kind itself, on ${made.Date}, so it was taken back; leave out the day.`,
  );
}
