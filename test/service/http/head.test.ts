/** Heads of requests that two readers would understand in two ways. */
import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { headFault } from "../../../src/service/http/incoming.ts";

const fault = (rawHeaders: readonly string[], url = "/api.xro/2.0/Contacts") => {
  const host = rawHeaders[rawHeaders.findIndex((each) => each.toLowerCase() === "host") + 1];
  return headFault({ rawHeaders, url, headers: { host } } as unknown as IncomingMessage);
};

test.each<[head: readonly string[], url?: string]>([
  [["Host", "localhost:5000", "Accept", "text/xml", "Accept", "application/json"]],
  [["Host", "[::1]:5000"]],
  [["Host", "books.example"], "http://books.example/api.xro/2.0/Contacts"],
  [["Host", "xn--bcher-kva.example"]],
])("the request headers %j are accepted", (head, url) => expect(fault(head, url)).toBeUndefined());

test.each<[head: readonly string[], reason: RegExp, url?: string]>([
  [["Host", "a.example", "host", "b.example"], /two headers host/],
  [["Host", "a.example", "HOST", "a.example"], /two headers host/],
  [
    ["Host", "a", "Authorization", "Bearer x", "authorization", "Bearer y"],
    /headers authorization/,
  ],
  [["Host", "a", "Content-Type", "text/xml", "Content-Type", "a/b"], /two headers content-type/],
  [["Host", "user@books.example"], /is no host/],
  [["Host", "a.example/b"], /is no host/],
  [["Host", "a.example:80:90"], /is no host/],
  [["Host", "a b"], /is no host/],
  [["Host", "a.example"], /another host/, "http://b.example/api.xro/2.0/Contacts"],
  [["Host", "a.example"], /another host/, "http://user@a.example/api.xro/2.0/Contacts"],
])("the request headers %j are refused", (head, reason, url) =>
  expect(fault(head, url)).toMatch(reason),
);
