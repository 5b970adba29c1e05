/** The dialect of a book in a file: how one is looked over, copied, followed and mended. */

export { LogFollower, type LogPiece, replayLog } from "./sqlite/log-follower.ts";
export { snapshotsOf } from "./sqlite/snapshots.ts";
export * from "./sqlite/sqlite-file.ts";
