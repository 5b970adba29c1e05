/**
 * Checks of records of which a file holds so many that the service is not asked to try each:
 * contacts, items and assets.
 */
import type { Client } from "../../../client/types.ts";
import type { Contact } from "../../../resources/contact.ts";
import type { LookupBounds } from "../../../wire/query/lookup-bounds.ts";
import type { Mapping } from "../mapping/mapping.ts";
import type { ImportChart } from "../records/import-chart.ts";
import type { ImportRecord, Refuse } from "../records/import-record.ts";
import { fold } from "../records/lookup.ts";

export interface DescribedOptions {
  readonly client: Client;
  readonly bounds: LookupBounds;
  readonly chart: ImportChart;
  readonly mapping: Mapping;
  readonly onDuplicate: "skip" | "update" | "error";
  /** Whether what the book has as reversed is made again. */
  readonly recreate: boolean;
}

export type Members = Record<string, unknown>;

/** Records of the book whose field has a value, without regard to case. */
export type ExistingRecords = (field: string, value: unknown) => readonly Members[];

/** Rules by which records are checked here, without a trial by the service. */
export interface LocalRules {
  readonly label: (said: Members) => string;
  /** Faults of a row whose cells can be read. */
  readonly faults: (said: Members) => readonly string[];
  /** The record of the book that is meant; a text when that cannot be told, which says why. */
  readonly find?: (said: Members, held: ExistingRecords) => Members | string | undefined;
  /** Why a record that the book does not have cannot be made. */
  readonly newFault?: (said: Members) => string | undefined;
  /** Facts of a row beside the fields that are sent, where rows are records of their own. */
  readonly rowOf?: (said: Members, cells: readonly string[]) => Partial<ImportRecord>;
  /** Settles verdicts in another way than by keys. */
  readonly examine?: (candidates: readonly ImportRecord[], refuse: Refuse) => Promise<void>;
}

/** Rules of a register: records that bear a key, which each row must have. */
export const keyed = (key: string, lacks: string) => (): LocalRules => ({
  label: (said) => String(said[key] ?? ""),
  faults: (said) => (said[key] === undefined ? [lacks] : []),
});

/** Contacts are known by their number, otherwise by their name, of which the book has one each. */
export function contactRules({ onDuplicate }: DescribedOptions): LocalRules {
  /** Names of new contacts by folded text, with the number that each has. */
  const named = new Map<string, string>();

  function find(said: Members, held: ExistingRecords): Members | string | undefined {
    const { ContactNumber, ContactStatus, Name = "" } = said as Partial<Contact>;
    const [numbered] = held("ContactNumber", ContactNumber);
    const alike = held("Name", Name) as readonly (Members & Contact)[];
    // An archived contact of the file is the archived one of that name.
    const wanted = ContactStatus === "ARCHIVED" ? ["ACTIVE", "ARCHIVED"] : ["ACTIVE"];
    const same = wanted
      .map((status) => alike.findLast((each) => each.ContactStatus === status))
      .find((each) => each !== undefined);
    const isOther = ContactNumber !== undefined && same?.ContactNumber !== undefined;
    if (numbered === undefined && isOther) {
      return `The name ${Name} is that of contact ${same.ContactNumber} already, not of ${ContactNumber}; names are unique.`;
    }
    const found = numbered ?? same;
    const isGone = found?.ContactStatus === "ARCHIVED" && onDuplicate === "update";
    return isGone ? `The contact ${found.Name} is archived.` : found;
  }

  return {
    label: ({ Name, ContactNumber }) => String(Name ?? ContactNumber ?? ""),
    faults: ({ Name }) => (Name === undefined ? ["The row has no name."] : []),
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
