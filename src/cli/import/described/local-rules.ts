/**
 * Local validation rules of records that are too many for a dry run of each: contacts, items,
 * assets, payments, invoices and bills.
 */
import type { Client } from "../../../client/types.ts";
import type { Contact } from "../../../resources/contact.ts";
import type { LookupBounds } from "../../../wire/query/lookup-bounds.ts";
import type { Mapped, Mapping } from "../mapping/mapping.ts";
import type { ContactOptions } from "../records/contact-book.ts";
import type { ExactDecimal } from "../records/decimal-sum.ts";
import type { ImportChart } from "../records/import-chart.ts";
import type { Importer, ImportRecord, Refuse } from "../records/import-record.ts";
import { fold } from "../records/lookup.ts";

export interface DescribedOptions {
  readonly client: Client;
  readonly bounds: LookupBounds;
  readonly chart: ImportChart;
  readonly mapping: Mapping;
  readonly onDuplicate: "skip" | "update" | "error";
  /** Whether records that were reversed in the book are created again. */
  readonly recreate: boolean;
  readonly decimal: "comma" | "point" | undefined;
  readonly contacts: ContactOptions;
  readonly createItems: boolean;
  /** Whether a record is imported without its invalid rows. */
  readonly partial: boolean;
  readonly allowZero: boolean;
}

export type Members = Record<string, unknown>;

/** Returns the records of the book with a field value, in any letter case. */
export type ExistingRecords = (field: string, value: unknown) => readonly Members[];

/** The values of a row: of its record, of its line, and the raw cells. */
export interface RowSaid {
  readonly said: Members;
  readonly line: Members;
  readonly cells: readonly string[];
}

/**
 * Compares a value with the value of the field in earlier rows.
 *
 * @returns undefined when no earlier row has one, otherwise the faults
 */
export type Merge = (mapped: Mapped, value: unknown, row: number) => readonly string[] | undefined;

/** Rules that validate records locally, without a dry run of the service. */
export interface LocalRules extends Partial<Pick<Importer, "finish" | "rowAtFault">> {
  readonly label: (record: Members) => string;
  /** Returns the faults of a row whose cells are valid; may complete its values. */
  readonly faults: (row: RowSaid) => readonly string[];
  /** Returns the amount of a row. */
  readonly amountOf?: (row: RowSaid) => ExactDecimal | undefined;
  /**
   * Merges the rows of a record: a row may omit fields that others have. When not given, all rows
   * must agree.
   */
  readonly merge?: () => Merge;
  /** Returns the fault of rows without a group key, which replaces all other faults. */
  readonly looseFault?: (label: string) => string | undefined;
  /** Returns why a record with valid rows cannot be imported. */
  readonly recordFault?: (record: ImportRecord) => string | undefined;
  /** Returns related records that are created first, and notes on them. */
  readonly made?: () => Pick<Importer, "related"> & { readonly notes: readonly string[] };
  /** Finds the matching record of the book; a text says why it is ambiguous. */
  readonly find?: (record: Members, findExisting: ExistingRecords) => Members | string | undefined;
  /** Returns why a record that the book lacks cannot be created. */
  readonly newFault?: (record: Members) => string | undefined;
  /** Returns additional properties of the import record, from its first row. */
  readonly rowOf?: (record: Members, cells: readonly string[]) => Partial<ImportRecord>;
  /** Keeps the related records that a record refers to. */
  readonly need?: (record: ImportRecord) => void;
  /** Whether the service can try a record before related ones are made; all when not given. */
  readonly isWhole?: (record: ImportRecord) => boolean;
  /** Decides verdicts by other means than keys. */
  readonly examine?: (candidates: readonly ImportRecord[], refuse: Refuse) => Promise<void>;
}

/** Returns the rules of records with a key, which each row must have. */
export const keyed = (key: string, lacks: string) => (): LocalRules => ({
  label: (record) => String(record[key] ?? ""),
  faults: ({ said }) => (said[key] === undefined ? [lacks] : []),
});

/** Rules of contacts, identified by number, otherwise by name, which is unique in the book. */
export function contactRules({ onDuplicate }: DescribedOptions): LocalRules {
  /** New contact names, folded, with the contact number of each. */
  const namesByNumber = new Map<string, string>();

  function find(members: Members, existingRecords: ExistingRecords): Members | string | undefined {
    const { ContactNumber, ContactStatus, Name = "" } = members as Partial<Contact>;
    const [numbered] = existingRecords("ContactNumber", ContactNumber);
    const sameNames = existingRecords("Name", Name) as readonly (Members & Contact)[];
    // An archived contact of the file may match the archived one of that name.
    const wantedStatuses = ContactStatus === "ARCHIVED" ? ["ACTIVE", "ARCHIVED"] : ["ACTIVE"];
    const same = wantedStatuses
      .map((status) => sameNames.findLast((contact) => contact.ContactStatus === status))
      .find((contact) => contact !== undefined);
    const isAnother = ContactNumber !== undefined && same?.ContactNumber !== undefined;
    if (numbered === undefined && isAnother) {
      return `The name ${Name} is that of contact ${same.ContactNumber} already, not of ${ContactNumber}; names are unique.`;
    }
    const record = numbered ?? same;
    const isArchived = record?.ContactStatus === "ARCHIVED" && onDuplicate === "update";
    return isArchived ? `The contact ${record.Name} is archived.` : record;
  }

  return {
    label: ({ Name, ContactNumber }) => String(Name ?? ContactNumber ?? ""),
    faults: ({ said }) => (said.Name === undefined ? ["The row has no name."] : []),
    find,
    /** Names are unique, so a second new contact of a name is refused. */
    newFault({ Name, ContactNumber = "" }) {
      const key = fold(String(Name));
      const holder = namesByNumber.get(key) ?? String(ContactNumber);
      namesByNumber.set(key, holder);
      if (holder === ContactNumber) return undefined;
      const otherHolder = holder === "" ? "without a number" : `with the number ${holder}`;
      return `The file has another contact ${Name}, ${otherHolder}; names are unique.`;
    },
  };
}
