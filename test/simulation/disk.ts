/** The library that makes a disk full, short or failing, ends a process, or puts its clock, as `disk.c` tells. */
import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, openSync, readSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const source = join(import.meta.dirname, "disk.c");

/** Why it cannot be made here; undefined where it can. */
export const lacking =
  process.platform !== "linux"
    ? "libraries are preloaded into programs on Linux alone"
    : spawnSync("gcc", ["--version"]).error === undefined
      ? undefined
      : "gcc is not installed";

/** Places in the control file. */
const places = {
  bytesMax: 0,
  callFrom: 1,
  error: 2,
  syncFrom: 3,
  short: 4,
  room: 5,
  killAt: 6,
  bytes: 8,
  calls: 9,
  syncs: 10,
  failed: 11,
  unsynced: 12,
  ahead: 13,
} as const;
type Place = keyof typeof places;
/** Those that say what goes wrong. */
export type DiskFault = Partial<
  Record<"bytesMax" | "callFrom" | "error" | "syncFrom" | "short" | "room" | "killAt", number>
>;
const faultsEnd = 8;
const cellBytes = 8;
const cells = 16;

/** Of errno.h, as Linux numbers them. */
export const errno = { EIO: 5, ENOSPC: 28, EROFS: 30 } as const;

/** @param folder  where it is put @returns the file of the library */
export function buildLibrary(folder: string): string {
  const library = join(folder, "disk.so");
  const flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Werror"];
  execFileSync("gcc", [...flags, "-o", library, source, "-ldl"]);
  return library;
}

/** The disk and the clock of a process as it finds them, through a file that both share. */
export class Disk {
  readonly #file: number;
  /** What the environment of the process is to have beside the rest. */
  readonly env: Readonly<Record<string, string>>;

  /** @param folder  the files in it are concerned @param control  is made, unless it is there */
  constructor(library: string, folder: string, control: string, isThere = false) {
    if (!isThere) writeFileSync(control, new Uint8Array(cells * cellBytes));
    this.#file = openSync(control, "r+");
    this.env = { LD_PRELOAD: library, FAULTY_FOLDER: folder, FAULTY_CONTROL: control };
  }

  get(place: Place): number {
    const cell = Buffer.alloc(cellBytes);
    readSync(this.#file, cell, 0, cellBytes, places[place] * cellBytes);
    return Number(cell.readBigInt64LE());
  }

  /** From now on this goes wrong, and nothing else. */
  set(fault: DiskFault): void {
    const all = Buffer.alloc(faultsEnd * cellBytes);
    for (const [place, value] of Object.entries(fault)) {
      all.writeBigInt64LE(BigInt(value), places[place as Place] * cellBytes);
    }
    writeSync(this.#file, all, 0, all.length, 0);
  }

  /** What has been written, called and synced so far. */
  counted(): Readonly<Record<"bytes" | "calls" | "syncs", number>> {
    return { bytes: this.get("bytes"), calls: this.get("calls"), syncs: this.get("syncs") };
  }

  /** A process that was killed has files open no more. */
  forgetUnsynced(): void {
    this.#put("unsynced", 0);
  }

  /** Puts the clock of all that run on it by so many milliseconds ahead of that of the machine. */
  putClock(ahead: number): void {
    this.#put("ahead", ahead);
  }

  #put(place: Place, value: number): void {
    const cell = Buffer.alloc(cellBytes);
    cell.writeBigInt64LE(BigInt(value));
    writeSync(this.#file, cell, 0, cellBytes, places[place] * cellBytes);
  }

  close(): void {
    closeSync(this.#file);
  }
}
