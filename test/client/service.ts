/** A service that answers what a test says, and remembers what it was asked. */
import { textOf } from "../../src/wire/body.ts";
import type { ServiceRequest, ServiceResponse, Transport } from "../../src/wire/http.ts";

export interface Asked extends Omit<ServiceRequest, "body"> {
  readonly body: string | undefined;
}

/** An answer, or an error to throw, by `METHOD /path`. */
export type Answers = Readonly<Record<string, Answer | ((request: Asked) => Answer)>>;
export type Answer = string | Partial<ServiceResponse> | Error;

export interface FakeService {
  readonly transport: Transport;
  readonly asked: Asked[];
  /** `GET /Invoices?page=1`, for every request so far. */
  readonly lines: () => string[];
}

/** A text is an answer of status 200; what is not foreseen is not found. */
export function fakeService(answers: Answers): FakeService {
  const asked: Asked[] = [];
  return {
    asked,
    lines: () => asked.map(lineOf),
    transport: async (request) => {
      const seen = { ...request, body: request.body && (await textOf(request.body)) };
      asked.push(seen);
      const found = answers[`${request.method} ${request.path}`];
      const answer = typeof found === "function" ? found(seen) : found;
      if (answer instanceof Error) throw answer;
      if (answer === undefined) return { status: 404, headers: {}, body: "" };
      const given = typeof answer === "string" ? { body: answer } : answer;
      return { status: 200, headers: {}, body: "", ...given };
    },
  };
}

export function lineOf({ method, path, query }: Pick<Asked, "method" | "path" | "query">): string {
  const search = query.map(([name, value]) => `${name}=${value}`).join("&");
  return `${method} ${path}${search === "" ? "" : `?${search}`}`;
}

/** The body of an answer that holds records. */
export function records(plural: string, list: readonly object[], pagination?: object): string {
  return JSON.stringify({ Status: "OK", ...(pagination && { pagination }), [plural]: list });
}
