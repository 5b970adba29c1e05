/** Numbers of documents that the service gives, or takes from a caller once. */
import { nextNumber, numberValue, type Series } from "../../ledger/numbering.ts";
import { raiseSequence, sequenceOf, sequencesOf } from "../../store/ledger/sequences.ts";
import type { Tx } from "../../store/store.ts";
import { fold } from "../../wire/fold.ts";
import type { Faults } from "../request/faults.ts";

/** A document that keeps a number from others. */
export interface Holder {
  readonly id: string;
  /** Why another that would bear it is refused. */
  readonly taken: readonly string[];
}

export class Numbers {
  readonly #series: Series;
  /** By folded number. */
  readonly #holders: Map<string, Holder>;
  /** Why a number is refused that a live document bears. */
  readonly #taken: readonly string[];
  /** The highest number that is taken. */
  #last: number;

  private constructor(series: Series, taken: string, holders: Map<string, Holder>, last: number) {
    this.#series = series;
    this.#taken = [taken];
    this.#holders = holders;
    this.#last = last;
  }

  /** @param held  documents of the series that hold a number which the batch names */
  static async load(
    tx: Tx,
    series: Series,
    taken: string,
    held: readonly (Holder & { readonly number: string })[],
  ): Promise<Numbers> {
    const holders = new Map(held.map((each) => [fold(each.number), each]));
    return new Numbers(series, taken, holders, await sequenceOf(tx, series.sequence));
  }

  /**
   * The numbers of several who have a series each, of which no caller names one.
   *
   * @param seriesOf  by the id of whose it is
   */
  static async loadEach(
    tx: Tx,
    seriesOf: (id: string) => Series,
    ids: readonly string[],
  ): Promise<Map<string, Numbers>> {
    const series = new Map(ids.map((id) => [id, seriesOf(id)]));
    const last = await sequencesOf(
      tx,
      [...series.values()].map(({ sequence }) => sequence),
    );
    return new Map(
      [...series].map(([id, each]) => [
        id,
        new Numbers(each, "", new Map(), last.get(each.sequence) ?? 0),
      ]),
    );
  }

  next(): string {
    return nextNumber(this.#series, this.#last);
  }

  /** Adds why not when another document holds the number. */
  check(number: string, id: string, faults: Faults): void {
    const holder = this.#holders.get(fold(number));
    if (holder === undefined || holder.id === id) return;
    for (const message of holder.taken) faults.add(message);
  }

  take(number: string, id: string): void {
    this.#holders.set(fold(number), { id, taken: this.#taken });
    this.#last = Math.max(this.#last, numberValue(this.#series, number) ?? 0);
  }

  /** A document that is void gives its number back for a caller to use again. */
  release(number: string, id: string): void {
    if (this.#holders.get(fold(number))?.id === id) this.#holders.delete(fold(number));
  }

  keep(tx: Tx): Promise<void> {
    return raiseSequence(tx, this.#series.sequence, this.#last);
  }
}
