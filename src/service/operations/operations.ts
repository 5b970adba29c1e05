/** /Extensions/Operations: the log of operations on the books. */
import { NotFoundError, refusal } from "../../resources/errors.ts";
import { operation } from "../../resources/index.ts";
import type { Operation } from "../../resources/operation.ts";
import { readId } from "../../resources/scalar.ts";
import { filterFields, list, type StoredFields } from "../../store/mapping/records.ts";
import { numbersOf, operationsOn, requestsOf, undosOf } from "../../store/operations/log.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { parseWhere } from "../../wire/query/where.ts";
import { Query, type RequestContext } from "../request/context.ts";
import { type Endpoint, readOnlyWriter } from "../request/endpoint.ts";
import { maySeePurchases } from "../request/permissions.ts";
import { readCollection } from "../request/read-records.ts";
import { effectsIn, mergeEffects, namesOf, shownEffect, summaryOf } from "./operation-effects.ts";

export type StoredOperation = StoredFields<typeof operation.fields>;

const firstAlone = {
  op: "compare",
  field: { path: "PartOf", kind: "id" },
  cmp: "=",
  value: null,
} as const;

export const operations: Endpoint<StoredOperation> = {
  resource: operation,
  listOrder: "Number DESC",
  defaultFilter: (call) => [firstAlone, ...restrictToOwn(call)],
  async byKey(tx, key) {
    if (!/^\d{1,15}$/.test(key)) return undefined;
    const byNumber = parseWhere(`Number==${key}`, operation.name, filterFields(operation));
    const { records } = await list(tx, operation, {
      where: { op: "and", args: [byNumber, firstAlone] },
    });
    return records[0];
  },
  async expand(call, tx, records, view) {
    for (const storedOperation of records) checkOwn(call, storedOperation);
    return toShownOperations(tx, records, view === "single");
  },
  writer: readOnlyWriter,
};

/** Restricts callers without access to all of the books to their own operations. */
function restrictToOwn({ principal }: RequestContext) {
  if (maySeePurchases(principal.role)) return [];
  const user = JSON.stringify(principal.user);
  return [parseWhere(`User==${user}`, operation.name, filterFields(operation))];
}

function checkOwn({ principal }: RequestContext, { User, Number: number }: StoredOperation): void {
  if (maySeePurchases(principal.role) || User === principal.user) return;
  throw new NotFoundError("NotFound", `There is no operation ${number}.`);
}

/** GET /Extensions/Operations; the parameter `record` selects operations that wrote a record. */
export async function readOperations(call: RequestContext): Promise<ServiceResponse> {
  const record = call.query.get("record");
  if (record === undefined) return readCollection(call, operations as unknown as Endpoint);
  const id = readId(record);
  if (id === undefined)
    throw refusal("Parameter", "The parameter record is the id of a record, a GUID.");
  const ids = await call.read((tx) => operationsOn(tx, id));
  const query = call.request.query.filter(([name]) => !/^(ids|record)$/i.test(name));
  // Without matches, an unknown id makes the list empty.
  const pageQuery = new Query([...query, ["IDs", ids.join(",") || noId]]);
  return readCollection({ ...call, query: pageQuery }, operations as unknown as Endpoint);
}

const noId = "00000000-0000-0000-0000-000000000000";

async function toShownOperations(
  tx: Tx,
  records: readonly StoredOperation[],
  isDetailed: boolean,
): Promise<StoredOperation[]> {
  const ids = records.map(({ OperationID }) => OperationID);
  const [requests, undone] = [await requestsOf(tx, ids), await findUndone(tx, ids)];
  const numberById = await numbersOf(
    tx,
    records.flatMap(({ Undoes }) => Undoes ?? []),
  );
  const byOperation = Map.groupBy(requests, ({ id, partOf }) => partOf ?? id);
  const effectsById = new Map(
    [...byOperation].map(([id, own]) => [id, mergeEffects(effectsIn(own))] as const),
  );
  const names = await namesOf(tx, [...effectsById.values()].flat());
  return records.map(({ Effects: _, PartOf: __, ...each }) => {
    const ownRequests = byOperation.get(each.OperationID) ?? [];
    const written = effectsById.get(each.OperationID) ?? [];
    const { Command, Method, Path } = each;
    const by = undone.get(each.OperationID);
    const shownOperation: Operation = {
      ...each,
      UndoneBy: by?.id,
      Requests: ownRequests.length,
      Action: Command ?? `${Method} ${Path}`,
      Summary: [
        ...(each.Undoes === undefined ? [] : [`undid ${numberById.get(each.Undoes)}:`]),
        summaryOf(ownRequests, written, names),
        ...(by === undefined ? [] : [`(undone by ${by.number})`]),
      ].join(" "),
      ...(isDetailed ? { Records: written.map((one) => shownEffect(one, names.nameIn(one))) } : {}),
    };
    return shownOperation as StoredOperation;
  });
}

/** Returns which of the operations were undone, by an undo that was not undone itself. */
export async function findUndone(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly id: string; readonly number: number }>> {
  const undoById = new Map<string, { readonly id: string; readonly number: number }>();
  const undoByOperation = await undosOf(tx, ids);
  const undoOperations = [...undoByOperation.values()].flat();
  if (undoOperations.length === 0) return undoById;
  const undoneIds = await findUndone(
    tx,
    undoOperations.map(({ id }) => id),
  );
  for (const [id, own] of undoByOperation) {
    const activeUndo = own.findLast((undo) => !undoneIds.has(undo.id));
    if (activeUndo !== undefined) undoById.set(id, activeUndo);
  }
  return undoById;
}
