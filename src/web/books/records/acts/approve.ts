/** Approving a document. */
import type { Client } from "../../../../client/client.ts";
import { creditNote, invoice, purchaseOrder } from "../../../../resources/index.ts";
import type { RecordList } from "../../catalogue.ts";
import type { Act } from "./act.ts";

const approvable: readonly object[] = [invoice, creditNote, purchaseOrder];

/** Whether records of a list are approved in the browser. */
export const hasApproval = ({ resource }: Pick<RecordList, "resource">): boolean =>
  approvable.includes(resource);

export const isUnapproved = ({ Status }: { readonly Status?: unknown }): boolean =>
  Status === "DRAFT" || Status === "SUBMITTED";

/** Approves a document. @throws RefusedError */
export async function approved(client: Client, list: RecordList, key: string): Promise<void> {
  await client.update(list.resource, key, { Status: "AUTHORISED" });
}

export const approve: Act = {
  name: "approve",
  button: () => "Approve",
  isOpen: ({ list, record }) => hasApproval(list) && isUnapproved(record),
  permissionPath: ({ list }) => list.asked,
  async carryOut({ list, key }, client) {
    await approved(client, list, key);
    return "approved";
  },
};
