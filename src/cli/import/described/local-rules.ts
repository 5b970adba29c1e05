/**
 * Checks of records of which a file holds so many that the service is not asked to try each:
 * contacts, items, assets, payments, invoices and bills.
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
  /** Whether what the book has as reversed is made again. */
  readonly recreate: boolean;
  readonly decimal: "comma" | "point" | undefined;
  readonly contacts: ContactOptions;
  readonly createItems: boolean;
  /** Whether rows that are bad are left out of a record, and the rest of it is taken. */
  readonly partial: boolean;
  readonly allowZero: boolean;
}

export type Members = Record<string, unknown>;

/** Records of the book whose field has a value, without regard to case. */
export type ExistingRecords = (field: string, value: unknown) => readonly Members[];

/** What a row says: of its record, of its line, and as it stands in the file. */
export interface RowSaid {
  readonly said: Members;
  readonly line: Members;
  readonly cells: readonly string[];
}

/**
 * Compares a value with what an earlier row said of the field.
 *
 * @returns undefined when none said anything, otherwise the faults
 */
export type Merge = (mapped: Mapped, value: unknown, row: number) => readonly string[] | undefined;

/** Rules by which records are checked here, without a trial by the service. */
export interface LocalRules extends Partial<Pick<Importer, "finish" | "rowAtFault">> {
  readonly label: (record: Members) => string;
  /** Faults of a row whose cells can be read; may complete what it says. */
  readonly faults: (row: RowSaid) => readonly string[];
  /** What a row comes to. */
  readonly amountOf?: (row: RowSaid) => ExactDecimal | undefined;
  /** Of one record: rows that leave a field out have it from others. They must say the same when not given. */
  readonly merge?: () => Merge;
  /** What is wrong with rows of which nothing says that they are one record, in place of all else. */
  readonly looseFault?: (label: string) => string | undefined;
  /** Why a record of rows without a fault cannot be taken. */
  readonly recordFault?: (record: ImportRecord) => string | undefined;
  /** Related records that are made first, and what is to be said of them. */
  readonly made?: () => Pick<Importer, "related"> & { readonly notes: readonly string[] };
  /** The record of the book that is meant; a text when that cannot be told, which says why. */
  readonly find?: (record: Members, existing: ExistingRecords) => Members | string | undefined;
  /** Why a record that the book does not have cannot be made. */
  readonly newFault?: (record: Members) => string | undefined;
  /** Facts beside the fields that are sent, from the first row. */
  readonly rowOf?: (record: Members, cells: readonly string[]) => Partial<ImportRecord>;
  /** Settles verdicts in another way than by keys. */
  readonly examine?: (candidates: readonly ImportRecord[], refuse: Refuse) => Promise<void>;
}

/** Rules of a register: records that bear a key, which each row must have. */
export const keyed = (key: string, lacks: string) => (): LocalRules => ({
  label: (record) => String(record[key] ?? ""),
  faults: ({ said }) => (said[key] === undefined ? [lacks] : []),
});

/** Contacts are known by their number, otherwise by their name, of which the book has one each. */
export function contactRules({ onDuplicate }: DescribedOptions): LocalRules {
  /** Names of new contacts by folded text, with the number that each has. */
  const named = new Map<string, string>();

  function find(members: Members, existing: ExistingRecords): Members | string | undefined {
    const { ContactNumber, ContactStatus, Name = "" } = members as Partial<Contact>;
    const [numbered] = existing("ContactNumber", ContactNumber);
    const alike = existing("Name", Name) as readonly (Members & Contact)[];
    // An archived contact of the file is the archived one of that name.
    const wanted = ContactStatus === "ARCHIVED" ? ["ACTIVE", "ARCHIVED"] : ["ACTIVE"];
    const same = wanted
      .map((status) => alike.findLast((each) => each.ContactStatus === status))
      .find((each) => each !== undefined);
    const isOther = ContactNumber !== undefined && same?.ContactNumber !== undefined;
    if (numbered === undefined && isOther) {
      return `The name ${Name} is that of contact ${same.ContactNumber} already, not of ${ContactNumber}; names are unique.`;
    }
    const record = numbered ?? same;
    const isGone = record?.ContactStatus === "ARCHIVED" && onDuplicate === "update";
    return isGone ? `The contact ${record.Name} is archived.` : record;
  }

  return {
    label: ({ Name, ContactNumber }) => String(Name ?? ContactNumber ?? ""),
    faults: ({ said }) => (said.Name === undefined ? ["The row has no name."] : []),
    find,
    /** Two new contacts of one name cannot both be made. */
    newFault({ Name, ContactNumber = "" }) {
      const key = fold(String(Name));
      const holder = named.get(key) ?? String(ContactNumber);
      named.set(key, holder);
      if (holder === ContactNumber) return undefined;
      const other = holder === "" ? "without a number" : `with the number ${holder}`;
      return `The file has another contact ${Name}, ${other}; names are unique.`;
    },
  };
}
