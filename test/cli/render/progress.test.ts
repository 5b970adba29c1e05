import { expect, test } from "vitest";
import {
  createProgress,
  durationText,
  type ProgressOptions,
} from "../../../src/cli/render/progress.ts";

/** Progress with a clock that a test moves. */
function watched(options: Partial<ProgressOptions>) {
  const written: string[] = [];
  let now = 1_000_000;
  const progress = createProgress({
    unit: "rows",
    total: 1000,
    width: undefined,
    write: (text) => void written.push(text),
    clock: () => now,
    ...options,
  });
  const after = (ms: number, count: number, note?: string) => {
    now += ms;
    progress.advance(count, note);
  };
  return { written, after, end: () => progress.end() };
}

test("progress without a terminal is printed as a line for each batch", () => {
  const { written, after, end } = watched({});
  after(10, 100);
  after(990, 100, "2 refused");
  after(1000, 800);
  end();
  expect(written).toEqual([
    "100 of 1000 rows, 10%\n",
    "200 of 1000 rows, 20%, 200 a second, 4 s left, 2 refused\n",
    "1000 of 1000 rows, 100%, 500 a second\n",
  ]);
});

test("progress on a terminal is shown as a bar, redrawn at intervals and removed at the end", () => {
  const { written, after, end } = watched({ width: 80 });
  after(1000, 250);
  after(50, 10);
  after(50, 10);
  end();
  end();
  expect(written).toEqual([
    "\r[########----------------------] 250 of 1000 rows, 25%, 250 a second, 3 s left\u001b[K",
    "\r[########----------------------] 270 of 1000 rows, 27%, 245 a second, 3 s left\u001b[K",
    "\r\u001b[K",
  ]);
});

test("progress on a narrow terminal is shown without a bar, in less than a line", () => {
  const { written, after } = watched({ width: 30 });
  after(1000, 250);
  expect(written).toEqual(["\r250 of 1000 rows, 25%, 250 a…\u001b[K"]);
});

test("the rate shown in the progress does not count rows of an earlier run", () => {
  const { written, after } = watched({ done: 900 });
  after(1000, 50);
  expect(written).toEqual(["950 of 1000 rows, 95%, 50 a second, 1 s left\n"]);
});

test("progress without a known total shows a count and a rate", () => {
  const { written, after } = watched({ total: undefined, width: 60 });
  after(2000, 9);
  expect(written).toEqual(["\r9 rows, 4.5 a second\u001b[K"]);
});

test.each([
  [0.2, "1 s"],
  [59.4, "59 s"],
  [60, "1 min"],
  [130, "2 min 10 s"],
  [3600, "1 h"],
  [3900, "1 h 5 min"],
])("a remaining time of %d seconds is shown as %s", (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
