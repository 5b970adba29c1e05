/** `acct book backup --keep` and `--every`: what is made, what is removed, and what never is. */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { backUpInto, expectLogs, makeSeries, recordLog } from "../../../src/admin/book.ts";
import { open } from "../../../src/cli/connection/open.ts";
import { run } from "../../../src/cli/main.ts";
import { memorySink, type Sink } from "../../../src/cli/render/sinks/sink.ts";

const made = mkdtempSync(join(tmpdir(), "acct-series-"));
const whole = join(made, "quay.acct");
let home = "";
let folder = "";
let path = "";
let now = 0;

async function acct(line: string, more: { stderr?: Sink; clock?: () => number } = {}) {
  const [stdout, said] = [memorySink(), memorySink()];
  const { stderr = said, clock = () => now } = more;
  const world = { env: { HOME: home, ACCT_BOOK: path }, stdout, stderr, clock, open };
  const code = await run(line.split(" "), world);
  return { code, stdout: stdout.text, stderr: said.text };
}

beforeAll(async () => {
  [home, path, now] = [made, whole, Date.UTC(2026, 2, 5, 12)];
  expect((await acct("init --name Quay --country NZ")).code).toBe(0);
  return () => rmSync(made, { recursive: true });
});

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "acct-series-"));
  path = join(home, "quay.acct");
  folder = join(home, "backups");
  copyFileSync(whole, path);
  now = Date.UTC(2026, 2, 5, 14);
  const own = home;
  return () => rmSync(own, { recursive: true });
});

const backups = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".backup"))
    .sort();
const hours = (count: number) => {
  now += count * 3_600_000;
};
const add = (name: string) => acct(`contact create --name ${name}`);
const namesIn = async (book: string) =>
  (await acct(`contact list -o id --columns Name --book ${book}`)).stdout
    .split("\n")
    .filter(Boolean);

describe("a series of scheduled backups", () => {
  test("each backup of a series has the time in its name and verifies as a whole book", async () => {
    const { code, stdout, stderr } = await acct(`book backup ${folder} --keep 7d,4w`);
    const name = "quay.2026-03-05T140000Z.backup";
    expect([code, stdout]).toEqual([0, `${join(folder, name)}\n`]);
    expect(stderr).toMatch(/^Backed up Quay, \d\.\d MiB, to .*Z\.backup\.\n$/);
    expect(backups()).toEqual([name]);
    const verified = await acct(`book verify --book ${join(folder, name)}`);
    expect(verified.stdout).toContain("Everything adds up.");
    await acct(`book backup ${folder} --keep 7d`);
    expect(backups()).toEqual(["quay.2026-03-05T140000Z-2.backup", name]);
  });

  test("a series of backups without a given folder is written beside the book", async () => {
    await acct("book backup --keep 7d");
    expect(readdirSync(join(home, "quay.backups"))).toContain("quay.2026-03-05T140000Z.backup");
  });

  test("older backups of a series are removed by the keep rule, and reported", async () => {
    for (let count = 0; count < 4; count += 1) {
      await acct(`book backup ${folder} --keep 2d`);
      hours(5);
    }
    // Of 14:00, 19:00 and, on the next day, 00:00 and 05:00.
    expect(backups()).toEqual(["quay.2026-03-05T190000Z.backup", "quay.2026-03-06T050000Z.backup"]);
    const planned = await acct(`book backup ${folder} --keep 1d --dry-run`);
    expect(planned.stderr).toMatch(/would be copied into .*\n(quay\.\S+ would be removed\.\n){2}$/);
    const { stdout, stderr } = await acct(`book backup ${folder} --keep 1d -o json`);
    expect(JSON.parse(stdout)).toMatchObject({
      removed: planned.stderr.match(/quay\.2026\S+backup(?= would be r)/g),
    });
    expect(stderr).toContain("Removed 2 older ones.");
    expect(backups()).toEqual(["quay.2026-03-06T100000Z.backup"]);
  });

  test("the keep rule never removes a file that is no backup of the series, or that was changed since", async () => {
    await acct(`book backup ${folder} --keep 1d`);
    const [own = ""] = backups();
    for (const name of ["quay.2020-01-01T000000Z.backup", "notes.txt"]) {
      writeFileSync(join(folder, name), "mine");
    }
    mkdirSync(join(folder, "quay.2020-01-02T000000Z.backup"));
    writeFileSync(join(folder, own), "mine");
    hours(30);
    await acct(`book backup ${folder} --keep 1d`);
    hours(30);
    expect((await acct(`book backup ${folder} --keep 1d`)).stderr).toContain(
      "Removed 1 older one.",
    );
    expect(backups()).toEqual([
      "quay.2020-01-01T000000Z.backup",
      "quay.2020-01-02T000000Z.backup",
      own,
      "quay.2026-03-08T020000Z.backup",
    ]);
    expect(readFileSync(join(folder, own), "utf8")).toBe("mine");
  });

  test("the keep rule never removes backups of another book in the same folder", async () => {
    await acct(`book backup ${folder} --keep 1d`);
    hours(30);
    await acct(`init --name Other --country NZ --book ${join(home, "other.acct")}`);
    await acct(`book backup ${folder} --keep 1d --book ${join(home, "other.acct")}`);
    expect(backups()).toEqual([
      "other.2026-03-06T200000Z.backup",
      "quay.2026-03-05T140000Z.backup",
    ]);
    expect((await acct(`book restore ${folder} --book ${join(home, "new.acct")}`)).stderr).toMatch(
      /has backups of several books; name the file of one/,
    );
  });

  test("a backup whose process was killed before it was listed is found and counted in the series", async () => {
    await acct(`book backup ${folder} --keep 1d`);
    const list = join(folder, "acct-backups.json");
    const { backups: entries, version } = JSON.parse(readFileSync(list, "utf8"));
    const { bytes: _, faults: __, ...begun } = entries[0];
    writeFileSync(list, JSON.stringify({ version, backups: [begun] }));
    hours(30);
    expect((await acct(`book backup ${folder} --keep 1d`)).stderr).toContain(
      "Removed 1 older one.",
    );
    expect(backups()).toEqual(["quay.2026-03-06T200000Z.backup"]);
  });
});

describe("a scheduled backup that fails", () => {
  beforeEach(async () => {
    await acct(`book backup ${folder} --keep 1d`);
    hours(30);
  });

  test("a scheduled backup of a damaged book fails with a report, and removes no older backup", async () => {
    writeFileSync(
      path,
      Buffer.concat([readFileSync(path).subarray(0, 8192), Buffer.alloc(50_000, 7)]),
    );
    const { code, stdout, stderr } = await acct(`book backup ${folder} --keep 1d`);
    expect([code, stdout]).toEqual([5, ""]);
    expect(stderr).toMatch(/is damaged/);
    expect(backups()).toEqual(["quay.2026-03-05T140000Z.backup"]);
    const { stderr: later } = await acct(`book backup ${folder} --keep 1d --dry-run`);
    expect(later).not.toContain("would be removed");
  });

  test("a scheduled backup of a book out of balance is kept and reported, and removes no older backup", async () => {
    const db = new DatabaseSync(path);
    db.exec("update organisation set name = 'Quai'");
    db.close();
    const { code, stderr } = await acct(`book backup ${folder} --keep 1d`);
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/nothing was removed; but it does not add up/),
    ]);
    expect(backups()).toHaveLength(2);
    copyFileSync(whole, path);
    hours(30);
    await acct(`book backup ${folder} --keep 1d`);
    // The one with faults is no backup, and stays for people to look at.
    expect(backups()).toEqual(["quay.2026-03-06T200000Z.backup", "quay.2026-03-08T020000Z.backup"]);
  });

  test("a scheduled backup into a missing folder is reported as failed", async () => {
    const file = join(home, "file");
    writeFileSync(file, "mine");
    expect(await acct(`book backup ${file} --keep 1d`)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is a file; a series of backups needs a folder/),
    });
    expect(readFileSync(file, "utf8")).toBe("mine");
  });

  test("a scheduled backup whose list of backups was replaced is reported, and changes no file", async () => {
    writeFileSync(
      join(folder, "acct-backups.json"),
      '{"version":1,"backups":[{"name":"../quay.acct","organisation":"x","at":1}]}',
    );
    const { code, stderr } = await acct(`book backup ${folder} --keep 1d`);
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/is no list of backups that this program/),
    ]);
    expect(backups()).toHaveLength(1);
  });
});

describe("backups on a schedule", () => {
  /** What runs until SIGTERM, which comes with the line of that number; an hour passes between two. */
  async function running(
    line: string,
    lines: number,
    onLine: (count: number) => void = () => undefined,
  ) {
    const handlers = process.listeners("SIGTERM");
    const said: string[] = [];
    const sink = memorySink();
    const write = sink.write.bind(sink);
    let moved = now;
    const stderr = Object.assign(sink, {
      write(text: string) {
        said.push(text);
        onLine(said.length);
        if (said.length === lines) {
          const own = process.listeners("SIGTERM").filter((each) => !handlers.includes(each));
          for (const handler of own) handler("SIGTERM");
        }
        moved += 3_600_000;
        return write(text);
      },
    });
    const { code } = await acct(line, { stderr, clock: () => moved });
    return { code, said };
  }

  test("scheduled backups follow each other until the program is terminated", async () => {
    const { code, said } = await running(`book backup ${folder} --every 1h --keep 24h`, 3);
    expect(code).toBe(0);
    expect(said).toHaveLength(3);
    for (const each of said) expect(each).toMatch(/^2026-03-05T1\d:00:00Z {2}Backed up Quay, /);
    expect(backups()).toHaveLength(3);
  });

  test("a failed scheduled backup is reported and others follow; the exit code is an error if the last one failed", async () => {
    const tampered = (count: number) => {
      if (count === 1) writeFileSync(path, "no book");
      if (count === 2) copyFileSync(whole, path);
    };
    const line = `book backup ${folder} --every 1h --keep 24h`;
    const mended = await running(line, 3, tampered);
    expect(mended).toMatchObject({ code: 0 });
    expect(mended.said[1]).toMatch(
      /Backup failed: .*quay\.acct is no book.* Nothing was removed\./,
    );
    const failed = await running(line, 2, tampered);
    expect(failed.code).toBe(7);
    expect(failed.said.at(-1)).toMatch(/The last backup failed: /);
  });

  test.each([
    ["--every 1h --force", /--force writes over one file/],
    ["--print cron", /--print goes with --every/],
    ["--every 1h --print cron", /--print goes with --every and --keep/],
    ["--keep 7d --no-log", /--no-log goes with --every/],
    ["--every soon", /such as 15m, 1h, 1d/],
    ["--keep all", /--keep takes numbers of hours/],
  ])("the backup schedule %s is refused before any file is created", async (flags, sentence) => {
    expect(await acct(`book backup ${folder} ${flags}`)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(sentence),
    });
    expect(readdirSync(home)).toEqual(["quay.acct"]);
  });

  test("--print cron prints the schedule for cron, and makes no backup", async () => {
    const { code, stdout } = await acct(`book backup ${folder} --every 6h --keep 7d --print cron`);
    expect([code, stdout]).toEqual([
      0,
      `0 */6 * * * acct book backup ${folder} --keep 7d --book ${path}\n`,
    ]);
    expect(readdirSync(home)).toEqual(["quay.acct"]);
  });
});

describe("restoring from a series of backups", () => {
  beforeEach(async () => {
    for (const name of ["Ana", "Bo", "Cy"]) {
      await add(name);
      await acct(`book backup ${folder} --keep 24h`);
      hours(1);
    }
    await add("Di");
  });

  test.each([
    ["", 3, "16:00:00"],
    ["--at 2026-03-05T15:30Z", 2, "15:00:00"],
    ["--at 2026-03-05T15:00", 2, "15:00:00"],
    ["--at 2026-03-06T04:30+13:00", 2, "15:00:00"],
    ["--at 2026-03-05", 3, "16:00:00"],
  ])(
    'a restore with the flag "%s" takes the newest backup up to that time',
    async (flag, count, time) => {
      const { code, stderr } = await acct(
        `book restore ${folder} ${flag} --yes`.replace("  ", " "),
      );
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining(`Takes the backup of 2026-03-05T${time}Z: what was written`),
      ]);
      expect(await namesIn(path)).toHaveLength(count);
    },
  );

  test("a restore does not take an older backup where the newest is missing, unless --accept-loss is given", async () => {
    rmSync(join(folder, backups().at(-1) ?? ""));
    expect(await acct(`book restore ${folder} --yes`)).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(
        /160000Z\.backup was cut, emptied or removed: it led to 2026-03-05T16:00:00\.000Z, and what is left leads to 2026-03-05T15:00:00\.000Z/,
      ),
    });
    expect((await acct(`book restore ${folder} --at 2026-03-05T15:30Z --dry-run`)).code).toBe(0);
    expect((await acct(`book restore ${folder} --accept-loss --yes`)).code).toBe(0);
    expect(await namesIn(path)).toHaveLength(2);
  });

  test("a restore to a time before the first backup, or to an unreadable time, is refused", async () => {
    expect(await acct(`book restore ${folder} --at 2026-03-05T13:00Z --yes`)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/has no backup of 2026-03-05T13:00:00\.000Z or before/),
    });
    for (const flag of ["--at noon", "--at 2026-13-05"]) {
      expect((await acct(`book restore ${folder} ${flag} --yes`)).code).toBe(2);
    }
    const [file = ""] = backups();
    expect((await acct(`book restore ${join(folder, file)} --at 2026-03-05 --yes`)).code).toBe(2);
    expect(await namesIn(path)).toHaveLength(4);
  });
});

describe("the log of changes after a backup", () => {
  const clock = () => now;
  const minutes = (count: number) => {
    now += count * 60_000;
  };
  const logs = () => readdirSync(folder).filter((name) => name.endsWith(".log"));
  const ends: string[] = [];
  /** The last moment of each log. */
  const moments = new Map<string, number>();
  const people = async () =>
    (await acct("contact list -o csv --columns Name")).stdout.trim().split("\n").slice(1);

  /** A series that keeps the log, with a person more in the book each minute. */
  async function recorded(...people: string[]) {
    ends.length = 0;
    moments.clear();
    const onKept = (log: string, at: number) => moments.set(log, at);
    const onEnd = ({ message }: { readonly message: string }) => ends.push(message);
    const recorder = await recordLog(path, { clock, onEnd, onKept });
    onTestFinished(() => recorder.close());
    await makeSeries(folder);
    const back = () =>
      backUpInto(folder, path, { operator: {}, clock, recorder, rule: [{ unit: "d", count: 1 }] });
    await back();
    for (const name of people) {
      minutes(1);
      expect((await add(name)).code).toBe(0);
      recorder.record();
    }
    return { recorder, back };
  }

  test.each([
    ["14:00:59", "", []],
    ["14:01", "14:01:00", ["Ana"]],
    ["14:02:59", "14:02:00", ["Ana", "Bo"]],
    ["14:30", "14:03:00", ["Ana", "Bo", "Cy"]],
  ])(
    "a restore to the time %s applies the log of changes up to that time",
    async (time, until, names) => {
      const { recorder } = await recorded("Ana", "Bo", "Cy");
      recorder.close();
      const { code, stderr } = await acct(`book restore ${folder} --at 2026-03-05T${time}Z --yes`);
      const log = until === "" ? "" : ` and its log up to 2026-03-05T${until}Z`;
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining(`Takes the backup of 2026-03-05T14:00:00Z${log}: what was written`),
      ]);
      expect(await people()).toEqual(names);
      expect((await acct("book verify")).stdout).toContain("Everything adds up.");
      expect(ends).toEqual([]);
    },
  );

  test("a backup with its log of changes is not restored over a book in use", async () => {
    await recorded("Ana");
    expect(await acct(`book restore ${folder} --yes`)).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/is in use by another program; end that first/),
    });
    expect(await people()).toEqual(["Ana"]);
  });

  test("the log of changes continues while the next backup is made, and is removed with its backup", async () => {
    const { recorder, back } = await recorded("Ana");
    const [first] = logs();
    hours(1);
    await back();
    expect(logs()).toHaveLength(1);
    expect(logs()).not.toContain(first);
    minutes(1);
    await add("Bo");
    recorder.close();
    const { stderr } = await acct(`book restore ${folder} --yes`);
    expect(stderr).toContain("backup of 2026-03-05T15:01:00Z and its log up to 2026-03-05T15:02");
    expect(await people()).toEqual(["Ana", "Bo"]);
  });

  test("a log of changes torn by a kill is restored up to its last complete entry", async () => {
    const { recorder } = await recorded("Ana", "Bo");
    recorder.close();
    const [log = ""] = logs();
    truncateSync(join(folder, log), statSync(join(folder, log)).size - 1);
    const { code, stderr } = await acct(`book restore ${folder} --yes`);
    expect([code, stderr]).toEqual([0, expect.stringContaining("log up to 2026-03-05T14:01:00Z")]);
    expect(await people()).toEqual(["Ana"]);
  });

  test.each([
    ["cut at its end", (log: string) => truncateSync(log, statSync(log).size - 200), "14:01:00"],
    ["emptied", (log: string) => truncateSync(log, 0), "14:00:00"],
    ["deleted", (log: string) => rmSync(log), "14:00:00"],
  ])(
    "a log of changes that was %s is reported as missing, and the older state is restored only on demand",
    async (_, lose, left) => {
      const { recorder } = await recorded("Ana", "Bo");
      recorder.close();
      await expectLogs(folder, moments);
      lose(join(folder, logs()[0] ?? ""));
      const { code, stderr } = await acct(`book restore ${folder} --yes`);
      expect([code, stderr]).toEqual([
        5,
        expect.stringMatching(
          new RegExp(
            `\\.log was cut, emptied or removed: it led to 2026-03-05T14:02:00.000Z, and what is left leads to 2026-03-05T${left}.000Z`,
          ),
        ),
      ]);
      expect((await acct(`book restore ${folder} --at 2026-03-05T14:00Z --dry-run`)).code).toBe(0);
      expect(await people()).toEqual(["Ana", "Bo"]);
      const accepted = await acct(`book restore ${folder} --accept-loss --yes`);
      expect(accepted.code).toBe(0);
      expect(await people()).toEqual(left === "14:01:00" ? ["Ana"] : []);
    },
  );

  test("a restore to a time before the lost part of the log of changes succeeds without a report", async () => {
    const { recorder } = await recorded("Ana", "Bo");
    recorder.close();
    await expectLogs(folder, moments);
    const log = join(folder, logs()[0] ?? "");
    truncateSync(log, statSync(log).size - 200);
    const { code } = await acct(`book restore ${folder} --at 2026-03-05T14:01Z --yes`);
    expect(code).toBe(0);
    expect((await acct(`book restore ${folder} --at 2026-03-05T14:01:30Z --yes`)).code).toBe(5);
    expect(await people()).toEqual(["Ana"]);
  });

  test.each([
    ["its bytes", (size: number) => size - 100, "14:01:00.000Z", ["Ana"]],
    ["the beginning of a piece", undefined, "14:01:00.000Z", ["Ana"]],
    ["its beginning", () => 0, undefined, []],
  ])(
    "a log of changes damaged in %s is reported, and the state before the damage can be restored",
    async (_, at, until, names) => {
      const { recorder } = await recorded("Ana", "Bo");
      recorder.close();
      const log = join(folder, logs()[0] ?? "");
      const bytes = readFileSync(log);
      bytes.fill(
        "#",
        ...(at === undefined ? lastLine(bytes) : [at(bytes.length), at(bytes.length) + 9]),
      );
      writeFileSync(log, bytes);
      const refused = await acct(`book restore ${folder} --yes`);
      expect([refused.code, refused.stderr]).toEqual([
        5,
        expect.stringMatching(/The log .*\.log is damaged(; name| after 2026-)/),
      ]);
      const way =
        until === undefined
          ? join(folder, backups()[0] ?? "")
          : `${folder} --at 2026-03-05T${until}`;
      expect(refused.stderr).toContain(until ?? `name ${way}`);
      expect((await acct(`book restore ${way} --yes`)).code).toBe(0);
      expect(await people()).toEqual(names);
    },
  );

  test("a log of changes is not applied to a backup that was changed", async () => {
    const { recorder } = await recorded("Ana");
    recorder.close();
    const backup = join(folder, backups()[0] ?? "");
    const bytes = readFileSync(backup);
    bytes.fill(7, bytes.length - 9);
    writeFileSync(backup, bytes);
    expect(await acct(`book restore ${folder} --yes`)).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/has changed since it was made, and its log does not belong/),
    });
  });

  test("a log of changes that cannot be written ends with a report, and the next backup begins a new one", async () => {
    const { recorder, back } = await recorded("Ana");
    const end = recorder.during(
      () => Promise.resolve(),
      () => ({ log: join(folder, "gone", "log"), backup: join(folder, backups()[0] ?? "") }),
    );
    await end;
    expect(ends).toEqual([expect.stringMatching(/The log .* cannot be written: ENOENT/)]);
    await back();
    minutes(1);
    await add("Bo");
    recorder.close();
    expect((await acct(`book restore ${folder} --yes`)).stderr).toContain("and its log up to");
    expect(await people()).toEqual(["Ana", "Bo"]);
  });

  test("the log of changes ends with a report when another file replaces the book", async () => {
    const { recorder } = await recorded("Ana");
    copyFileSync(whole, `${path}.new`);
    renameSync(`${path}.new`, path);
    recorder.record();
    expect(ends).toEqual([
      expect.stringMatching(/without a gap: another file has taken its place/),
    ]);
  });
});

/** Where the last line of JSON in a log begins, and a byte further on. */
function lastLine(bytes: Buffer): [number, number] {
  const at = bytes.lastIndexOf('{"offset"');
  return [at, at + 3];
}
