#!/usr/bin/env node
// The door: checks Node, answers --version, turns the compile cache on, loads the command line.
//
// An old Node must be able to read this file in order to refuse in a sentence. So it is a
// CommonJS script in the syntax of Node 12 (bin/package.json says so).

const [major, minor] = process.versions.node.split(".").map(Number);

if (major < 24 || (major === 24 && minor < 15)) {
  process.stderr.write(`acct needs Node.js 24.15 or newer, and this is ${process.version}.\n`);
  process.exitCode = 1;
} else if (process.argv.length === 3 && /^(--version|-V)$/.test(process.argv[2])) {
  const fs = require("fs");
  const { version } = JSON.parse(fs.readFileSync(`${__dirname}/../package.json`, "utf8"));
  try {
    fs.writeSync(1, `${version}\n`); // process.stdout would cost 2 ms more
  } catch (error) {
    if (error.code !== "EPIPE") throw error;
  }
} else {
  // Node's own default is a directory under /tmp, which is everybody's: cached code is code.
  const { HOME, XDG_CACHE_HOME } = process.env;
  const cache = XDG_CACHE_HOME || (HOME && `${HOME}/.cache`);
  require("module").enableCompileCache(cache && `${cache}/acct`);

  require("../dist/main.cjs")
    .main(process.argv.slice(2))
    .then((code) => {
      process.exitCode = code; // and not process.exit(), which cuts off what a pipe has yet to take
    });
}
