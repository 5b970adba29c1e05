/**
 * Routes of the links sent to customers: the document's page, its PDF and attachments, and the
 * answer to a quote.
 */

import { NotFoundError, RefusedError } from "../../resources/errors.ts";
import { onlineDocument, saveOnlineDocument } from "../../store/records/online-documents.ts";
import type { Tx } from "../../store/tx/tx.ts";
import {
  type AnswerForm,
  answerNameMax,
  answerReasonMax,
  documentPage,
  nowherePage,
} from "../../web/customer/page.ts";
import { attachmentHeaders, pdfAnswer, secretHeaders, seeOther } from "../../web/frame/headers.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { createCall } from "../api/service.ts";
import type { Book } from "../books/book.ts";
import { bytesOf } from "../records/attachment.ts";
import { quotes } from "../records/documents.ts";
import type { RequestContext } from "../request/context.ts";
import { messagesOf } from "../request/faults.ts";
import { dispositionOf } from "../request/file-names.ts";
import { enter } from "../request/history.ts";
import { write } from "../request/write.ts";
import { addressMaker, type OnlineAddress, onlineKinds, readToken } from "../send/address.ts";
import { fileOf } from "../send/print.ts";
import { findOnlineDocument, type OnlineDocument } from "./online-document.ts";

export interface OnlineRequest {
  readonly method: "GET" | "HEAD" | "POST";
  /** Path of the page as requested. */
  readonly base: string;
  /** Token: the last segment of the page's path. */
  readonly token: string;
  /** Part of the page: the PDF, the logo, or an attachment by its id. */
  readonly part?: "pdf" | "logo" | { readonly fileId: string } | undefined;
  /** Whether the visit is noted in the history; false for a browser's prefetch. */
  readonly isCounted: boolean;
  /** Fields of the submitted form. */
  readonly form?: URLSearchParams | undefined;
}

/** Runs work on the book of an organisation. @throws AuthError where it does not exist */
export type AnswerByBook = (
  tenant: string,
  useBook: (book: Book) => Promise<ServiceResponse>,
) => Promise<ServiceResponse>;

/** Minimum time between two history notes on openings of a document. */
const openedEveryMs = 60 * 60_000;

/** Answers a request for a page; every invalid link gets the same 404. */
export async function answerOnline(
  byBook: AnswerByBook,
  request: OnlineRequest,
): Promise<ServiceResponse> {
  const address = readToken(request.token);
  if (address === undefined) return nowherePage();
  try {
    return await byBook(address.tenant, (book) => answerIn(book, address, request));
  } catch (error) {
    // The server has no book of that organisation, or no longer.
    if (error instanceof NotFoundError) return nowherePage();
    throw error;
  }
}

async function answerIn(
  book: Book,
  address: OnlineAddress,
  request: OnlineRequest,
): Promise<ServiceResponse> {
  const call = callOf(book, "Customer");
  const addressOf = await addressMaker(call);
  const document = await call.read((tx) => findOnlineDocument(call, tx, address, addressOf));
  if (document === undefined) return nowherePage();
  if (request.method === "POST") return answerQuote(book, address, document, request);
  const { part } = request;
  if (part === "pdf") return pdfAnswer(await fileOf(document), secretHeaders);
  if (part === "logo") return logoOf(document);
  if (part !== undefined) return fileFrom(call, document, part.fileId);
  // A statement has no record of its own that keeps when it was opened.
  const isLogged = document.kind !== "Contact";
  if (request.method === "GET" && request.isCounted && isLogged) await noteOpening(call, document);
  return documentPage(document, request.base);
}

/** Makes the request context of a visitor who has only the link. */
function callOf(
  { dependencies: surroundings, org }: Book,
  user: string,
  body?: Uint8Array,
): RequestContext {
  const request = {
    method: body === undefined ? "GET" : "POST",
    path: "/",
    query: [],
    headers: { "content-type": "application/json" },
    body,
  };
  return createCall(surroundings, request, {
    org,
    app: "acct",
    appName: "acct",
    user,
    email: "",
    reports: false,
    role: "STANDARD",
    scopes: "all",
  });
}

async function logoOf({ printed }: OnlineDocument): Promise<ServiceResponse> {
  const { logo } = printed.brand;
  if (logo === undefined) return nowherePage();
  const headers = { ...secretHeaders, "content-type": logo.mimeType };
  return { status: 200, headers, body: logo.bytes };
}

async function fileFrom(
  call: RequestContext,
  { files }: OnlineDocument,
  fileId: string,
): Promise<ServiceResponse> {
  const file = files.find(({ id }) => id === fileId);
  if (file === undefined) return nowherePage();
  const headers = {
    ...secretHeaders,
    "content-type": file.mimeType,
    "content-length": String(file.size),
    "content-disposition": dispositionOf(file.name),
    ...attachmentHeaders,
  };
  return { status: 200, headers, body: bytesOf(call, file) };
}

/**
 * Notes in the history that the page was opened, without conclusions, since mail programs open
 * links before a person does. A failed note does not prevent the page.
 */
async function noteOpening(call: RequestContext, document: OnlineDocument): Promise<void> {
  const { recordId, kind, noun } = document;
  const isDue = ({ openedAt }: { readonly openedAt: number | undefined }) =>
    openedAt === undefined || call.now() - openedAt >= openedEveryMs;
  if (!isDue(await call.read((tx) => onlineDocument(tx, recordId)))) return;
  await call.store.write(
    call.principal.org,
    async (tx) => {
      const document = await onlineDocument(tx, recordId);
      if (!isDue(document)) return;
      await saveOnlineDocument(tx, recordId, { ...document, openedAt: call.now() });
      await enter(call, tx, onlineKinds[kind].resource, recordId, {
        changes: "Opened online",
        details: `The page of this ${noun} was opened.`,
      });
    },
    { at: call.now },
  );
}

// --- answer to a quote -------------------------------------------------------------------------

const answers: ReadonlyMap<string | null, { readonly status: string; readonly changes: string }> =
  new Map([
    ["accept", { status: "ACCEPTED", changes: "Accepted online" }],
    ["decline", { status: "DECLINED", changes: "Declined online" }],
  ]);

async function answerQuote(
  book: Book,
  address: OnlineAddress,
  document: OnlineDocument,
  request: OnlineRequest,
): Promise<ServiceResponse> {
  const { base, form = new URLSearchParams() } = request;
  const redirect = seeOther(base, secretHeaders);
  // The quote was already answered: the page shows how.
  if (!document.isAnswerable) return redirect;
  const input = { name: read(form, "name"), reason: read(form, "reason") };
  const answer = answers.get(form.get("answer"));
  const fault = faultOf(input, answer !== undefined);
  if (fault !== undefined || answer === undefined) {
    return documentPage(document, base, { ...input, fault });
  }
  const body = new TextEncoder().encode(JSON.stringify({ Status: answer.status }));
  const call = callOf(book, `${input.name} (customer)`, body);
  const reasonText = input.reason === "" ? "" : `: ${input.reason}`;
  const details = `${input.name} has ${answer.status.toLowerCase()} this quote${reasonText}`;
  const decide = async (tx: Tx): Promise<ServiceResponse> => {
    const now = await findOnlineDocument(call, tx, address);
    if (now?.isAnswerable !== true) return redirect;
    const innerCall: RequestContext = { ...call, write: (innerWork) => innerWork(tx) };
    await write(innerCall, quotes, "POST", document.recordId);
    await enter(call, tx, onlineKinds.Quote.resource, document.recordId, {
      changes: answer.changes,
      details,
    });
    return redirect;
  };
  try {
    return await call.write(decide);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const [refused = error.message] = messagesOf(error);
    return documentPage(document, base, { ...input, fault: refused });
  }
}

/**
 * Reads a form field without control characters, which histories must not contain, except line
 * breaks.
 */
function read(form: URLSearchParams, name: string): string {
  const text = (form.get(name) ?? "").replace(/\r\n?/g, "\n").normalize("NFC");
  return text.replace(/[^\P{Cc}\n]/gu, " ").trim();
}

function faultOf({ name, reason }: Omit<AnswerForm, "fault">, isChosen: boolean) {
  if (name === "") return "Enter your name, so that it is known who answers.";
  if (name.length > answerNameMax || name.includes("\n")) {
    return `A name is one line of at most ${answerNameMax} characters.`;
  }
  if (reason.length > answerReasonMax) {
    return `What you want to say has at most ${answerReasonMax} characters.`;
  }
  return isChosen ? undefined : "Choose whether you accept or decline.";
}
