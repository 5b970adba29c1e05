/** A book served on a port, and work on a server that is about none of its organisations alone. */
import type { Server } from "../service/auth/server.ts";
import type { Operations, ServedBook } from "../service/server/operations.ts";
import type { ServeOptions as ServiceOptions } from "../service/server/serve.ts";
import type { WorkersOptions } from "../service/server/workers.ts";

export type { Operations, ServedBook };

export interface ServeOptions extends Omit<ServiceOptions, "pages"> {
  /** Whether people who sign in see the books in their browser. */
  readonly hasPages?: boolean | undefined;
}

/** @throws NotFoundError `NoBook`, `PortError` of the service when the port cannot be opened */
export async function serve(
  path: string,
  { hasPages = false, ...options }: ServeOptions,
): Promise<ServedBook> {
  const { serveBook } = await import("../service/server/serve.ts");
  if (!hasPages) return serveBook(path, options);
  const { servedPages } = await import("./pages/served.ts");
  return serveBook(path, { ...options, pages: servedPages });
}

/** Serves by several worker processes of this program. @throws PortError, ToldError */
export async function serveByWorkers(options: WorkersOptions): Promise<ServedBook> {
  const workers = await import("../service/server/workers.ts");
  return workers.serveByWorkers(options);
}

/** Opens a server for one piece of work, and closes it again. */
export async function withServer<T>(
  path: string,
  work: (server: Server) => Promise<T>,
): Promise<T> {
  const { openServer } = await import("../service/auth/server.ts");
  const server = await openServer(path);
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}
