/** Downloads of records as PDF, and their attachments. */

import { missingHeader } from "../platform/file-name.ts";
import { attachment } from "../resources/attachment.ts";
import { brandingTheme } from "../resources/branding-theme.ts";
import { RefusedError, UnavailableError } from "../resources/errors.ts";
import type { Resource } from "../resources/field.ts";
import { collect, isChunks } from "../wire/body.ts";
import type { Query } from "../wire/pages.ts";
import { answerOf } from "../wire/pages.ts";
import type { Writes } from "./mutations.ts";
import { file, onlyRecord, recordPath } from "./requests.ts";
import type { Client } from "./types.ts";

/** Maximum size in bytes of a printed record. */
const pdfBytesMax = 256 * 1024 * 1024;

const cannotDetach =
  "This service does not remove files from records by its API; remove the file in the service " +
  "itself, or replace it by adding another of the same name.";

type Files = Pick<
  Client,
  | "printed"
  | "printedAt"
  | "fileAt"
  | "submit"
  | "attachments"
  | "attach"
  | "detach"
  | "setLogo"
  | "download"
  | "downloadAt"
>;

export function createFiles({ call, read, get, send, write, isDry, staysHere }: Writes): Files {
  return {
    printed(resource, key, onMissing) {
      return this.printedAt(recordPath(resource, key), resource.noun, { onMissing });
    },

    async printedAt(path, noun, { parameters = {}, onMissing }) {
      const headers = { accept: "application/pdf" };
      const response = await read(path, Object.entries(parameters), { headers });
      const { body } = response;
      const missing = response.headers[missingHeader];
      if (missing !== undefined) onMissing?.(decodeURIComponent(missing));
      const bytes = typeof body === "string" ? Buffer.from(body) : await collect(body, pdfBytesMax);
      if (Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-") return bytes;
      const message = `The service sent something else than the ${noun} as PDF.`;
      throw new UnavailableError("NoPdf", message);
    },

    async fileAt(path, parameters = {}) {
      const { body } = await read(path, Object.entries(parameters));
      return typeof body === "string" ? Buffer.from(body) : collect(body, pdfBytesMax);
    },

    async submit(answers, path, { mimeType, bytes }, parameters = {}) {
      const sentContent = file(mimeType, bytes.length, bytes);
      const options = { dryRun: isDry({}), unitDecimals: 2 } as const;
      const query = Object.entries(parameters);
      const body = await write("POST", answers, path, sentContent, options, query);
      const answer = await answerOf(answers, body);
      const { errors = [], warnings = [] } = answer.outcomes[0] ?? {};
      return { record: onlyRecord(answers, answer), errors, warnings };
    },

    async attachments(resource, key) {
      const path = `${recordPath(resource, key)}/Attachments`;
      return (await answerOf(attachment, await get(path))).records;
    },

    async attach(resource, key, { name, mimeType, size, includeOnline, body }) {
      if (await staysHere({})) return undefined;
      const path = attachmentPath(resource, key, name);
      const sentContent = file(mimeType, size, body);
      const query: Query = includeOnline === true ? [["IncludeOnline", "true"]] : [];
      const answer = await write("PUT", attachment, path, sentContent, {}, query);
      return onlyRecord(attachment, await answerOf(attachment, answer));
    },

    async detach(resource, key, name) {
      if (await staysHere({})) return undefined;
      const path = attachmentPath(resource, key, name);
      const body = await write("DELETE", attachment, path, undefined, {}).catch(async (error) => {
        const { notImplemented } = await import("../wire/errors.ts");
        throw error instanceof RefusedError && error.code === notImplemented
          ? new RefusedError(notImplemented, cannotDetach, [], { cause: error })
          : error;
      });
      return body === "" ? undefined : (await answerOf(attachment, body)).records[0];
    },

    async setLogo(themeId, logo) {
      if (await staysHere({})) return;
      const path = `${recordPath(brandingTheme, themeId)}/Logo`;
      const sentLogo = logo && file(logo.mimeType, logo.body.length, logo.body);
      await send(logo === undefined ? "DELETE" : "PUT", brandingTheme, path, sentLogo, {});
    },

    async download(resource, key, name) {
      return (await this.downloadAt(attachmentPath(resource, key, name))).body;
    },

    async downloadAt(path, parameters = {}) {
      const query = Object.entries(parameters);
      const request = { method: "GET", path, query, headers: {}, streamed: true };
      const { body, headers } = await call(request);
      const [, name = ""] = /filename="([^"]*)"/.exec(headers["content-disposition"] ?? "") ?? [];
      return { name, body: isChunks(body) ? body : asSingleChunk(body) };
    },
  };
}

/** Returns the path of an attachment; brackets are encoded too, as some services require. */
function attachmentPath(resource: Resource, key: string, name: string): string {
  const encoded = encodeURIComponent(name).replace(/[()]/g, (it) => (it === "(" ? "%28" : "%29"));
  return `${recordPath(resource, key)}/Attachments/${encoded}`;
}

/** Yields a body as a single chunk. */
async function* asSingleChunk(body: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield Buffer.from(body as Uint8Array);
}
