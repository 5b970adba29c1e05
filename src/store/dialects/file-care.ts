/** Maintenance of a book in a file: checks, copies, log following and repair. */

export { LogFollower, type LogPiece, replayLog } from "./sqlite/log-follower.ts";
export { snapshotsOf } from "./sqlite/snapshots.ts";
export * from "./sqlite/sqlite-file.ts";
