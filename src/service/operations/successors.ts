/**
 * Records that stand for others: what was voided and is made anew by an undo has another id, and
 * whatever was done to the first before is taken back from the second.
 */
import type { LoggedRequest } from "../../store/operations/log.ts";
import { type Effect, effectsIn, hasEnded, merged } from "./operation-effects.ts";

export class Successors {
  readonly #next = new Map<string, string>();

  /** @param requests  those of an operation, and all after it */
  constructor(requests: readonly LoggedRequest[]) {
    const byOperation = Map.groupBy(requests, ({ id, partOf }) => partOf ?? id);
    for (const undo of byOperation.values()) {
      const target = undo.find(({ undoes }) => undoes !== undefined)?.undoes;
      const taken = target === undefined ? undefined : byOperation.get(target);
      if (taken !== undefined) this.#pair(taken, undo);
    }
  }

  /** The record or row that stands for one now; the same where none does. */
  of(id: string): string {
    return this.line(id).at(-1) ?? id;
  }

  /** Those that stood for one after the other, the first itself among them. */
  line(id: string): readonly string[] {
    const found = [id];
    for (let next = this.#next.get(id); next !== undefined; next = this.#next.get(next)) {
      found.push(next);
    }
    return found;
  }

  /** Notes that a record was made anew: the last that stood for it has ended. */
  add(id: string, next: string): void {
    const current = this.of(id);
    if (current !== next) this.#next.set(current, next);
  }

  /** A path or a body with the ids of those that stand for the ones it names. */
  in(text: string): string {
    return this.#next.size === 0 ? text : text.replaceAll(guid, (id) => this.of(id));
  }

  #pair(taken: readonly LoggedRequest[], undo: readonly LoggedRequest[]): void {
    const [before, after] = [merged(effectsIn(taken)), merged(effectsIn(undo))];
    const gone = new Set(after.filter(hasEnded).map(({ id }) => id));
    const made = after.filter(({ change }) => change === "CREATED");
    for (const [kind, own] of Map.groupBy(made, kindOf)) {
      const ofKind = before.filter((each) => kindOf(each) === kind);
      // In the order in which an undo makes them: what it ends and drafts anew, then what had ended.
      const ended = [
        ...ofKind.filter(({ change, id }) => change === "CHANGED" && gone.has(id)),
        ...ofKind.filter(hasEnded),
      ];
      this.#follow(
        ended.map(({ id }) => id),
        own.map(({ id }) => id),
      );
    }
    const allocations = (own: readonly LoggedRequest[], kind: "added" | "removed") =>
      own.flatMap(({ effects: { rows } }) =>
        (rows.allocation?.[kind] ?? []).map(([id]) => String(id)),
      );
    this.#follow(allocations(taken, "removed"), allocations(undo, "added"));
  }

  /** Where not all were made anew, which of them were is not known. */
  #follow(ended: readonly string[], made: readonly string[]): void {
    if (ended.length !== made.length) return;
    for (const [at, id] of ended.entries()) this.add(id, made[at] as string);
  }
}

/** A credit that bank money left is made anew as the bank money. */
const kindOf = ({ resource: { name } }: Effect): string =>
  name === "Prepayment" || name === "Overpayment" ? "BankTransaction" : name;

const guid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
