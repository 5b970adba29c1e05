/** Imports records by their description: rows of one group form one record. */

import type { Client } from "../../../client/types.ts";
import type { Input, Resource } from "../../../resources/field.ts";
import { taxRate } from "../../../resources/tax-rate.ts";
import type { CsvRow } from "../../../wire/csv.ts";
import { allOf, compare } from "../../../wire/query/condition.ts";
import type { Mapped } from "../mapping/mapping.ts";
import type { TargetPart } from "../mapping/targets.ts";
import { ContactBook, type ContactDetails } from "../records/contact-book.ts";
import {
  type Importer,
  type ImportRecord,
  type Refuse,
  type RelatedRecords,
  refuseAll,
  refuseRows,
} from "../records/import-record.ts";
import { fold, isEqual, withAny } from "../records/lookup.ts";
import {
  bytesOf,
  currencyFaults,
  firstDifference,
  rawText,
  readCell,
} from "../records/row-records.ts";
import { type SaidTotals, totalsFault, totalsOf } from "../records/stored-totals.ts";
import { sendBatch } from "../sender/send-batches.ts";
import type { DescribedKind } from "./described-kinds.ts";
import {
  complete,
  findLackingOptions,
  inputFor,
  lackingAllocations,
  removeOptions,
} from "./finish-record.ts";
import type {
  DescribedOptions,
  ExistingRecords,
  LocalRules,
  Members,
  Merge,
} from "./local-rules.ts";
import { listOfLines } from "./record-rows.ts";

/** State of parsing one row. */
interface Reading {
  readonly row: number;
  readonly cells: readonly string[];
  readonly faults: string[];
  /** Faults of account codes and tax rates in cells. */
  readonly references: string[];
}

const goneStatuses: readonly unknown[] = ["VOIDED", "DELETED"];

export class DescribedImporter implements Importer {
  readonly resource: Resource;
  readonly one: string;
  readonly several: string;
  readonly #kind: DescribedKind;
  readonly #options: DescribedOptions;
  readonly #head: readonly Mapped[];
  readonly #line: readonly Mapped[];
  readonly #totals: readonly Mapped[];
  /** Grouping fields: rows with the same value of the first filled one form a record. */
  readonly #grouping: readonly (Mapped | undefined)[];
  readonly #local: LocalRules | undefined;
  readonly update: Importer["update"];
  readonly complete: Importer["complete"];
  /** All records of the book, read once, for services without a filter on the key. */
  #all: Promise<Members[]> | undefined;
  /** Records of the book that are already matched to a record of the file. */
  readonly #taken = new Set<unknown>();

  /**
   * Creates the importer of a kind of record.
   *
   * @param local  rules for local validation; when not given, the service validates in a dry run
   */
  constructor(kind: DescribedKind, options: DescribedOptions, local?: LocalRules) {
    this.#kind = kind;
    this.#options = options;
    this.resource = kind.resource;
    this.one = kind.one;
    this.several = kind.several;
    const { fields } = options.mapping;
    const of = (part: TargetPart) => fields.filter(({ target }) => target.part === part);
    this.#head = [...of("record"), ...of("contact")];
    this.#line = [...of("line"), ...of("item")];
    this.#totals = of("totals");
    const { resource, groupedBy, sharedBy = [groupedBy, ...(resource.keys ?? [])] } = kind;
    this.#grouping = sharedBy.map((name) => this.#head.find(({ target }) => target.name === name));
    this.#local = local;
    if (local !== undefined) return;
    this.update = (client, { input }) => this.#update(client, input);
    this.complete = (client, { input }, record) => complete(client, kind, input, record as Members);
  }

  get related(): readonly RelatedRecords[] {
    return this.#local?.made?.().related ?? [];
  }

  notes(): readonly string[] {
    return this.#local?.made?.().notes ?? [];
  }

  rowAtFault(message: string): number | undefined {
    return this.#local?.rowAtFault?.(message);
  }

  /**
   * Returns the group of a row; a row without a group is a record of its own, unless it is refused.
   */
  keyOf(cells: readonly string[]): string {
    const groupCells = this.#groupTexts(cells);
    const at = groupCells.findIndex((text) => text !== "");
    if (at < 0) {
      if (this.#local?.looseFault !== undefined) return "";
      const { alikeBy } = this.#kind;
      const alikeFields = this.#head.filter(({ target }) => alikeBy?.includes(target.name));
      const own = alikeBy === undefined ? cells : alikeFields.map((field) => rawText(field, cells));
      return `\0${own.join("\0")}`;
    }
    return [`${at} ${groupCells[at]}`, ...this.#supplierOf(cells, at)].join("\0");
  }

  #groupTexts(cells: readonly string[]): string[] {
    return this.#grouping.map((mapped) => fold(rawText(mapped, cells)));
  }

  /** Whether nothing of a row says with which others it belongs together, not even an equal row. */
  #isAlone(cells: readonly string[]): boolean {
    if (this.#kind.alikeBy !== undefined || this.#local?.looseFault !== undefined) return false;
    return this.#groupTexts(cells).every((text) => text === "");
  }

  /** Returns the supplier of a document number, since two suppliers may use the same number. */
  #supplierOf(cells: readonly string[], at: number): string[] {
    const { isSuppliers, resource } = this.#kind;
    const text = (path: string) =>
      rawText(
        this.#head.find(({ target }) => target.path === path),
        cells,
      );
    const isNumber = this.#grouping[at]?.target.name === resource.keys?.[0];
    if (!isNumber || isSuppliers?.(text("Type")) !== true) return [];
    const contact = ["ContactID", "ContactNumber", "Name"].map((name) => text(`Contact.${name}`));
    return [fold(contact.find((text) => text !== "") ?? "")];
  }

  build(rows: readonly CsvRow[], refuse: Refuse): ImportRecord[] {
    const { lines, isKeyed } = this.#kind;
    const isGrouped = lines !== undefined && !this.#isAlone(rows[0]?.cells ?? []);
    if (isGrouped) return this.#built(rows, refuse);
    if (isKeyed !== true) return rows.flatMap((row) => this.#built([row], refuse));
    // The first row of a key defines the record; the others must agree with it.
    let firstRecord: ImportRecord | undefined;
    for (const row of rows) {
      const [record] = this.#built([row], refuse, firstRecord);
      if (firstRecord === undefined) firstRecord = record;
      else if (record !== undefined) {
        const { rows: others, amounts } = firstRecord;
        const both = [...others, row.row];
        firstRecord = { ...firstRecord, rows: both, amounts: [...amounts, undefined] };
      }
    }
    return firstRecord === undefined ? [] : [firstRecord];
  }

  /**
   * Builds a record from rows.
   *
   * @param sameRecord  an earlier record of the same group, with which the rows must agree
   */
  #built(rows: readonly CsvRow[], refuse: Refuse, sameRecord?: ImportRecord): ImportRecord[] {
    const local = this.#local;
    const merge = local?.merge?.();
    const reasonByRow = new Map<number, string>();
    const lines: Members[] = [];
    const amounts: ImportRecord["amounts"][number][] = [];
    const totals: SaidTotals[] = [];
    let ownRecord: Members | undefined;
    let headFields = sameRecord && { row: sameRecord.rows[0], said: sameRecord.input };
    for (const { row, cells, fault } of rows) {
      const faults = fault === undefined ? [] : [`The row ${fault}.`];
      const rowReading = { row, cells, faults, references: [] };
      const read = (fields: readonly Mapped[], into: Members, merge?: Merge) =>
        fault === undefined ? this.#read(fields, rowReading, into, merge) : into;
      const record = read(this.#head, (merge && ownRecord) ?? {}, merge);
      const line = read(this.#line, {});
      totals.push(read(this.#totals, {}));
      ownRecord ??= record;
      headFields ??= { row, said: record };
      if (local?.examine === undefined) {
        const allFields = [...this.#head, ...this.#line];
        faults.push(...currencyFaults(allFields, cells, this.#currencyOf(record)));
      }
      const typedFault = this.#kind.lines?.typed?.settle(line);
      if (typedFault !== undefined) faults.push(typedFault);
      if (faults.length === 0 && local !== undefined) {
        faults.push(...local.faults({ said: record, line, cells }), ...rowReading.references);
      }
      const differing = faults.length === 0 ? firstDifference(headFields.said, record) : undefined;
      if (differing !== undefined)
        faults.push(`Row ${headFields.row} is the same ${this.one}, but ${differing}.`);
      if (faults.length > 0) reasonByRow.set(row, [...new Set(faults)].join(" "));
      lines.push(line);
      amounts.push(local?.amountOf?.({ said: record, line, cells }));
    }
    const [first] = rows;
    const record = {
      label: this.#labelOf(ownRecord ?? {}),
      rows: rows.map(({ row }) => row),
      amounts,
      totals,
      currency: undefined,
      ...local?.rowOf?.(ownRecord ?? {}, first?.cells ?? []),
      verdict: "create" as const,
      bytes: rows.reduce((sum, { cells }) => sum + bytesOf(cells), 0),
      input: ownRecord ?? {},
    };
    const loose = local?.looseFault?.(record.label);
    if (loose !== undefined) {
      for (const { row, fault } of rows) reasonByRow.set(row, fault ? `The row ${fault}.` : loose);
    }
    const isPartly = this.#options.partial && reasonByRow.size < rows.length;
    if (reasonByRow.size > 0) refuseRows(record, reasonByRow, this.one, refuse, isPartly);
    if (reasonByRow.size > 0 && !isPartly) return [];
    return this.#checked(record, lines, reasonByRow, refuse);
  }

  /** Returns the record without its refused rows, unless the record as a whole has a fault. */
  #checked(
    record: ImportRecord,
    lines: readonly Members[],
    reasonByRow: ReadonlyMap<number, string>,
    refuse: Refuse,
  ): ImportRecord[] {
    const isAccepted = (_: unknown, at: number) => !reasonByRow.has(record.rows[at] ?? 0);
    const list = this.#kind.lines;
    const records = lines
      .filter(isAccepted)
      .filter((line) => Object.values(line).some((value) => value !== undefined));
    const checked = {
      ...record,
      rows: record.rows.filter(isAccepted),
      amounts: record.amounts.filter(isAccepted),
      input: { ...record.input, ...(list && { [list.name]: listOfLines(this.#kind, records) }) },
    };
    const fault = this.#local?.recordFault?.(checked);
    if (fault === undefined) return [checked];
    refuseAll(checked, fault, refuse);
    return [];
  }

  /** Parses the cells of a row into a record, or into its line. */
  #read(fields: readonly Mapped[], rowReading: Reading, into: Members, merge?: Merge): Members {
    const { row, cells, faults, references } = rowReading;
    const { chart } = this.#options;
    const isChecked = this.#kind.makesRelated !== true;
    for (const mapped of fields) {
      const { name, put } = mapped.target;
      readCell(mapped, cells, faults, (value) => {
        const mergeFaults = merge?.(mapped, value, row);
        if (mergeFaults !== undefined) return void faults.push(...mergeFaults);
        // Custom tax rates are resolved by name, since their tax types are specific to one book.
        const isTax = isChecked && name.endsWith("TaxType") && this.resource !== taxRate;
        const taxType = isTax ? chart.taxType(String(value)) : undefined;
        put(into, taxType ?? value);
        const isAccount = isChecked && this.#local && /Account\.?Code$/.test(name);
        const fault = isAccount ? chart.accountFault(String(value)) : undefined;
        if (fault !== undefined) references.push(fault);
        if (isTax && taxType === undefined) {
          references.push(chart.taxFault(String(value)));
        }
      });
    }
    for (const name of ["Tracking", "FromTracking", "ToTracking"]) {
      if (Array.isArray(into[name])) into[name] = into[name].filter((value) => value?.Option);
    }
    return into;
  }

  /** Returns the currency of the record's amounts: its own, otherwise its bank account's. */
  #currencyOf({ CurrencyCode, BankAccount, FromBankAccount }: Members): string {
    const { chart } = this.#options;
    const { Code = "" } = (BankAccount ?? FromBankAccount ?? {}) as { readonly Code?: string };
    const { BaseCurrency } = chart.organisation;
    return String(CurrencyCode ?? chart.account(Code)?.CurrencyCode ?? BaseCurrency);
  }

  #labelOf(record: Members): string {
    if (this.#local !== undefined) return this.#local.label(record);
    const names = [...(this.#kind.knownBy ?? []), ...(this.resource.keys ?? [])];
    const name = names.map((name) => record[name]).find((value) => value !== undefined);
    return String(name ?? record[this.#kind.groupedBy] ?? record.Narration ?? record.Date ?? "");
  }

  // --- comparison with the book --------------------------------------------------------------

  async examine(candidates: readonly ImportRecord[], refuse: Refuse): Promise<void> {
    const local = this.#local;
    if (this.#kind.isContactLookedUp === true) await this.#lookUpContacts(candidates, refuse);
    if (local?.examine === undefined) await this.#compare(candidates, refuse);
    else await local.examine(candidates, refuse);
    await this.#try(candidates, refuse);
    for (const candidate of candidates) {
      const isChecked = candidate.verdict !== "refused" && !this.#options.partial;
      const fault = isChecked ? totalsFault(candidate, this.#hasTax) : undefined;
      if (fault !== undefined) refuseAll(candidate, fault, refuse);
    }
  }

  /** Whether the file says what tax there is, so that a total of it is no net amount. */
  get #hasTax(): boolean {
    const amountFields = new Set(["TaxAmount", "SubTotal", "TotalTax"]);
    return this.#options.mapping.fields.some(({ target }) => amountFields.has(target.name));
  }

  /** Puts the id of a contact in place of its name. */
  async #lookUpContacts(candidates: readonly ImportRecord[], refuse: Refuse): Promise<void> {
    const contacts = new ContactBook(this.#options.client, this.#options.bounds, {
      ...this.#options.contacts,
      create: false,
    });
    const detailsOf = ({ input }: ImportRecord) => (input.Contact ?? {}) as ContactDetails;
    await contacts.lookUp(candidates.map(detailsOf));
    for (const candidate of candidates) {
      const details = detailsOf(candidate);
      const foundContact = contacts.find(details);
      if (typeof foundContact === "object") {
        candidate.input = { ...candidate.input, Contact: { ContactID: foundContact.id } };
      } else if (details.ContactNumber === undefined && details.Name !== undefined) {
        refuseAll(
          candidate,
          `There is no contact ${details.Name}; make it first.${contacts.hint(details)}`,
          refuse,
        );
      }
    }
  }

  async #compare(candidates: readonly ImportRecord[], refuse: Refuse): Promise<void> {
    const local = this.#local;
    const find = this.#finder(await this.#held(candidates));
    const { client } = this.#options;
    for (const candidate of candidates) {
      const stored = find(candidate.input);
      if (typeof stored === "string") refuseAll(candidate, stored, refuse);
      else if (stored === undefined) {
        const fault = local?.newFault?.(candidate.input);
        if (fault !== undefined) refuseAll(candidate, fault, refuse);
      } else {
        if (this.#kind.knownBy === undefined) this.#taken.add(stored[this.resource.id]);
        const Allocations = await lackingAllocations(client, this.#kind, candidate.input, stored);
        candidate.input = { ...candidate.input, Allocations };
        this.#settle(candidate, stored, refuse);
      }
    }
  }

  #finder(records: readonly Members[]): (record: Members) => Members | string | undefined {
    const { knownBy } = this.#kind;
    if (knownBy === undefined)
      return (record) => records.find((members) => this.#isSame(record, members));
    const keyOf = (name: string, value: unknown) => `${name} ${fold(String(value ?? ""))}`;
    const byKey = new Map<string, Members[]>();
    for (const members of records) {
      for (const name of knownBy) {
        const key = keyOf(name, members[name]);
        const sameKey = byKey.get(key);
        if (sameKey === undefined) byKey.set(key, [members]);
        else sameKey.push(members);
      }
    }
    const findNamed: ExistingRecords = (name, value) =>
      value === undefined ? [] : (byKey.get(keyOf(name, value)) ?? []);
    if (this.#local?.find !== undefined) return (record) => this.#local?.find?.(record, findNamed);
    return (record) => {
      // Matches by the first key field that the record has: for accounts the code, otherwise the
      // name.
      const name = knownBy.find((text) => record[text] !== undefined);
      return name && findNamed(name, record[name]).find((members) => isLiveFor(record, members));
    };
  }

  /** Returns the records of the book that may match those of the file. */
  async #held(candidates: readonly ImportRecord[]): Promise<readonly Members[]> {
    const { client, bounds, onDuplicate } = this.#options;
    const { knownBy, dated, resource } = this.#kind;
    const { where, fields } = resource;
    const isCompared = this.#local === undefined || onDuplicate === "update";
    const isShort = !isCompared && resource.summaryOnly === true;
    const summary: Readonly<Record<string, string>> = isShort ? { summaryOnly: "true" } : {};
    const parameters = { includeArchived: "true" };
    const valuesOf = (name: string) =>
      candidates.flatMap(({ input }) => (input[name] === undefined ? [] : [String(input[name])]));
    const [key] = knownBy ?? [];
    if (where === true && key !== undefined && fields[key]?.filter === true) {
      const recordById = new Map<unknown, Members>();
      for (const name of knownBy?.filter((text) => fields[text]?.filter === true) ?? []) {
        for await (const each of withAny(client, resource, name, valuesOf(name), bounds, summary)) {
          recordById.set((each as Members)[resource.id], each as Members);
        }
      }
      return [...recordById.values()];
    }
    const days = dated === undefined ? [] : valuesOf(dated).sort();
    const [first, last] = [days[0], days.at(-1)];
    if (dated !== undefined && where === true && first !== undefined && last !== undefined) {
      const between = allOf([
        compare(fields, dated, ">=", first),
        compare(fields, dated, "<=", last),
      ]);
      return Array.fromAsync(client.list(resource, { where: between, parameters }));
    }
    this.#all ??= Array.fromAsync(client.list(resource, { parameters }));
    return this.#all;
  }

  #isSame(record: Members, members: Members): boolean {
    const { resource } = this;
    if (!isLiveFor(record, members) || this.#taken.has(members[resource.id])) return false;
    const names = [...(resource.alike?.fields ?? alikeOf(resource)), ...(resource.keys ?? [])];
    return names.every((name) => isEqual(record[name], members[name]));
  }

  #settle(candidate: ImportRecord, record: Members, refuse: Refuse): void {
    const { onDuplicate } = this.#options;
    const name = candidate.input.Name;
    if (
      onDuplicate === "skip" &&
      this.#local === undefined &&
      name !== undefined &&
      fold(String(name)) !== fold(String(record.Name))
    ) {
      const as = `The book has ${candidate.label} already, as ${String(record.Name)}`;
      refuseAll(candidate, `${as}; --on-duplicate update changes it.`, refuse);
      return;
    }
    if (onDuplicate === "error") {
      refuseAll(candidate, `${candidate.label} exists already.`, refuse);
      return;
    }
    const { Allocations, Rates } = candidate.input;
    const isLacking =
      findLackingOptions(candidate.input, record).length > 0 ||
      Rates !== undefined ||
      Allocations !== undefined;
    const isDifferent =
      onDuplicate === "update" &&
      this.#kind.knownBy !== undefined &&
      !isEqual(candidate.input, record);
    candidate.verdict = isLacking || isDifferent ? "update" : "existing";
    const input = { ...candidate.input, [this.resource.id]: record[this.resource.id] };
    // The service replaces the object as a whole, so members not in the file keep their old values.
    for (const part of this.#kind.replaced ?? []) {
      if (input[part]) input[part] = { ...(record[part] as object), ...(input[part] as object) };
    }
    candidate.input = input;
  }

  need(candidate: ImportRecord): void {
    this.#local?.need?.(candidate);
  }

  isWhole(candidate: ImportRecord): boolean {
    return this.#local?.isWhole?.(candidate) !== false;
  }

  /** Validates new records by a dry run of the service, as far as possible. */
  async #try(candidates: readonly ImportRecord[], refuse: Refuse): Promise<void> {
    const { client } = this.#options;
    const fresh = candidates.filter((each) => each.verdict === "create" && this.isWhole(each));
    for (let startIndex = 0; startIndex < fresh.length; startIndex += this.resource.batchMax) {
      const some = fresh.slice(startIndex, startIndex + this.resource.batchMax);
      const inputs = some.map((candidate) => this.finish(candidate) as Input<Resource>);
      const options = { dryRun: true, ...this.#precision };
      const outcomes = await sendBatch(client, "PUT", this.resource, inputs, options);
      for (const [at, candidate] of some.entries()) {
        const outcome = outcomes[at];
        if (typeof outcome === "string") refuseAll(candidate, outcome, refuse);
        else candidate.stored ??= outcome && totalsOf(outcome);
      }
    }
  }

  get #precision() {
    return this.resource.unitdp === true ? ({ unitDecimals: 4 } as const) : {};
  }

  // --- sending -------------------------------------------------------------------------------

  finish(record: ImportRecord): Members | string {
    return this.#local?.finish?.(record) ?? inputFor(this.#kind, record.input);
  }

  async #update(client: Client, input: Members): Promise<object> {
    const { resource } = this;
    const id = String(input[resource.id]);
    // A record matched by content cannot differ; it may lack allocations.
    if (this.#kind.knownBy === undefined) return client.find(resource, id);
    const isWritten = resource.record.includes("POST") || resource.collection.includes("POST");
    if (!isWritten) return input;
    const { [resource.id]: _, ...said } = inputFor(this.#kind, input);
    const updated = await client.update(resource, id, said as Input<Resource>, this.#precision);
    if (this.#options.onDuplicate === "update") await removeOptions(client, input, updated);
    return updated;
  }
}

/** Whether a record of the book may match one of the file: an inactive one only if both are. */
function isLiveFor(record: Members, { Status }: Members): boolean {
  return !goneStatuses.includes(Status) || record.Status === Status;
}

/** Returns the settable fields of a resource without identity rules, for comparison by content. */
function alikeOf({ fields, id }: Resource): string[] {
  return Object.keys(fields).filter(
    (name) => name !== id && fields[name]?.readOnly !== true && fields[name]?.kind !== "many",
  );
}
