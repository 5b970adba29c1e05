/**
 * What a change of a usual kind takes: all probes are applied to one copy of the tree, which compiles and
 * runs; then each file of each is left out, and the compiler or the check of unused exports says so.
 */
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { probes } from "./patches.ts";
import { Tree } from "./tree.ts";

const timeout = 300_000;
const tree = new Tree();
afterAll(() => tree.remove());

describe("all trial changes of the source together", { timeout }, () => {
  beforeAll(() => {
    for (const { patch } of Object.values(probes)) tree.apply(patch);
  });

  test("the source with all trial changes compiles, and no part of it is unused", () => {
    expect(tree.faults()).toBe("");
  });

  test("a book is created by the program with all trial changes", () => {
    const { code, stderr } = tree.acct("init --name Kiln --country NZ --book a.acct --no-input");
    expect([code, stderr]).toEqual([0, expect.any(String)]);
  });
});

describe.each(Object.entries(probes))(
  "the trial change of the source: %s",
  { timeout },
  (_, { patch, filesMax, missed, runs }) => {
    test("the trial change touches no more files of the source than its limit", () => {
      const isNew = (file: string) => typeof patch[file] === "string";
      const whole = Object.keys(patch).map((file) =>
        isNew(file) && file.includes("/dialects/") ? dirname(file) : file,
      );
      expect(new Set(whole).size).toBeLessThanOrEqual(filesMax);
    });

    test("the commands of the trial change print the expected output", () => {
      for (const [{ code, stdout, stderr }, answer] of runs(tree)) {
        expect([code, stdout], stderr).toEqual([0, expect.stringMatching(answer)]);
      }
    });

    test.each(Object.entries(missed))(
      "the checks fail when the change leaves out %s",
      (file, said) => {
        tree.leaveOut(patch, file);
        try {
          expect(tree.faults()).toMatch(said);
        } finally {
          tree.write(file, patch[file]);
        }
      },
    );
  },
);
