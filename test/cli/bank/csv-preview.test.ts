/** A CSV file on a terminal before anything of it is kept. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { preview } from "../../../src/cli/bank/csv-preview.ts";
import type { Context } from "../../../src/cli/context/context.ts";
import type { ChoiceQuestion, Questions } from "../../../src/cli/framework/questions.ts";

const path = join(mkdtempSync(join(tmpdir(), "preview-")), "m.csv");
writeFileSync(
  path,
  "Date,Details,Amount\n08/07/2026,TIMBER YARD,-57.50\n09/07/2026,Cafe INV-1,475.00\n",
);
const file = { name: path, open: () => [readFileSync(path)] };

/** Answers choices by the beginning of a name. */
function talk(answers: readonly string[]) {
  const said: string[] = [];
  const left = [...answers];
  const choose = async <T>({ choices }: ChoiceQuestion<T>): Promise<T> => {
    const wanted = left.shift() ?? "";
    const found = choices.find(({ name }) => name.includes(wanted));
    if (found === undefined) throw new Error(`${wanted} is none of the choices`);
    return found.value;
  };
  const ctx = { out: { say: (line: string) => said.push(line) }, env: {}, flags: {} };
  const ask = { choose } as unknown as Questions;
  return { said, talk: { ctx: ctx as unknown as Context, ask, file } };
}

test("a CSV preview asks for an undecided date order first, and ends with a command line that has the answer", async () => {
  const { said, talk: given } = talk(["7 August 2026", "Take it in", "Yes"]);
  const chosen = await preview(given, { account: "090" });
  expect(chosen).toMatchObject({ dateOrder: "mdy", isKept: true });
  expect(said.join("\n")).toContain("7 Aug 2026");
  expect(said.at(-1)).toBe(
    `The same in one line:\nacct bank import ${path} --account 090 --date-order mdy`,
  );
});

test("a CSV preview in which the sign is reversed shows the statement lines again", async () => {
  const { said, talk: given } = talk(["8 July", "other sign", "positive", "Take it in", "No"]);
  expect(await preview(given, {})).toMatchObject({ isReversed: true, isKept: false });
  expect(said.filter((line) => /TIMBER YARD/.test(line) && /57\.50 /.test(line))).toEqual([
    expect.stringContaining("-57.50"),
    expect.stringContaining("+57.50"),
  ]);
});

test("a CSV preview that the user aborts saves no column mapping", async () => {
  await expect(preview(talk(["8 July", "Stop"]).talk, {})).rejects.toThrow("Nothing was kept.");
});
