/** The built program, for programs that are no tests. */
import { join } from "node:path";

export const bin = join(import.meta.dirname, "../../bin/acct.js");
