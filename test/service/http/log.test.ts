/** Lines of the log of a service that are about no request. */
import { expect, test } from "vitest";
import { UnavailableError } from "../../../src/resources/errors.ts";
import { createLog } from "../../../src/service/http/logs/service-log.ts";

test("a database that is away is told in the log without a stack, a bug with its stack", () => {
  let text = "";
  const write = (lines: string) => {
    text += `${lines}\n`;
  };
  const log = createLog({ format: "json", write, clock: () => 0 });
  const work = { method: "POST", path: "/", query: [], headers: {} } as const;
  log.fault(new UnavailableError("Unreachable", "The database cannot be reached."), work);
  log.fault(new Error("A bug."), work);
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { level: "warn", stack: "The database cannot be reached." },
    { level: "error", stack: expect.stringMatching(/^Error: A bug\.\n +at /) },
  ]);
});
