/** `acct server backup` and `acct server restore` of a folder of books. */
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct: line, home } = newDesk();
const data = join(home, "books");
const folder = join(home, "backups");
const again = join(home, "again");
const acct = (words: string, daysLater = 0) => line(words, { env: { ACCT_BOOK: "" }, daysLater });
const ok = async (words: string, daysLater = 0) => {
  const ran = await acct(words, daysLater);
  expect([words, ran.code, ran.stderr]).toEqual([words, 0, ran.stderr]);
  return ran;
};
const sets = () => readdirSync(folder).filter((name) => name.startsWith("books."));
const filesIn = (path: string) =>
  readdirSync(path)
    .filter((name) => !/-(wal|shm)$/.test(name))
    .sort();
const modeOf = (path: string) => statSync(path).mode & 0o777;
const organisations = ["Blue Kiln Pottery", "Quay Street Bikes"];

beforeAll(async () => {
  for (const name of organisations) {
    await ok(`init --name '${name}' --country NZ --data ${data}`);
    await ok(`contact create --name 'Friend of ${name}' --data ${data} --tenant '${name}'`);
  }
  await ok(`app add Till --data ${data} --tenant '${organisations[0]}'`);
});

beforeEach(() => {
  for (const each of [folder, again]) rmSync(each, { recursive: true, force: true });
});

async function taken(): Promise<string> {
  const { stdout } = await ok(`server backup ${folder} --data ${data}`);
  return stdout.trim();
}

test("a server backup has the directory and every book, readable by its owner only, and is restored unchanged", async () => {
  const { stdout, stderr } = await ok(`server backup ${folder} --data ${data} -o json`);
  const { path, of, organisations: named, faults } = JSON.parse(stdout);
  expect([of, named, faults]).toEqual([data, organisations, []]);
  expect(stderr).toMatch(/^Backed up 2 organisations with people and apps, \d\.\d MiB, to /);
  const files = [
    "acct-server.json",
    "blue-kiln-pottery.acct",
    "directory.acct",
    "quay-street-bikes.acct",
  ];
  expect(readdirSync(path).sort()).toEqual(files);
  if (process.platform !== "win32") {
    expect(files.map((name) => modeOf(join(path, name)))).toEqual(files.map(() => 0o600));
    expect([modeOf(folder), modeOf(path)]).toEqual([0o700, 0o700]);
  }
  const restored = await ok(`server restore ${folder} --data ${again}`);
  expect(restored.stderr).toContain(`Restored 2 organisations with people and apps to ${again}.`);
  expect(filesIn(again)).toEqual(files.slice(1));
  for (const name of organisations) {
    const where = `--data ${again} --tenant '${name}'`;
    expect((await ok(`book verify ${where}`)).stdout).toContain("Everything adds up.");
    const { stdout: listed } = await ok(`contact list -o csv --columns Name ${where}`);
    expect(listed).toBe(`Name\nFriend of ${name}\n`);
  }
  expect((await ok(`app list -o csv --columns Name --data ${again}`)).stdout).toBe("Name\nTill\n");
});

test("a book restored from a server backup has a write-ahead log again", async () => {
  await taken();
  await ok(`server restore ${folder} --data ${again}`);
  await ok(
    `book backup ${join(home, "one.backup")} --force --book ${join(data, "quay-street-bikes.acct")}`,
  );
  const alone = join(home, "alone.acct");
  rmSync(alone, { force: true });
  await ok(`book restore ${join(home, "one.backup")} --book ${alone}`);
  for (const path of [...filesIn(again).map((name) => join(again, name)), alone]) {
    const db = new DatabaseSync(path);
    expect([path, db.prepare("pragma journal_mode").get()?.journal_mode]).toEqual([path, "wal"]);
    db.close();
  }
});

test("server restore into a folder that is not empty is refused, and of one organisation or file too", async () => {
  const set = await taken();
  mkdirSync(again);
  writeFileSync(join(again, "mine.txt"), "mine");
  const refused = await acct(`server restore ${set} --data ${again}`);
  expect([refused.code, refused.stderr]).toEqual([
    5,
    expect.stringContaining(
      `${again} is not empty. A server is restored into a folder that is not there yet`,
    ),
  ]);
  expect(readdirSync(again)).toEqual(["mine.txt"]);
  rmSync(join(again, "mine.txt"));
  await ok(`server restore ${set} --data ${again}`);

  const one = await acct(`server backup ${folder} --data ${data} --tenant '${organisations[0]}'`);
  expect([one.code, one.stderr]).toEqual([2, expect.stringContaining("leave out --tenant")]);
  const file = await acct(`server backup ${folder} --book ${join(data, "quay-street-bikes.acct")}`);
  expect([file.code, file.stderr]).toEqual([
    2,
    expect.stringContaining("acct book backup is for the file of one book"),
  ]);
  const several = await acct(`book backup --data ${data}`);
  expect([several.code, several.stderr]).toEqual([
    2,
    expect.stringMatching(
      /has 2 organisations; say which .* acct server backup takes all of a folder/,
    ),
  ]);
  const nowhere = await acct(`server backup ${folder} --data ${join(home, "nowhere")}`);
  expect([nowhere.code, nowhere.stderr]).toEqual([
    3,
    expect.stringContaining("There is no folder at"),
  ]);
});

test.each([
  [
    "a book is missing",
    (set: string) => rmSync(join(set, "quay-street-bikes.acct")),
    "quay-street-bikes.acct is missing.",
  ],
  [
    "the directory is missing",
    (set: string) => rmSync(join(set, "directory.acct")),
    "directory.acct is missing.",
  ],
  [
    "a book has changed",
    (set: string) => flip(join(set, "quay-street-bikes.acct")),
    "quay-street-bikes.acct has changed since it was made.",
  ],
  [
    "a book was lengthened",
    (set: string) => appendFileSync(join(set, "directory.acct"), "x"),
    "directory.acct has changed since it was made.",
  ],
  [
    "a book was added",
    (set: string) => writeFileSync(join(set, "more.acct"), ""),
    "more.acct does not stand in its list.",
  ],
])(
  "server restore where %s is refused with the name of the file, and leaves no files",
  async (_, change, told) => {
    const set = await taken();
    change(set);
    const { code, stderr } = await acct(`server restore ${folder} --data ${again}`);
    expect([code, stderr]).toEqual([5, expect.stringContaining(told)]);
    expect(existsSync(again)).toBe(false);
    expect(readdirSync(home).filter((name) => name.includes(".acct-part"))).toEqual([]);
  },
);

/** Changes a byte in the middle of a file. */
function flip(path: string): void {
  const at = Math.floor(statSync(path).size / 2);
  const [before = 0] = readFileSync(path).subarray(at, at + 1);
  chmodSync(path, 0o600);
  const file = openSync(path, "r+");
  writeSync(file, Buffer.of(before ^ 1), 0, 1, at);
  closeSync(file);
}

test("server restore reports a newest backup that has lost its list, and does not take an older one instead", async () => {
  const first = await taken();
  const second = await taken();
  rmSync(join(second, "acct-server.json"));
  const lost = await acct(`server restore ${folder} --data ${again}`);
  expect([lost.code, lost.stderr]).toEqual([
    5,
    expect.stringMatching(
      new RegExp(`${basename(second)} has lost its list, .* name an earlier backup: ${first}`),
    ),
  ]);
  await ok(`server restore ${first} --data ${again}`);
  writeFileSync(join(first, "acct-server.json"), '{"version":1,"files":[{"name":"../a"}]}');
  const { code, stderr } = await acct(`server restore ${first} --data ${join(home, "other")}`);
  expect([code, stderr]).toEqual([5, expect.stringContaining("is no list of a backup")]);
});

test("server backup with a damaged book names it with exit code 5, copies the others, and removes no old backup", async () => {
  await taken();
  const book = join(data, "quay-street-bikes.acct");
  const whole = readFileSync(book);
  const ruined = Buffer.from(whole);
  ruined.fill(0x5a, 3 * 4096, 9 * 4096);
  writeFileSync(book, ruined);
  const { code, stdout, stderr } = await acct(`server backup ${folder} --data ${data} --keep 1d`);
  writeFileSync(book, whole);
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining(`${book} is not in the backup: The file ${book} is damaged`),
  ]);
  expect(sets()).toHaveLength(2);
  const without = ["acct-server.json", "blue-kiln-pottery.acct", "directory.acct"];
  expect(readdirSync(stdout.trim()).sort()).toEqual(without);
  const refused = await acct(`server restore ${stdout.trim()} --data ${again}`);
  expect([refused.code, refused.stderr]).toEqual([
    5,
    expect.stringContaining("--force restores what is there"),
  ]);
  const forced = await ok(`server restore ${stdout.trim()} --data ${again} --force`);
  expect(forced.stderr).toContain(`It does not add up: ${book} is not in the backup`);
  expect(filesIn(again)).toEqual(without.slice(1));
});

test("server backup names a file that is no book, and a book out of balance, with exit code 5", async () => {
  const stray = join(data, "stray.acct");
  writeFileSync(stray, "no book at all, but a text that is longer than the head of a file");
  const { code, stderr } = await acct(`server backup ${folder} --data ${data}`);
  rmSync(stray);
  expect([code, stderr]).toEqual([5, expect.stringContaining(`${stray} is not in the backup: `)]);
  const book = join(data, "blue-kiln-pottery.acct");
  const whole = readFileSync(book);
  const db = new DatabaseSync(book);
  db.exec("update contact set name = 'Somebody else'");
  db.close();
  const changed = await acct(`server backup ${folder} --data ${data}`);
  writeFileSync(book, whole);
  expect([changed.code, changed.stderr]).toEqual([5, expect.stringContaining(`${book}: `)]);
});

test("the keep rule removes only older server backups of the same server that were not changed", async () => {
  const [first, mine] = [await taken(), await taken()];
  writeFileSync(join(mine, "notes.txt"), "mine");
  renameSync(data, join(home, "moved"));
  const elsewhere = await ok(`server backup ${folder} --data ${join(home, "moved")}`);
  renameSync(join(home, "moved"), data);
  const dry = await ok(`server backup ${folder} --data ${data} --keep 1d --dry-run`, 1);
  expect(dry.stderr).toContain(`${first} would be removed.`);
  const { stdout, stderr } = await ok(`server backup ${folder} --data ${data} --keep 1d`, 1);
  expect(stderr).toContain("Removed 1 older one.");
  const left = [basename(mine), basename(stdout.trim())].sort();
  expect(sets().sort()).toEqual(left);
  const several = await acct(`server restore ${folder} --data ${again}`);
  expect([several.code, several.stderr]).toEqual([
    2,
    expect.stringContaining("backups of several servers"),
  ]);
  expect(existsSync(elsewhere.stdout.trim())).toBe(true);
});

test("server backup --print cron prints the schedule with the folder of the server", async () => {
  const { stdout } = await ok(
    `server backup ${folder} --data ${data} --every 1h --keep 7d --print cron`,
  );
  expect(stdout).toBe(`0 * * * * acct server backup ${folder} --keep 7d --data ${data}\n`);
});
