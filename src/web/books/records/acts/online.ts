/** The address at which a customer sees a document online, and taking it back. */
import { html } from "../../../../output/markup.ts";
import { RefusedError } from "../../../../resources/errors.ts";
import { type Fact, isolated } from "../../../frame/components.ts";
import { form, hidden, submit } from "../../../frame/forms.ts";
import { ignoreForbidden } from "../../ledger/postings.ts";
import type { Act, AtRecord } from "./act.ts";

const linkedStatuses: ReadonlySet<unknown> = new Set(["AUTHORISED", "PAID", "SENT", "ACCEPTED"]);

const isOnline = ({ list: { resource }, record }: AtRecord): boolean =>
  resource.document !== undefined &&
  "online" in resource &&
  linkedStatuses.has(record.Status) &&
  record.Type !== "ACCPAY" &&
  record.Type !== "ACCPAYCREDIT";

/** Link of a document online; none of a book that is not served. */
export async function onlineFact(at: AtRecord): Promise<Fact[]> {
  if (!isOnline(at)) return [];
  const url = await at.ctx.client.onlineUrl(at.list.resource, at.key).catch((error: unknown) => {
    if (!(error instanceof RefusedError)) ignoreForbidden(error);
  });
  if (url === undefined) return [];
  return [
    [
      "Online",
      html`<a href="${url}?preview">${isolated(url)}</a> <button class="plain" data-copy="${url}">Copy</button> ${
        at.ctx.allows("POST", revoke.permissionPath(at))
          ? form(
              at.ctx,
              `${at.list.path}/${at.key}`,
              hidden([["do", revoke.name]]),
              submit("Revoke", "revoke", ""),
            )
          : ""
      }`,
    ],
  ];
}

export const revoke: Act = {
  name: "revoke",
  button: () => "Revoke",
  isOpen: isOnline,
  permissionPath: ({ list }) => list.asked,
  question: async () => ({
    text: "The address online leads nowhere any more, also in mails that were sent; the document has another one from now on.",
    button: "Revoke it",
  }),
  async carryOut({ list: { resource }, key }, client) {
    await client.revokeOnline(resource, key);
    return "revoked";
  },
};
