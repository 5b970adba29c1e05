/**
 * Stores refused rows compactly, since all rows of a large file may be refused.
 *
 * A row takes twelve bytes, and each distinct reason is stored once.
 */

/** A growing list of integers. */
class Numbers {
  #held = new Int32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.#held.length) {
      const grown = new Int32Array(this.#held.length * 2);
      grown.set(this.#held);
      this.#held = grown;
    }
    this.#held[this.length] = value;
    this.length += 1;
  }

  at(index: number): number {
    return this.#held[index] ?? 0;
  }
}

class NumberedTexts {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  numberOf(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#texts.length;
      this.#numbers.set(text, number);
      this.#texts.push(text);
    }
    return number;
  }

  at(number: number): string {
    return this.#texts[number] ?? "";
  }
}

export interface RefusedRow {
  readonly row: number;
  readonly record: string;
  readonly reason: string;
}

export class Refusals {
  readonly #rows = new Numbers();
  readonly #records = new Numbers();
  readonly #reasons = new Numbers();
  readonly #texts = new NumberedTexts();

  get count(): number {
    return this.#rows.length;
  }

  add(row: number, record: string, reason: string): void {
    this.#rows.push(row);
    this.#records.push(this.#texts.numberOf(record));
    this.#reasons.push(this.#texts.numberOf(reason));
  }

  /**
   * Yields refused rows in order.
   *
   * @param placeOf  sort key of a row; file order when not given
   */
  *inOrder(placeOf = (row: number) => row): Generator<RefusedRow> {
    const order = new Uint32Array(this.count).map((_, index) => index);
    const placeAt = (index: number) => placeOf(this.#rows.at(index));
    order.sort((left, right) => placeAt(left) - placeAt(right));
    for (const index of order) {
      yield {
        row: this.#rows.at(index),
        record: this.#texts.at(this.#records.at(index)),
        reason: this.#texts.at(this.#reasons.at(index)),
      };
    }
  }
}
