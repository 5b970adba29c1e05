/** The whole command line as data, every noun loaded. */

import type { Command, Declared, Group } from "../../src/cli/context/context.ts";
import { declaredBy } from "../../src/cli/framework/command.ts";
import { root } from "../../src/cli/nouns.ts";

/** A group whose children are all loaded. */
export interface Branch extends Omit<Group, "children"> {
  readonly children: readonly TreeNode[];
}

export type TreeNode = Command | Branch;

export async function wholeTree(): Promise<Branch> {
  return (await loaded(root)) as Branch;
}

async function loaded(declared: Declared): Promise<TreeNode> {
  if (declared.kind === "command") return declared;
  const children = declared.children.map(async (child) => loaded(await declaredBy(child)));
  return { ...declared, children: await Promise.all(children) };
}

/** Every node below `from` with the words that lead to it, parents first. */
export function* walk(
  from: Branch,
  path: readonly string[] = [],
): Generator<{ readonly path: readonly string[]; readonly node: TreeNode }> {
  for (const node of from.children) {
    const here = [...path, node.name];
    yield { path: here, node };
    if (node.kind === "group") yield* walk(node, here);
  }
}
