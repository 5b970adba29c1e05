/** How documents of a family are written. */
import { move } from "../../ledger/lifecycle.ts";
import { fold } from "../../wire/fold.ts";
import type { RecordWriter, WriteItem } from "../endpoints/endpoint.ts";
import { checkUses } from "../payments/credit.ts";
import { checkBuying } from "../request/permissions.ts";
import { refuseTransfer } from "./bank.ts";
import { type DocumentBatchContext, keepWork, loadWork } from "./batch-context.ts";
import { reopenSources } from "./billing.ts";
import { cancel } from "./cancel.ts";
import { compose } from "./compose.ts";
import { type DocumentResource, idOf, numberOf } from "./document-resources.ts";
import { isApplied } from "./draft.ts";
import { type DocumentKind, kindOf, kindOfType, serialKind } from "./kinds.ts";
import { isLive, numbered, type StoredDocument } from "./stored.ts";

export function documentWriting(
  family: DocumentResource,
): RecordWriter<StoredDocument, DocumentBatchContext> {
  const serial = serialKind(family);
  return {
    async alternates({ tx, entries }) {
      const numbers = entries.map(({ input }) => serialNumber(family, serial, input));
      const found = (await numbered(tx, family, numbers)).filter(
        (each) => kindOf(each) === serial && isLive(each),
      );
      const byNumber = new Map(found.map((each) => [fold(numberOf(family, each) ?? ""), each]));
      return numbers.map((number) =>
        number === undefined ? undefined : byNumber.get(fold(number)),
      );
    },

    clash: () => serial?.numberTaken ?? "",
    load: (batch) => loadWork(batch, family, serial),

    decide(batch, work, entry) {
      const { existing } = entry;
      for (const type of [existing?.Type, entry.input.Type]) {
        refuseTransfer(type);
        checkBuying(batch.call.principal, type);
      }
      const kind = existing === undefined ? newKind(family, entry) : kindOf(existing);
      const { Status: asked = existing?.Status ?? kind.firstStatus } =
        entry.input as Partial<StoredDocument>;
      const Status = (asked === "DELETED" ? kind.deletedAs : undefined) ?? asked;
      const facts = { applied: isApplied(existing) };
      // A paid document that is sent back as it was read says PAID, and stays so.
      const staysPaid = existing?.Status === "PAID" && Status === "PAID";
      const ends = existing !== undefined && kind.lifeCycle.ended.includes(Status);
      if (ends) checkUses(work.uses.get(idOf(family, existing)));
      if (staysPaid) move(kind.lifeCycle, "AUTHORISED", "AUTHORISED", facts);
      else move(kind.lifeCycle, existing?.Status, Status, facts);
      if (ends) {
        cancel(batch, work, entry, existing, Status);
      } else {
        compose(batch, work, entry, Status);
      }
    },

    async keep(batch, work, decided) {
      await keepWork(batch, work, decided);
      const ended = decided.flatMap(({ existing, record }) =>
        existing !== undefined && record?.Source !== undefined && !isLive(record) ? [record] : [],
      );
      await reopenSources(batch.call, batch.tx, ended);
    },
  };
}

/** The number by which a caller may mean a document; of some kinds a number means none. */
function serialNumber(
  family: DocumentResource,
  serial: DocumentKind | undefined,
  input: Readonly<Record<string, unknown>>,
): string | undefined {
  const { Type = family.type } = input;
  const isSerial = Type === undefined || kindOfType(String(Type)) === serial;
  return serial !== undefined && isSerial ? numberOf(family, input) : undefined;
}

/** The kind of a new document; its Type has been checked. */
function newKind(family: DocumentResource, { input }: WriteItem<StoredDocument>): DocumentKind {
  const Type = String(family.type ?? input.Type);
  const { Schedule } = input as Partial<StoredDocument>;
  return kindOf({ Type, Schedule });
}
