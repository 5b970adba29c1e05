/** PDF files made to be damaged or to cost their reader as much as they can. */
import { deflateSync } from "node:zlib";

/** Objects by their number. */
type Objects = Readonly<Record<number, string | Buffer>>;

const latin = (text: string): Buffer => Buffer.from(text, "latin1");

/** A file of these objects, of which the first is the catalog, without a table of offsets. */
export function pdfOf(objects: Objects, trailer = "/Root 1 0 R"): Buffer {
  const parts = Object.entries(objects).flatMap(([number, body]) => [
    latin(`${number} 0 obj\n`),
    typeof body === "string" ? latin(body) : body,
    latin("\nendobj\n"),
  ]);
  return Buffer.concat([
    latin("%PDF-1.7\n"),
    ...parts,
    latin(`trailer\n<<${trailer}>>\nstartxref\n0\n%%EOF\n`),
  ]);
}

const treeAt = (number: number) => `<</Type/Catalog/Names<</EmbeddedFiles ${number} 0 R>>>>`;

export function stream(content: string | Buffer, entries = "", isPacked = true): Buffer {
  const plain = typeof content === "string" ? latin(content) : content;
  const raw = isPacked ? deflateSync(plain, { level: 9 }) : plain;
  const filter = isPacked ? "/Filter/FlateDecode" : "";
  return Buffer.concat([
    latin(`<<${entries}${filter}/Length ${raw.length}>>stream\n`),
    raw,
    latin("\nendstream"),
  ]);
}

/** A tree of names each of whose nodes names the next twice. */
export function doublingTree(levels: number): Buffer {
  const objects: Record<number, string> = { 1: treeAt(10) };
  for (let level = 0; level < levels; level += 1) {
    objects[10 + level] = `<</Kids[${11 + level} 0 R ${11 + level} 0 R]>>`;
  }
  objects[10 + levels] = "<</Names[]>>";
  return pdfOf(objects);
}

/** Files attached, by their names. */
export function pdfWith(files: Readonly<Record<string, string>>): Buffer {
  const objects: Record<number, string | Buffer> = {};
  const pairs = Object.entries(files).map(([name, content], at) => {
    objects[10 + 2 * at] = `<</Type/Filespec/F(${name})/EF<</F ${11 + 2 * at} 0 R>>>>`;
    objects[11 + 2 * at] = stream(content);
    return `(${name}) ${10 + 2 * at} 0 R`;
  });
  return pdfOf({ 1: treeAt(2), 2: `<</Names[${pairs.join(" ")}]>>`, ...objects });
}

const megabytes = (count: number, text: string): string =>
  text.repeat((count * 1024 * 1024) / text.length);

/** Each goes beyond a bound, and is small unless its name says otherwise. */
export const hostilePdfs: Readonly<Record<string, () => Buffer>> = {
  "a tree of 12 levels, each naming the next twice": () => doublingTree(12),
  "a tree of 20 levels, each naming the next twice": () => doublingTree(20),
  "a tree of 45 levels, each naming the next twice": () => doublingTree(45),
  "a tree that holds itself": () => pdfOf({ 1: treeAt(2), 2: "<</Kids[2 0 R]>>" }),
  "objects that are each other": () => pdfOf({ 1: treeAt(2), 2: "3 0 R", 3: "2 0 R" }),
  "a tree as a list of a million": () =>
    pdfOf({ 1: treeAt(2), 2: `<</Kids[${"3 0 R ".repeat(1_000_000)}]>>`, 3: "<<>>" }),
  "a million associated files": () =>
    pdfOf({ 1: `<</Type/Catalog/AF[${"3 0 R ".repeat(1_000_000)}]>>`, 3: "<<>>" }),
  "25 MB of small objects": () => {
    const [head, tail] = [pdfOf({ 1: treeAt(2) }), "5 0 obj<</A 1>>endobj\n"];
    return Buffer.concat([head, latin(megabytes(24, tail))]);
  },
  "lists in lists": () => pdfOf({ 1: treeAt(2), 2: "[".repeat(10_000) }),
  "objects begun and never ended": () =>
    Buffer.concat([pdfOf({ 1: treeAt(2) }), latin(megabytes(4, "1 0 obj(".padEnd(16)))]),
  "a text of two megabytes": () => pdfOf({ 1: treeAt(2), 2: `(${"x".repeat(2_000_000)})` }),
  "a file of more than is read": () => Buffer.concat([pdfOf({}), Buffer.alloc(25 * 1024 * 1024)]),
  "a file that unpacks to 100 MB": () =>
    pdfOf({
      1: "<</Type/Catalog/AF[2 0 R]>>",
      2: "<</F(factur-x.xml)/EF<</F 3 0 R>>>>",
      3: stream(Buffer.alloc(100 * 1024 * 1024)),
    }),
  "object streams that unpack to 128 MB together": () => {
    const packed = stream(Buffer.alloc(16 * 1024 * 1024, " "), "/Type/ObjStm/N 0/First 0");
    const objects = Array.from({ length: 8 }, (_, at) => [at + 2, packed] as const);
    return pdfOf({ 1: treeAt(2), ...Object.fromEntries(objects) });
  },
  "an object stream of more objects than are read": () =>
    pdfOf({ 1: treeAt(2), 2: stream("1 0 ".repeat(1_500_000), "/Type/ObjStm/N 9000000/First 0") }),
};
