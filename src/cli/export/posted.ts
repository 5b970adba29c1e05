/** In which order records were posted, so that an import takes them in the same. */
import type { Client } from "../../client/types.ts";
import { AuthError, NotFoundError } from "../../resources/errors.ts";
import type { FieldValues, Resource } from "../../resources/field.ts";
import { journal } from "../../resources/journal.ts";
import { payment } from "../../resources/payment.ts";

/** The column that says it. */
export const postedColumn = "Posted";

/** Number of the last journal by the id of what made it. */
export type PostedNumbers = ReadonlyMap<string, number>;

const known = new WeakMap<Client, Promise<PostedNumbers>>();

/** Read once for a client; none where the journals are not for this sign-in. */
export function postedNumbers(client: Client): Promise<PostedNumbers> {
  const found = known.get(client) ?? read(client);
  known.set(client, found);
  return found;
}

async function read(client: Client): Promise<PostedNumbers> {
  const numbers = new Map<string, number>();
  try {
    for await (const { SourceID, JournalNumber } of client.list(journal)) {
      if (SourceID !== undefined) numbers.set(SourceID, JournalNumber);
    }
  } catch (error) {
    if (!(error instanceof AuthError || error instanceof NotFoundError)) throw error;
  }
  return numbers;
}

/** A payment was posted after what it pays, also where that was edited since. */
export function postedOf(
  numbers: PostedNumbers,
  resource: Resource,
  record: FieldValues,
): number | undefined {
  const paid = ["Invoice", "CreditNote", "Prepayment", "Overpayment"].map(
    (name) => (record[name] as FieldValues | undefined)?.[`${name}ID`],
  );
  const ids = [record[resource.id], ...(resource === payment ? paid : [])];
  const posted = ids.flatMap((id) => numbers.get(String(id)) ?? []);
  return posted.length === 0 ? undefined : Math.max(...posted);
}

/** The record with the numbers of its allocations. */
export function withPosted(numbers: PostedNumbers, record: FieldValues): FieldValues {
  const { Allocations } = record;
  if (!Array.isArray(Allocations)) return record;
  const all = (Allocations as readonly FieldValues[]).map((each) => ({
    ...each,
    Posted: numbers.get(String(each.AllocationID)),
  }));
  return { ...record, Allocations: all };
}
