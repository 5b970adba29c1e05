/**
 * Successors of voided records: a record that an undo creates again has a new id, and later undos
 * of changes to the old record apply to the new one.
 */
import type { LoggedRequest } from "../../store/operations/log.ts";
import { type Effect, effectsIn, hasEnded, mergeEffects } from "./operation-effects.ts";

export class Successors {
  readonly #next = new Map<string, string>();

  /** @param requests  the requests of an operation, and all after it */
  constructor(requests: readonly LoggedRequest[]) {
    const byOperation = Map.groupBy(requests, ({ id, partOf }) => partOf ?? id);
    for (const undo of byOperation.values()) {
      const undoneId = undo.find(({ undoes }) => undoes !== undefined)?.undoes;
      const requests = undoneId === undefined ? undefined : byOperation.get(undoneId);
      if (requests !== undefined) this.#pair(requests, undo);
    }
  }

  /** Returns the id of the current successor of a record or row; the same id without one. */
  of(id: string): string {
    return this.line(id).at(-1) ?? id;
  }

  /** Returns the ids of a record and its successors, in order. */
  line(id: string): readonly string[] {
    const ids = [id];
    for (let nextId = this.#next.get(id); nextId !== undefined; nextId = this.#next.get(nextId)) {
      ids.push(nextId);
    }
    return ids;
  }

  /** Adds a successor to a record whose last version has ended. */
  add(id: string, nextId: string): void {
    const current = this.of(id);
    if (current !== nextId) this.#next.set(current, nextId);
  }

  /** Replaces ids in a path or a body by those of their successors. */
  in(text: string): string {
    return this.#next.size === 0 ? text : text.replaceAll(guid, (id) => this.of(id));
  }

  #pair(original: readonly LoggedRequest[], undo: readonly LoggedRequest[]): void {
    const [before, after] = [mergeEffects(effectsIn(original)), mergeEffects(effectsIn(undo))];
    const goneIds = new Set(after.filter(hasEnded).map(({ id }) => id));
    const createdEffects = after.filter(({ change }) => change === "CREATED");
    for (const [kind, own] of Map.groupBy(createdEffects, kindOf)) {
      const ofKind = before.filter((effect) => kindOf(effect) === kind);
      // Records are in the order of an undo: first records ended and created as drafts, then formerly
      // ended ones.
      const endedEffects = [
        ...ofKind.filter(({ change, id }) => change === "CHANGED" && goneIds.has(id)),
        ...ofKind.filter(hasEnded),
      ];
      this.#follow(
        endedEffects.map(({ id }) => id),
        own.map(({ id }) => id),
      );
    }
    const allocations = (requests: readonly LoggedRequest[], kind: "added" | "removed") =>
      requests.flatMap(({ effects: { rows } }) =>
        (rows.allocation?.[kind] ?? []).map(([id]) => String(id)),
      );
    this.#follow(allocations(original, "removed"), allocations(undo, "added"));
  }

  /** With unequal numbers of records, the pairs are unknown, so none is recorded. */
  #follow(endedIds: readonly string[], createdIds: readonly string[]): void {
    if (endedIds.length !== createdIds.length) return;
    for (const [at, id] of endedIds.entries()) this.add(id, createdIds[at] as string);
  }
}

/** The credit of a bank transaction is created again with the bank transaction. */
const kindOf = ({ resource: { name } }: Effect): string =>
  name === "Prepayment" || name === "Overpayment" ? "BankTransaction" : name;

const guid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
