/** What a listener makes of a service that answers as a test says. */
import { expect, test } from "vitest";
import { type DeliveredEvents, listen } from "../../src/client/listening.ts";
import { UnavailableError } from "../../src/resources/errors.ts";
import type { ServiceRequest, ServiceResponse } from "../../src/wire/http.ts";
import { deliveryBody } from "../../src/wire/webhook.ts";

const json = (value: object, status = 200): ServiceResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});

const registered = (id: string) => json({ WebhookListeners: [{ ListenerID: id }] });
const nothing = json({ WebhookDeliveries: [] });
const problem = (status: number) =>
  json({ Type: "x", Title: "x", Detail: "There is none.", Status: status }, status);

function delivery(first: number): ServiceResponse {
  const event = {
    resourceUrl: "https://books.example/x",
    resourceId: `record ${first}`,
    tenantId: "t",
    eventCategory: "CONTACT",
    eventType: "CREATE",
    at: 0,
    data: undefined,
  };
  const Body = deliveryBody([event], first, "A".repeat(20));
  const shown = { FirstEventSequence: first, LastEventSequence: first, Body };
  return json({ WebhookDeliveries: [shown] });
}

type Step = ServiceResponse | Error;

/** Listens to answers in turn; ends after the last. @returns what was asked, heard and said */
async function hearing(steps: readonly Step[]) {
  const ending = new AbortController();
  const asked: string[] = [];
  const heard: DeliveredEvents[] = [];
  const said: string[] = [];
  const left = [...steps];
  const send = async ({ method, path, query }: ServiceRequest): Promise<ServiceResponse> => {
    const after = query.find(([name]) => name === "after")?.[1];
    asked.push(`${method} ${path}${after === undefined ? "" : ` after ${after}`}`);
    const next = left.shift();
    if (next === undefined) {
      ending.abort();
      return nothing;
    }
    if (next instanceof Error) throw next;
    return next;
  };
  await listen({
    send,
    categories: [],
    signingKey: "key",
    signal: ending.signal,
    heard: async (delivered) => void heard.push(delivered),
    began: (isFirst) => void said.push(isFirst ? "began" : "began again"),
    say: (message) => void said.push(message),
  });
  return { asked, heard: heard.flatMap(({ events }) => events.map((e) => e.resourceId)), said };
}

test("a webhook listener acknowledges a delivery with its next request, and deregisters at the end", async () => {
  const { asked, heard } = await hearing([registered("a"), delivery(1), delivery(2)]);
  expect(asked).toEqual([
    "POST /WebhookListeners",
    "POST /WebhookListeners/a/Next after 0",
    "POST /WebhookListeners/a/Next after 1",
    "POST /WebhookListeners/a/Next after 2",
    "DELETE /WebhookListeners/a",
  ]);
  expect(heard).toEqual(["record 1", "record 2"]);
});

test("a webhook listener waits through an outage, reports it once, and continues after the last delivery", async () => {
  const outage = new UnavailableError("Unreachable", "The service cannot be reached.");
  const steps = [registered("a"), delivery(1), outage, outage, delivery(2)];
  const { asked, heard, said } = await hearing(steps);
  expect(asked.slice(2, 5)).toEqual(Array(3).fill("POST /WebhookListeners/a/Next after 1"));
  expect(heard).toEqual(["record 1", "record 2"]);
  expect(said).toEqual([
    "began",
    "The service cannot be reached. Listening again when it is there.",
  ]);
});

test("a webhook listener that the service has dropped registers again, with a note", async () => {
  const steps = [registered("a"), delivery(7), problem(404), registered("b"), delivery(1)];
  const { asked, said } = await hearing(steps);
  expect(asked.slice(2, 5)).toEqual([
    "POST /WebhookListeners/a/Next after 7",
    "POST /WebhookListeners",
    "POST /WebhookListeners/b/Next after 0",
  ]);
  expect(said).toEqual(["began", "began again"]);
});

test("a webhook listener that the service refuses ends with the error", async () => {
  await expect(hearing([problem(403)])).rejects.toMatchObject({ message: expect.any(String) });
});
