/** The library that makes a disk full, short or failing, for programs that are started with it. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { bin, type Ended } from "../cli/built.ts";

const source = join(import.meta.dirname, "disk.c");

/** Why it cannot be made here; undefined where it can. */
export const lacking =
  process.platform !== "linux"
    ? "libraries are preloaded into programs on Linux alone"
    : spawnSync("gcc", ["--version"]).error === undefined
      ? undefined
      : "gcc is not installed";

/** What goes wrong; `disk.c` tells of each. */
export interface Fault {
  readonly BYTES?: number;
  readonly CALL?: number;
  readonly SYNC?: number;
  /** Of errno.h. */
  readonly ERROR?: number;
  readonly SHORT?: 1;
  readonly ROOM?: number;
}

/** Of errno.h, as Linux numbers them. */
export const errno = { EIO: 5, ENOSPC: 28, EROFS: 30 } as const;

export interface Counted {
  readonly bytes: number;
  readonly calls: number;
  readonly syncs: number;
}

export interface Disk {
  /** What the environment of a program is to have beside the rest. */
  environment(folder: string, fault: Fault): Record<string, string>;
  /** Runs a command line that fails so where it writes to `folder`. */
  run(words: readonly string[], folder: string, fault: Fault): Promise<Ended>;
  /** Runs it with nothing wrong, and counts what it does there. */
  count(words: readonly string[], folder: string): Promise<Counted>;
}

/** @param home  of the programs, and where the library is built */
export function faultyDisk(home: string): Disk {
  const library = join(home, "disk.so");
  execFileSync("gcc", [
    "-shared",
    "-fPIC",
    "-O1",
    "-Wall",
    "-Werror",
    "-o",
    library,
    source,
    "-ldl",
  ]);
  const counts = join(home, "counts");
  const environment: Disk["environment"] = (folder, fault) => ({
    LD_PRELOAD: library,
    FAULTY_FOLDER: folder,
    ...Object.fromEntries(
      Object.entries(fault).map(([name, value]) => [`FAULTY_${name}`, String(value)]),
    ),
  });
  const run = async (words: readonly string[], env: Record<string, string>): Promise<Ended> => {
    const child = spawn(process.execPath, [bin, ...words], {
      env: { HOME: home, PATH: process.env.PATH ?? "", USER: "ann", TZ: "UTC", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { status: child.exitCode, stdout, stderr };
  };
  return {
    environment,
    run: (words, folder, fault) => run(words, environment(folder, fault)),
    async count(words, folder) {
      rmSync(counts, { force: true });
      const { status, stderr } = await run(words, {
        ...environment(folder, {}),
        FAULTY_COUNT: counts,
      });
      if (status !== 0 || !existsSync(counts)) throw new Error(`${words.join(" ")}: ${stderr}`);
      const [bytes = 0, calls = 0, syncs = 0] = readFileSync(counts, "utf8").split(" ").map(Number);
      return { bytes, calls, syncs };
    },
  };
}
