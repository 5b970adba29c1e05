/** What the process that has the port, and those that answer, say to each other. */

/** What a process is told when it is started. */
export interface Seat {
  /** Which it is, from 0; whoever follows it when it has ended is the same. */
  readonly place: number;
  /** The first so many share out the organisations that are written to. */
  readonly writers: number;
  /** `http://127.0.0.1:9320`, of the port. */
  readonly origin: string;
}

/** What can be asked of a process: why it is not ready, and its figures. */
export type Asked = "readiness" | "figures";

export type ToWorker =
  /** Comes with a connection. The bytes are what was read of it. */
  | { readonly kind: "connection"; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: "asked"; readonly id: number; readonly what: Asked }
  /** Take no more requests once you have drained, and end. */
  | { readonly kind: "end" }
  /** No connection comes after this. */
  | { readonly kind: "left" };

export type FromWorker =
  | { readonly kind: "ready" }
  /** A connection is here: only now does the other process let go of it. */
  | { readonly kind: "taken"; readonly id: number }
  /** It is there, and turns to what comes. */
  | { readonly kind: "beat" }
  | { readonly kind: "answered"; readonly id: number; readonly value: unknown }
  /** It takes no more connections. */
  | { readonly kind: "leaving" };

/** How often a process says that it is there. */
export const beatMs = 1_000;
