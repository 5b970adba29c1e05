/** Mistakes are planted in the sources as they are; one whose place has changed is to be planted anew. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { astray, plants } from "./plants.ts";

const root = join(import.meta.dirname, "..", "..");

test.each(Object.entries(plants))(
  "the code that a deliberate bug replaces is found in its source file: %s",
  (name, { file }) => {
    expect(astray(name, readFileSync(join(root, file), "utf8"))).toEqual([]);
  },
);
