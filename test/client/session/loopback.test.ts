/** The address on this machine to which a browser comes back. */
import { request } from "node:http";
import { expect, test } from "vitest";
import { openLoopback } from "../../../src/client/session/loopback.ts";

/** Status of a request for exactly this target, which `fetch` would put in order. */
function statusOf(port: string, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on("error", reject).end();
  });
}

test.each(["//", "http://", "//[", "/other", "/callback/"])(
  "a request for %j to the sign-in listener is answered as not found, and the sign-in continues",
  async (target) => {
    const loopback = await openLoopback("http://127.0.0.1:0/callback", () => true);
    try {
      const { port } = new URL(loopback.redirectUri);
      expect(await statusOf(port, target)).toBe(404);
      const asked = statusOf(port, "/callback?code=c");
      const { parameters, show } = await loopback.returned;
      await show({ isDone: true, title: "Done", text: "All is well." });
      expect([parameters.get("code"), await asked]).toEqual(["c", 200]);
    } finally {
      loopback.close();
    }
  },
);
