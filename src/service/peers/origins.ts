/**
 * From where an organisation is written to, as the process sees it that has the organisation.
 *
 * Where all of its writers are at one other process, none of them shares a commit with anybody else's,
 * and there is nothing in handing them over. That process is told, does the next writes itself, and
 * asks again with the one after them.
 */

/** Writes in a row from one place until it is taken to be the only one. */
const aloneAfter = 16;
/** Organisations that are remembered. */
const rememberedMax = 10_000;

export class Origins {
  readonly #aloneAfter: number;
  readonly #last = new Map<string, { readonly from: object; count: number }>();

  constructor(after = aloneAfter) {
    this.#aloneAfter = after;
  }

  /**
   * Notes a write.
   *
   * @param from  the same object for the same place
   * @returns whether the last ones, and enough of them, have come from there
   */
  note(tenant: string, from: object): boolean {
    let last = this.#last.get(tenant);
    if (last?.from !== from) {
      if (this.#last.size >= rememberedMax) this.#last.clear();
      last = { from, count: 0 };
      this.#last.set(tenant, last);
    }
    last.count += 1;
    return last.count >= this.#aloneAfter;
  }
}
