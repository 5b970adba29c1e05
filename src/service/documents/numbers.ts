/** Numbers of documents that the service gives, or takes from a caller once. */
import { nextNumber, numberValue, type Series } from "../../ledger/numbering.ts";
import { raiseSequence, sequenceOf } from "../../store/sequences.ts";
import type { Tx } from "../../store/store.ts";
import { fold } from "../../wire/fold.ts";
import type { Faults } from "../faults.ts";

export class Numbers {
  readonly #series: Series;
  /** Ids of live documents by folded number. */
  readonly #holders: Map<string, string>;
  /** Why a number is refused that another document bears. */
  readonly #taken: string;
  /** The highest number that is taken. */
  #last: number;

  private constructor(series: Series, taken: string, holders: Map<string, string>, last: number) {
    this.#series = series;
    this.#taken = taken;
    this.#holders = holders;
    this.#last = last;
  }

  /** @param live  documents of the series that bear a number which the batch names */
  static async load(
    tx: Tx,
    series: Series,
    taken: string,
    live: readonly { readonly number: string; readonly id: string }[],
  ): Promise<Numbers> {
    const holders = new Map(live.map(({ number, id }) => [fold(number), id]));
    return new Numbers(series, taken, holders, await sequenceOf(tx, series.sequence));
  }

  next(): string {
    return nextNumber(this.#series, this.#last);
  }

  /** Adds a fault when another document bears the number. */
  check(number: string, id: string, faults: Faults): void {
    const holder = this.#holders.get(fold(number));
    if (holder !== undefined && holder !== id) faults.add(this.#taken);
  }

  take(number: string, id: string): void {
    this.#holders.set(fold(number), id);
    this.#last = Math.max(this.#last, numberValue(this.#series, number) ?? 0);
  }

  /** A document that is void gives its number back for a caller to use again. */
  release(number: string, id: string): void {
    if (this.#holders.get(fold(number)) === id) this.#holders.delete(fold(number));
  }

  keep(tx: Tx): Promise<void> {
    return raiseSequence(tx, this.#series.sequence, this.#last);
  }
}
