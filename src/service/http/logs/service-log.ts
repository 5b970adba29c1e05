/**
 * The log of a service: a line for each request, and one for each fault.
 *
 * Kept of a request are the time, its id and trace, method, route, status, duration, organisation
 * and app (by their ids), bytes, the code of what it was refused for, and the fault that was made on
 * purpose. Nothing else is: no header, no query, no body, no id of a record, no name, no address of a
 * machine. Every text is escaped, so that a line is one line whatever somebody sent.
 */
import { RefusedError } from "../../../resources/errors.ts";
import { limits } from "../../../wire/errors.ts";
import type { ServiceRequest } from "../../../wire/http.ts";
import type { ServiceOptions } from "../../api/service.ts";
import type { Access, AccessObserver } from "./access-log.ts";

export type LogFormat = "json" | "text";

export interface LogOptions {
  readonly format: LogFormat;
  /** False where only faults are logged. */
  readonly requests: boolean;
  /** Takes one or more whole lines, without a line break at the end. */
  readonly write: (lines: string) => void;
  /** Whether lines have to be dropped because nobody reads them. */
  readonly isFull?: (() => boolean) | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
}

export interface Log {
  readonly observer: AccessObserver | undefined;
  /** Told of every failure that is a bug, and of refusals that a setting of the server settles. */
  readonly fault: NonNullable<ServiceOptions["report"]>;
  /** Writes what waits. */
  flush(): void;
}

type Level = "info" | "warn" | "error";
type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

const codesOfLimits = new Set([...limits.keys(), "RateLimit"]);

export function createLog({ format, requests, write, isFull, clock }: LogOptions): Log {
  let waiting: string[] = [];
  let lost = 0;
  const flush = () => {
    const lines = waiting;
    waiting = [];
    if (lines.length === 0) return;
    if (isFull?.() === true) {
      lost += lines.length;
      return;
    }
    // Said where they would have stood.
    if (lost > 0) lines.unshift(lineOf(time(), "warn", { lost }));
    lost = 0;
    write(lines.join("\n"));
  };
  // Lines of one turn of the event loop are written together.
  const add = (line: string) => {
    if (waiting.push(line) === 1) setImmediate(flush);
  };
  const lineOf = format === "json" ? jsonLine : textLine;
  const time = () => new Date(clock()).toISOString();
  return {
    observer: requests
      ? { done: (each) => add(lineOf(time(), levelOf(each), fieldsOf(each))) }
      : undefined,
    fault: (error, request) => {
      add(lineOf(time(), isRefusal(error) ? "warn" : "error", faultOf(error, request)));
      // Where a fault ends the process, what waits would be lost.
      flush();
    },
    flush,
  };
}

function levelOf({ status, info }: Access): Level {
  if (info.code === "Fault") return "error";
  if (status === undefined || status === 429 || codesOfLimits.has(info.code ?? "")) return "warn";
  return status < 500 ? "info" : "error";
}

function fieldsOf({ info, method, route, status, ms, bytesIn, bytesOut }: Access): Fields {
  return {
    request: info.id,
    method,
    route,
    status,
    ...(status === undefined ? { aborted: true } : {}),
    ms: Math.round(ms * 1000) / 1000,
    bytesIn,
    bytesOut,
    organisation: info.organisation,
    app: info.app,
    code: info.code,
    chaos: info.chaos,
    trace: info.trace?.id,
  };
}

/** What somebody has to settle who reads the log; no bug. */
const isRefusal = (error: unknown): error is RefusedError => error instanceof RefusedError;

function faultOf(error: unknown, { method, info }: ServiceRequest): Fields {
  const told = isRefusal(error) ? error.message : error instanceof Error && error.stack;
  const stack = told || String(error);
  return { request: info?.id, method, route: info?.route, stack };
}

function jsonLine(time: string, level: Level, fields: Fields): string {
  return escaped(JSON.stringify({ time, level, ...fields }));
}

/** JSON escapes what is below a space; these turn a line on some terminals, or its direction. */
function escaped(json: string): string {
  return ascii.test(json) ? json : json.replace(notAscii, inHex);
}

function textLine(time: string, level: Level, fields: Fields): string {
  const { method, route, status, stack, ...others } = fields;
  const isLoss = method === undefined && stack === undefined;
  const failed = level === "warn" ? "refused" : "fault";
  const ended = status ?? (stack === undefined ? "aborted" : failed);
  const head = isLoss ? [time, level] : [time, level, method, route, ended];
  const named = Object.entries(others)
    .filter(([name, value]) => value !== undefined && name !== "aborted")
    .map(([name, value]) => `${name}=${plain(String(value))}`);
  const line = [...head.map((each) => plain(String(each ?? "-"))), ...named].join(" ");
  if (stack === undefined) return line;
  // Lines after a fault are indented, so that none of them can pass for one of ours.
  const lines = String(stack).split(/\r?\n/);
  return [line, ...lines.map((each) => `    ${each.replace(notAscii, inHex)}`)].join("\n");
}

/** One word of visible ASCII. */
function plain(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, inHex);
}

const ascii = /^[\x20-\x7e]*$/;
const notAscii = /[^\x20-\x7e]/g;

function inHex(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
