/** Reads a PDF without any other program: as much of the format as printed documents use. */
import { inflateSync } from "node:zlib";

export interface PdfText {
  /** Of each page, its texts in the order in which they were put there. */
  readonly pages: readonly (readonly string[])[];
  /** The dictionaries of all objects, as text. */
  readonly dictionaries: readonly string[];
  /** Title and author once more, as XML. */
  readonly metadata: string;
  /** What is tagged, by type: `TD`, `H1`. */
  readonly tags: readonly string[];
  /** What is to be read in place of what is drawn. */
  readonly actual: readonly string[];
  /** Glyphs that stand for no character: the boxes of fonts. */
  readonly boxes: number;
}

interface PdfObject {
  readonly dictionary: string;
  readonly stream: string | undefined;
}

export function readPdf(bytes: Uint8Array): PdfText {
  const objects = objectsOf(Buffer.from(bytes).toString("latin1"));
  const fonts = fontsOf(objects);
  const all = [...objects.values()];
  const root = all.find(({ dictionary }) => dictionary.includes("/Type /Pages"));
  const kids = /\/Kids \[([^\]]*)\]/.exec(root?.dictionary ?? "")?.[1] ?? "";
  const contents = [...kids.matchAll(/(\d+) 0 R/g)].map(([, page]) => {
    const at = /\/Contents (\d+) 0 R/.exec(objects.get(page ?? "")?.dictionary ?? "")?.[1];
    return objects.get(at ?? "")?.stream ?? "";
  });
  return {
    pages: contents.map((content) => textsOf(content, fonts)),
    dictionaries: all.map(({ dictionary }) => dictionary),
    metadata: Buffer.from(
      all.find(({ dictionary }) => dictionary.includes("/Type /Metadata"))?.stream ?? "",
      "latin1",
    ).toString("utf8"),
    tags: contents.flatMap((content) =>
      [...content.matchAll(/^\/(\w+) <<\n\/MCID/gm)].map(([, tag]) => tag ?? ""),
    ),
    actual: contents.flatMap((content) =>
      [...content.matchAll(/\/ActualText \(((?:[^()\\]|\\[\s\S])*)\)/g)].map(([, text = ""]) =>
        literal(text),
      ),
    ),
    boxes: contents.flatMap(glyphsOf).filter((glyph) => glyph === 0).length,
  };
}

function objectsOf(text: string): Map<string, PdfObject> {
  const found = new Map<string, PdfObject>();
  for (const [, number = "", body = ""] of text.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const at = body.indexOf("stream\n");
    const dictionary = at < 0 ? body : body.slice(0, at);
    const raw = Buffer.from(body.slice(at + 7).replace(/\nendstream$/, ""), "latin1");
    const data = dictionary.includes("/FlateDecode") ? inflateSync(raw) : raw;
    found.set(number, { dictionary, stream: at < 0 ? undefined : data.toString("latin1") });
  }
  return found;
}

/** The characters of each font by the number of the glyph. */
function fontsOf(objects: ReadonlyMap<string, PdfObject>): Map<string, string[]> {
  const fonts = new Map<string, string[]>();
  for (const { dictionary } of objects.values()) {
    for (const [, name = "", at = ""] of dictionary.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const font = objects.get(at)?.dictionary ?? "";
      const map = objects.get(/\/ToUnicode (\d+) 0 R/.exec(font)?.[1] ?? "")?.stream ?? "";
      const ranges = [...map.matchAll(/<[0-9a-f]+> <[0-9a-f]+> \[([^\]]*)\]/g)];
      const codes = ranges.flatMap(([, list = ""]) => [...list.matchAll(/<([0-9a-f ]*)>/g)]);
      fonts.set(
        name,
        codes.map(([, hex = ""]) => decoded(hex.replaceAll(" ", ""))),
      );
    }
  }
  return fonts;
}

function decoded(hex: string): string {
  return Buffer.from(hex, "hex").swap16().toString("utf16le");
}

/** A string of PDF, in UTF-16 where a mark says so. */
function literal(text: string): string {
  const named: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
  const bytes = text.replace(/\\([\s\S])/g, (_, each: string) => named[each] ?? each);
  if (!bytes.startsWith("\xfe\xff")) return bytes;
  return Buffer.from(bytes.slice(2), "latin1").swap16().toString("utf16le");
}

function glyphsOf(content: string): number[] {
  return [...content.matchAll(/\[([^\]]*)\] TJ/g)].flatMap(([, shown = ""]) =>
    [...shown.matchAll(/<([0-9a-f]*)>/g)].flatMap(([, hex = ""]) =>
      (hex.match(/.{4}/g) ?? []).map((each) => Number.parseInt(each, 16)),
    ),
  );
}

function textsOf(content: string, fonts: ReadonlyMap<string, string[]>): string[] {
  const put = /\/(F\d+) [\d.]+ Tf\n\[([^\]]*)\] TJ/g;
  return [...content.matchAll(put)].map(([, font = "", shown = ""]) => {
    const glyphs = [...shown.matchAll(/<([0-9a-f]*)>/g)].flatMap(([, hex = ""]) =>
      (hex.match(/.{4}/g) ?? []).map((each) => Number.parseInt(each, 16)),
    );
    return glyphs.map((glyph) => fonts.get(font)?.[glyph] ?? "").join("");
  });
}
