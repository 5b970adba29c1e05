/**
 * The log of a service: a line for each request, and one for each fault.
 *
 * A request line has time, id and trace, method, route, status, duration, organisation and app (by
 * their ids), bytes, refusal code, and injected fault. It never has headers, query, body, record
 * ids, names or IP addresses. Every text is escaped, so that no request can forge a line.
 */
import { RefusedError, UnavailableError } from "../../../resources/errors.ts";
import { limitByCode } from "../../../wire/errors.ts";
import type { ServiceRequest } from "../../../wire/http.ts";
import type { ServiceOptions } from "../../api/service.ts";
import type { Access, AccessObserver } from "./access-log.ts";

export type LogFormat = "json" | "text";

export interface LogOptions {
  /** Log format with requests; without it only faults are logged, as text. */
  readonly format: LogFormat | undefined;
  /** Writes one or more whole lines, without a trailing line break. */
  readonly write: (lines: string) => void;
  /** Whether the output is not being read, so that lines must be dropped. */
  readonly isFull?: (() => boolean) | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
}

export interface Log {
  readonly observer: AccessObserver;
  /** Changes the format. */
  use(format: LogFormat | undefined): void;
  /** Logs a sentence on the server itself. */
  note(sentence: string, level?: "info" | "warn"): void;
  /** Logs failures that are bugs, and refusals caused by a server setting. */
  readonly fault: NonNullable<ServiceOptions["report"]>;
  /** Writes the buffered lines. */
  flush(): void;
}

type Level = "info" | "warn" | "error";
type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

const codesOfLimits = new Set([...limitByCode.keys(), "RateLimit"]);

export function createLog({ format: first, write, isFull, clock }: LogOptions): Log {
  let format = first;
  let waitingLines: string[] = [];
  let lostLineCount = 0;
  const flush = () => {
    const lines = waitingLines;
    waitingLines = [];
    if (lines.length === 0) return;
    if (isFull?.() === true) {
      lostLineCount += lines.length;
      return;
    }
    // The number of lost lines is logged in their place.
    if (lostLineCount > 0) lines.unshift(lineOf(time(), "warn", { lost: lostLineCount }));
    lostLineCount = 0;
    write(lines.join("\n"));
  };
  // Lines of one turn of the event loop are written together.
  const add = (line: string) => {
    if (waitingLines.push(line) === 1) setImmediate(flush);
  };
  const lineOf = (...parts: Parameters<typeof jsonLine>) =>
    (format === "json" ? jsonLine : textLine)(...parts);
  const time = () => new Date(clock()).toISOString();
  return {
    observer: {
      done(access) {
        if (format !== undefined) add(lineOf(time(), levelOf(access), fieldsOf(access)));
      },
    },
    use(nextFormat) {
      flush();
      format = nextFormat;
    },
    note: (sentence, level = "info") =>
      add(lineOf(time(), level, { method: "SETTINGS", message: sentence })),
    fault: (error, request) => {
      add(lineOf(time(), isRefusal(error) ? "warn" : "error", faultOf(error, request)));
      // A fault may end the process, which would lose the buffer.
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

/** Whether an error is no bug: a setting that the operator must change, or a database that is away. */
const isRefusal = (error: unknown): error is RefusedError | UnavailableError =>
  error instanceof RefusedError || error instanceof UnavailableError;

function faultOf(error: unknown, { method, info }: ServiceRequest): Fields {
  const text = isRefusal(error) ? error.message : error instanceof Error && error.stack;
  const stack = text || String(error);
  return { request: info?.id, method, route: info?.route, stack };
}

function jsonLine(time: string, level: Level, fields: Fields): string {
  return escapeControls(JSON.stringify({ time, level, ...fields }));
}

/** Escapes terminal control characters and direction marks that JSON leaves unescaped. */
function escapeControls(json: string): string {
  return ascii.test(json) ? json : json.replace(notAscii, inHex);
}

function textLine(time: string, level: Level, fields: Fields): string {
  const { method, route, status, message, stack = message, ...others } = fields;
  const isLoss = method === undefined && stack === undefined;
  const failed = { info: "taken", warn: "refused", error: "fault" }[level];
  const outcome = status ?? (stack === undefined ? "aborted" : failed);
  const lineHead = isLoss ? [time, level] : [time, level, method, route, outcome];
  const memberTexts = Object.entries(others)
    .filter(([name, value]) => value !== undefined && name !== "aborted")
    .map(([name, value]) => `${name}=${toAscii(String(value))}`);
  const line = [...lineHead.map((text) => toAscii(String(text ?? "-"))), ...memberTexts].join(" ");
  if (stack === undefined) return line;
  // Lines after the first are indented, so that none can pass for a log line.
  const lines = String(stack).split(/\r?\n/);
  return [line, ...lines.map((text) => `    ${text.replace(notAscii, inHex)}`)].join("\n");
}

/** Reduces a text to one word of visible ASCII. */
function toAscii(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, inHex);
}

const ascii = /^[\x20-\x7e]*$/;
const notAscii = /[^\x20-\x7e]/g;

function inHex(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
