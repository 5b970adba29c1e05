import { expect, test } from "vitest";
import { traceTransport } from "../../src/client/transport/trace.ts";
import { fakeService } from "./service.ts";

function traced(body: string) {
  const lines: string[] = [];
  let clock = 0;
  const service = fakeService({ "PUT /Items": { body, headers: { "set-cookie": "s3cret" } } });
  const transport = traceTransport(
    service.transport,
    (line) => void lines.push(line),
    () => (clock += 6),
  );
  return { lines, transport };
}

const request = {
  method: "PUT",
  path: "/Items",
  query: [["unitdp", "4"]] as const,
  headers: { accept: "application/json", authorization: "Bearer s3cret" },
  body: Buffer.from('{"Code":"A"}'),
};

test("the trace shows request and answer line by line, without secrets", async () => {
  const { lines, transport } = traced('{"Items":[],\n"APIKey":"s3cret"}');
  await transport(request);
  expect(lines).toEqual([
    "> PUT /Items?unitdp=4",
    "> accept: application/json",
    "> authorization: (not shown)",
    '> {"Code":"A"}',
    "< 200 in 6 ms",
    "< set-cookie: (not shown)",
    '< {"Items":[],',
    '< "APIKey":"(not shown)"}',
  ]);
});

test.each([
  "grant_type=refresh_token&refresh_token=s3cret&x=1",
  "grant_type=authorization_code&code=s3cret&code_verifier=s3cret",
  "token=s3cret&client_id=till",
  '{"access_token":"s3cret","id_token" : "s3cret"}',
  "<Organisation><APIKey>s3cret</APIKey></Organisation>",
])("the trace shows no secret of the request body %s", async (body) => {
  const { lines, transport } = traced(body);
  await transport({ ...request, body: Buffer.from(body) });
  expect(lines.join("\n")).not.toContain("s3cret");
});

test("the trace cuts a long body", async () => {
  const { lines, transport } = traced("x".repeat(5_000));
  await transport(request);
  expect(lines.at(-1)).toBe("< … 1000 more characters");
});

test("the trace shows a failed request, whose error is then thrown", async () => {
  const lines: string[] = [];
  const { transport } = fakeService({ "PUT /Items": new Error("cut") });
  const shown = traceTransport(
    transport,
    (line) => void lines.push(line),
    () => 0,
  );
  await expect(shown(request)).rejects.toThrow("cut");
  expect(lines.at(-1)).toBe("< cut");
});
