/** For whom a connection is, by the head of its first request. */
import { expect, test } from "vitest";
import { placeOf, readHead, writtenBy } from "../../../src/service/processes/placing.ts";

const head = (first: string, ...lines: string[]) => `${[first, ...lines].join("\r\n")}\r\n\r\n`;
const ofHead = (first: string, ...lines: string[]) => writtenBy(readHead(head(first, ...lines)));

const put = "PUT /api.xro/2.0/Invoices HTTP/1.1";
const tenant = "Xero-Tenant-Id: 5B0E0A4C-0000-4000-8000-000000000001";
const token = "Authorization: Bearer abc";

test.each([
  ["the organisation that is named", [put, tenant, token], "5b0e0a4c-0000-4000-8000-000000000001"],
  [
    "in any letters, with any blanks",
    [put, "XERO-TENANT-ID:\t 5b0e0a4c-0000-4000-8000-000000000001 \t"],
    "5b0e0a4c-0000-4000-8000-000000000001",
  ],
  ["the token where none is named", [put, "Host: x", token], "Bearer abc"],
  ["or where its name is empty", [put, "Xero-Tenant-Id:", token], "Bearer abc"],
  ["whatever else is written", ["DELETE /api.xro/2.0/Items/1 HTTP/1.1", token], "Bearer abc"],
  ["nobody, without either", [put, "Host: x", "Authorization:"], undefined],
  ["nobody, for who reads", ["GET /api.xro/2.0/Invoices HTTP/1.1", tenant, token], undefined],
  ["nobody, beside the API", ["POST /connect/token HTTP/1.1", token], undefined],
  ["nobody, for what is no request", ["\x16\x03\x01", tenant], undefined],
  ["nobody, for a line that is no header", [put, "Authorization Bearer abc", ": x"], undefined],
])("%s", (_what, [first = "", ...lines], written) => {
  expect(ofHead(first, ...lines)).toBe(written);
});

test("what a body says is no header", () => {
  expect(writtenBy(readHead(`${head(put, "Host: x")}\r\n${token}\r\n`))).toBeUndefined();
});

test("a head that does not end is read as far as it goes", () => {
  expect(writtenBy(readHead([put, token].join("\r\n")))).toBe("Bearer abc");
});

test("organisations whose ids hardly differ are shared out evenly", () => {
  for (const count of [2, 3, 4, 7]) {
    const shares = Array.from({ length: count }, () => 0);
    for (let at = 0; at < 10_000; at += 1) {
      const id = `6f1c1b4e-7a53-4b6e-9d0a-${at.toString(16).padStart(12, "0")}`;
      const place = placeOf(id, count);
      shares[place] = (shares[place] ?? 0) + 1;
    }
    for (const share of shares) {
      expect(share).toBeGreaterThan(9_000 / count);
      expect(share).toBeLessThan(11_000 / count);
    }
  }
});
