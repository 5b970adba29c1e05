import { expect, test } from "vitest";
import { deliveryBody, newEntropy, newSigningKey, signatureOf } from "../../src/wire/webhook.ts";

test("the signature of a webhook event equals the public test vector", () => {
  const body = deliveryBody([], 0, "QNTWZBLXKPEJHSRVMAOD");
  expect(body).toBe(
    '{"events":[],"firstEventSequence":0,"lastEventSequence":0,"entropy":"QNTWZBLXKPEJHSRVMAOD"}',
  );
  expect(signatureOf("harbour-signing-key", body)).toBe(
    "r7ix9pwcJvKR8THY+4M1EbnSaUAM0qDO6s6VFgcF28U=",
  );
});

test("a webhook key that looks like base64 is used as text", () => {
  expect(signatureOf("a2V5", "{}")).not.toBe(signatureOf("key", "{}"));
});

test("a webhook event is encoded in the published form", () => {
  const id = "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11";
  const event = {
    resourceUrl: `https://books.example/api.xro/2.0/Invoices/${id}`,
    resourceId: id,
    tenantId: "9e0b64a8-2e7a-4f0a-8f6d-3b8e4d1b5c02",
    eventCategory: "INVOICE",
    eventType: "CREATE",
    at: Date.UTC(2026, 2, 2, 21, 14, 7, 113),
    data: undefined,
  };
  const data = { Type: "ACCRECCREDIT", Status: "PAID" };
  const events = [event, { ...event, eventCategory: "CREDITNOTE", data }];
  expect(JSON.parse(deliveryBody(events, 41, "KWDQMZRTLPXAHVNCEJYO"))).toEqual({
    events: [
      {
        resourceUrl: event.resourceUrl,
        resourceId: id,
        tenantId: event.tenantId,
        tenantType: "ORGANISATION",
        eventCategory: "INVOICE",
        eventType: "CREATE",
        eventDateUtc: "2026-03-02T21:14:07.113",
      },
      expect.objectContaining({ eventCategory: "CREDITNOTE", data }),
    ],
    firstEventSequence: 41,
    lastEventSequence: 42,
    entropy: "KWDQMZRTLPXAHVNCEJYO",
  });
});

test("the random text of a webhook request has 20 capitals, its signing key 88 characters, and none repeats", () => {
  const entropies = Array.from({ length: 200 }, newEntropy);
  for (const each of entropies) expect(each).toMatch(/^[A-Z]{20}$/);
  expect(new Set(entropies).size).toBe(200);
  expect(new Set(entropies.join("")).size).toBe(26);
  expect(newSigningKey()).toMatch(/^[\w+/]{88}$/);
  expect(newSigningKey()).not.toBe(newSigningKey());
});
