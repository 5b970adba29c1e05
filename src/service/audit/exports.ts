/** Exports: reads that say what they are for are entered in the audit log before they are answered. */
import { refusal } from "../../resources/errors.ts";
import { recordAct } from "../../store/operations/audit-log.ts";
import { exportHeader } from "../../wire/http.ts";
import type { RequestContext } from "../request/context.ts";
import { actorOf } from "./actors.ts";

/** Of a request that says so by a header. @throws RefusedError where that is not percent-encoded */
export function recordAnnounced(call: RequestContext): Promise<void> {
  return recordExport(call, decoded(call.request.headers[exportHeader] ?? ""));
}

/** @param subject  such as `invoices as csv` */
export async function recordExport(call: RequestContext, subject: string): Promise<void> {
  const { store, principal, now } = call;
  await store.write(
    principal.org,
    (tx) => recordAct(tx, { kind: "book.exported", by: actorOf(call), at: now(), subject }),
    { at: now, dryRun: call.dryRun },
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refusal("Parameter", `The header ${exportHeader} is percent-encoded.`);
  }
}
