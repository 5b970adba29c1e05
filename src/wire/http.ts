/**
 * Requests and answers as plain values.
 *
 * The service is a function from one to the other; an embedded call passes them in the process, and
 * a port is an adapter around it. The web platform's own classes are not used, because loading them
 * costs a command as much as starting Node.
 */

import type { Chunks } from "./body.ts";
import type { Pagination } from "./codec.ts";

/** Request data for logs and metrics: filled in during the request, read at its end. */
export interface RequestInfo {
  /** Request id, used in the log, the answer and error reports. */
  readonly id: string;
  /** IP address of the client; behind a proxy, as the proxy reports it. */
  readonly address: string;
  /** Whether an app (API), a page of the server (browser) or a tool of an agent (MCP) sent the request. */
  readonly through: "API" | "BROWSER" | "MCP";
  /** The path template with braces for parameters, `/Invoices/{InvoiceID}`, once matched. */
  route?: string | undefined;
  /** Client id of the caller, once authenticated. */
  app?: string | undefined;
  /** Name of the person, once authenticated. */
  user?: string | undefined;
  /** OrganisationID of the request, once known. */
  organisation?: string | undefined;
  /** Error code with which the request ended. */
  code?: string | undefined;
  /** Error with which the request ended, for the log of a test. */
  error?: unknown;
  /** The fault that was injected on purpose. */
  chaos?: string | undefined;
}

export interface ServiceRequest {
  /** HTTP method, upper case. */
  readonly method: string;
  /** Path below the API root, percent-encoded as it came, starting with `/`. */
  readonly path: string;
  /** Query parameters in the order given, decoded. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body in memory or as a stream; a broken connection throws from the iteration. */
  readonly body?: Uint8Array | Chunks;
  /**
   * For list requests in the same process: names of the only fields the caller needs, which it
   * takes from `held`. Never sent over a network, where no such parameter exists.
   */
  readonly wanted?: readonly string[] | undefined;
  /** Log data of a request that came over a port. */
  readonly info?: RequestInfo | undefined;
  /** For a client connection: whether the answer body is returned as a stream. */
  readonly streamed?: boolean | undefined;
}

/** Whether a request is read-only: GET, or a check of a plan, which is too large for GET. */
export function isRead({ method, path }: Pick<ServiceRequest, "method" | "path">): boolean {
  return method === "GET" || method === "HEAD" || path === "/Extensions/Plans/Check";
}

/** The records of an answer as objects in memory. */
export interface HeldRecords {
  /** Collection name of the records' resource. */
  readonly plural: string;
  readonly records: readonly object[];
  readonly pagination?: Pagination | undefined;
}

export interface ServiceResponse {
  readonly status: number;
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The body in memory or as a stream. The reader must read it to the end or leave the loop, which
   * releases the source. A read error throws from the iteration, when the headers may be sent
   * already; the connection must then be cut, so that nobody takes a part for the whole.
   */
  readonly body: string | Uint8Array | Chunks;
  /**
   * Records instead of a body, when fields were `wanted`: encoding and parsing a list only to
   * display it would take longer than everything else about it.
   */
  readonly held?: HeldRecords;
  /** For a write that failed over a network: whether it may have been done all the same. */
  readonly doubtful?: boolean;
}

/** A function that answers requests: the embedded service, or a connection to one. */
export type Transport = (request: ServiceRequest) => Promise<ServiceResponse>;

/**
 * Form parameter, `true` when revoking a refresh token must leave the person's other consents to
 * the app. Services that do not know it revoke everything the person allowed the app.
 */
export const onlyThisSignIn = "only_this_sign_in";

/** Member of the discovery document, `true` when the service supports that parameter. */
export const endsOneSignIn = "only_this_sign_in_supported";

/**
 * Header with the GUID of the operation that a request is part of; all requests of one command send
 * the same. The operation log groups them; services that do not know it ignore it.
 */
export const operationHeader = "x-operation-id";

/** Header with the command line that sends the request, percent-encoded, for the operation log. */
export const commandHeader = "x-operation-command";

/** Header with what an agent calls itself: `name/version; session`. Nobody checks it. */
export const agentHeader = "x-acct-agent";

/**
 * Headers of the body-less answer to an email request: whether the email was `sent` or is in the
 * `outbox`, then also its recipients, percent-encoded and separated by commas, and its file.
 */
export const emailHeaders = { status: "x-email", to: "x-email-to", file: "x-email-file" } as const;

/**
 * Header of an answer that is a file, percent-encoded: notes for the user, one sentence per line.
 */
export const notesHeader = "x-notes";

/**
 * Header of a read, percent-encoded: the name of the export. A service with an audit log records it
 * before it answers; others ignore the header.
 */
export const exportHeader = "x-export";
