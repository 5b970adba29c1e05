/**
 * Checks the size of the source against `house.json`: no function over 80 lines from its first word to its
 * last brace, each folder below `src` within its budget of code lines, the counts that only go down, and no
 * name of a type that more than two rooms declare.
 *
 * Code lines are those without comments, imports, re-exports and blanks, so that nobody gains by cutting
 * prose. A budget is exceeded by one line more, and due to be lowered where more than 1 % and 50 lines of
 * it are unused. `docs/decisions/size.md` says what raised one.
 */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import ts from "typescript";

interface House {
  /** Code lines in all, and files. */
  readonly sum: number;
  readonly files: number;
  /** Code lines of each folder below `src`. */
  readonly rooms: Readonly<Record<string, number>>;
  /** Rows of reports found by their labels; file names that occur more than once beside lists of nouns. */
  readonly labelsCompared: number;
  readonly repeatedNames: number;
  /** Names of types that several rooms declare, each for its own: nouns of bookkeeping and of tables. */
  readonly words: readonly string[];
}

const house = JSON.parse(readFileSync("house.json", "utf8")) as House;

const linesMax = 80;
const roomsOfTypeMax = 2;
const foldersWithRooms = new Set(["service", "cli", "store", "ledger", "output", "web"]);

const texts = new Map(
  globSync("src/**/*.ts")
    .sort()
    .map((file) => [file, readFileSync(file, "utf8")]),
);
const faults: string[] = [];
/** The rooms that declare a type, by its name. */
const roomsOfType = new Map<string, Set<string>>();
for (const [file, text] of texts) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body && ts.isBlock(node.body)) {
      const line = lineAt(node.getStart());
      const lines = lineAt(node.end) - line + 1;
      const name = nameOf(node) ?? nameOf(node.parent) ?? "a function";
      if (lines > linesMax) {
        faults.push(`${file}:${line}: ${name} has ${lines} lines; at most ${linesMax}.`);
      }
    }
    if (
      ts.isTypeAliasDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      (ts.isClassDeclaration(node) && node.name !== undefined)
    ) {
      const name = node.name?.text ?? "";
      roomsOfType.set(name, (roomsOfType.get(name) ?? new Set()).add(roomOf(file)));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

for (const [name, rooms] of roomsOfType) {
  if (rooms.size <= roomsOfTypeMax || house.words.includes(name)) continue;
  faults.push(
    `The type ${name} is declared in ${[...rooms].join(", ")}: give each a name of what it holds, or ` +
      'export one; "words" of house.json is for nouns of the trade.',
  );
}

const lines = new Map<string, number>();
for (const [file, text] of texts) {
  const room = file.split("/")[1] ?? "";
  lines.set(room, (lines.get(room) ?? 0) + codeLines(text));
}
for (const room of lines.keys()) {
  if (house.rooms[room] === undefined) faults.push(`house.json: src/${room} has no budget.`);
}
for (const [room, budget] of Object.entries(house.rooms)) check(room, lines.get(room) ?? 0, budget);
check("sum", total([...lines.values()]), house.sum);
check("sum of the budgets", total(Object.values(house.rooms)), house.sum);
check("files", texts.size, house.files);

const labels = [...texts.values()].flatMap((text) => text.match(/^.*label ===.*$/gm) ?? []);
check("labelsCompared", labels.length, house.labelsCompared);
const listsOfNouns = new Set([
  "src/resources",
  "src/cli/commands",
  "src/service/records",
  "src/service/records/masters",
]);
const names = [...texts.keys()]
  .filter((file) => !listsOfNouns.has(dirname(file)))
  .map((file) => basename(file))
  .filter((name) => name !== "index.ts");
const repeated = [...Map.groupBy(names, (name) => name).values()].filter(
  ({ length }) => length > 1,
);
check("repeatedNames", repeated.length, house.repeatedNames);
if (repeated.length > house.repeatedNames) {
  const each = repeated.map(([name]) => name).join(", ");
  faults.push(`Files of the same name: ${each}. Call the new one by what it holds.`);
}

for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** `service/explain`, `wire`; of a file directly in a folder with rooms `cli/.`. */
function roomOf(file: string): string {
  const [, folder = "", room = "", more] = file.split("/");
  if (!foldersWithRooms.has(folder)) return folder;
  return `${folder}/${more === undefined ? "." : room}`;
}

function nameOf(node: ts.Node): string | undefined {
  return (node as Partial<ts.NamedDeclaration>).name?.getText();
}

function check(what: string, count: number, budget: number): void {
  if (count > budget)
    faults.push(`house.json: ${what} is ${count}, above its budget of ${budget}.`);
  const unused = budget - count;
  if (unused > 50 && unused > budget / 100) {
    faults.push(`house.json: ${what} is ${count}; lower its budget of ${budget}.`);
  }
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

function codeLines(text: string): number {
  let code = 0;
  let inComment = false;
  let inImport = false;
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (inComment) inComment = !line.includes("*/");
    else if (inImport) inImport = !/from\s+["']|;\s*$/.test(line);
    else if (line === "" || line.startsWith("//")) continue;
    else if (line.startsWith("/*")) inComment = !line.includes("*/");
    else if (/^import\b(?!\()/.test(line) || /^export\s+((type\s+)?\{|\*)/.test(line)) {
      inImport = !/;\s*$/.test(line);
    } else code += 1;
  }
  return code;
}
