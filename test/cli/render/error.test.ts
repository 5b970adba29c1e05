import { expect, test } from "vitest";
import {
  exitCodeOf,
  InterruptedError,
  PartlyDoneError,
  renderError,
} from "../../../src/cli/render/error.ts";
import { ClosedPipeError } from "../../../src/cli/render/sinks/sink.ts";
import {
  AuthError,
  NotFoundError,
  RefusedError,
  UnavailableError,
  UsageError,
} from "../../../src/resources/errors.ts";

const details = [
  { record: "INV-7", field: "DueDate", message: "DueDate must be a day." },
  { message: "The account 999 does not exist." },
];
const system = Object.assign(new Error("ENOSPC: no space left on device, write"), {
  code: "ENOSPC",
});
const prompt = Object.assign(new Error("User force closed the prompt"), {
  name: "ExitPromptError",
});

test.each<[unknown, number, string]>([
  [
    new UsageError("Unknown", "There is no command invoce."),
    2,
    "acct: There is no command invoce.\n",
  ],
  [
    new NotFoundError("NotFound", "There is no invoice INV-9."),
    3,
    "acct: There is no invoice INV-9.\n",
  ],
  [new AuthError("Refused", "Sign in first."), 4, "acct: Sign in first.\n"],
  [
    new RefusedError({ code: "Validation", rule: undefined }, "The invoice was refused.", details),
    5,
    "acct: The invoice was refused.\n  INV-7: DueDate must be a day.\n  The account 999 does not exist.\n",
  ],
  [new UnavailableError("Limit", "Try again in 60 s."), 6, "acct: Try again in 60 s.\n"],
  [new PartlyDoneError("3 of 5 rows were imported."), 7, "acct: 3 of 5 rows were imported.\n"],
  [new InterruptedError(), 130, "acct: Interrupted; nothing was left half-written.\n"],
  [prompt, 130, "acct: Interrupted; nothing was left half-written.\n"],
  [AbortSignal.abort().reason, 130, "acct: Interrupted; nothing was left half-written.\n"],
  [new ClosedPipeError(), 0, ""],
  [system, 1, "acct: ENOSPC: no space left on device, write\n"],
  [new TypeError("x is undefined"), 1, "acct: Unexpected failure: x is undefined\n"],
  ["thrown text", 1, "acct: Unexpected failure: thrown text\n"],
  [undefined, 1, "acct: Unexpected failure: undefined\n"],
  [null, 1, "acct: Unexpected failure: null\n"],
])("the error %s ends with exit code %i", (error, code, text) => {
  expect(exitCodeOf(error)).toBe(code);
  expect(renderError(error, { format: "table", color: false })).toBe(text);
});

test("with -o json an error is printed as one JSON object on one line", () => {
  const error = new RefusedError(
    { code: "Validation", rule: undefined },
    "Refused\u009b.",
    details,
  );
  const text = renderError(error, { format: "json", color: true });
  expect(text).not.toContain("\u009b");
  expect(text.endsWith("}\n")).toBe(true);
  expect(JSON.parse(text)).toEqual({
    error: { code: "Validation", message: "Refused\u009b.", details },
  });
  expect(JSON.parse(renderError(system, { format: "json", color: false }))).toEqual({
    error: { code: "ENOSPC", message: "ENOSPC: no space left on device, write", details: [] },
  });
  expect(JSON.parse(renderError(new Error("x"), { format: "json", color: false })).error.code).toBe(
    "Unexpected",
  );
});

test("a printed error has the program's name in colour, and escape sequences in its message are made visible", () => {
  const error = new UsageError("Bad", "No \u001b[32mgreen\nlines.");
  expect(renderError(error, { format: "csv", color: true })).toBe(
    "\u001b[1;31macct:\u001b[22;39m No ␛[32mgreen↵lines.\n",
  );
});

test("an error with many details shows the first fifty on a terminal, and all of them in JSON", () => {
  const many = Array.from({ length: 60 }, (_, at) => ({ message: `Fault ${at}.` }));
  const error = new PartlyDoneError("Some rows were refused.", many);
  const text = renderError(error, { format: "table", color: false });
  expect(text.split("\n")).toHaveLength(53);
  expect(text).toContain("  and 10 more; -o json lists every one\n");
  expect(
    JSON.parse(renderError(error, { format: "json", color: false })).error.details,
  ).toHaveLength(60);
});

test("on a terminal a message is wrapped between words, and a word longer than a line stays whole", () => {
  const long = "x".repeat(50);
  const error = new UsageError("Bad", `The file names no account; say --account CODE. ${long} end`);
  expect(renderError(error, { format: "table", color: false, width: 40 })).toBe(
    `acct: The file names no account; say\n  --account CODE.\n  ${long}\n  end\n`,
  );
});
