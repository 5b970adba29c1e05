/** The dialect of a book in a file: how one is looked over, copied, followed and mended. */
export * from "./sqlite/file.ts";
export { LogFollower, type LogPiece, replayLog } from "./sqlite/log-follower.ts";
export { snapshotsOf } from "./sqlite/snapshots.ts";
