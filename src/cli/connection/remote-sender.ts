/** Requests to a service as they are: not asked again, not slowed down, with credentials where they have none. */
import { UsageError } from "../../resources/errors.ts";
import { collect, isChunks } from "../../wire/body.ts";
import type { ServiceRequest } from "../../wire/http.ts";
import type { Context } from "../context/context.ts";
import { headersOf, sessionOf } from "./open.ts";

export interface RemoteAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface RemoteSender {
  /** Headers of every request that does not bring its own. */
  readonly headers: Readonly<Record<string, string>>;
  /** @throws UnavailableError where no answer came */
  send(request: ServiceRequest): Promise<RemoteAnswer>;
  close(): Promise<void>;
}

/**
 * Opens a connection to the service of the flags.
 *
 * @param command  for messages
 * @throws UsageError where a book is named and no service
 */
export async function remoteSender(ctx: Context, command: string): Promise<RemoteSender> {
  const target = ctx.target();
  if (target.kind !== "remote") {
    throw new UsageError(
      "BadFlags",
      `${command} is about a service: name it by --profile or --base-url.`,
    );
  }
  if (ctx.flags.dryRun) {
    throw new UsageError("BadFlags", `${command} sends requests as they are: leave out --dry-run.`);
  }
  const session = await sessionOf(ctx, target, {});
  const headers = await headersOf(ctx, target, session);
  const { connect } = await import("../../client/transport/http.ts");
  const { transport: handle, close } = await connect({
    baseUrl: target.baseUrl,
    signal: ctx.interrupted,
  });
  return {
    headers,
    async send(request) {
      const allHeaders = { ...headers, ...request.headers };
      if (allHeaders.authorization === undefined && session !== undefined) {
        allHeaders.authorization = `Bearer ${await session.accessToken()}`;
      }
      const { status, headers: answered, body } = await handle({ ...request, headers: allHeaders });
      const bytes = isChunks(body) ? await collect(body, Number.POSITIVE_INFINITY) : body;
      return { status, headers: answered, body: Buffer.from(bytes as Uint8Array) };
    },
    close,
  };
}
