/** Items of imported lines: existing ones, and those to be created. */
import type { Client } from "../../../client/client.ts";
import { type Item, type ItemInput, item } from "../../../resources/item.ts";
import { onOneLine } from "../../../resources/scalar.ts";
import type { LookupBounds } from "../../../wire/query/lookup-bounds.ts";
import { sendAll } from "../sender/send-batches.ts";
import type { RelatedRecords } from "./import-record.ts";
import { fold, withAny } from "./lookup.ts";

/** An item of the book, or one to be created. */
export interface KnownItem {
  /** Item code in the spelling of the book, which may differ in letter case from the file. */
  readonly code: string;
  /** The existing item, if any. */
  readonly found: Item | undefined;
  readonly input: Record<string, unknown> | undefined;
  isMade: boolean;
  /** Reason why the service refused to create it. */
  error: string | undefined;
  /** Whether a record to be sent refers to it. */
  isNeeded: boolean;
}

/** Maximum length of an item name, in characters. */
const nameMax = item.fields.Name.max;

export class ItemList {
  readonly #client: Client;
  readonly #bounds: LookupBounds;
  readonly #byCode = new Map<string, KnownItem>();
  readonly #asked = new Set<string>();
  readonly #new: KnownItem[] = [];

  constructor(client: Client, bounds: LookupBounds) {
    this.#client = client;
    this.#bounds = bounds;
  }

  /** Queries the book for the items that are not yet known. */
  async lookUp(codes: Iterable<string>): Promise<void> {
    const unknown: string[] = [];
    for (const code of codes) {
      const folded = fold(code);
      if (this.#asked.has(folded)) continue;
      this.#asked.add(folded);
      unknown.push(code);
    }
    for await (const storedItem of withAny(this.#client, item, "Code", unknown, this.#bounds)) {
      const knownItem = {
        code: storedItem.Code,
        found: storedItem,
        input: undefined,
        isMade: true,
        error: undefined,
        isNeeded: true,
      };
      this.#byCode.set(fold(storedItem.Code), knownItem);
    }
  }

  find(code: string): KnownItem | undefined {
    return this.#byCode.get(fold(code));
  }

  /**
   * Returns the item of a code, or registers a new one for creation; `lookUp` must run before.
   *
   * @param description  of the line, from which a new item takes its name
   * @param details      further item details of the row
   */
  obtain(
    code: string,
    description: string | undefined,
    details: Record<string, unknown> | undefined,
  ): KnownItem {
    const knownItem = this.find(code);
    if (knownItem !== undefined) {
      if (knownItem.input !== undefined) describe(knownItem.input, description, details);
      return knownItem;
    }
    const input: Record<string, unknown> = { Code: code };
    describe(input, description, details);
    const made = { code, found: undefined, input, isMade: false, error: undefined, isNeeded: true };
    this.#new.push(made);
    this.#byCode.set(fold(code), made);
    return made;
  }

  related(): RelatedRecords {
    return {
      one: "item",
      several: "items",
      count: this.#new.filter(({ isNeeded }) => isNeeded).length,
      forget: () => {
        for (const entry of this.#new) Object.assign(entry, { isMade: false, isNeeded: false });
      },
      make: async (client, advance) => {
        const itemsMade = this.#new.filter(
          ({ isMade, isNeeded, error }) => isNeeded && !isMade && error === undefined,
        );
        await sendAll(
          client,
          "PUT",
          item,
          itemsMade.map(({ input }) => input as ItemInput),
          (at, result) => {
            const entry = itemsMade[at];
            if (entry === undefined) return;
            if (typeof result === "string") entry.error = result;
            else entry.isMade = true;
          },
          advance,
        );
      },
    };
  }
}

function describe(
  input: Record<string, unknown>,
  description: string | undefined,
  details: Record<string, unknown> | undefined,
): void {
  for (const [name, value] of Object.entries(details ?? {})) input[name] ??= value;
  if (description === undefined) return;
  input.Name ??= shortenName(onOneLine(description));
  input.Description ??= description;
}

function shortenName(text: string): string {
  if (text.length <= nameMax) return text;
  return [...text].slice(0, nameMax).join("").trim();
}
