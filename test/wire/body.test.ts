import { describe, expect, test } from "vitest";
import { collect, limitChunks, textOf } from "../../src/wire/body.ts";

async function* pieces(...parts: readonly (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield Buffer.from(part);
  }
}

describe("a request body", () => {
  test("a request body is read alike from memory and from chunks", async () => {
    expect(String(await collect(Buffer.from("abcdef"), 6))).toBe("abcdef");
    expect(String(await collect(pieces("ab", "", "cdef"), 6))).toBe("abcdef");
    expect(await textOf(pieces("caf", "\xc3\xa9"))).toBe("caf\xc3\xa9");
    expect(await collect(pieces(), 0)).toHaveLength(0);
  });

  test("a character split between two chunks of a request body is joined", async () => {
    const [first, last] = [Buffer.from("é").subarray(0, 1), Buffer.from("é").subarray(1)];
    async function* cut() {
      yield first;
      yield last;
    }
    expect(await textOf(cut())).toBe("é");
  });

  test("a request body is refused as soon as it is too large, without reading on", async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given += 1;
        yield Buffer.alloc(10);
      }
    }
    await expect(collect(endless(), 25)).rejects.toMatchObject({ code: "BodyTooLarge" });
    expect(given).toBe(3);
    await expect(collect(Buffer.alloc(26), 25)).rejects.toMatchObject({ code: "BodyTooLarge" });
  });

  test("a request body that breaks off is refused, with the connection error as cause", async () => {
    const cause = new Error("reset");
    await expect(collect(pieces("ab", cause), 9)).rejects.toMatchObject({
      code: "BodyIncomplete",
      cause,
    });
  });

  test("a request body closes its source when its reader stops", async () => {
    let closed = false;
    async function* source() {
      try {
        for (;;) yield Buffer.from("x");
      } finally {
        closed = true;
      }
    }
    for await (const _ of limitChunks(source(), { bytesMax: 100, what: "A body" })) break;
    expect(closed).toBe(true);
  });
});
