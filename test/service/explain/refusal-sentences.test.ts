/** The sentences of each rule, read from where it is named in the sources: what a person may be told. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  type RuleName,
  refusalRules,
  ruleOfRefusal,
} from "../../../src/resources/refusal-rules.ts";

/** The beginning of a call, or of a detail, that names a rule or a code. */
const naming =
  /(?:[Ff]ault|refused|\badd|\brefusal|RefusedError|UsageError|NotFoundError)\(\s*"(\w+)",|\brule: "(\w+)",/g;

/** A text in quotes or a template, whose holes are `…`, and where it ends. */
function literalAt(source: string, start: number): { readonly text: string; readonly end: number } {
  const quote = source[start];
  let text = "";
  let at = start + 1;
  while (at < source.length && source[at] !== quote) {
    if (source[at] === "\\") {
      text += source[at + 1] === "n" ? " " : source[at + 1];
      at += 2;
    } else if (quote === "`" && source.startsWith("${", at)) {
      text += "…";
      at = afterHole(source, at + 2);
    } else {
      text += source[at];
      at += 1;
    }
  }
  return { text, end: at + 1 };
}

function afterHole(source: string, start: number): number {
  let depth = 1;
  let at = start;
  while (depth > 0 && at < source.length) {
    const sign = source[at] as string;
    if ("\"'`".includes(sign)) {
      at = literalAt(source, at).end;
      continue;
    }
    if (sign === "{") depth += 1;
    if (sign === "}") depth -= 1;
    at += 1;
  }
  return at;
}

/** The sentences in the rest of a call or a detail: literals that are joined are one. */
function sentencesFrom(source: string, start: number): string[] {
  const found: string[] = [];
  let depth = 0;
  let isJoined = false;
  for (let at = start; at < source.length; ) {
    const sign = source[at] as string;
    if ("\"'`".includes(sign)) {
      const { text, end } = literalAt(source, at);
      if (isJoined && found.length > 0) found.push(`${found.pop()}${text}`);
      else found.push(text);
      isJoined = false;
      at = end;
      continue;
    }
    if (sign === "+") isJoined = true;
    else if (/\S/.test(sign)) isJoined = false;
    if ("([{".includes(sign)) depth += 1;
    if (")]}".includes(sign)) depth -= 1;
    if (depth < 0 || sign === ";") break;
    at += 1;
  }
  return found.filter((text) => / /.test(text.trim()) && /[a-z]{2}/.test(text));
}

/** Where the sentence begins: of what is declared in the file, a variable or a function, there. */
function sentenceStart(source: string, start: number): number {
  const [, name, sign] = /^\s*(\w+)\s*([,)}(])/.exec(source.slice(start, start + 80)) ?? [];
  if (name === undefined) return start;
  if (sign !== "(") return Math.max(source.lastIndexOf(`const ${name} =`, start), 0) || start;
  const declared = new RegExp(`(?:function ${name}\\([^{]*\\{\\s*return|const ${name} =)`).exec(
    source,
  );
  return declared === null ? start : declared.index + declared[0].length;
}

test("the messages of all refusals in the source code are recorded in a file, by rule", async () => {
  const sentences = new Map<RuleName, Set<string>>();
  for (const file of globSync("src/**/*.ts").toSorted()) {
    const source = readFileSync(file, "utf8");
    for (const { index, 0: head, 1: first, 2: second } of source.matchAll(naming)) {
      const rule = ruleOfRefusal(first ?? second ?? "");
      if (rule === undefined) continue;
      const own = sentences.get(rule) ?? new Set();
      for (const each of sentencesFrom(source, sentenceStart(source, index + head.length)))
        own.add(each);
      sentences.set(rule, own);
    }
  }
  const blocks = Object.entries(refusalRules).map(([name, { text, remedy }]) =>
    [
      `${name}: ${text}`,
      `  What to do: ${remedy}`,
      ...[...(sentences.get(name as RuleName) ?? [])].toSorted().map((each) => `  - ${each}`),
    ].join("\n"),
  );
  await expect(`${blocks.join("\n\n")}\n`).toMatchFileSnapshot("../../golden/refusals-by-rule.txt");
});
