/** A route of the service: a method and an address, and what answers there. */
import { RefusedError } from "../../resources/errors.ts";
import type { Resource } from "../../resources/field.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import type { Call } from "../call.ts";

/** Answers one request; `parameters` are the segments that the braces of the path stand for. */
export type Answer = (call: Call, ...parameters: string[]) => Promise<ServiceResponse>;

export interface Route {
  readonly method: string;
  /** `/Invoices/{InvoiceID}/History`; fixed segments match in any letter case. */
  readonly path: string;
  readonly answer: Answer;
  /** Its body is a file: no records, and larger than they may be. */
  readonly takesFile?: true;
  /** Before its write it does what stays done, so a repeat is to be known beforehand. */
  readonly actsFirst?: true;
  readonly resource?: Resource;
  /** What its body is, where that is no record of the resource. */
  readonly message?: Resource;
  /** What it answers with, where that is not told by the path. */
  readonly answers?: Resource;
  /** Of one record: answers as PDF, or refuses to where there is no printed form of it. */
  readonly printed?: Answer | undefined;
}

/** 501: the address is known, and does not do that. */
export function methodAbsent(): RefusedError {
  return new RefusedError("NotImplemented", "The Api Method called is not implemented");
}
