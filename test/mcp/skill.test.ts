/** The guide for agents that is in the package: what it names is there, and its lines run as they stand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planTools } from "../../src/mcp/plan-tools.ts";
import { readTools } from "../../src/mcp/read-tools.ts";
import { env, line } from "./agent.ts";

const guide = readFileSync("docs/skills/acct/SKILL.md", "utf8");
const spans = [...guide.matchAll(/`([^`\n]+)`|^ {3}(acct .+)$/gm)].map(
  ([, span, block]) => span ?? block ?? "",
);

test("the guide for agents has its name, says when it is read, and is short", () => {
  expect(guide).toMatch(/^---\nname: acct\ndescription: .{50,400}\n---\n/);
  expect(guide.split("\n").length).toBeLessThan(120);
});

test("the guide for agents names all tools, and no other", () => {
  const named = spans.filter((span) => /^[a-z]+(_[a-z]+)*$/.test(span) && span !== "refusal");
  const tools = [...readTools, ...planTools].map(({ name }) => name);
  expect([...new Set(named)].toSorted()).toEqual(tools.toSorted());
});

test("each command line of the guide for agents runs on the sample company", {
  timeout: 60_000,
}, async () => {
  const plan = join(env.HOME, "payment.plan");
  const wrong: Record<string, string> = {};
  const commands = spans.filter((span) => span.startsWith("acct ") && span !== "acct mcp");
  expect(commands.length).toBeGreaterThan(15);
  for (const command of commands) {
    const told = command
      .replace(/^acct /, "")
      .replace("payment.plan", plan)
      .replace(" 7", " 1");
    const { code, stderr } = await line(told.split(" "));
    // Whether books are closed, and what a plan has become, is no fault of the line.
    if (![0, 5, 7].includes(code)) wrong[command] = stderr;
  }
  expect(wrong).toEqual({
    "acct explain refusal": expect.stringContaining("Nothing was refused"),
    "acct plan approve 7": expect.stringContaining("approved at a terminal"),
  });
});
