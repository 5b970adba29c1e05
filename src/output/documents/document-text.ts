/** The text of a document in order: parties, facts, lines and totals, as paper and terminal show. */
import type { Fact, Party, PrintedDocument } from "../pdf/printed.ts";
import { contactParty, organisationParty, toLetters } from "./parties.ts";
import { markOf, type Printable, type PrintedKind } from "./printed-kinds.ts";
import { type LineInputs, remarksOf, sumsOf, tableOf } from "./printed-lines.ts";

export type DocumentText = Pick<
  PrintedDocument,
  "title" | "number" | "mark" | "organisation" | "parties" | "facts" | "intro" | "columns" | "rows"
> &
  Pick<PrintedDocument, "sums" | "remarks">;

/** @param document  the document with its lines and its whole contact */
export function documentText<D extends Printable>(
  kind: PrintedKind<D>,
  document: D,
  inputs: Omit<LineInputs, "document">,
): DocumentText {
  const lineInputs: LineInputs = { ...inputs, document };
  const { organisation } = inputs;
  return {
    title: kind.title(document, organisation),
    number: kind.number(document),
    mark: markOf(document),
    organisation: organisationParty(organisation),
    parties: partiesOf(kind, document),
    facts: definedFacts(kind.facts(document)),
    intro: kind.intro?.(document) ?? [],
    ...tableOf(lineInputs, kind.itemCodes === true && inputs.accounts === undefined),
    sums: [...sumsOf(lineInputs), ...(kind.settled?.(document, lineInputs) ?? [])],
    remarks: remarksOf(lineInputs),
  };
}

function partiesOf<D extends Printable>(kind: PrintedKind<D>, document: D): Party[] {
  const party = contactParty(document.Contact, kind.contact, toLetters);
  const delivery = kind.delivery?.(document);
  return delivery === undefined ? [party] : [party, delivery];
}

export function definedFacts(factList: readonly (Fact | undefined)[] = []): Fact[] {
  return factList.filter((fact) => fact !== undefined);
}
