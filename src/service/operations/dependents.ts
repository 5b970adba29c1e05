/** Later operations that depend on an operation, and prevent its undo. */
import { RefusedError } from "../../resources/errors.ts";
import type { LoggedRequest } from "../../store/operations/log.ts";
import {
  type Effect,
  effectsIn,
  hasEnded,
  mergeEffects,
  type RecordNames,
} from "./operation-effects.ts";
import type { Successors } from "./successors.ts";

/** A later operation that was not undone. */
export interface Later {
  readonly number: number;
  readonly title: string;
  /** Keys of the records it touched. */
  readonly touched: ReadonlySet<string>;
  /** Keys of the records it made, changed or ended directly. */
  readonly written: ReadonlySet<string>;
  /** Keys of the records it ended. */
  readonly endedKeys: ReadonlySet<string>;
}

export const keyOf = ({ resource, id }: Pick<Effect, "resource" | "id">) =>
  `${resource.name} ${id}`;

/** Returns the title of an operation: its command line, or its first request. */
export function titleOf([first]: readonly LoggedRequest[]): string {
  return first?.command ?? `${first?.method} ${first?.path}`;
}

/**
 * Returns the operations among later requests that were not undone; an undone one and its undo
 * cancel out.
 */
export function activeDependents(laterRequests: readonly LoggedRequest[], not: string): Later[] {
  const byOperation = Map.groupBy(laterRequests, ({ id, partOf }) => partOf ?? id);
  const cancelledIds = new Set<string>([not]);
  const undoes = (own: readonly LoggedRequest[]) => own.find((request) => request.undoes)?.undoes;
  for (const [id, own] of [...byOperation].toReversed()) {
    const undoneId = undoes(own);
    if (cancelledIds.has(id) || undoneId === undefined || !byOperation.has(undoneId)) continue;
    cancelledIds.add(id);
    cancelledIds.add(undoneId);
  }
  return [...byOperation].flatMap(([id, own]) => {
    const [first] = own;
    if (cancelledIds.has(id) || first === undefined) return [];
    const { number } = first;
    const effects = mergeEffects(effectsIn(own));
    // A settlement of a document changes only what is settled of it.
    const hasAllocations = own.some(({ effects: { rows } }) => rows.allocation !== undefined);
    const isPaying = effects.some(({ resource: { name } }) => /^(Batch)?Payment$/.test(name));
    const main = effects.filter(
      ({ change, resource }) =>
        change !== "TOUCHED" || ((hasAllocations || isPaying) && resource.document !== undefined),
    );
    return [
      {
        number,
        title: titleOf(own),
        touched: new Set(effects.map(keyOf)),
        written: new Set(main.map(keyOf)),
        endedKeys: new Set(main.filter(hasEnded).map(keyOf)),
      },
    ];
  });
}

/** An operation on which later ones may depend. */
interface Restable {
  readonly number: number;
  readonly effects: readonly Effect[];
  readonly later: readonly Later[];
  readonly names: RecordNames;
  readonly successors: Successors;
}

/** @throws RefusedError which names the later operations that wrote the same records */
export function refuseDependents({ number, effects, later, names, successors }: Restable): void {
  const keysOf = ({ resource, id }: Effect) =>
    successors.line(id).map((text) => keyOf({ resource, id: text }));
  // A created record that has ended since needs no undo.
  const isReversed = (effect: Effect) =>
    effect.change === "CREATED" &&
    later
      .findLast(({ written }) => keysOf(effect).some((key) => written.has(key)))
      ?.endedKeys.has(keysOf(effect).at(-1) as string) === true;
  const ownEffects = effects.filter((effect) => effect.change !== "TOUCHED" && !isReversed(effect));
  const dependsOn = ({ written }: Later, effect: Effect) =>
    keysOf(effect).some((key) => written.has(key));
  const resting = later.filter((later) => ownEffects.some((effect) => dependsOn(later, effect)));
  const [first] = resting;
  if (first === undefined) return;
  const record = ownEffects.find((effect) => dependsOn(first, effect));
  const name = record && `${names.nounIn(record)} ${names.nameIn(record) ?? record.id}`;
  throw new RefusedError(
    "RestedOn",
    `Operation ${number} cannot be undone before what was done later to ${name}: ` +
      `${named(resting)}. Undo ${resting.length === 1 ? "that" : "them"} first, the latest first (acct undo ${resting.at(-1)?.number}).`,
  );
}

/** Lists operations in a sentence. */
export function named(later: readonly Later[]): string {
  const latest = later.slice(-namedMax).toReversed();
  const names = latest.map(({ number, title }) => `${number} (${short(title)})`);
  const othersCount = later.length - latest.length;
  return `${names.join(", ")}${othersCount > 0 ? ` and ${othersCount} more` : ""}`;
}

const namedMax = 5;
export const short = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);
