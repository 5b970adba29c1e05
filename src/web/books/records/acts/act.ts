/** What a person may do at a record in the browser: its button, its form and its question. */
import type { Client } from "../../../../client/client.ts";
import type { FieldValues } from "../../../../resources/field.ts";
import type { Content } from "../../../frame/components.ts";
import type { RecordList } from "../../catalogue.ts";
import type { BooksContext } from "../../context.ts";

/** The record of a page, for its acts. */
export interface AtRecord {
  readonly ctx: BooksContext;
  readonly list: RecordList;
  readonly record: FieldValues;
  /** Id of the record. */
  readonly key: string;
}

/** Name of what was done, by which the page after it says so. */
export type DoneName =
  | "approved"
  | "paid"
  | "attached"
  | "noted"
  | "sent"
  | "outbox"
  | "revoked"
  | "undone";

export interface Act {
  /** Value of the field `do` of its form. */
  readonly name: string;
  readonly button: (at: AtRecord) => string;
  /** Whether the record is such that it can be done. */
  readonly isOpen: (at: AtRecord) => boolean;
  /** API path to which the reader must be allowed to send POST. */
  readonly permissionPath: (at: AtRecord) => string;
  /** Fields of the form; undefined for an act that needs none. */
  readonly fields?: (at: AtRecord) => Promise<Content>;
  /** Whether the form has fields for files. */
  readonly hasFiles?: true;
  /**
   * Question asked before it is done; undefined for acts by which no money moves and no mail goes
   * out. Input that would be refused is refused before the question.
   */
  readonly question?: (
    at: AtRecord,
  ) => Promise<{ readonly text: Content; readonly button: string }>;
  /** Does it, by a client whose writes are one operation. */
  readonly carryOut: (at: AtRecord, client: Client) => Promise<DoneName>;
}

/** Whether the reader may do something at a record now. */
export const isOffered = (recordAct: Act, at: AtRecord): boolean =>
  recordAct.isOpen(at) && at.ctx.allows("POST", recordAct.permissionPath(at));
