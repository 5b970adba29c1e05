import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { type PagerSink, startPager } from "../../../src/cli/render/sinks/pager.ts";
import { Screen } from "../../../src/cli/render/sinks/screen.ts";
import {
  ClosedPipeError,
  descriptorSink,
  JoiningSink,
  memorySink,
} from "../../../src/cli/render/sinks/sink.ts";

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}\n`);

/** Shows some lines on a screen of ten, and says what was printed and what was paged. */
async function shown(count: number, pager: string | undefined, missing = false) {
  const stdout = memorySink();
  const paged = memorySink();
  let opened = 0;
  let ended = 0;
  const open = async (): Promise<PagerSink | undefined> => {
    opened += 1;
    if (missing) return undefined;
    const end = async () => {
      ended += 1;
    };
    return { write: async (text) => paged.write(text), end };
  };
  const screen = new Screen({ stdout, height: 10, pager, open });
  for (const line of lines(count)) await screen.write(line);
  await screen.end();
  expect(ended).toBe(missing ? 0 : opened);
  return { printed: stdout.text, paged: paged.text };
}

describe("a terminal of ten lines with a pager", () => {
  test.each([
    ["nine lines are printed", 9, undefined, "printed"],
    ["ten lines, with the prompt to come, are paged", 10, undefined, "paged"],
    ["a hundred lines are paged", 100, "more", "paged"],
    ["PAGER=cat prints", 100, "cat", "printed"],
    ["an empty PAGER prints", 100, " ", "printed"],
  ] as const)("output on a terminal of ten lines: %s", async (_name, count, pager, where) => {
    const text = lines(count).join("");
    const expected =
      where === "printed" ? { printed: text, paged: "" } : { printed: "", paged: text };
    expect(await shown(count, pager)).toEqual(expected);
  });

  test("output is printed directly when the pager cannot be started", async () => {
    expect(await shown(30, "less", true)).toEqual({ printed: lines(30).join(""), paged: "" });
  });
});

describe("a pager", () => {
  test("a pager that does not exist is not started", async () => {
    expect(await startPager("acct-has-no-such-pager")).toBeUndefined();
  });

  test.each(["true", "exit 0"])(
    "writing to a pager that has quit (%s) fails as a closed pipe",
    async (command) => {
      const pager = await startPager(command === "true" ? command : `(${command})`);
      const listeners = process.listenerCount("SIGINT");
      const text = "x".repeat(1_000_000);
      await expect(
        (async () => {
          for (;;) await pager?.write(text);
        })(),
      ).rejects.toBeInstanceOf(ClosedPipeError);
      await pager?.end();
      expect(process.listenerCount("SIGINT")).toBeLessThan(listeners);
    },
  );
});

describe("an output file descriptor", () => {
  const failing = (code: string) => () => {
    throw Object.assign(new Error(code), { code });
  };

  test("output to a file descriptor continues after partial writes, and waits for a slow reader", () => {
    const taken: number[] = [];
    let calls = 0;
    const sink = descriptorSink(1, (_fd, bytes, offset) => {
      calls += 1;
      if (calls % 2 === 0) failing("EAGAIN")();
      taken.push(bytes[offset] ?? 0);
      return 1;
    });
    sink.write("abc");
    sink.write(new Uint8Array([100, 101]));
    expect(String.fromCharCode(...taken)).toBe("abcde");
  });

  test("writing to a closed stdout throws an error, and writing to a closed stderr does not", () => {
    expect(() => descriptorSink(1, failing("EPIPE")).write("x")).toThrow(ClosedPipeError);
    const stderr = descriptorSink(2, failing("EPIPE"));
    stderr.write("x");
    stderr.write("y");
    expect(() => descriptorSink(1, failing("ENOSPC")).write("x")).toThrow("ENOSPC");
  });

  test("the program ends normally when the reader of its output stops after one line", () => {
    const program = `
      import { descriptorSink, ClosedPipeError } from "./src/cli/render/sinks/sink.ts";
      const sink = descriptorSink(1);
      try { for (;;) sink.write("a line of text\\n"); }
      catch (error) { process.exitCode = error instanceof ClosedPipeError ? 0 : 1; }
    `;
    const script = `"$0" --input-type=module -e "$1" | head -1; echo "\${PIPESTATUS[0]}"`;
    const out = execFileSync("bash", ["-c", script, process.execPath, program], {
      encoding: "utf8",
    });
    expect(out).toBe("a line of text\n0\n");
  });
});

describe("joined writes to an output", () => {
  test("joined writes are combined in order, and flushed at the end of a turn of the event loop", async () => {
    const writes: string[] = [];
    const sink = new JoiningSink({ write: (text) => void writes.push(String(text)) });
    for (const line of lines(3)) await sink.write(line);
    expect(writes).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(writes).toEqual([lines(3).join("")]);
    await sink.write("x".repeat(20_000));
    expect(writes).toHaveLength(2);
    await sink.write("end");
    await sink.flush();
    expect(writes.at(-1)).toBe("end");
  });

  test("a failed joined write is reported by the next write", async () => {
    const sink = new JoiningSink({
      write: () => {
        throw new ClosedPipeError();
      },
    });
    await sink.write("x");
    await new Promise((resolve) => setImmediate(resolve));
    expect(() => sink.write("y")).toThrow(ClosedPipeError);
    expect(() => sink.flush()).toThrow(ClosedPipeError);
  });
});
