/** How long processes have kept the processors busy, as Linux counts it. */
import { readFileSync } from "node:fs";

/** Linux tells programs of a hundred ticks a second, however many it has. */
const tickMs = 10;

/** CPU time of a process in ms, with all that it has started, except what ended unasked for. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  // The name of the program is in brackets, and there may be blanks in it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ");
  const under = children.filter((child) => child !== "").map((child) => cpuMs(Number(child)));
  return under.reduce((sum, each) => sum + each, ticks * tickMs);
}
