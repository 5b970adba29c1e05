/** Contacts, items and assets: one row is one record, known by its number, name or code. */
import type { Client } from "../../../client/client.ts";
import { type Asset, asset } from "../../../resources/asset.ts";
import { type Contact, contact } from "../../../resources/contact.ts";
import type { Resource } from "../../../resources/field.ts";
import { type Item, item } from "../../../resources/item.ts";
import type { CsvRow } from "../../../wire/csv.ts";
import type { LookupBounds } from "../../../wire/query/lookup-bounds.ts";
import type { Mapped, Mapping } from "../mapping/mapping.ts";
import type { Chart } from "./chart.ts";
import {
  type Importer,
  type ImportRecord,
  type Refuse,
  type Related,
  refuseAll,
  refuseRows,
} from "./import-record.ts";
import { agrees, fold, withAny } from "./lookup.ts";
import { bytesOf, currencyFaults, firstDifference, rawText, readRecord } from "./row-records.ts";

export interface RegisterOptions {
  readonly client: Client;
  readonly bounds: LookupBounds;
  readonly chart: Chart;
  readonly mapping: Mapping;
  readonly onDuplicate: "skip" | "update" | "error";
}

type Members = Record<string, unknown>;

abstract class ContactItemImporter implements Importer {
  abstract readonly resource: Resource;
  abstract readonly one: string;
  abstract readonly several: string;
  readonly related: readonly Related[] = [];
  protected readonly options: RegisterOptions;

  constructor(options: RegisterOptions) {
    this.options = options;
  }

  abstract keyOf(cells: readonly string[]): string;
  abstract examine(candidates: readonly ImportRecord[], refuse: Refuse): Promise<void>;
  /** What is wrong with a record, as far as it tells itself. */
  protected abstract faultsOf(input: Members): string[];
  protected abstract labelOf(input: Members): string;

  protected field(name: string): Mapped | undefined {
    return this.options.mapping.fields.find(({ target }) => target.name === name);
  }

  notes(): readonly string[] {
    return [];
  }

  /** The first row of a key is the record; others must say the same of it. */
  build(rows: readonly CsvRow[], refuse: Refuse): ImportRecord[] {
    const { fields } = this.options.mapping;
    let first: { row: number; input: Members } | undefined;
    const taken: number[] = [];
    let bytes = 0;
    for (const row of rows) {
      const { input, faults } = readRecord(fields, row);
      const record = this.labelOf(input);
      const { BaseCurrency } = this.options.chart.organisation;
      faults.push(...currencyFaults(fields, row.cells, BaseCurrency));
      const all = [...faults, ...(faults.length === 0 ? this.faultsOf(input) : [])];
      const other = first && all.length === 0 ? firstDifference(first.input, input) : undefined;
      if (first !== undefined && other !== undefined) {
        all.push(`Row ${first.row} is the same ${this.one}, but ${other}.`);
      }
      if (all.length > 0) {
        const reasons = new Map([[row.row, all.join(" ")]]);
        const candidate = {
          label: record,
          rows: [row.row],
          amounts: [undefined],
          currency: undefined,
        };
        refuseRows(candidate, reasons, this.one, refuse);
        continue;
      }
      first ??= { row: row.row, input };
      taken.push(row.row);
      bytes = bytesOf(row.cells);
    }
    if (first === undefined) return [];
    return [
      {
        label: this.labelOf(first.input),
        rows: taken,
        amounts: taken.map(() => undefined),
        currency: undefined,
        verdict: "create",
        bytes,
        input: first.input,
      },
    ];
  }

  /** What becomes of a record that the book has. */
  protected settle(candidate: ImportRecord, existing: Members | undefined, refuse: Refuse): void {
    if (existing === undefined) return;
    const { onDuplicate } = this.options;
    if (onDuplicate === "error") {
      refuseAll(candidate, `${candidate.label} exists already.`, refuse);
      return;
    }
    const differs = onDuplicate === "update" && !agrees(candidate.input, existing);
    candidate.verdict = differs ? "update" : "existing";
    if (differs) candidate.input = this.updated(candidate.input, existing);
  }

  /** What is sent to make the record of the book what the file says. */
  protected updated(input: Members, existing: Members): Members {
    return { ...input, [this.resource.id]: existing[this.resource.id] };
  }

  finish({ input }: ImportRecord): Members {
    return input;
  }
}

export class ContactImporter extends ContactItemImporter {
  readonly resource = contact;
  readonly one = "contact";
  readonly several = "contacts";
  /** Names of new contacts by folded text, with the number that each has. */
  readonly #named = new Map<string, string>();

  /** A contact is known by its number, otherwise by its name. */
  keyOf(cells: readonly string[]): string {
    const number = rawText(this.field("ContactNumber"), cells);
    return number === ""
      ? `name ${fold(rawText(this.field("Name"), cells))}`
      : `number ${fold(number)}`;
  }

  protected labelOf({ Name, ContactNumber }: Members): string {
    return String(Name ?? ContactNumber ?? "");
  }

  protected faultsOf(input: Members): string[] {
    const { chart } = this.options;
    const faults = input.Name === undefined ? ["The row has no name."] : [];
    for (const name of ["SalesDefaultAccountCode", "PurchasesDefaultAccountCode"]) {
      const code = input[name];
      const fault = code === undefined ? undefined : chart.accountFault(String(code));
      if (fault !== undefined) faults.push(fault);
    }
    for (const name of ["AccountsReceivableTaxType", "AccountsPayableTaxType"]) {
      const fault = taxFault(input, name, chart);
      if (fault !== undefined) faults.push(fault);
    }
    return faults;
  }

  async examine(candidates: readonly ImportRecord[], refuse: Refuse): Promise<void> {
    const { client, bounds, onDuplicate } = this.options;
    const byNumber = new Map<string, Contact>();
    const byName = new Map<string, Contact>();
    const archived = new Map<string, Contact>();
    const parameters: Record<string, string> =
      onDuplicate === "update" ? {} : { summaryOnly: "true" };
    const inputs = candidates.map(({ input }) => input as Partial<Contact>);
    for (const field of ["ContactNumber", "Name"] as const) {
      const values = inputs.flatMap((input) => input[field] ?? []);
      for await (const found of withAny(client, contact, field, values, bounds, parameters)) {
        if (found.ContactNumber !== undefined) byNumber.set(fold(found.ContactNumber), found);
        const named = found.ContactStatus === "ACTIVE" ? byName : archived;
        named.set(fold(found.Name), found);
      }
    }
    for (const [at, candidate] of candidates.entries()) {
      const { ContactNumber, ContactStatus, Name = "" } = inputs[at] ?? {};
      const numbered = ContactNumber === undefined ? undefined : byNumber.get(fold(ContactNumber));
      // An archived contact of the file is the archived one of that name.
      const gone = ContactStatus === "ARCHIVED" ? archived.get(fold(Name)) : undefined;
      const named = byName.get(fold(Name)) ?? gone;
      const isOther = ContactNumber !== undefined && named?.ContactNumber !== undefined;
      if (numbered === undefined && isOther) {
        refuseAll(
          candidate,
          `The name ${Name} is that of contact ${named?.ContactNumber} already, not of ${ContactNumber}; names are unique.`,
          refuse,
        );
        continue;
      }
      const found = numbered ?? named;
      if (found?.ContactStatus === "ARCHIVED" && onDuplicate === "update") {
        refuseAll(candidate, `The contact ${found.Name} is archived.`, refuse);
        continue;
      }
      this.settle(candidate, found, refuse);
      if (candidate.verdict === "create") this.#claim(candidate, Name, ContactNumber, refuse);
    }
  }

  /** Two new contacts of one name cannot both be made. */
  #claim(candidate: ImportRecord, name: string, number: string | undefined, refuse: Refuse): void {
    const key = fold(name);
    const holder = this.#named.get(key);
    const own = number ?? "";
    if (holder === undefined) this.#named.set(key, own);
    else if (holder !== own) {
      const other = holder === "" ? "without a number" : `with the number ${holder}`;
      refuseAll(
        candidate,
        `The file has another contact ${name}, ${other}; names are unique.`,
        refuse,
      );
    }
  }
}

export class ItemImporter extends ContactItemImporter {
  readonly resource = item;
  readonly one = "item";
  readonly several = "items";

  keyOf(cells: readonly string[]): string {
    return fold(rawText(this.field("Code"), cells));
  }

  protected labelOf({ Code }: Members): string {
    return String(Code ?? "");
  }

  protected faultsOf(input: Members): string[] {
    const { chart } = this.options;
    const faults = input.Code === undefined ? ["The row has no code."] : [];
    const { SalesDetails, PurchaseDetails, InventoryAssetAccountCode } = input as Partial<Item>;
    const codes = [
      SalesDetails?.AccountCode,
      PurchaseDetails?.AccountCode,
      PurchaseDetails?.COGSAccountCode,
      InventoryAssetAccountCode,
    ];
    for (const code of new Set(codes)) {
      const fault = code === undefined ? undefined : chart.accountFault(code);
      if (fault !== undefined) faults.push(fault);
    }
    for (const details of [SalesDetails, PurchaseDetails]) {
      const fault = details && taxFault(details, "TaxType", chart);
      if (fault !== undefined) faults.push(fault);
    }
    return faults;
  }

  async examine(candidates: readonly ImportRecord[], refuse: Refuse): Promise<void> {
    const { client, bounds } = this.options;
    const codes = candidates.map(({ input }) => String(input.Code));
    const byCode = new Map<string, Item>();
    for await (const found of withAny(client, item, "Code", codes, bounds)) {
      byCode.set(fold(found.Code), found);
    }
    for (const candidate of candidates)
      this.settle(candidate, byCode.get(fold(candidate.label)), refuse);
  }

  /** The service replaces these objects whole, so what the file does not say is sent as it was. */
  protected override updated(input: Members, existing: Members): Members {
    const merged = super.updated(input, existing);
    for (const name of ["SalesDetails", "PurchaseDetails"]) {
      const said = merged[name];
      if (said !== undefined) merged[name] = { ...(existing[name] as object), ...(said as object) };
    }
    return merged;
  }
}

export class AssetImporter extends ContactItemImporter {
  readonly resource = asset;
  readonly one = "asset";
  readonly several = "assets";

  keyOf(cells: readonly string[]): string {
    return fold(rawText(this.field("AssetNumber"), cells));
  }

  protected labelOf({ AssetNumber }: Members): string {
    return String(AssetNumber ?? "");
  }

  protected faultsOf(input: Members): string[] {
    const { chart } = this.options;
    const { AssetNumber, AssetAccount, AccumulatedAccount, ExpenseAccount } =
      input as Partial<Asset>;
    const faults = AssetNumber === undefined ? ["The row has no number."] : [];
    for (const code of [AssetAccount?.Code, AccumulatedAccount?.Code, ExpenseAccount?.Code]) {
      const fault = code === undefined ? undefined : chart.accountFault(code);
      if (fault !== undefined) faults.push(fault);
    }
    return faults;
  }

  async examine(candidates: readonly ImportRecord[], refuse: Refuse): Promise<void> {
    const { client, bounds } = this.options;
    const numbers = candidates.map(({ label }) => label);
    const byNumber = new Map<string, Asset>();
    for await (const found of withAny(client, asset, "AssetNumber", numbers, bounds)) {
      if (found.Status !== "DELETED") byNumber.set(fold(found.AssetNumber), found);
    }
    for (const candidate of candidates)
      this.settle(candidate, byNumber.get(fold(candidate.label)), refuse);
  }
}

/** Puts the code of a tax rate in the place of its name. @returns why there is none */
function taxFault(object: object, name: string, chart: Chart): string | undefined {
  const members = object as Members;
  const said = members[name];
  if (said === undefined) return undefined;
  const taxType = chart.taxType(String(said));
  if (taxType === undefined) return `There is no tax rate ${said} in use.`;
  members[name] = taxType;
  return undefined;
}
