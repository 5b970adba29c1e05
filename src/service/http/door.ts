/** What brings a server its connections. */
import type { IncomingMessage, Server } from "node:http";
import { type Opening, opened } from "./opened.ts";

export interface Door {
  /** @returns where the server is reached from then on: `http://127.0.0.1:9320` @throws PortError */
  open(server: Server): Promise<string>;
  /** Whether who asks had better connect again; nobody had when not given. */
  isMisplaced?(incoming: IncomingMessage): boolean;
  /** Brings no more. Returns when those that were brought are closed. */
  close(): Promise<void>;
}

export function portDoor(opening: Opening): Door {
  let server: Server | undefined;
  return {
    async open(behind) {
      const origin = await opened(behind, opening);
      server = behind;
      return origin;
    },
    async close() {
      const open = server;
      if (open !== undefined) await new Promise((resolve) => open.close(resolve));
    },
  };
}
