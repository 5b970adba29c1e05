/**
 * Fails where a function of the source is longer than 80 lines, from its first word to its last brace.
 */
import { globSync, readFileSync } from "node:fs";
import ts from "typescript";

const linesMax = 80;

/** Explanations that state all figures of a report in one function. */
const excepted = "src/service/explain/reports/";

const faults: string[] = [];
for (const file of globSync("src/**/*.ts").sort()) {
  if (file.startsWith(excepted)) continue;
  const text = readFileSync(file, "utf8");
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
    ts.forEachChild(node, visit);
  };
  visit(source);
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

function nameOf(node: ts.Node): string | undefined {
  return (node as Partial<ts.NamedDeclaration>).name?.getText();
}
