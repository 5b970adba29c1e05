/** The text of a document in order: parties, facts, lines and totals, as paper and terminal show. */
import type { Fact, Party, PrintedDocument } from "../pdf/printed.ts";
import { english, type PaperLanguage } from "../words/words.ts";
import { contactParty, organisationParty, toLetters } from "./parties.ts";
import { type KindFact, markOf, type Printable, type PrintedKind } from "./printed-kinds.ts";
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
  const { organisation, words = english } = inputs;
  return {
    title: words.say(kind.title(document, organisation)),
    number: kind.number(document),
    mark: markOf(document),
    organisation: organisationParty(organisation, words),
    parties: partiesOf(kind, document, words),
    facts: definedFacts(kind.facts(document), words),
    intro: kind.intro?.(document) ?? [],
    ...tableOf(lineInputs, kind.itemCodes === true && inputs.accounts === undefined),
    sums: [...sumsOf(lineInputs), ...(kind.settled?.(document, lineInputs) ?? [])],
    remarks: remarksOf(lineInputs),
  };
}

function partiesOf<D extends Printable>(
  kind: PrintedKind<D>,
  document: D,
  words: PaperLanguage,
): Party[] {
  const party = contactParty(document.Contact, words.say(kind.contact), toLetters, words);
  const delivery = kind.delivery?.(document, words);
  return delivery === undefined ? [party] : [party, delivery];
}

/** The facts that have a value, in a language. */
export function definedFacts(facts: readonly KindFact[] = [], { say, day } = english): Fact[] {
  return facts.flatMap(({ label, date, value = date && day(date), isDue }) =>
    value ? [{ label: say(label), value, ...(isDue && { isDue }) }] : [],
  );
}
