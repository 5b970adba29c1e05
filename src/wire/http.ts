/**
 * A request and an answer as plain values.
 *
 * The service is a function between these two; an embedded call hands them over in the process and
 * a port is an adapter around it. The web platform's own classes are not used, because touching
 * them costs a command as much as starting Node.
 */

import type { Chunks } from "./body.ts";
import type { Pagination } from "./codec.ts";

/** What whoever keeps a log or counts is told of a request: noted on its way, read when it is over. */
export interface RequestInfo {
  /** By which the log, the answer and the report of a fault name the request. */
  readonly id: string;
  /** IP address from which it came: behind a proxy, as that says it. */
  readonly address: string;
  /** By an app, or by a page of the server. */
  readonly through: "API" | "BROWSER";
  /** The address with braces for what differs, `/Invoices/{InvoiceID}`, once it was found. */
  route: string | undefined;
  /** Client id of who asks, once recognised. */
  app: string | undefined;
  /** The organisation that is asked, by its id, once that is known. */
  organisation: string | undefined;
  /** Code of the error that it ended with. */
  code: string | undefined;
  /** The fault that was made on purpose. */
  chaos: string | undefined;
}

export interface ServiceRequest {
  /** Upper case. */
  readonly method: string;
  /** Path below the API root, percent-encoded as it came, starting with `/`. */
  readonly path: string;
  /** Query parameters in the order given, decoded. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** At hand, or piece by piece as it arrives; what breaks off throws from the iteration. */
  readonly body?: Uint8Array | Chunks;
  /**
   * Of a list, for a caller in the same process: names of the only fields that it needs. It takes
   * them from what the answer holds; they never go over a wire, where there is no such parameter.
   */
  readonly wanted?: readonly string[] | undefined;
  /** Of a request that came over a port. */
  readonly info?: RequestInfo | undefined;
  /** Of a connection to a service: whether the answer is handed over as it arrives. */
  readonly streamed?: boolean | undefined;
}

/** Whether a request changes nothing: a plan is too large to be asked about by GET. */
export function isRead({ method, path }: Pick<ServiceRequest, "method" | "path">): boolean {
  return method === "GET" || method === "HEAD" || path === "/Extensions/Plans/Check";
}

/** The records of an answer as the service holds them. */
export interface HeldRecords {
  /** Collection name of their resource. */
  readonly plural: string;
  readonly records: readonly object[];
  readonly pagination?: Pagination | undefined;
}

export interface ServiceResponse {
  readonly status: number;
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * At hand, or piece by piece: whoever sends it on reads it to its end, or leaves the loop, which
   * lets go of what it is read from. What can no longer be read throws from the iteration, when the
   * head may be sent already; the connection is then to be cut, so that nobody takes a part for the
   * whole.
   */
  readonly body: string | Uint8Array | Chunks;
  /**
   * Instead of a body, where fields were `wanted`: a list that is only to be shown need not be
   * written as text and read back, which takes longer than everything else about it.
   */
  readonly held?: HeldRecords;
  /** Of a write over a network that failed: it may have been done all the same. */
  readonly doubtful?: boolean;
}

/** Anything that answers requests: the embedded service, or a connection to one. */
export type Transport = (request: ServiceRequest) => Promise<ServiceResponse>;

/**
 * Sent as `true` with a refresh token that is to be revoked: what the person allowed the app
 * elsewhere is to stay. Services that do not know it revoke all that the person allowed the app.
 */
export const onlyThisSignIn = "only_this_sign_in";

/** Stands as `true` in the discovery document of a service that knows it. */
export const endsOneSignIn = "only_this_sign_in_supported";

/**
 * Names the operation that a request is part of, by a GUID: all requests of one command bear the
 * same. The log of operations has them as one, and services that do not know it do without.
 */
export const operationHeader = "x-operation-id";

/** The command line that sends the request, percent-encoded, for the log of operations. */
export const commandHeader = "x-operation-command";

/**
 * Of the answer to a request for an email, which has no body: whether it was `sent` or is in the
 * `outbox`; then also to whom, percent-encoded with commas between, and as which file.
 */
export const emailHeaders = { status: "x-email", to: "x-email-to", file: "x-email-file" } as const;

/**
 * Of an answer that is a file, percent-encoded: what a person should know of it, a sentence a line.
 */
export const notesHeader = "x-notes";

/**
 * On a read, percent-encoded: what is being exported. A service that keeps an audit log enters it there
 * before it answers; others do not know the header.
 */
export const exportHeader = "x-export";
