/** Downloads linked from pages: documents and statements of account as PDF, and attachments. */
import { fileName } from "../../../platform/file-name.ts";
import { contact } from "../../../resources/contact.ts";
import { pathOf } from "../../../resources/field.ts";
import { payment } from "../../../resources/payment.ts";
import { remittance } from "../../../resources/remittance.ts";
import type { PageResponse } from "../../frame/page-context.ts";
import type { RecordList } from "../catalogue.ts";
import type { BooksContext } from "../context.ts";

export async function showPdf(
  { client }: BooksContext,
  { resource }: RecordList,
  id: string,
): Promise<PageResponse> {
  const record = (await client.find(resource, id)) as Readonly<Record<string, string>>;
  const number = record[resource.document?.number ?? ""];
  const bytes = await client.printed(resource, id);
  return { pdf: { name: fileName(number, resource.noun, "pdf"), bytes } };
}

export async function showStatement({ client }: BooksContext, id: string): Promise<PageResponse> {
  const { Name } = await client.find(contact, id);
  const path = `/Extensions/Statements/${encodeURIComponent(id)}`;
  const bytes = await client.printedAt(path, "statement", {});
  return { pdf: { name: fileName(`Statement ${Name}`, "statement", "pdf"), bytes } };
}

export async function showRemittance({ client }: BooksContext, id: string): Promise<PageResponse> {
  const { Handle = "" } = await client.find(payment, id);
  const path = `${pathOf(remittance)}/${encodeURIComponent(id)}`;
  const bytes = await client.printedAt(path, remittance.noun, {});
  return { pdf: { name: fileName(`Remittance ${Handle}`, "remittance", "pdf"), bytes } };
}

export async function showAttachment(
  { client }: BooksContext,
  { resource }: RecordList,
  id: string,
  name: string,
): Promise<PageResponse> {
  return { attachment: { name, body: await client.download(resource, id, name) } };
}
