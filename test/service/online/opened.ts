/** Pages of documents, opened as customers do. */
import { answerOnline, type OnlineRequest } from "../../../src/service/online/online-routes.ts";
import type { ServiceResponse } from "../../../src/wire/http.ts";
import type { World } from "../fixture.ts";

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: ServiceResponse["body"];
}

export async function addressOf(given: World, path: string): Promise<string> {
  return (await given.ok("GET", `${path}/OnlineInvoice`)).OnlineInvoices[0].OnlineInvoiceUrl;
}

/** Asks for a page as a browser would, of a server that has this one book. */
export async function open(
  given: World,
  url: string,
  more: Partial<Omit<OnlineRequest, "token" | "base">> = {},
): Promise<Page> {
  const base = new URL(url).pathname;
  const { book } = given;
  const answer = await answerOnline(async (_tenant, work) => work(book), {
    method: "GET",
    base,
    token: base.split("/").at(-1) ?? "",
    isCounted: true,
    ...more,
  });
  return { ...answer, text: typeof answer.body === "string" ? answer.body : "" };
}
