/** Posting order of records, so that an import can repeat it. */
import type { Client } from "../../client/types.ts";
import { AuthError, NotFoundError } from "../../resources/errors.ts";
import type { FieldValues, Resource } from "../../resources/field.ts";
import { journal } from "../../resources/journal.ts";
import { payment } from "../../resources/payment.ts";

/** Heading of the column with the posting order. */
export const postedColumn = "Posted";

/** Number of the last journal, by the id of its source record. */
export type PostedNumbers = ReadonlyMap<string, number>;

const numbersByClient = new WeakMap<Client, Promise<PostedNumbers>>();

/** Reads the posting order, once per client; empty where the sign-in may not read journals. */
export function postedNumbers(client: Client): Promise<PostedNumbers> {
  const numbers = numbersByClient.get(client) ?? read(client);
  numbersByClient.set(client, numbers);
  return numbers;
}

async function read(client: Client): Promise<PostedNumbers> {
  const numberById = new Map<string, number>();
  try {
    for await (const { SourceID, JournalNumber } of client.list(journal)) {
      if (SourceID !== undefined) numberById.set(SourceID, JournalNumber);
    }
  } catch (error) {
    if (!(error instanceof AuthError || error instanceof NotFoundError)) throw error;
  }
  return numberById;
}

/** Returns the posting order of a record; a payment follows its document, even one edited later. */
export function postedOf(
  numberById: PostedNumbers,
  resource: Resource,
  record: FieldValues,
): number | undefined {
  const paid = ["Invoice", "CreditNote", "Prepayment", "Overpayment", "ExpenseClaim"].map(
    (name) => (record[name] as FieldValues | undefined)?.[`${name}ID`],
  );
  const ids = [record[resource.id], ...(resource === payment ? paid : [])];
  const posted = ids.flatMap((id) => numberById.get(String(id)) ?? []);
  return posted.length === 0 ? undefined : Math.max(...posted);
}

/** Returns a record with the posting order of its allocations. */
export function withPosted(numberById: PostedNumbers, record: FieldValues): FieldValues {
  const { Allocations } = record;
  if (!Array.isArray(Allocations)) return record;
  const allocations = (Allocations as readonly FieldValues[]).map((allocation) => ({
    ...allocation,
    Posted: numberById.get(String(allocation.AllocationID)),
  }));
  return { ...record, Allocations: allocations };
}
