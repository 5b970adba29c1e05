/** How often something is done: as people say it, and as cron and systemd do. */
import { expect, test } from "vitest";
import { readInterval, scheduleLines } from "../../../src/cli/values/interval.ts";

const words = [
  "acct",
  "book",
  "backup",
  "/mnt/my backups",
  "--keep",
  "7d",
  "--book",
  "/b/50%.acct",
];
const cron = (every: string) => scheduleLines("cron", readInterval(every), words);

test.each([
  ["15m", 900_000],
  ["1h", 3_600_000],
  ["2d", 172_800_000],
])("the interval %s is read as %i milliseconds", (text, ms) => {
  expect(readInterval(text).ms).toBe(ms);
});

test.each(["", "1", "0h", "1s", "1w", "h", "25d", "1.5h", "99999h"])(
  "the interval %j is refused",
  (text) => {
    expect(() => readInterval(text)).toThrow(/such as 15m, 1h, 1d/);
  },
);

test.each([
  ["1m", "* * * * *"],
  ["15m", "*/15 * * * *"],
  ["60m", "0 * * * *"],
  ["1h", "0 * * * *"],
  ["6h", "0 */6 * * *"],
  ["24h", "0 0 * * *"],
  ["1d", "0 0 * * *"],
])('the interval %s becomes the cron schedule "%s"', (every, time) => {
  expect(cron(every)).toBe(
    `${time} acct book backup '/mnt/my backups' --keep 7d --book /b/50\\%.acct`,
  );
});

test.each(["7m", "5h", "2d"])(
  "the interval %s cannot be a cron schedule, and is refused with the reason",
  (every) => {
    expect(() => cron(every)).toThrow(/cron knows no "every .*--print systemd/);
  },
);

test("the systemd schedule is printed as a service and a timer", () => {
  const text = scheduleLines("systemd", readInterval("7m"), words);
  expect(text).toContain(
    'ExecStart=/usr/bin/env acct book backup "/mnt/my backups" --keep 7d --book /b/50%%.acct\n',
  );
  expect(text).toContain("OnUnitActiveSec=7min\n");
});
