import { expect, test } from "vitest";
import { lazy } from "../../../src/service/request/route.ts";

test("a lazily loaded module is loaded once", async () => {
  let loads = 0;
  const module = lazy(async () => {
    loads += 1;
    return { loads };
  });
  expect(await module()).toBe(await module());
  expect(loads).toBe(1);
});

test("loading a module is tried again after it failed", async () => {
  let loads = 0;
  const module = lazy(async () => {
    loads += 1;
    if (loads === 1) throw new Error("EMFILE: too many open files");
    return "there";
  });
  await expect(module()).rejects.toThrow("EMFILE");
  expect(await module()).toBe("there");
});
