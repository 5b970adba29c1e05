/** Prints the requests and responses of a transport for `--verbose`. */
import type { Transport } from "../../wire/http.ts";
import type { Context } from "../context/context.ts";
import { safeText } from "../render/safe.ts";

export async function verboseTransport(
  ctx: Pick<Context, "flags" | "out">,
  transport: Transport,
): Promise<Transport> {
  if (!ctx.flags.verbose) return transport;
  const { traceTransport } = await import("../../client/transport/trace.ts");
  return traceTransport(
    transport,
    (line) => ctx.out.say(safeText(line)),
    () => performance.now(),
  );
}
