/** What a plan that a remote service tries costs in requests. */
import { expect, test } from "vitest";
import { recordWrites, roomAt } from "../../src/client/planning.ts";
import type { ServiceRequest } from "../../src/wire/http.ts";

const request = (method: "GET" | "PUT", path: string): ServiceRequest => ({
  ...{ method, path, query: [], headers: { "content-type": "application/json" } },
  ...(method === "GET" ? {} : { body: Buffer.from("{}") }),
});

test("a remote trial reads settings once, and again after a write that may have changed them", async () => {
  const asked: string[] = [];
  const service = async ({ query }: ServiceRequest) => {
    asked.push(query.find(([name]) => name === "readAfter")?.[1] ?? "write");
    const Answers = [{ Status: 200, MediaType: "application/json", Body: asked.at(-1) }];
    const body = JSON.stringify({ Plans: [{ PlanID: "", Answers }] });
    return { status: 200, headers: { "content-type": "application/json" }, body };
  };
  const { transport: handle } = recordWrites(service, async () =>
    roomAt(service, { Command: "acct import" }),
  );
  const ask = async (method: "GET" | "PUT", path: string) =>
    String((await handle(request(method, path))).body);
  await ask("PUT", "/Contacts");
  expect(await ask("GET", "/Accounts")).toBe("/Accounts");
  expect(await ask("GET", "/Accounts")).toBe("/Accounts");
  await ask("GET", "/Contacts");
  await ask("GET", "/Contacts");
  await ask("PUT", "/Invoices");
  await ask("GET", "/Accounts");
  await ask("PUT", "/Accounts");
  await ask("GET", "/Accounts");
  expect(asked).toEqual([
    ...["write", "/Accounts", "/Contacts", "/Contacts", "write", "write"],
    "/Accounts",
  ]);
});
