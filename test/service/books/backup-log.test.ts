/**
 * The log between two backups: whatever others do to the file, and wherever it is cut off, backup and
 * log lead to what was committed at the moment that was recorded.
 */
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { readLog, replay } from "../../../src/service/books/backup-log.ts";
import { LogRecorder } from "../../../src/service/books/log-recorder.ts";
import { copyPages, endLog } from "../../../src/store/dialects/sqlite/sqlite-file.ts";
import { fc, runs } from "../../support/properties.ts";

/** Small pages, so that a log of the length at which it is shortened is made soon. */
const pageBytes = 512;

interface Backup {
  readonly path: string;
  readonly log: string;
  readonly at: number;
}

/** A file under the hands of two writers and a reader, and what was recorded of it. */
class Scene {
  readonly folder = mkdtempSync(join(tmpdir(), "acct-log-"));
  readonly path = join(this.folder, "book");
  readonly backups: Backup[] = [];
  /** What it held at each moment that was recorded. */
  readonly moments: { readonly at: number; readonly content: string }[] = [];
  /** Transactions that were undone, and logs that were lost: after one, the next may look like a gap. */
  undone = 0;
  lost = 0;
  now = Date.UTC(2026, 2, 5);
  longest = 0;
  readonly #writers: readonly DatabaseSync[];
  #recorder: LogRecorder;
  #reader: DatabaseSync | undefined;
  #isEnded = false;

  constructor() {
    const first = new DatabaseSync(this.path);
    first.exec(`pragma synchronous = off; pragma page_size = ${pageBytes}; pragma journal_mode = wal;
      create table entry (id integer primary key, text text not null);`);
    // A small cache has pages of a transaction written to the log before it is committed.
    const second = new DatabaseSync(this.path);
    second.exec("pragma synchronous = off; pragma cache_size = 10; pragma wal_autocheckpoint = 50");
    this.#writers = [first, second];
    this.#recorder = this.#started();
  }

  #started(): LogRecorder {
    return new LogRecorder(this.path, {
      clock: () => this.now,
      onEnd: ({ code }) => {
        expect(code).toBe("LogLost");
        this.#isEnded = true;
        this.lost += 1;
      },
    });
  }

  /** Whether the log has ended since the last time. */
  takeEnd(): boolean {
    const isEnded = this.#isEnded;
    this.#isEnded = false;
    return isEnded;
  }

  write(who: number, rows: number): void {
    const db = this.#writers[who] as DatabaseSync;
    const insert = db.prepare("insert into entry (text) values (?)");
    db.exec("begin");
    for (let count = 0; count < rows; count += 1) insert.run(`${this.now} ${count} `.repeat(30));
    db.exec("commit");
    this.longest = Math.max(this.longest, statSync(`${this.path}-wal`).size);
  }

  undo(who: number): void {
    this.undone += 1;
    this.#writers[who]?.exec("begin; update entry set text = 'no ' || text; rollback");
  }

  shrink(who: number): void {
    this.#writers[who]?.exec("delete from entry where id % 3 = 0; vacuum");
  }

  checkpoint(who: number, mode: string): void {
    this.#writers[who]?.exec(`pragma wal_checkpoint(${mode})`);
  }

  read(): void {
    this.#reader?.close();
    this.#reader = new DatabaseSync(this.path);
    this.#reader.exec("begin");
    this.#reader.prepare("select count(*) from entry").get();
  }

  endReading(): void {
    this.#reader?.close();
    this.#reader = undefined;
  }

  record(): void {
    this.now += 10_000;
    this.#recorder.record();
    this.moments.push({ at: this.now, content: contentOf(this.path) });
  }

  /** @param meanwhile  what happens while the copy is looked over */
  async backUp(meanwhile: () => void): Promise<void> {
    this.now += 1000;
    const at = this.now;
    const name = join(this.folder, `book.${at}`);
    const [backup, log] = [`${name}.backup`, `${name}.log`];
    this.moments.push({ at, content: contentOf(this.path) });
    const copy = async () => {
      await copyPages(this.path, backup);
      endLog(backup);
      meanwhile();
      this.now += 1000;
    };
    await this.#recorder.during(copy, () => ({ backup, log }));
    // What was committed meanwhile is recorded as the log is begun.
    this.moments.push({ at: this.now, content: contentOf(this.path) });
    this.backups.push({ path: backup, log, at });
  }

  /** Ends the process that records, as a kill does: with what was written so far, and a torn end. */
  kill(torn: number): void {
    const { log } = this.backups.at(-1) ?? {};
    if (log === undefined) return;
    const copied = `${log}.killed`;
    copyFileSync(log, copied);
    this.#recorder.close();
    copyFileSync(copied, log);
    truncateSync(log, Math.max(0, statSync(log).size - torn));
    this.#recorder = this.#started();
  }

  restored(backup: Backup, by: number): { readonly at: number; readonly content: string } {
    const part = join(this.folder, "restored");
    const log = readLog(backup.log, by);
    expect(log?.isDamaged ?? false).toBe(false);
    if (log === undefined) return { at: backup.at, content: contentOf(backup.path) };
    replay(part, backup.path, log);
    const content = contentOf(part);
    rmSync(part);
    return { at: log.at ?? backup.at, content };
  }

  close(): void {
    this.#recorder.close();
    this.endReading();
    for (const writer of this.#writers) writer.close();
    rmSync(this.folder, { recursive: true });
  }
}

function contentOf(path: string): string {
  const db = new DatabaseSync(path);
  try {
    expect(db.prepare("pragma integrity_check").get()?.integrity_check).toBe("ok");
    const rows = db.prepare("select id, text from entry order by id").all();
    return `${rows.length} ${createHash("sha256").update(JSON.stringify(rows)).digest("hex")}`;
  } finally {
    db.close();
  }
}

const who = fc.nat(1);
const action = fc.oneof(
  { arbitrary: fc.record({ do: fc.constant("write"), who, rows: fc.nat(60) }), weight: 6 },
  { arbitrary: fc.record({ do: fc.constant("write"), who, rows: fc.constant(3000) }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant("undo"), who }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant("shrink"), who }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant("passive"), who }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant("read") }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant("endReading") }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant("record") }), weight: 6 },
);
const step = fc.oneof(
  { arbitrary: action, weight: 12 },
  {
    arbitrary: fc.record({
      do: fc.constant("backUp"),
      meanwhile: fc.array(action, { maxLength: 4 }),
    }),
    weight: 1,
  },
  { arbitrary: fc.record({ do: fc.constant("kill"), torn: fc.nat(3000) }), weight: 1 },
);

interface Step {
  readonly do: string;
  readonly who?: number;
  readonly rows?: number;
  readonly torn?: number;
  readonly meanwhile?: readonly Step[];
}

function act(scene: Scene, { do: kind, who = 0, rows = 0 }: Step): void {
  if (kind === "write") scene.write(who, rows);
  else if (kind === "passive") scene.checkpoint(who, "passive");
  else if (kind === "undo") scene.undo(who);
  else if (kind === "shrink") scene.shrink(who);
  else if (kind === "read") scene.read();
  else if (kind === "endReading") scene.endReading();
  else scene.record();
}

test("a backup and its log restore the book as of each recorded moment", async () => {
  const steps = fc.array(step, { minLength: 5, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(steps, fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), async (all, at) => {
      const scene = new Scene();
      try {
        await scene.backUp(() => undefined);
        for (const each of all) {
          if (each.do === "backUp") {
            await scene.backUp(() => {
              for (const other of (each as Step).meanwhile ?? []) act(scene, other);
            });
          } else if (each.do === "kill") {
            scene.kill((each as Step).torn ?? 0);
            await scene.backUp(() => undefined);
          } else act(scene, each);
          if (scene.takeEnd()) await scene.backUp(() => undefined);
        }
        expect(scene.lost).toBeLessThanOrEqual(scene.undone);
        for (const number of at) {
          const backup = scene.backups[number % scene.backups.length] as Backup;
          const by = backup.at + (number % 977) * 1000;
          const { at: reached, content } = scene.restored(backup, by);
          expect(reached).toBeLessThanOrEqual(by);
          const meant = scene.moments.filter((moment) => moment.at <= reached).at(-1);
          expect({ reached, content }).toEqual({ reached, content: meant?.content });
        }
      } finally {
        scene.close();
      }
    }),
    { numRuns: runs(64), endOnFailure: true },
  );
});
