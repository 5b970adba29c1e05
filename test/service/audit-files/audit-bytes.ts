/** The bytes of an audit file, from the service. */
import { expect } from "vitest";
import type { World } from "../fixture.ts";

/** @param parameters  of the format; the year 2026 where they name no days */
export async function auditBytes(
  { book }: World,
  format: string,
  parameters: Readonly<Record<string, string>>,
): Promise<Buffer> {
  const days = { fromDate: "2026-01-01", toDate: "2026-12-31" };
  const query = Object.entries({ ...days, ...parameters });
  const asked = { method: "GET", path: `/Extensions/AuditFiles/${format}`, query, headers: {} };
  const { status, body } = await book.transport(asked);
  const pieces = typeof body === "string" ? [Buffer.from(body)] : body;
  const parts: Uint8Array[] = [];
  for await (const part of pieces instanceof Uint8Array ? [pieces] : pieces) parts.push(part);
  const bytes = Buffer.concat(parts);
  expect([status, status === 200 ? "" : bytes.toString()]).toEqual([200, ""]);
  return bytes;
}
