/** Builds `dist`. The command of rolldown would print the size of each of its chunks. */
import { build } from "rolldown";
// @ts-expect-error a file of JavaScript without types
import config from "../rolldown.config.js";

await build(config);
