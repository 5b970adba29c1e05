/** Whether beancount's own check can be asked about an exported ledger. */
import { spawnSync } from "node:child_process";

export const hasBeancount = spawnSync("bean-check", ["--help"]).status === 0;
if (!hasBeancount) console.log("left out, because beancount is not installed: bean-check");
