/** Answers that go out piece by piece. */
import { expect, test } from "vitest";
import { outgoingOf } from "../../../src/service/http/outgoing.ts";

test("a client that disconnects between the last chunk and the end of an answer is not logged as an error", async () => {
  const asked = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  async function* pieces() {
    yield Uint8Array.of(1);
    asked.resolve();
    await end.promise;
  }
  const faults: unknown[] = [];
  const { body } = await outgoingOf(
    { status: 200, headers: {}, body: pieces() },
    { isHead: false, acceptEncoding: undefined, brokenOff: (error) => void faults.push(error) },
  );
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  expect((await reader.read()).value).toEqual(Uint8Array.of(1));
  const last = reader.read();
  await asked.promise;
  const left = reader.cancel();
  end.resolve();
  await Promise.all([last, left]);
  expect(faults).toEqual([]);
});
