/**
 * A statement of 100,000 lines into a book: how long against the same lines in one bare table, and
 * what memory a file of 200,000 takes against one of 50,000.
 */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { addDays } from "../src/ledger/dates/calendar.ts";
import { acct, inScratch, print, root } from "./measure.ts";

const runs = 3;
/** Ten seconds where the bare table takes 1.3. */
const ratioMax = 7.5;
const memoryRatioMax = 1.25;

const ofxHead =
  "OFXHEADER:100\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>NZD" +
  "<BANKACCTFROM><BANKID>12<ACCTID>3456-1<ACCTTYPE>CHECKING</BANKACCTFROM>" +
  "<BANKTRANLIST><DTSTART>20250101<DTEND>20251231\n";
const ofxEnd = "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n";

/** Writes a year of lines as OFX, and as rows of eight cells. */
function write(count: number, ofx: string, csv: string): void {
  const [statement, rows] = [openSync(ofx, "w"), openSync(csv, "w")];
  writeSync(statement, ofxHead);
  writeSync(rows, "a,b,c,d,e,f,g,h\n");
  let [lines, cells] = ["", ""];
  for (let place = 0; place < count; place += 1) {
    const day = addDays("2025-01-01", Math.floor((place * 365) / count)).replaceAll("-", "");
    const amount = `${place % 2 ? "-" : ""}${(((place * 7919) % 60_000) / 100 + 1).toFixed(2)}`;
    const [name, text] = [`Customer ${place % 1500}`, `Payment of INV-${place}; thank you`];
    lines += `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${day}<TRNAMT>${amount}<FITID>F${place}<NAME>${name}<MEMO>${text}</STMTTRN>\n`;
    cells += `OTHER,${day},${amount},F${place},${name},${text},NZD,090\n`;
    if (place % 1000 < 999 && place < count - 1) continue;
    writeSync(statement, lines);
    writeSync(rows, cells);
    [lines, cells] = ["", ""];
  }
  writeSync(statement, ofxEnd);
  closeSync(statement);
  closeSync(rows);
}

await inScratch(async (folder) => {
  // Counted by the process itself, since no other can tell its peak.
  const [hook, told] = [join(folder, "peak.cjs"), join(folder, "peak.txt")];
  writeFileSync(
    hook,
    `process.on("exit", () => require("fs").writeFileSync(${JSON.stringify(told)},
      String(process.resourceUsage().maxRSS / 1024)));`,
  );
  const timed = (args: readonly string[]) => {
    const started = process.hrtime.bigint();
    const { status, stderr } = spawnSync(process.execPath, ["--require", hook, ...args], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
    const seconds = Number(process.hrtime.bigint() - started) / 1e9;
    return { seconds, peakMiB: Number(readFileSync(told, "utf8")) };
  };
  const book = join(folder, "bank.acct");
  const own = ["--book", book, "-o", "id"];
  const imported = (ofx: string) => {
    for (const name of [book, `${book}-wal`, `${book}-shm`]) rmSync(name, { force: true });
    timed([acct, "init", "--name", "Bank", "--country", "NZ", "--book", book]);
    const account = ["--code", "090", "--name", "Cheque", "--type", "BANK"];
    timed([
      ...[acct, "account", "create", ...account],
      ...["--bank-account-number", "12-3456-1", ...own],
    ]);
    return timed([acct, "bank", "import", ofx, ...own]);
  };
  const [ofx, csv] = [join(folder, "bank.ofx"), join(folder, "bank.csv")];
  const peaks = [50_000, 200_000].map((count) => {
    write(count, ofx, csv);
    const { seconds, peakMiB } = imported(ofx);
    print(
      `${count.toLocaleString("en")} lines: ${seconds.toFixed(1)} s, ${peakMiB.toFixed(0)} MiB`,
    );
    return peakMiB;
  });
  const memory = (peaks[1] ?? 0) / (peaks[0] ?? 1);
  write(100_000, ofx, csv);
  const whole: number[] = [];
  const plain: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    whole.push(imported(ofx).seconds);
    const bare = join(folder, `bare-${run}.db`);
    plain.push(timed([join(root, "bench/plain-insert.ts"), csv, bare]).seconds);
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
  const [seconds, reference] = [median(whole), median(plain)];
  print(
    `100,000 lines: ${seconds.toFixed(2)} s; in one bare table: ${reference.toFixed(2)} s; ` +
      `ratio ${(seconds / reference).toFixed(1)}, at most ${ratioMax}: ${seconds / reference <= ratioMax ? "holds" : "MISSED"}`,
  );
  print(
    `memory of 200,000 against 50,000: ratio ${memory.toFixed(2)}, at most ${memoryRatioMax}: ` +
      `${memory <= memoryRatioMax ? "holds" : "MISSED"}`,
  );
  if (seconds / reference > ratioMax || memory > memoryRatioMax) process.exitCode = 1;
});
