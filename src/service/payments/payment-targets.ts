/** The approved documents that the payments and allocations of a request refer to. */

import { type DocumentResource, idOf } from "../../resources/field.ts";
import { counted } from "../../resources/scalar.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { fold } from "../../wire/fold.ts";
import { kindOf } from "../documents/document-registry.ts";
import {
  fetchDocuments,
  isLive,
  loadByNumber,
  numberOf,
  type StoredDocument,
} from "../documents/stored-documents.ts";
import { type Faults, twoRecords } from "../request/faults.ts";
import { unique } from "../request/unique.ts";

export type TargetReference = Readonly<Record<string, unknown>>;

/** Loaded documents of one resource, one object each, which payments and allocations change. */
export class PaymentTargets {
  readonly #resource: DocumentResource;
  readonly #byId: ReadonlyMap<string, StoredDocument>;
  readonly #byNumber: ReadonlyMap<string, readonly StoredDocument[]>;

  private constructor(resource: DocumentResource, documents: readonly StoredDocument[]) {
    this.#resource = resource;
    // A document found by id and by number must be one object.
    this.#byId = new Map(documents.map((document) => [idOf(resource, document), document]));
    this.#byNumber = Map.groupBy([...this.#byId.values()], (storedDocument) =>
      fold(numberOf(resource, storedDocument) ?? ""),
    );
  }

  static async load(
    tx: Tx,
    resource: DocumentResource,
    references: readonly (TargetReference | undefined)[],
  ): Promise<PaymentTargets> {
    const givenReferences = references.filter((reference) => reference !== undefined);
    const idIn = (value: TargetReference) => value[resource.id] as string | undefined;
    const ids = unique(givenReferences.map(idIn));
    const numbers = givenReferences.map((value) => (idIn(value) ? "" : numberOf(resource, value)));
    return new PaymentTargets(resource, [
      ...(ids.length === 0 ? [] : await fetchDocuments(tx, resource, ids)),
      ...(await loadByNumber(tx, resource, numbers)),
    ]);
  }

  get documents(): StoredDocument[] {
    return [...this.#byId.values()];
  }

  get ids(): string[] {
    return [...this.#byId.keys()];
  }

  /** @param usage  word for the referring record in messages, such as `payment` */
  resolve(reference: TargetReference, usage: string, faults: Faults): StoredDocument | undefined {
    const resource = this.#resource;
    const id = reference[resource.id] as string | undefined;
    const sentNumber = numberOf(resource, reference);
    if (id) {
      const document = this.#byId.get(id);
      if (document === undefined) faults.add("NotFound", `There is no ${resource.noun} ${id}.`);
      else if (sentNumber && fold(numberOf(resource, document) ?? "") !== fold(sentNumber)) {
        faults.add("Form", twoRecords(resource.name, id, sentNumber));
      }
      return document;
    }
    if (sentNumber) return this.#numbered(sentNumber, faults);
    const keys = [resource.id, resource.document.number].filter((text) => text !== undefined);
    faults.add(
      "Required",
      `The ${resource.name} of ${usage} must be named by ${keys.join(" or ")}.`,
    );
    return undefined;
  }

  #numbered(number: string, faults: Faults): StoredDocument | undefined {
    const resource = this.#resource;
    const sameNumber = this.#byNumber.get(fold(number)) ?? [];
    const liveOnes = sameNumber.filter(isLive);
    const candidates = liveOnes.length > 0 ? liveOnes : sameNumber;
    const [first] = candidates;
    if (first === undefined) {
      faults.add("NotFound", `There is no ${resource.noun} ${number}.`);
      return undefined;
    }
    if (candidates.length > 1) {
      const { label } = kindOf(first);
      const isOneKind = candidates.every(({ Type }) => Type === first.Type);
      const noun = isOneKind ? label.toLowerCase() : resource.noun;
      faults.add(
        "Ambiguous",
        `${counted(candidates.length, noun)} bear the number ${number}; name the one that is meant by its ${resource.id}.`,
      );
      return undefined;
    }
    return first;
  }
}
