/** Who calls is looked up in the directory: how often, and what becomes of what is taken back. */
import { expect, test } from "vitest";
import { registryIn, unregisterApp } from "../../../src/service/auth/apps.ts";
import { cachedMs, callersOf } from "../../../src/service/auth/callers.ts";
import { type Directory, directoryIn } from "../../../src/store/directory/directory.ts";
import { tester } from "../../support/audit.ts";
import { till } from "./tokens.ts";

/** Those who call a till's books, by tokens of one app, and how often the directory was read. */
async function calling() {
  const { at, tokens } = await till();
  const { book } = at.given;
  const requests = [await tokens(), await tokens("accounting.settings")].map((each) => ({
    headers: { authorization: `Bearer ${each.access_token}` },
  }));
  let reads = 0;
  let ended = 0;
  const inBook = directoryIn(book.store);
  const directory: Directory = {
    ...inBook,
    async read(work) {
      reads += 1;
      return inBook.read(work).finally(() => {
        ended += 1;
      });
    },
  };
  const callers = callersOf(
    directory,
    () => at.given.now,
    () => at.origin,
  );
  return {
    removeApp: () =>
      unregisterApp(registryIn(book.store, book.tenant, at.staff.clock, tester), "Till"),
    pass(ms: number) {
      at.given.now += ms;
    },
    /** All of them call. @returns how often the directory was read for that at once */
    async call() {
      const before = reads;
      for (const request of requests) await callers.caller(request);
      return reads - before;
    },
    /** Returns when the directory has been read once more. */
    async another() {
      const before = ended;
      await expect.poll(() => ended).toBe(before + 1);
    },
  };
}

test("users and apps that call often are looked up again in batches, without delaying their requests", async () => {
  const { call, pass, another } = await calling();
  // The keys of the server, and who each of the two is.
  expect(await call()).toBe(3);
  pass(cachedMs / 2 - 1);
  expect(await call()).toBe(0);
  for (const _round of [1, 2, 3]) {
    pass(cachedMs / 2);
    expect([await call(), await call()]).toEqual([0, 0]);
    await another();
  }
  pass(cachedMs);
  expect(await call()).toBe(2);
});

test("a revoked access takes effect once it is read, at the latest when the cached caller expires", async () => {
  const known = await calling();
  await known.call();
  await known.removeApp();
  known.pass(cachedMs / 2);
  expect(await known.call()).toBe(0);
  await known.another();
  await expect(known.call()).rejects.toThrow("AuthenticationUnsuccessful");

  const late = await calling();
  await late.call();
  await late.removeApp();
  late.pass(cachedMs);
  await expect(late.call()).rejects.toThrow("AuthenticationUnsuccessful");
});
