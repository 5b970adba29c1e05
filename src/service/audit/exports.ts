/** Exports: reads that declare an export are entered in the audit log before they are answered. */
import { refusal } from "../../resources/errors.ts";
import { recordAct } from "../../store/operations/audit-log.ts";
import { exportHeader } from "../../wire/http.ts";
import type { RequestContext } from "../request/context.ts";
import { actorOf } from "./actors.ts";

/**
 * Records the export that a request header declares.
 *
 * @throws RefusedError for bad percent-encoding
 */
export function recordAnnounced(call: RequestContext): Promise<void> {
  return recordExport(call, decodeText(call.request.headers[exportHeader] ?? ""));
}

/** Records an export. @param subject  such as `invoices as csv` */
export async function recordExport(call: RequestContext, subject: string): Promise<void> {
  const { store, principal, now } = call;
  await store.write(
    principal.org,
    (tx) => recordAct(tx, { kind: "book.exported", by: actorOf(call), at: now(), subject }),
    { at: now, dryRun: call.dryRun },
  );
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refusal("Parameter", `The header ${exportHeader} is percent-encoded.`);
  }
}
