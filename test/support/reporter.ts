/** Short reports of test runs: failures, what was left out and why, and the counts as the last line. */
import { globSync } from "node:fs";
import { MinimalReporter } from "vitest/node";

type EndOfRun = Parameters<MinimalReporter["onTestRunEnd"]>;
type ConsoleLog = Parameters<MinimalReporter["onUserConsoleLog"]>[0];

/** Begins what a test file prints where a program that it needs is not installed. */
const leftOut = /^left out, because /;

export class SummaryReporter extends MinimalReporter {
  readonly #leftOut = new Set<string>();
  readonly #leavesOutSlow: boolean;

  /** @param leavesOutSlow  whether the run is `npm test`, which leaves the slow tests out */
  constructor(leavesOutSlow: boolean) {
    super();
    this.#leavesOutSlow = leavesOutSlow;
  }

  override onUserConsoleLog(log: ConsoleLog, state?: "passed" | "failed" | "skipped" | "pending") {
    if (leftOut.test(log.content)) {
      for (const line of log.content.trim().split("\n")) this.#leftOut.add(line);
    } else super.onUserConsoleLog(log, state);
  }

  override onTestRunEnd(...[modules, errors, reason]: EndOfRun): void {
    super.onTestRunEnd(modules, errors, reason);
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      if (module.errors().length > 0) count.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        count[state === "pending" ? "skipped" : state] += 1;
      }
    }
    for (const line of [...this.#leftOut].sort()) this.log(line);
    const skipped = count.skipped === 0 ? "" : `, ${count.skipped} skipped`;
    const slow = globSync("test/**/*.slow.test.ts", { cwd: this.ctx.config.root }).length;
    const rest = this.#leavesOutSlow
      ? `; left out, because they take longer: ${slow} files named *.slow.test.ts, rows of long ` +
        "tables, fifteen of sixteen runs of properties, and the service over a port and on " +
        "PostgreSQL; npm run test:all runs them"
      : "";
    this.log(`tests: ${count.passed} passed, ${count.failed} failed${skipped}${rest}`);
  }
}
