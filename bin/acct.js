#!/usr/bin/env node
// The door: checks Node, answers --version, loads the command line.
//
// An old Node must be able to read this file in order to refuse in a sentence. So it is a
// CommonJS script in the syntax of Node 12 (bin/package.json says so). It is one file, since a second
// takes Node a millisecond to find.

const fs = require("fs");
const path = require("path");
const vm = require("vm");

const [major, minor] = process.versions.node.split(".").map(Number);
const nothingKept = { commands: [], code: undefined };
const packed = packedProgram();

if (major < 22 || (major === 22 && minor < 16)) {
  process.stderr.write(`acct needs Node.js 22.16 or newer, and this is ${process.version}.\n`);
  process.exitCode = 1;
} else if (process.argv.length === 3 && /^(--version|-V)$/.test(process.argv[2])) {
  const { version } = JSON.parse(fs.readFileSync(`${__dirname}/../package.json`, "utf8"));
  try {
    fs.writeSync(1, `${version}\n`); // process.stdout would cost 2 ms more
  } catch (error) {
    if (error.code !== "EPIPE") throw error;
  }
} else {
  if (major < 24) withoutSqliteWarning();
  const { load, keep } = programWith(codeFolder());
  load(path.join(__dirname, "../dist/main.cjs"))
    .main(process.argv.slice(2), keep)
    .then((code) => {
      process.exitCode = code; // and not process.exit(), which cuts off what a pipe has yet to take
    });
}

/** Node 22 warns at each start that its SQLite is experimental; that warning alone is dropped. */
function withoutSqliteWarning() {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...about) => {
    if (!/^SQLite is an experimental feature/.test(String(warning))) {
      emitWarning.call(process, warning, ...about);
    }
  };
}

/** Where compiled code is kept: in a folder of the user's alone, or nowhere, since it is code. */
function codeFolder() {
  const { HOME, XDG_CACHE_HOME } = process.env;
  const caches = XDG_CACHE_HOME || (HOME && `${HOME}/.cache`);
  return caches ? path.join(caches, "acct", `${process.version}-${process.arch}`) : undefined;
}

/**
 * The published program, with the code that V8 made of it on earlier runs.
 *
 * Node's own compile cache keeps what V8 compiles while a file is loaded. Nearly every function is
 * compiled later, when it is first called, and so again in every run: that took a fifth of the time
 * of a list. Here the code of each file is kept when a command is done, with all the functions that
 * it called, and once more after a command that was not among those before.
 *
 * @returns `load(file)`, which is `require` for the files of the program, and `keep(command)`, to be
 *   called when the command of that name is done
 */
function programWith(folder) {
  const opening = "(function (exports, require, module, __filename, __dirname) {";
  /** Every file that was loaded, by its absolute path. */
  const files = new Map();

  function load(name) {
    const known = files.get(name);
    if (known !== undefined) return known.module.exports;
    const place = folder && path.join(folder, name.replace(":", ""));
    const { text, version } = readProgram(name);
    const kept = place === undefined ? nothingKept : readKept(place, version);
    const script = new vm.Script(`${opening}${text}\n})`, {
      filename: name,
      columnOffset: -opening.length,
      cachedData: kept.code,
    });
    const module = { exports: {} };
    const isTaken = script.cachedDataRejected === false;
    files.set(name, { module, script, place, version, kept: isTaken ? kept : nothingKept });
    const here = path.dirname(name);
    const requireHere = (id) => (id.startsWith(".") ? load(path.join(here, id)) : require(id));
    script.runInThisContext()(module.exports, requireHere, module, name, here);
    return module.exports;
  }

  function keep(command) {
    if (folder === undefined) return;
    try {
      for (const { script, place, version, kept } of files.values()) {
        if (kept.commands.includes(command)) continue;
        const code = script.createCachedData();
        // V8 drops functions that were not called for long, and another command may need them.
        if (kept.code !== undefined && code.length < kept.code.length) continue;
        if (kept.code === undefined) dropFormer(place);
        writeKept(place, { version, commands: [...kept.commands, command], code });
      }
    } catch {
      // The folder is full or not to be written: the next run compiles again.
    }
  }

  return { load, keep };
}

/**
 * A file of the program with its version: another after every change of the file, also where an
 * installation sets times of its own. Both are of one file, also while a build puts another in its place.
 */
function readProgram(name) {
  if (packed !== undefined) return packed(path.basename(name));
  const file = fs.openSync(name, "r");
  try {
    const { size, ctimeMs } = fs.fstatSync(file);
    // The build writes nothing but ASCII.
    return { text: fs.readFileSync(file, "latin1"), version: `${size} ${ctimeMs}` };
  } finally {
    fs.closeSync(file);
  }
}

/**
 * Reads the program in a single executable (.ci/executable.ts), which has all its files as one asset and
 * an index of where each begins and ends. Undefined where Node runs the program.
 */
function packedProgram() {
  if (major < 26 || !require("node:sea").isSea()) return undefined;
  const { getAsset, getRawAsset } = require("node:sea");
  const { version, places } = JSON.parse(getAsset("places.json", "utf8"));
  const all = Buffer.from(getRawAsset("program"));
  return (file) => ({ text: all.latin1Slice(...places[file]), version });
}

/** Removes what is kept of the chunk under the digests of former builds. */
function dropFormer(place) {
  const [, name] = /([^/\\]+)-[0-9a-f]{8}\.cjs$/.exec(place) || [];
  if (name === undefined) return;
  const folder = path.dirname(place);
  for (const each of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
    if (each.replace(/-[0-9a-f]{8}\.cjs$/, "") !== name) continue;
    fs.rmSync(path.join(folder, each), { force: true });
  }
}

/** What is kept of a version of a file: a line about it, and then the code. */
function readKept(place, version) {
  try {
    const bytes = fs.readFileSync(place);
    const end = bytes.indexOf("\n");
    const about = JSON.parse(bytes.latin1Slice(0, end));
    if (about.version !== version) return nothingKept;
    return { commands: about.commands, code: bytes.subarray(end + 1) };
  } catch {
    return nothingKept; // Not there, or not readable.
  }
}

/** Writes it whole or not at all, also when the machine stops: V8 trusts what it is given. */
function writeKept(place, { version, commands, code }) {
  const line = JSON.stringify({ version, commands });
  // V8 makes a copy of code that does not begin at a multiple of eight.
  const width = Math.ceil((line.length + 1) / 8) * 8;
  const bytes = Buffer.concat([Buffer.from(`${line.padEnd(width - 1)}\n`), code]);
  const part = `${place}.${process.pid}.part`;
  fs.mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 });
  try {
    fs.writeFileSync(part, bytes, { mode: 0o600, flush: true });
    fs.renameSync(part, place);
  } finally {
    fs.rmSync(part, { force: true });
  }
}
