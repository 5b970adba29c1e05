/** The approved documents that payments and allocations are made against, as a request names them. */
import type { Tx } from "../../store/store.ts";
import { fold } from "../../wire/fold.ts";
import { type DocumentResource, idOf, numberOf } from "../documents/document-resources.ts";
import { kindOf, serialKind } from "../documents/kinds.ts";
import { fetchDocuments, isLive, numbered, type StoredDocument } from "../documents/stored.ts";
import { grouped, unique } from "../grouped.ts";
import type { Faults } from "../request/faults.ts";

export type Reference = Readonly<Record<string, unknown>>;

/** Documents of one family, each one object, which what is made against it changes. */
export class Targets {
  readonly #family: DocumentResource;
  readonly #byId: ReadonlyMap<string, StoredDocument>;
  readonly #byNumber: ReadonlyMap<string, readonly StoredDocument[]>;

  private constructor(family: DocumentResource, found: readonly StoredDocument[]) {
    this.#family = family;
    // A document found by its id and by its number must be one object.
    this.#byId = new Map(found.map((each) => [idOf(family, each), each]));
    this.#byNumber = grouped([...this.#byId.values()], (each) =>
      fold(numberOf(family, each) ?? ""),
    );
  }

  static async load(
    tx: Tx,
    family: DocumentResource,
    references: readonly (Reference | undefined)[],
  ): Promise<Targets> {
    const named = references.filter((each) => each !== undefined);
    const idIn = (each: Reference) => each[family.resource.id] as string | undefined;
    const ids = unique(named.map(idIn));
    const numbers = named.map((each) => (idIn(each) ? "" : numberOf(family, each)));
    return new Targets(family, [
      ...(ids.length === 0 ? [] : await fetchDocuments(tx, family, ids)),
      ...(await numbered(tx, family, numbers)),
    ]);
  }

  get documents(): StoredDocument[] {
    return [...this.#byId.values()];
  }

  get ids(): string[] {
    return [...this.#byId.keys()];
  }

  /** @param what  what makes the reference, for the sentences: `payment` */
  resolve(reference: Reference, what: string, faults: Faults): StoredDocument | undefined {
    const { resource, number } = this.#family;
    const id = reference[resource.id] as string | undefined;
    if (id) {
      const found = this.#byId.get(id);
      if (found === undefined) faults.add(`There is no ${resource.noun} ${id}.`);
      return found;
    }
    const named = numberOf(this.#family, reference);
    if (named) return this.#numbered(named, faults);
    const keys = [resource.id, number].filter((each) => each !== undefined);
    faults.add(`The ${resource.name} of ${what} must be named by ${keys.join(" or ")}.`);
    return undefined;
  }

  #numbered(number: string, faults: Faults): StoredDocument | undefined {
    const { resource } = this.#family;
    const all = this.#byNumber.get(fold(number)) ?? [];
    const live = all.filter(isLive);
    const serial = serialKind(this.#family);
    const own = live.filter((each) => kindOf(each) === serial);
    const candidates = own.length > 0 ? own : live.length > 0 ? live : all;
    const [first] = candidates;
    if (first === undefined) {
      faults.add(`There is no ${resource.noun} ${number}.`);
      return undefined;
    }
    if (candidates.length > 1) {
      const label = kindOf(first).label.toLowerCase();
      faults.add(
        `${candidates.length} ${label}s bear the number ${number}; name the one that is meant by its ${resource.id}.`,
      );
      return undefined;
    }
    return first;
  }
}
