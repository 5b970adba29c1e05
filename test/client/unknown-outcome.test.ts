import { describe, expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { doubt } from "../../src/client/requests.ts";
import { failures } from "../../src/client/transport/http.ts";
import { retryingTransport } from "../../src/client/transport/retry.ts";
import { markUnknownOutcome } from "../../src/client/transport/unknown-outcome.ts";
import { UnavailableError } from "../../src/resources/errors.ts";
import { item } from "../../src/resources/item.ts";
import type { ServiceResponse } from "../../src/wire/http.ts";

const lost = new UnavailableError(failures.lost, "The connection was cut.");
const unreachable = new UnavailableError(failures.unreachable, "Nothing listens there.");
const failed = { status: 500, body: "" };
const refused = { status: 401, body: '{"Detail":"TokenExpired: token expired"}' };
const invalid = { status: 400, body: "" };
const missing = { status: 404, body: "" };
const away = { status: 503, body: "" };
const limited = { status: 429, body: "", headers: { "retry-after": "3600" } };
const made = {
  status: 200,
  body: '{"Items":[{"ItemID":"0b7f0c2e-5b1f-4c59-9a0e-6f1f6f5d8a11","Code":"A"}]}',
};

type Answer = Error | (Partial<ServiceResponse> & { readonly status: number });

/** A client of a service that answers in this order, the last again and again. */
function clientOf(...answers: readonly Answer[]) {
  let count = 0;
  const transport = async (): Promise<ServiceResponse> => {
    const answer = answers[Math.min(count, answers.length - 1)] as Answer;
    count += 1;
    if (answer instanceof UnavailableError) throw new UnavailableError(answer.code, answer.message);
    if (answer instanceof Error) throw answer;
    return { headers: {}, body: "", ...answer };
  };
  const sending = retryingTransport(markUnknownOutcome(transport), {
    sleep: async () => undefined,
    random: () => 0,
  });
  let keys = 0;
  const newKey = () => {
    keys += 1;
    return `k${keys}`;
  };
  return createClient(sending, { newKey });
}

const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: Error) => error.message,
  );

describe("the outcome of a failed write", () => {
  test.each([
    ["every answer is lost", [lost], true],
    ["the service fails each time", [failed], true],
    ["an answer is lost, and then the token has expired", [lost, refused], true],
    ["the service fails, and then it is away", [failed, away], true],
    ["an answer is lost, and then a limit is reached", [lost, limited], true],
    ["an answer is lost, and then nothing listens", [lost, unreachable], true],
    ["the token has expired", [refused], false],
    ["a limit is reached", [limited], false],
    ["the service is away", [away], false],
    ["nothing listens", [unreachable], false],
    ["an answer is lost, and then the data is refused", [lost, invalid], false],
    ["an answer is lost, and then there is no such record", [lost, missing], false],
  ] as const)(
    "the outcome of a write is reported as known or unknown where %s",
    async (_name, answers, isDoubtful) => {
      const told = await messageOf(clientOf(...answers).create(item, { Code: "A" }));
      expect(told).not.toBe("done");
      expect(told.endsWith(` ${doubt}`)).toBe(isDoubtful);
      expect(told.split(doubt)).toHaveLength(isDoubtful ? 2 : 1);
    },
  );

  test("the unknown outcome of one write does not make that of the next write unknown", async () => {
    const client = clientOf(lost, refused, refused);
    expect(await messageOf(client.create(item, { Code: "A" }))).toContain(doubt);
    expect(await messageOf(client.create(item, { Code: "A" }))).not.toContain(doubt);
  });

  test("the outcome of a write is known when a retry succeeded", async () => {
    expect(await messageOf(clientOf(lost, made).create(item, { Code: "A" }))).toBe("done");
  });

  test("the unknown outcome of a write is reported at the end, and not before each retry", async () => {
    const said: string[] = [];
    const transport = () => Promise.reject(new UnavailableError(failures.lost, "It was cut."));
    const sending = retryingTransport(markUnknownOutcome(transport), {
      sleep: async () => undefined,
      random: () => 1,
      notify: (message) => void said.push(message),
    });
    const client = createClient(sending, { newKey: () => "k" });
    expect(await messageOf(client.create(item, { Code: "A" }))).toBe(`It was cut. ${doubt}`);
    expect(said).toEqual(["It was cut. Trying again in 3 s."]);
  });

  test("the outcome of a read is never unknown", async () => {
    for (const answer of [lost, failed]) {
      expect(await messageOf(clientOf(answer).find(item, "A"))).not.toContain(doubt);
    }
  });
});
